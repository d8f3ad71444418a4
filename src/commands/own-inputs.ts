// What a command writes must be none of the files that it reads.
import { fstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { InputError } from "../../engine/input-error.ts";

/** Standard input among inputs, standard output among outputs. */
const STANDARD = "-";

/**
 * Links and `..` are seen through: two names are one file where they lead to the same place, or to the same number on the same
 * device, as hard links do.
 *
 * @throws InputError for the first output that is there and is one of the inputs
 */
export function refuseOwnInputs(inputs: readonly string[], outputs: readonly string[]): void {
  const read = inputs.flatMap((path) => lookAt(path, 0) ?? []);
  for (const output of outputs) {
    const written = lookAt(output, 1);
    const input = written === null ? undefined : read.find((file) => isSame(file, written));
    if (input === undefined) continue;
    const name = input.path === STANDARD ? "standard input" : input.path;
    const [place, advice] =
      output === STANDARD ? ["standard output", "Send it elsewhere."] : [output, "Name another place with --out."];
    throw new InputError(
      "OUTPUT_IS_INPUT",
      `${place} is the file that is read as ${name}, and would be overwritten. ${advice}`,
    );
  }
}

interface Known {
  path: string;
  realPath: string | null;
  stats: Stats;
}

/** Null for what is not there, and for terminals and pipes, which hold nothing that could be lost. */
function lookAt(path: string, standard: 0 | 1): Known | null {
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

function isSame(a: Known, b: Known): boolean {
  if (a.realPath !== null && a.realPath === b.realPath) return true;
  // File systems that number no files give 0 for all of them.
  return a.stats.ino !== 0 && a.stats.ino === b.stats.ino && a.stats.dev === b.stats.dev;
}
