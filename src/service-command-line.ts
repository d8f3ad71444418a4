// The commands of the service: serve, and who may log in.
import { type Command, InvalidArgumentError } from "commander";
import { DEFAULT_REQUESTS_PER_MINUTE } from "./auth/request-limit.ts";
import type { Console } from "./commands/console.ts";
import type { UserAction } from "./commands/user.ts";
import { DEFAULT_DATA_FOLDER, DEFAULT_HOST, DEFAULT_PORT, readServeOptions, type ServeFlags } from "./config.ts";

/** What these commands need of the program. */
export interface ServiceCommands {
  program: Command;
  openConsole(): Console;
  spawnWorker: () => Worker;
  done(exitCode: number): void;
}

export function addServe({ program, openConsole, spawnWorker, done }: ServiceCommands): void {
  program
    .command("serve")
    .description("run the service: the REST API on one port, its state in one folder")
    .option("--data <folder>", `the state folder (default: ${DEFAULT_DATA_FOLDER})`)
    .option("--host <host>", `the address to listen on (default: ${DEFAULT_HOST})`)
    .option("--port <port>", `the port, 0 for any (default: ${DEFAULT_PORT})`)
    .option("--base-path <path>", "before every path, like /cupel")
    .option("--public-url <url>", "where clients reach the service, for links in answers")
    .option("--allowed-hosts <names>", "host names that are answered beside the above, comma-separated")
    .option("--workers <n>", "threads for refinements and trainings (default: one per core)")
    .option("--requests-per-minute <n>", `of one credential (default: ${DEFAULT_REQUESTS_PER_MINUTE})`)
    .option("--tls-cert <file>", "certificate, PEM")
    .option("--tls-key <file>", "its key, PEM")
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

function emailOf(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It must be an e-mail address.");
}
