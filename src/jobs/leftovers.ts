// What killed processes left behind: files that no row names, and parts of files. Removed once, at the start.
import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "../../data/database/database.ts";
import { listOrphans } from "../../data/files/orphans.ts";
import { isStatePath, type StateFolder, statePaths } from "../../data/files/state-folder.ts";
import { peekUnit } from "../../data/files/unit-journal.ts";
import { countUsers } from "../../data/users.ts";
import { RESULT_FILES_UNIT } from "./flow-refinement.ts";
import { MODEL_KEY_UNIT } from "./flow-training.ts";

/** What was removed, in files; of models, in whole folders. */
export interface Leftovers {
  files: number;
  results: number;
  models: number;
  journals: number;
  parts: number;
}

/** As `placeWhole` names them. */
const PART = /(?:^|\/)\.[^/]+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/**
 * For use before the first flow and the first request: a file is placed before a row names it. Nothing is removed that a row
 * names, that the journal of an unfinished job names, or that is not called as this program calls its files; and nothing at
 * all where the database has no users yet, since it may have been lost while the files were not.
 */
export function removeLeftovers(
  database: Database,
  state: StateFolder,
  report: (fault: unknown, where: string) => void,
): Leftovers {
  const removed: Leftovers = { files: 0, results: 0, models: 0, journals: 0, parts: 0 };
  if (countUsers(database) === 0) return removed;
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

/** Nothing where a folder or a journal cannot be read: what it names would be taken for left behind. */
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

/** Files and folders that unfinished jobs have begun, or will begin, to fill. */
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

/** The folder of a model that nothing is in is that of none; how many went. */
function removeEmptyModels({ locate }: StateFolder): number {
  const removals = readdirSync(locate("models"), { withFileTypes: true }).map((entry) => {
    if (!entry.isDirectory()) return false;
    try {
      rmdirSync(`${locate("models")}/${entry.name}`);
      return true;
    } catch {
      return false;
    }
  });
  return removals.filter(Boolean).length;
}
