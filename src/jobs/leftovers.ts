// Clears up at the start, after killed processes: removes unfinished work, sets whole files aside that no row names.
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "../../data/database/database.ts";
import { listOrphans } from "../../data/files/orphans.ts";
import { setAside } from "../../data/files/set-aside.ts";
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
  /** Files that were kept in the folder of the day. */
  setAside: number;
}

interface FoundFiles {
  /** Parts, journals of jobs that have ended and what these wrote, and files that a delete was about to remove. */
  unfinished: readonly string[];
  /** Whole files of which the database knows nothing. */
  unknown: readonly string[];
}

/** As `placeWhole` names them. */
const PART = /(?:^|\/)\.[^/]+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/**
 * Call before the first flow and request, because a file is placed before a row names it. Leaves files that a row or
 * the journal of an unfinished job names, and files whose names are not of this program. Leaves everything if the
 * database has no users: it may have been lost while the files were not.
 */
export function removeLeftovers(
  database: Database,
  state: StateFolder,
  report: (fault: unknown, where: string) => void,
  now: Date = new Date(),
): Leftovers {
  const removed: Leftovers = { files: 0, results: 0, models: 0, journals: 0, parts: 0, unfinished: 0, setAside: 0 };
  if (countUsers(database) === 0) return removed;
  mendUnfinished(database, state, removed, report);
  const { unfinished, unknown } = findLeftovers(database, state, report);
  for (const path of unknown) {
    try {
      setAside(state.path, path, now);
      removed.setAside++;
    } catch (error) {
      report(error, "leftovers");
    }
  }
  for (const path of unfinished) {
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
function mendUnfinished(
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

/** Nothing where a folder or journal cannot be read: the files that it names would look left behind. */
function findLeftovers(
  database: Database,
  state: StateFolder,
  report: (fault: unknown, where: string) => void,
): FoundFiles {
  try {
    const orphans = listOrphans(database.client, state.path).map(({ path }) => path);
    const { kept, left } = namedByJournals(state, new Set(orphans));
    const isIn = (named: ReadonlySet<string>, path: string) => named.has(path) || named.has(dirname(path));
    const found = orphans.filter((path) => PART.test(path) || (isStatePath(path) && !isIn(kept, path)));
    const deleted = deletedFiles(database);
    const isUnfinished = (path: string) =>
      PART.test(path) || path.startsWith("journals/") || isIn(left, path) || deleted(path);
    return { unfinished: found.filter(isUnfinished), unknown: found.filter((path) => !isUnfinished(path)) };
  } catch (error) {
    report(error, "leftovers");
    return { unfinished: [], unknown: [] };
  }
}

/** Files and folders that unfinished jobs write to, and those that jobs had written to whose journals are left. */
function namedByJournals({ locate }: StateFolder, orphans: ReadonlySet<string>): Record<"kept" | "left", Set<string>> {
  const movedFiles = { kept: new Set<string>(), left: new Set<string>() };
  for (const key of readdirSync(locate("journals"))) {
    const path = `journals/${key}`;
    const isLeft = orphans.has(path);
    if (isLeft && !isStatePath(path)) continue;
    const paths = isLeft ? movedFiles.left : movedFiles.kept;
    const modelKey = peekUnit(locate(path), MODEL_KEY_UNIT);
    const results = peekUnit(locate(path), RESULT_FILES_UNIT);
    if (typeof modelKey === "string") paths.add(statePaths.modelFolder(modelKey));
    for (const fileKey of Object.values(results ?? {})) paths.add(statePaths.file(fileKey as string));
  }
  return movedFiles;
}

/** Whether a file is of a deleted model or prediction, or the result of a prediction that is to be computed again. */
function deletedFiles({ client }: Database): (path: string) => boolean {
  const inputs = client
    .query<{ path: string }, []>(
      "SELECT inputPath AS path FROM predictions WHERE deletedOn IS NOT NULL AND inputPath IS NOT NULL",
    )
    .all();
  const deleted = new Set(inputs.map(({ path }) => path));
  const owners = {
    models: client.query("SELECT 1 FROM models WHERE key = ?"),
    results: client.query("SELECT 1 FROM predictions WHERE key = ?"),
  };
  return (path) => {
    const [folder, name = ""] = path.split("/");
    if (folder !== "models" && folder !== "results") return deleted.has(path);
    return owners[folder].get(name.replace(/\.csv$/, "")) !== null;
  };
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
