// `cupel backup`: a state folder in one file, while a server works in it or not.
import { type BackupOutcome, takeBackup } from "../../data/backup/take-backup.ts";
import { InputError } from "../../engine/input-error.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { EXIT } from "../exit-codes.ts";
import { formatAmount, formatBytes } from "../format.ts";
import { CUPEL_VERSION } from "../version.ts";
import type { Console } from "./console.ts";

export interface BackupOptions {
  dataFolder: string;
  /** Absolute. */
  file: string;
  /** Whether to answer with a `BackupAnswer`. */
  json: boolean;
}

export type BackupAnswer = (BackupOutcome & { file: string }) | { error: { code: string; message: string } };

/** Names of files that are shown at most. */
const MOST_NAMES = 5;

/**
 * Writes the backup and gives the exit code: `endedEarly` where it lacks files, as the folder does.
 *
 * @throws InputError where the folder cannot be backed up, or the file not be written; Cancelled after Ctrl-C
 */
export async function backup(options: BackupOptions, console: Console): Promise<number> {
  const { dataFolder, file, json } = options;
  try {
    const outcome = await untilInterrupted(console, (signal) =>
      takeBackup({ folder: dataFolder, file, cupelVersion: CUPEL_VERSION, now: new Date(), signal }),
    );
    if (json) console.print(answerText({ file, ...outcome }));
    else tell(options, outcome, console);
    return outcome.faultyFiles.length === 0 ? EXIT.done : EXIT.endedEarly;
  } catch (error) {
    if (!json || !(error instanceof InputError)) throw error;
    console.print(answerText({ error: { code: error.code, message: error.message } }));
    return EXIT.badInput;
  }
}

/** Runs work that Ctrl-C ends. */
export async function untilInterrupted<T>(console: Console, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const release = console.onInterrupt(() => ending.abort(new Cancelled()));
  try {
    return await work(ending.signal);
  } finally {
    release();
  }
}

/** What to say of files that are not as the database says. */
export function faultyNote(paths: readonly string[], advice: string): string {
  const shown = paths.slice(0, MOST_NAMES).join(", ");
  const others = paths.length > MOST_NAMES ? " and others" : "";
  return `${formatAmount(paths.length, "file")} that the database names ${paths.length === 1 ? "is" : "are"} missing or altered: ${shown}${others}. ${advice}`;
}

function answerText(answer: BackupAnswer): string {
  return JSON.stringify(answer);
}

function tell({ dataFolder, file }: BackupOptions, outcome: BackupOutcome, console: Console): void {
  const { fileCount, sizeBytes, faultyFiles } = outcome;
  console.print(`Wrote ${file}: ${formatAmount(fileCount, "file")}, ${formatBytes(sizeBytes)}, read back and whole.`);
  console.print("It holds the secret key and everybody's data: guard it as you guard the state folder.");
  if (faultyFiles.length === 0) return;
  console.progress.note(faultyNote(faultyFiles, `See them all with: cupel doctor --data '${dataFolder}'`));
}
