// The commands of the service: serve, who may log in, the secret, and what systemd is told.
import { type Command, InvalidArgumentError } from "commander";
import { DEFAULT_REQUESTS_PER_MINUTE } from "./auth/request-limit.ts";
import type { Console } from "./commands/console.ts";
import { SERVICE_DATA_FOLDER, SERVICE_USER } from "./commands/service-unit.ts";
import type { UserAction } from "./commands/user.ts";
import {
  DEFAULT_AUDIT_DAYS,
  DEFAULT_BACKUP_HOURS,
  DEFAULT_BACKUPS_KEPT,
  DEFAULT_DATA_FOLDER,
  DEFAULT_HOST,
  DEFAULT_LOG_LEVEL,
  DEFAULT_PORT,
  LOG_FORMATS,
  LOG_LEVELS,
  readServeOptions,
  type ServeFlags,
} from "./config.ts";
import { DEFAULT_TIME_CAPS } from "./limits.ts";

/** What these commands need of the program. */
export interface ServiceCommands {
  program: Command;
  openConsole(): Console;
  spawnWorker: () => Worker;
  done(exitCode: number): void;
}

export function addServe({ program, openConsole, spawnWorker, done }: ServiceCommands): void {
  const command = program
    .command("serve")
    .description("run the service: the REST API on one port, its state in one folder");
  addSettings(command, DEFAULT_DATA_FOLDER)
    .option("--keep-deleted-days <n>", "remove the files of deleted refinements and datasets after so many days")
    .option("--keep-results-days <n>", "remove inputs and results of predictions so many days after their end")
    .option(
      "--keep-audit-days <n>",
      `remove events of the audit trail after so many days (default: ${DEFAULT_AUDIT_DAYS})`,
    )
    .option("--quota-gib-per-user <n>", "room that the files of one user may take, in GiB")
    .option("--quota-gib <n>", "room that the files of all users may take, in GiB")
    .addHelpText("after", "\nEach option may also be given as a variable: CUPEL_DATA, CUPEL_PORT, CUPEL_PUBLIC_URL, …")
    .action(async (flags: ServeFlags) => {
      const options = readServeOptions(flags, process.env, navigator.hardwareConcurrency);
      // Elysia tells clients more than it should where this does not say production.
      process.env["NODE_ENV"] = "production";
      const { serve } = await import("./commands/serve.ts");
      const admin = { email: process.env["CUPEL_ADMIN_EMAIL"], password: process.env["CUPEL_ADMIN_PASSWORD"] };
      done(await serve(options, admin, openConsole(), spawnWorker));
    });
}

/** The settings that `serve` takes, and whoever has it started with them. */
function addSettings(command: Command, dataFolder: string): Command {
  const { trainingSeconds, attemptSeconds, refinementSeconds, predictionSeconds } = DEFAULT_TIME_CAPS;
  return command
    .option("--data <folder>", `the state folder (default: ${dataFolder})`)
    .option("--host <host>", `the address to listen on (default: ${DEFAULT_HOST})`)
    .option("--port <port>", `the port, 0 for any (default: ${DEFAULT_PORT})`)
    .option("--base-path <path>", "before every path, like /cupel")
    .option("--public-url <url>", "where clients reach the service, for links in answers")
    .option("--allowed-hosts <names>", "host names that are answered beside the above, comma-separated")
    .option("--trusted-proxies <networks>", "proxies whose X-Forwarded-For is believed, comma-separated")
    .option("--cors-origins <origins>", "sites whose scripts may read answers, comma-separated")
    .option("--workers <n>", "threads for refinements and trainings (default: one per core)")
    .option(
      "--memory-budget-mib <n>",
      "memory that all jobs together keep to (default: three quarters of the machine's, nine tenths of its control group's)",
    )
    .option("--training-time-cap <seconds>", `end trainings after this long (default: ${trainingSeconds})`)
    .option("--attempt-time-cap <seconds>", `end one of their attempts (default: ${attemptSeconds})`)
    .option("--refinement-time-cap <seconds>", `end refinements (default: ${refinementSeconds})`)
    .option("--prediction-time-cap <seconds>", `end predictions (default: ${predictionSeconds})`)
    .option("--requests-per-minute <n>", `of one credential (default: ${DEFAULT_REQUESTS_PER_MINUTE})`)
    .option("--tls-cert <file>", "certificate, PEM")
    .option("--tls-key <file>", "its key, PEM")
    .option("--backup-folder <folder>", "make backups here, best on another disk (default: none are made)")
    .option("--backup-every <hours>", `hours from one to the next (default: ${DEFAULT_BACKUP_HOURS})`)
    .option("--backup-keep <n>", `how many stay, the newest (default: ${DEFAULT_BACKUPS_KEPT})`)
    .option("--missing-files <refuse|allow>", "begin though files of the state are missing (default: refuse)")
    .option("--log-format <format>", `${LOG_FORMATS.join(" or ")} (default: text on a terminal, else json)`)
    .option("--log-level <level>", `${LOG_LEVELS.join(", ")} (default: ${DEFAULT_LOG_LEVEL})`);
}

const USER_ACTIONS = {
  add: "let somebody in, with a password that is made up and shown once",
  list: "who may log in",
  password: "give somebody a new password",
  disable: "refuse somebody's logins, tokens and keys",
  enable: "let somebody in again",
  remove: "remove somebody for good",
} as const satisfies Record<UserAction, string>;

interface UserFlags {
  data?: string;
  admin?: boolean;
  passwordStdin?: boolean;
}

export function addUser({ program, openConsole, done }: ServiceCommands): void {
  const user = program.command("user").description("who may log in to the service").helpCommand(false);
  for (const [action, description] of Object.entries(USER_ACTIONS) as [UserAction, string][]) {
    const command = user.command(action).description(description);
    if (action !== "list") command.argument("<email>", "whom", emailOf);
    command.option("--data <folder>", `the state folder (default: ${DEFAULT_DATA_FOLDER})`);
    if (action === "add") command.option("--admin", "as an administrator");
    if (action === "add" || action === "password")
      command.option("--password-stdin", "read the password from standard input");
    command.action(async (...given: unknown[]) => {
      const email = action === "list" ? null : String(given[0]);
      const flags = given[action === "list" ? 0 : 1] as UserFlags;
      const { readPasswordLine, userCommand } = await import("./commands/user.ts");
      const readPassword = flags.passwordStdin === true ? () => readPasswordLine(Bun.stdin.stream()) : null;
      const { dataFolder } = readServeOptions({ data: flags.data }, process.env, 1);
      done(await userCommand(action, { dataFolder, email, admin: flags.admin === true, readPassword }, openConsole()));
    });
  }
}

export function addSecret({ program, openConsole, done }: ServiceCommands): void {
  const secret = program
    .command("secret")
    .description("what the service signs tokens and upload addresses with")
    .helpCommand(false);
  secret
    .command("rotate")
    .description("make a new one; what was signed before stays good until it ends, within the hour")
    .option("--data <folder>", `the state folder (default: ${DEFAULT_DATA_FOLDER})`)
    .option("--now", "end every login and upload address at once, as after a leak", false)
    .action(async (flags: { data?: string; now: boolean }) => {
      const { rotateCommand } = await import("./commands/secret.ts");
      const { dataFolder } = readServeOptions({ data: flags.data }, process.env, 1);
      done(await rotateCommand({ dataFolder, endsAtOnce: flags.now }, openConsole()));
    });
}

interface InstallFlags extends ServeFlags {
  user: string;
  unitFolder?: string;
  now: boolean;
}

export function addService({ program, openConsole, done }: ServiceCommands): void {
  const service = program.command("service").description("have systemd run the service").helpCommand(false);
  const print = service.command("print").description("print the unit that `install` would write; its user must exist");
  const install = service.command("install").description("write the unit, and make its user and folders");
  for (const command of [print, install]) {
    addSettings(command, SERVICE_DATA_FOLDER).option("--user <name>", "who runs it", SERVICE_USER);
  }
  print.action(async ({ user, ...flags }: Omit<InstallFlags, "unitFolder" | "now">) => {
    const { printUnit, thisMachine } = await import("./commands/service-install.ts");
    done(printUnit({ flags, user }, thisMachine(), openConsole()));
  });
  install
    .option("--unit-folder <folder>", "write the unit here, and do nothing else (default: where systemd finds it)")
    .option("--now", "start it, and with the machine from now on", false)
    .action(async ({ user, unitFolder, now, ...flags }: InstallFlags) => {
      const { installService, thisMachine } = await import("./commands/service-install.ts");
      done(await installService({ flags, user, unitFolder: unitFolder ?? null, now }, thisMachine(), openConsole()));
    });
  service
    .command("uninstall")
    .description("end the service and remove its unit; what it kept stays")
    .option("--unit-folder <folder>", "where the unit is (default: where systemd finds it)")
    .action(async ({ unitFolder }: { unitFolder?: string }) => {
      const { thisMachine, uninstallService } = await import("./commands/service-install.ts");
      done(await uninstallService(unitFolder ?? null, thisMachine(), openConsole()));
    });
}

function emailOf(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It must be an e-mail address.");
}
