// The commands and options for work on a server: login, logout, and `--server`.
import type { Command } from "commander";
import { SettingError } from "../common/setting-values.ts";
import type { CommandLine } from "./command-options.ts";

export interface ServerFlag {
  /** The server's address; true for the default one. Left out, the work is done here. */
  server?: string | true;
}

/** Why options of local commands do not go with `--server`, by their name in the flags. */
type Unsupported = Readonly<Record<string, string>>;

const ON_THIS_MACHINE = "it is about this machine, and the server decides for itself";

/** Options of `run` and `refine` that a server decides. */
export const WORK_ELSEWHERE: Unsupported = {
  timeCap: "the server has its own limit of time",
  seed: "the server draws by its own seed, 1",
  workers: ON_THIS_MACHINE,
  memoryBudgetMib: ON_THIS_MACHINE,
};
export const RUN_ELSEWHERE: Unsupported = {
  ...WORK_ELSEWHERE,
  likeInput: "results of a server have commas; `cupel predict` with the model that the run leaves writes others",
};
const ROWS = "a server answers whole files with a header; `cupel predict` with a model file does this";
export const PREDICT_ELSEWHERE: Unsupported = {
  likeInput: ROWS,
  inputHeader: ROWS,
  outputHeader: ROWS,
  only: ROWS,
  skipBadRows: ROWS,
  asTrained: ROWS,
  watch: "the server counts by itself what its models are given; their health page tells of it",
};

export const WATCH_ELSEWHERE: Unsupported = {
  counts: "the server keeps the counts; the model's Health page tells of them",
  predicted: "the server keeps what was predicted",
};

export function addServerOption(command: Command): Command {
  return command.option(
    "--server [url]",
    "do the work on this server, or without an address on that of CUPEL_URL or the last login",
  );
}

/**
 * The server's address, empty for the default one; null for work on this machine.
 *
 * @throws SettingError for the first given option that a server cannot do: before anything is sent
 */
export function serverOf({ server }: ServerFlag, command: Command, unsupported: Unsupported): string | null {
  if (server === undefined) return null;
  for (const option of command.options) {
    const name = option.attributeName();
    const why = unsupported[name];
    if (why === undefined || command.getOptionValueSource(name) !== "cli") continue;
    throw new SettingError(`${option.long} does not go with --server: ${why}.`);
  }
  return server === true ? "" : server;
}

/**
 * `--server` takes an address or none, and a file's name may follow: only what looks like
 * an address is one. Arguments after `--` are left alone.
 */
export function withServerValues(argv: readonly string[], commands: readonly Command[]): string[] {
  const takesServer = ({ options }: Command) => options.some(({ long }) => long === "--server");
  if (!commands.some((command) => argv.includes(command.name()) && takesServer(command))) return [...argv];
  const end = argv.indexOf("--");
  return argv.map((argument, at) => {
    const isOption = argument === "--server" && (end < 0 || at < end);
    return isOption && !/^https?:\/\//i.test(argv[at + 1] ?? "") ? "--server=" : argument;
  });
}

export function addLogin({ program, openConsole, done }: CommandLine): void {
  program
    .command("login")
    .description("keep an API key for a server, for commands with --server; asks for user and password")
    .argument("<url>", "the server's address, such as https://cupel.example.org")
    .option("--user <email>", "whose account (default: asked)")
    .option("--password-stdin", "read the password from standard input", false)
    .option("--key", "keep the API key that standard input gives, rather than make one", false)
    .option("--ca-file <file>", "trust this authority's certificate (PEM) for this server")
    .addHelpText("after", "\nWithout --user, the API key of CUPEL_KEY is kept where that is set.")
    .action(async (url: string, flags: { user?: string; passwordStdin: boolean; key: boolean; caFile?: string }) => {
      const { login } = await import("../remote/login.ts");
      const { user = null, passwordStdin, key, caFile = null } = flags;
      done(await login({ url, user, passwordStdin, key, caFile }, openConsole()));
    });
}

export function addLogout({ program, openConsole, done }: CommandLine): void {
  program
    .command("logout")
    .description("revoke the key that `login` made, and forget the server")
    .argument("[url]", "the server (default: that of the last login)")
    .action(async (url: string | undefined) => {
      const { logout } = await import("../remote/login.ts");
      done(await logout(url ?? null, openConsole()));
    });
}
