// `cupel backup`: copies a state folder into one file, whether the service runs or not.
import { type BackupOutcome, takeBackup } from "../../../data/backup/take-backup.ts";
import { InputError } from "../../../engine/input-error.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import type { BackupAnswer } from "../../backups/scheduled-backups.ts";
import { EXIT } from "../../common/exit-codes.ts";
import { formatAmount, formatBytes } from "../../common/format.ts";
import { CUPEL_VERSION } from "../../common/version.ts";
import type { Console } from "../console.ts";

export interface BackupOptions {
  dataFolder: string;
  /** Absolute. */
  file: string;
  /** Whether to print a `BackupAnswer`. */
  json: boolean;
}

/** Most file names in a message. */
const MOST_NAMES = 5;

/**
 * Writes the backup. The exit code is `endedEarly` where the folder, and so the backup, lacks files.
 *
 * @throws InputError where the folder cannot be backed up or the file cannot be written; Cancelled after Ctrl-C
 */
export async function backup(options: BackupOptions, console: Console): Promise<number> {
  const { dataFolder, file, json } = options;
  const print = (answer: BackupAnswer) => console.print(JSON.stringify(answer));
  try {
    const outcome = await untilInterrupted(console, (signal) =>
      takeBackup({ folder: dataFolder, file, cupelVersion: CUPEL_VERSION, now: new Date(), signal }),
    );
    if (json) print({ file, ...outcome });
    else printOutcome(options, outcome, console);
    return outcome.faultyFiles.length === 0 ? EXIT.done : EXIT.endedEarly;
  } catch (error) {
    if (!json || !(error instanceof InputError)) throw error;
    print({ error: { code: error.code, message: error.message } });
    return EXIT.badInput;
  }
}

/** Runs work that Ctrl-C stops. */
export async function untilInterrupted<T>(console: Console, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const release = console.onInterrupt(() => ending.abort(new Cancelled()));
  try {
    return await work(ending.signal);
  } finally {
    release();
  }
}

/** The message about missing or altered files. */
export function faultyNote(paths: readonly string[], advice: string): string {
  const shown = paths.slice(0, MOST_NAMES).join(", ");
  const others = paths.length > MOST_NAMES ? " and others" : "";
  return (
    `${formatAmount(paths.length, "file")} that the database names ` +
    `${paths.length === 1 ? "is" : "are"} missing or altered: ${shown}${others}. ${advice}`
  );
}

function printOutcome({ dataFolder, file }: BackupOptions, outcome: BackupOutcome, console: Console): void {
  const { fileCount, sizeBytes, faultyFiles } = outcome;
  console.print(`Wrote ${file}: ${formatAmount(fileCount, "file")}, ${formatBytes(sizeBytes)}, verified.`);
  console.print("It contains the secret key and all users' data: protect it as you protect the state folder.");
  if (faultyFiles.length === 0) return;
  console.progress.note(faultyNote(faultyFiles, `List them all with: cupel doctor --data '${dataFolder}'`));
}
