// The commands of whoever keeps a service: backup, restore, doctor and audit.
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { DEFAULT_DATA_FOLDER, readServeOptions, type ServeFlags } from "./config.ts";
import type { ServiceCommands } from "./service-command-line.ts";

export function addBackup({ program, openConsole, done }: ServiceCommands): void {
  program
    .command("backup")
    .description("copy the state of a service into one file, while the service runs or not")
    .argument("<file>", "where to; as secret as the state folder, and never overwritten")
    .option("--data <folder>", `the state folder (default: ${DEFAULT_DATA_FOLDER})`)
    .option("--json", "print one JSON object", false)
    .action(async (file: string, flags: { data?: string; json: boolean }) => {
      const { backup } = await import("./commands/backup.ts");
      done(await backup({ dataFolder: dataFolderOf(flags), file: resolve(file), json: flags.json }, openConsole()));
    });
}

export function addRestore({ program, openConsole, done }: ServiceCommands): void {
  program
    .command("restore")
    .description("put a backup in place of the state of a service that does not run")
    .argument("<file>", "what `cupel backup` wrote")
    .option("--data <folder>", `the state folder (default: ${DEFAULT_DATA_FOLDER})`)
    .option("--replace", "where there is a state already, move it into a folder within", false)
    .action(async (file: string, flags: { data?: string; replace: boolean }) => {
      const { restore } = await import("./commands/restore.ts");
      const options = { dataFolder: dataFolderOf(flags), file: resolve(file), replace: flags.replace };
      done(await restore(options, openConsole()));
    });
}

export function addAudit({ program, openConsole, done }: ServiceCommands): void {
  program
    .command("audit")
    .description("who did what on a service, oldest first, while it runs or not")
    .option("--data <folder>", `the state folder (default: ${DEFAULT_DATA_FOLDER})`)
    .option("--since <time>", "from then on: 2027-01-15, or 2027-01-15T09:30:00Z", momentOf)
    .option("--until <time>", "before then", momentOf)
    .option("--json", "print one JSON object a line", false)
    .action(async (flags: { data?: string; since?: string; until?: string; json: boolean }) => {
      const { auditCommand } = await import("./commands/audit.ts");
      const { since = null, until = null, json } = flags;
      done(await auditCommand({ dataFolder: dataFolderOf(flags), since, until, json }, openConsole()));
    });
}

/** A day of UTC, or an instant, in the form that instants are compared in. */
function momentOf(text: string): string {
  const isMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text);
  const moment = new Date(text);
  if (isMoment && !Number.isNaN(moment.getTime())) return moment.toISOString();
  throw new InvalidArgumentError(
    "It must be a day such as 2027-01-15, or a point in time such as 2027-01-15T09:30:00Z.",
  );
}

export function addDoctor({ program, openConsole, done }: ServiceCommands): void {
  program
    .command("doctor")
    .description("look for what is wrong with a service, running or not; changes nothing")
    .option("--data <folder>", `the state folder (default: ${DEFAULT_DATA_FOLDER})`)
    .option("--host <host>", "as for `cupel serve`, and so for those below")
    .option("--port <port>", "the port of the service")
    .option("--base-path <path>", "before every path")
    .option("--public-url <url>", "where clients reach the service")
    .option("--tls-cert <file>", "certificate, PEM")
    .option("--tls-key <file>", "its key, PEM")
    .option("--backup-folder <folder>", "where the server makes backups")
    .option("--backup-every <hours>", "hours from one to the next")
    .option("--memory-budget-mib <n>", "memory that the service may use")
    .option("--deep", "read all files and compare their hashes", false)
    .option("--json", "print one JSON object", false)
    .addHelpText("after", "\nSettings that are not given are read from CUPEL_* variables, as by `cupel serve`.")
    .action(async ({ deep, json, ...flags }: ServeFlags & { deep: boolean; json: boolean }) => {
      const { doctor } = await import("./commands/doctor.ts");
      done(await doctor({ service: readServeOptions(flags, process.env, 1), deep, json }, openConsole()));
    });
}

function dataFolderOf({ data }: { data?: string }): string {
  return readServeOptions({ data }, process.env, 1).dataFolder;
}
