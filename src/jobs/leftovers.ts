// Removes, at the start, the leftovers of killed processes: files that no row names, and parts of files.
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "../../data/database/database.ts";
import { listOrphans } from "../../data/files/orphans.ts";
import { isStatePath, type StateFolder, statePaths } from "../../data/files/state-folder.ts";
import { peekUnit } from "../../data/files/unit-journal.ts";
import { listUnfinished } from "../../data/resumable-uploads.ts";
import { countUsers } from "../../data/users.ts";
import { RESULT_FILES_UNIT } from "./flow-refinement.ts";
import { MODEL_KEY_UNIT } from "./flow-training.ts";

/** Removed files by kind; for models, removed folders. */
export interface Leftovers {
  files: number;
  results: number;
  models: number;
  journals: number;
  parts: number;
  /** Bytes of uploads in pieces that were given up. */
  unfinished: number;
}

/** As `placeWhole` names them. */
const PART = /(?:^|\/)\.[^/]+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/**
 * Call before the first flow and request, because a file is placed before a row names it. Keeps files that a row or the
 * journal of an unfinished job names, and files whose names are not of this program. Keeps everything if the database
 * has no users: it may have been lost while the files were not.
 */
export function removeLeftovers(
  database: Database,
  state: StateFolder,
  report: (fault: unknown, where: string) => void,
): Leftovers {
  const removed: Leftovers = { files: 0, results: 0, models: 0, journals: 0, parts: 0, unfinished: 0 };
  if (countUsers(database) === 0) return removed;
  settleUnfinished(database, state, removed, report);
  for (const path of listRemovable(database, state, report)) {
    const isPart = PART.test(path);
    try {
      rmSync(state.locate(path), { force: true });
      if (isPart) removed.parts++;
      else if (!path.startsWith("models/")) removed[path.split("/")[0] as "files" | "results" | "journals"]++;
    } catch (error) {
      report(error, "leftovers");
    }
  }
  removed.models = removeEmptyModels(state);
  return removed;
}

/**
 * A file that was whole when the server was killed, but that no row names, becomes unfinished again: its last bytes
 * were not acknowledged. Bytes of uploads that no row names go.
 */
function settleUnfinished(
  database: Database,
  { locate }: StateFolder,
  removed: Leftovers,
  report: (fault: unknown, where: string) => void,
): void {
  try {
    const known = new Set(listUnfinished(database));
    for (const key of known) {
      const [whole, unfinished] = [locate(statePaths.file(key)), locate(statePaths.unfinished(key))];
      if (existsSync(whole) && !existsSync(unfinished)) renameSync(whole, unfinished);
    }
    for (const name of readdirSync(locate("unfinished")).filter((name) => !known.has(name))) {
      rmSync(`${locate("unfinished")}/${name}`, { force: true });
      removed.unfinished++;
    }
  } catch (error) {
    report(error, "leftovers");
  }
}

/** Empty where a folder or journal cannot be read: the files that it names would look left behind. */
function listRemovable(
  database: Database,
  state: StateFolder,
  report: (fault: unknown, where: string) => void,
): string[] {
  try {
    const orphans = listOrphans(database.client, state.path).map(({ path }) => path);
    const kept = namedByJournals(state, new Set(orphans));
    return orphans.filter(
      (path) => PART.test(path) || (isStatePath(path) && !kept.has(path) && !kept.has(dirname(path))),
    );
  } catch (error) {
    report(error, "leftovers");
    return [];
  }
}

/** Files and folders that unfinished jobs write to. */
function namedByJournals({ locate }: StateFolder, orphans: ReadonlySet<string>): Set<string> {
  const named = new Set<string>();
  for (const key of readdirSync(locate("journals"))) {
    const path = `journals/${key}`;
    if (orphans.has(path)) continue;
    const modelKey = peekUnit(locate(path), MODEL_KEY_UNIT);
    const results = peekUnit(locate(path), RESULT_FILES_UNIT);
    if (typeof modelKey === "string") named.add(statePaths.modelFolder(modelKey));
    for (const fileKey of Object.values(results ?? {})) named.add(statePaths.file(fileKey as string));
  }
  return named;
}

/** Removes empty folders of models; returns how many. */
function removeEmptyModels({ locate }: StateFolder): number {
  const folders = readdirSync(locate("models"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.filter(({ name }) => {
    try {
      rmdirSync(`${locate("models")}/${name}`);
      return true;
    } catch {
      return false;
    }
  }).length;
}
