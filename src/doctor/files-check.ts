// The files of the state folder: those that rows name and that are missing or altered, and those that no row names.
import type { Database as Client } from "bun:sqlite";
import { accessSync, constants, createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { namedFiles } from "../../data/files/named-files.ts";
import { listOrphans, type Orphan } from "../../data/files/orphans.ts";
import { missingFiles } from "../../data/files/state-check.ts";
import { formatAmount, formatBytes } from "../format.ts";
import { codeOf, type Finding, ok, problem, warning } from "./finding.ts";

/** What is younger may be of a job that is about to have it named. */
const ORPHAN_AGE_MS = 24 * 3_600_000;

/** `deep` reads every file whose hash is known. */
export async function checkFiles(client: Client, folder: string, deep: boolean): Promise<Finding> {
  const missing = missingFiles(client, folder);
  if (missing.length > 0) {
    const text = `${formatAmount(missing.length, "file")} that the database names ${missing.length === 1 ? "is" : "are"} missing or cut short.`;
    const remedy =
      "See that all disks are mounted. Restore a backup into a new folder (cupel restore FILE --data NEW-FOLDER) and copy them from there; or serve without them: --missing-files allow";
    return problem("files", text, remedy, missing);
  }
  const all = [...namedFiles(client)];
  const altered = deep ? await alteredFiles(all, folder) : [];
  if (altered.length > 0) {
    const text = `${formatAmount(altered.length, "file")} ${altered.length === 1 ? "is" : "are"} not what was stored.`;
    return problem(
      "files",
      text,
      "Check the disk. Restore a backup into a new folder and copy them from there.",
      altered,
    );
  }
  const depth = deep ? ", with the content that was stored where its hash is known" : "";
  return ok("files", `All of ${formatAmount(all.length, "named file")} are there${depth}.`);
}

/** Also parts of files that a killed process did not end, and journals of jobs that have ended. */
export function checkOrphans(client: Client, folder: string, now: Date): Finding {
  const orphans = listOrphans(client, folder).filter(
    (orphan) => now.getTime() - orphan.modifiedOn.getTime() > ORPHAN_AGE_MS,
  );
  if (orphans.length === 0) return ok("orphans", "Every file of more than a day is named by the database.");
  const bytes = orphans.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const text = `${formatAmount(orphans.length, "file")} of more than a day, ${formatBytes(bytes)}, ${orphans.length === 1 ? "is" : "are"} named by no row.`;
  return warning("orphans", text, "The next start of the server removes those that it made.", orphans.map(pathOf));
}

export function checkJournals(folder: string): Finding {
  const unreadable = entriesOf(join(folder, "journals")).flatMap((name) => {
    const path = join(folder, "journals", name);
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
      return [];
    } catch (error) {
      return [`${path} (${codeOf(error)})`];
    }
  });
  if (unreadable.length === 0) return ok("journals", "The journals of unfinished jobs can be read.");
  const remedy = "Give them to the folder's owner; or delete them, and their jobs begin again.";
  return problem("journals", `${formatAmount(unreadable.length, "journal")} cannot be used.`, remedy, unreadable);
}

function pathOf({ path, sizeBytes }: Orphan): string {
  return `${path} (${formatBytes(sizeBytes)})`;
}

async function alteredFiles(
  all: readonly { path: string; sha256: string | null }[],
  folder: string,
): Promise<string[]> {
  const altered: string[] = [];
  for (const { path, sha256 } of all) {
    if (sha256 === null) continue;
    try {
      if ((await hashOf(join(folder, path))) !== sha256) altered.push(path);
    } catch (error) {
      // Of a deleted row, or removed meanwhile.
      if (codeOf(error) !== "ENOENT") altered.push(`${path} (${codeOf(error)})`);
    }
  }
  return altered;
}

async function hashOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

function entriesOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
