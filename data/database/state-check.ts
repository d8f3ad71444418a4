// Checks a state folder before a server works in it: a refused start with a
// reason is better than jobs that fail one by one.
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { namedFiles } from "../files/named-files.ts";
import { bringBack, listAsides } from "../files/set-aside.ts";
import { DATABASE_FILE, type Database } from "./database.ts";
import { requireSound } from "./database-check.ts";

const MOST_NAMES = 3;

/**
 * Reads all of the database and looks for every file that its rows name, under the folder's lock and before the first
 * flow. Files that were set aside while an earlier database was in place go back. `mayLackFiles` allows that files are
 * missing.
 *
 * @throws InputError DATABASE_DAMAGED, FILES_MISSING or JOURNAL_UNREADABLE
 */
export function checkState({ client }: Database, folder: string, mayLackFiles: boolean): void {
  requireSound(client, join(folder, DATABASE_FILE), "quick");
  if (listAsides(folder).length > 0) bringBack(folder, missingFiles(client, folder));
  if (!mayLackFiles) requireFiles(missingFiles(client, folder), folder);
  requireJournals(folder);
}

/** Paths of required files that are missing or have another size than their rows say. */
export function missingFiles(client: Database["client"], folder: string): string[] {
  const missing = [...namedFiles(client)].filter(({ path, isRequired, sizeBytes }) => {
    if (!isRequired) return false;
    const found = statSync(join(folder, path), { throwIfNoEntry: false });
    return found === undefined || !found.isFile() || found.size !== (sizeBytes ?? found.size);
  });
  return missing.map(({ path }) => path);
}

function requireFiles(missing: readonly string[], folder: string): void {
  if (missing.length === 0) return;
  const shown = missing.slice(0, MOST_NAMES).map((path) => join(folder, path));
  const others = missing.length > MOST_NAMES ? ` and ${missing.length - MOST_NAMES} more` : "";
  throw new InputError(
    "FILES_MISSING",
    `Files that the database names are missing or cut short: ${shown.join(", ")}${others}. ` +
      `Is a disk not mounted? See them all with: cupel doctor --data '${folder}'. ` +
      "Put them back, say from a backup: cupel restore FILE --data NEW-FOLDER. To serve without them: " +
      "--missing-files allow",
  );
}

function requireJournals(folder: string): void {
  const [first] = unusableJournals(folder);
  if (first === undefined) return;
  throw new InputError(
    "JOURNAL_UNREADABLE",
    `The journal ${first.path} of an unfinished job cannot be used (${first.fault}). ` +
      "Give the user who runs this the right to read and write it; or delete it, and the job begins again.",
  );
}

/** Journals of unfinished jobs that this user cannot read and write, each with the reason. */
export function unusableJournals(folder: string): { path: string; fault: string }[] {
  const paths = readdirSync(join(folder, "journals")).map((name) => join(folder, "journals", name));
  return paths.flatMap((path) => {
    const fault = readingFault(path);
    return fault === null ? [] : [{ path, fault }];
  });
}

/** Null where this user may read and write the file. */
function readingFault(path: string): string | null {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return statSync(path).isFile() ? null : "it is no file";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown fault";
  }
}
