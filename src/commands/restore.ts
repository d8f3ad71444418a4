// `cupel restore`: a state folder out of a backup, in the place of the one that is there.
import { type RestoreOutcome, restoreBackup } from "../../data/backup/restore-backup.ts";
import { EXIT } from "../exit-codes.ts";
import { formatAmount, formatBytes } from "../format.ts";
import { faultyNote, untilInterrupted } from "./backup.ts";
import type { Console } from "./console.ts";

export interface RestoreOptions {
  dataFolder: string;
  /** Absolute. */
  file: string;
  /** Whether a state that is there may be moved aside. */
  replace: boolean;
}

const SETTLED_NOTES = {
  finished: "An earlier restore had been interrupted while it replaced the state; it was finished first.",
  cleared: "An earlier restore had been interrupted before it replaced anything; what it had unpacked was removed.",
} as const;

/**
 * Restores and gives the exit code: `endedEarly` where the backup lacks files, as the folder did that it was made of.
 *
 * @throws InputError where the backup or the folder will not do, the state is then as it was; Cancelled after Ctrl-C
 */
export async function restore({ dataFolder, file, replace }: RestoreOptions, console: Console): Promise<number> {
  const outcome = await untilInterrupted(console, (signal) =>
    restoreBackup({ file, folder: dataFolder, replace, now: new Date(), signal }),
  );
  if (outcome.settled !== null) console.progress.note(SETTLED_NOTES[outcome.settled.outcome]);
  for (const line of closingLines(dataFolder, outcome)) console.print(line);
  if (outcome.faultyFiles.length === 0) return EXIT.done;
  console.progress.note(
    faultyNote(outcome.faultyFiles, "They were so when the backup was made; an older one may have them."),
  );
  return EXIT.endedEarly;
}

function closingLines(folder: string, { about, fileCount, sizeBytes, asideFolder }: RestoreOutcome): string[] {
  const made = `${about.createdOn.toISOString()} by Cupel ${about.cupelVersion}`;
  const restored = `Restored ${folder}: ${formatAmount(fileCount, "file")}, ${formatBytes(sizeBytes)}, of the backup made ${made}.`;
  if (asideFolder === null) return [restored];
  return [restored, `What was there before is in ${asideFolder}; delete it once it is needed no more.`];
}
