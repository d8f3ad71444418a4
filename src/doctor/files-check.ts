// Checks the state folder's files: those of the database that are missing or altered, and those that it does not name.
import type { Database as Client } from "bun:sqlite";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { missingFiles, unusableJournals } from "../../data/database/state-check.ts";
import { namedFiles } from "../../data/files/named-files.ts";
import { filesBelow, listOrphans, type Orphan } from "../../data/files/orphans.ts";
import { KEPT_ASIDE_DAYS, listAsides } from "../../data/files/set-aside.ts";
import { sumOf } from "../../engine/sums.ts";
import { formatAmount, formatBytes } from "../common/format.ts";
import { codeOf, type Finding, ok, problem, warning } from "./finding.ts";

/** A younger file may belong to a running job, whose row will name it soon. */
const ORPHAN_AGE_MS = 24 * 3_600_000;

/** `deep` reads every file whose hash is known. */
export async function checkFiles(client: Client, folder: string, deep: boolean): Promise<Finding> {
  const missing = missingFiles(client, folder);
  if (missing.length > 0) {
    const text =
      `${formatAmount(missing.length, "file")} that the database names ` +
      `${missing.length === 1 ? "is" : "are"} missing or cut short.`;
    const asides = listAsides(folder);
    const isAside = missing.some((path) => asides.some((aside) => existsSync(join(folder, aside, path))));
    if (isAside) {
      const remedy = "Start the server: it puts back those that an earlier start had set aside.";
      return problem("files", text, remedy, missing);
    }
    const remedy =
      "Check that all disks are mounted. Restore a backup into a new folder (cupel restore FILE --data " +
      "NEW-FOLDER) and copy them from there; or serve without them: --missing-files allow";
    return problem("files", text, remedy, missing);
  }
  const named = [...namedFiles(client)];
  const altered = deep ? await alteredFiles(named, folder) : [];
  if (altered.length > 0) {
    const text = `${formatAmount(altered.length, "file")} ${altered.length === 1 ? "has" : "have"} changed since being stored.`;
    const remedy = "Check the disk. Restore a backup into a new folder and copy them from there.";
    return problem("files", text, remedy, altered);
  }
  const depth = deep ? ", unchanged where the hash is known" : "";
  return ok("files", `All ${formatAmount(named.length, "file")} of the database are there${depth}.`);
}

/** Includes unfinished parts of files that a killed process left, and journals of jobs that have ended. */
export function checkOrphans(client: Client, folder: string, now: Date): Finding {
  const orphans = listOrphans(client, folder).filter(
    (orphan) => now.getTime() - orphan.modifiedOn.getTime() > ORPHAN_AGE_MS,
  );
  if (orphans.length === 0) return ok("orphans", "The database names every file older than a day.");
  const bytes = orphans.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const text = `The database does not name ${formatAmount(orphans.length, "file")} older than a day, ${formatBytes(bytes)}.`;
  const remedy = "The server's next start removes unfinished ones that it made, and sets whole ones aside.";
  return warning("orphans", text, remedy, orphans.map(pathOf));
}

/** Files that starts have set aside, because the database named them no more. */
export function checkAsides(folder: string): Finding[] {
  const asides = listAsides(folder);
  if (asides.length === 0) return [];
  const sizes = asides.flatMap((aside) => filesBelow(folder, aside)).map(({ sizeBytes }) => sizeBytes);
  const text =
    `${formatAmount(sizes.length, "file")}, ${formatBytes(sumOf(sizes))}, that no database row named ` +
    `${sizes.length === 1 ? "was" : "were"} set aside at starts of the server.`;
  const remedy =
    "If an earlier cupel.db was put in place by mistake, put the later one back: its start brings the files back. " +
    `Else delete them; the server does so ${KEPT_ASIDE_DAYS} days after the day in the name.`;
  return [warning("unnamed", text, remedy, asides)];
}

export function checkJournals(folder: string): Finding {
  const unusable = existsSync(join(folder, "journals")) ? unusableJournals(folder) : [];
  const unreadable = unusable.map(({ path, fault }) => `${path} (${fault})`);
  if (unreadable.length === 0) return ok("journals", "The journals of unfinished jobs can be read.");
  const remedy = "Give them to the folder's owner; or delete them, and their jobs start over.";
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
      // Removed meanwhile.
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
