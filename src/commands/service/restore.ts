// `cupel restore`: replaces a state folder by a backup.
import { type RestoreOutcome, restoreBackup } from "../../../data/backup/restore-backup.ts";
import { EXIT } from "../../common/exit-codes.ts";
import { formatAmount, formatBytes } from "../../common/format.ts";
import type { Console } from "../console.ts";
import { faultyNote, untilInterrupted } from "./backup.ts";

export interface RestoreOptions {
  dataFolder: string;
  /** Absolute. */
  file: string;
  /** Whether an existing state may be moved aside. */
  replace: boolean;
}

const SETTLED_NOTES = {
  finished: "An earlier restore was interrupted while it replaced the state; it was finished first.",
  cleared: "An earlier restore was interrupted before it replaced anything; its unpacked files were removed.",
} as const;

/**
 * Restores a backup. The exit code is `endedEarly` where the backup lacks files that its database names.
 *
 * @throws InputError where the backup or the folder cannot be used; the state is then unchanged; Cancelled after Ctrl-C
 */
export async function restore({ dataFolder, file, replace }: RestoreOptions, console: Console): Promise<number> {
  const outcome = await untilInterrupted(console, (signal) =>
    restoreBackup({ file, folder: dataFolder, replace, now: new Date(), signal }),
  );
  if (outcome.settled !== null) console.progress.note(SETTLED_NOTES[outcome.settled.outcome]);
  console.print(...closingLines(dataFolder, outcome));
  if (outcome.faultyFiles.length === 0) return EXIT.done;
  console.progress.note(
    faultyNote(outcome.faultyFiles, "The backup was made without them; an older one may have them."),
  );
  return EXIT.endedEarly;
}

function closingLines(folder: string, { about, fileCount, sizeBytes, asideFolder }: RestoreOutcome): string[] {
  const madeWhen = `${about.createdOn.toISOString()} by Cupel ${about.cupelVersion}`;
  const restored = `Restored ${folder}: ${formatAmount(fileCount, "file")}, ${formatBytes(sizeBytes)}, of the backup made ${madeWhen}.`;
  if (asideFolder === null) return [restored];
  return [restored, `The earlier state is in ${asideFolder}; delete it when you no longer need it.`];
}
