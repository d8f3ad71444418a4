// The commands of the service: serve, who may log in, the secret, and what systemd is told.
import { InvalidArgumentError } from "commander";
import { SERVICE_DATA_FOLDER, SERVICE_USER } from "../commands/service/service-unit.ts";
import type { UserAction } from "../commands/service/user.ts";
import { readServeOptions, SERVE_SETTINGS, type ServeFlags, type SettingName } from "../service/config.ts";
import { addSettings, type CommandLine, dataFolderOf } from "./command-options.ts";

const ALL_SETTINGS = Object.keys(SERVE_SETTINGS) as SettingName[];

export function addServe({ program, openConsole, spawnWorker, done }: CommandLine): void {
  const command = program
    .command("serve")
    .description("run the service: a REST API and dashboard on one port, all its state in one folder");
  addSettings(command, ALL_SETTINGS)
    .addHelpText("after", "\nEach option may also be given as a variable: CUPEL_DATA, CUPEL_PORT, CUPEL_PUBLIC_URL, …")
    .action(async (flags: ServeFlags) => {
      const options = readServeOptions(flags, process.env, navigator.hardwareConcurrency);
      // Elysia tells clients more than it should where this does not say production.
      process.env["NODE_ENV"] = "production";
      const { serve } = await import("../commands/service/serve.ts");
      const admin = { email: process.env["CUPEL_ADMIN_EMAIL"], password: process.env["CUPEL_ADMIN_PASSWORD"] };
      done(await serve(options, admin, openConsole(), spawnWorker));
    });
}

const USER_ACTIONS = {
  add: "add a user, with a generated password that is shown once",
  list: "list users",
  password: "give a user a new password",
  disable: "refuse a user's logins, tokens and API keys",
  enable: "undo disable",
  remove: "remove a user for good",
} as const satisfies Record<UserAction, string>;

interface UserFlags {
  data?: string;
  admin?: boolean;
  passwordStdin?: boolean;
}

export function addUser({ program, openConsole, done }: CommandLine): void {
  const user = program.command("user").description("manage who may log in to the service").helpCommand(false);
  for (const [action, description] of Object.entries(USER_ACTIONS) as [UserAction, string][]) {
    const command = user.command(action).description(description);
    if (action !== "list") command.argument("<email>", "the user's e-mail address", emailOf);
    addSettings(command, ["data"]);
    if (action === "add") command.option("--admin", "make the user an administrator");
    if (action === "add" || action === "password")
      command.option("--password-stdin", "read the password from standard input");
    command.action(async (...given: unknown[]) => {
      const email = action === "list" ? null : String(given[0]);
      const flags = given[action === "list" ? 0 : 1] as UserFlags;
      const { readPasswordLine, userCommand } = await import("../commands/service/user.ts");
      const readPassword = flags.passwordStdin === true ? () => readPasswordLine(Bun.stdin.stream()) : null;
      const options = { dataFolder: dataFolderOf(flags), email, admin: flags.admin === true, readPassword };
      done(await userCommand(action, options, openConsole()));
    });
  }
}

export function addSecret({ program, openConsole, done }: CommandLine): void {
  const secret = program
    .command("secret")
    .description("manage the secret that signs tokens and upload addresses")
    .helpCommand(false);
  const rotate = secret
    .command("rotate")
    .description("make a new secret; what the old one signed stays valid until it expires, within the hour");
  addSettings(rotate, ["data"])
    .option("--now", "end every login and upload address at once, as after a leak", false)
    .action(async (flags: { data?: string; now: boolean }) => {
      const { rotateCommand } = await import("../commands/service/secret.ts");
      done(await rotateCommand({ dataFolder: dataFolderOf(flags), endsAtOnce: flags.now }, openConsole()));
    });
}

interface InstallFlags extends ServeFlags {
  user: string;
  unitFolder?: string;
  now: boolean;
}

export function addService({ program, openConsole, done }: CommandLine): void {
  const service = program.command("service").description("have systemd run the service").helpCommand(false);
  const print = service.command("print").description("print the unit that `install` would write; its user must exist");
  const install = service.command("install").description("write the unit, and make its user and folders");
  for (const command of [print, install]) {
    addSettings(command, ALL_SETTINGS, SERVICE_DATA_FOLDER).option(
      "--user <name>",
      "the account that runs the service",
      SERVICE_USER,
    );
  }
  print.action(async ({ user, ...flags }: Omit<InstallFlags, "unitFolder" | "now">) => {
    const { printUnit, thisMachine } = await import("../commands/service/service-install.ts");
    done(printUnit({ flags, user }, thisMachine(), openConsole()));
  });
  install
    .option("--unit-folder <folder>", "write the unit here, and do nothing else (default: where systemd finds it)")
    .option("--now", "start the service now and whenever the machine starts", false)
    .action(async ({ user, unitFolder, now, ...flags }: InstallFlags) => {
      const { installService, thisMachine } = await import("../commands/service/service-install.ts");
      done(await installService({ flags, user, unitFolder: unitFolder ?? null, now }, thisMachine(), openConsole()));
    });
  service
    .command("uninstall")
    .description("stop the service and remove its unit; its data stays")
    .option("--unit-folder <folder>", "where the unit is (default: where systemd finds it)")
    .action(async ({ unitFolder }: { unitFolder?: string }) => {
      const { thisMachine, uninstallService } = await import("../commands/service/service-install.ts");
      done(await uninstallService(unitFolder ?? null, thisMachine(), openConsole()));
    });
}

function emailOf(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It must be an e-mail address.");
}
