// Refuses to write to a file that the command reads, or over a folder.
import { fstatSync, lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";

/** Means standard input among inputs, and standard output among outputs. */
const STANDARD = "-";

/**
 * Two names are the same file where they have the same real path, or the same inode on the same device (hard links).
 *
 * @throws InputError for the first existing output that is one of the inputs
 */
export function refuseOwnInputs(inputs: readonly string[], outputs: readonly string[]): void {
  const read = inputs.flatMap((path) => lookAt(path, 0) ?? []);
  for (const output of outputs) {
    const written = lookAt(output, 1);
    const input = written === null ? undefined : read.find((file) => isSame(file, written));
    if (input === undefined) continue;
    const name = input.path === STANDARD ? "standard input" : input.path;
    const [place, advice] =
      output === STANDARD ? ["standard output", "Send it elsewhere."] : [output, "Name another place."];
    throw new InputError(
      "OUTPUT_IS_INPUT",
      `${place} is the same file as ${name}, which would be overwritten. ${advice}`,
    );
  }
}

/**
 * Refuses results of these names in a folder where one would take the place of an input, or of a folder: the work would
 * fail only at its end.
 *
 * @throws InputError
 */
export function refuseResults(inputs: readonly string[], folder: string, names: readonly string[]): void {
  const places = names.map((name) => join(folder, name));
  refuseOwnInputs(inputs, ["-", folder, ...places]);
  const takenFolder = places.find(isFolder);
  if (takenFolder === undefined) return;
  throw new InputError(
    "OUTPUT_IS_FOLDER",
    `${takenFolder} is a folder, but a result has that name. Move it away, or name another folder with --out.`,
  );
}

/** False for links, which a result replaces. */
function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

interface OpenedFile {
  path: string;
  realPath: string | null;
  stats: Stats;
}

/** Null for a file that does not exist, and for terminals and pipes, which contain nothing to lose. */
function lookAt(path: string, standard: 0 | 1): OpenedFile | null {
  try {
    if (path === STANDARD) {
      const stats = fstatSync(standard);
      return stats.isFile() ? { path, realPath: null, stats } : null;
    }
    const stats = statSync(path);
    return stats.isFile() ? { path, realPath: realpathSync(path), stats } : null;
  } catch {
    return null;
  }
}

function isSame(a: OpenedFile, b: OpenedFile): boolean {
  if (a.realPath !== null && a.realPath === b.realPath) return true;
  // File systems without inodes give 0 for every file.
  return a.stats.ino !== 0 && a.stats.ino === b.stats.ino && a.stats.dev === b.stats.dev;
}
