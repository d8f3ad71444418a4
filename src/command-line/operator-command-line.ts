// The commands of whoever keeps a service: backup, restore, doctor and audit.
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { readServeOptions, type ServeFlags, type SettingName } from "../service/config.ts";
import { addSettings, type CommandLine, dataFolderOf } from "./command-options.ts";

/** The settings by which the doctor finds the service. */
const DOCTOR_SETTINGS: readonly SettingName[] = [
  "data",
  "host",
  "port",
  "basePath",
  "publicUrl",
  "tlsCert",
  "tlsKey",
  "backupFolder",
  "backupEvery",
  "memoryBudgetMib",
];

export function addBackup({ program, openConsole, done }: CommandLine): void {
  const command = program
    .command("backup")
    .description("copy the state of a service into one file, while the service runs or not")
    .argument("<file>", "the backup to write; keep it as secret as the state folder; never overwritten");
  addSettings(command, ["data"])
    .option("--json", "print one JSON object", false)
    .action(async (file: string, flags: { data?: string; json: boolean }) => {
      const { backup } = await import("../commands/service/backup.ts");
      done(await backup({ dataFolder: dataFolderOf(flags), file: resolve(file), json: flags.json }, openConsole()));
    });
}

export function addRestore({ program, openConsole, done }: CommandLine): void {
  const command = program
    .command("restore")
    .description("replace the state of a stopped service by a backup")
    .argument("<file>", "a file that `cupel backup` wrote");
  addSettings(command, ["data"])
    .option("--replace", "move a state that is there into a folder inside the state folder first", false)
    .action(async (file: string, flags: { data?: string; replace: boolean }) => {
      const { restore } = await import("../commands/service/restore.ts");
      const options = { dataFolder: dataFolderOf(flags), file: resolve(file), replace: flags.replace };
      done(await restore(options, openConsole()));
    });
}

export function addAudit({ program, openConsole, done }: CommandLine): void {
  const command = program
    .command("audit")
    .description("show who did what on a service, oldest first, while it runs or not");
  addSettings(command, ["data"])
    .option("--since <time>", "from this time on: 2027-01-15, or 2027-01-15T09:30:00Z", momentOf)
    .option("--until <time>", "before this time", momentOf)
    .option("--json", "print one JSON object a line", false)
    .action(async (flags: { data?: string; since?: string; until?: string; json: boolean }) => {
      const { auditCommand } = await import("../commands/service/audit.ts");
      const { since = null, until = null, json } = flags;
      done(await auditCommand({ dataFolder: dataFolderOf(flags), since, until, json }, openConsole()));
    });
}

/** A day in UTC or a point in time, in the form in which the database compares times. */
function momentOf(text: string): string {
  const isMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text);
  const moment = new Date(text);
  if (isMoment && !Number.isNaN(moment.getTime())) return moment.toISOString();
  throw new InvalidArgumentError(
    "It must be a day such as 2027-01-15, or a point in time such as 2027-01-15T09:30:00Z.",
  );
}

export function addDoctor({ program, openConsole, done }: CommandLine): void {
  const command = program.command("doctor").description("look for what is wrong with a service; changes nothing");
  addSettings(command, DOCTOR_SETTINGS)
    .option("--deep", "read all files and compare their hashes", false)
    .option("--json", "print one JSON object", false)
    .addHelpText("after", "\nGive the settings that the service has; others come from CUPEL_* variables, as for serve.")
    .action(async ({ deep, json, ...flags }: ServeFlags & { deep: boolean; json: boolean }) => {
      const { doctor } = await import("../commands/service/doctor.ts");
      done(await doctor({ service: readServeOptions(flags, process.env, 1), deep, json }, openConsole()));
    });
}
