// Faults of a machine, provoked for real on a server: a full disk, one that
// turns read only, little memory, few files, a pause.
// Usage: bun test/faults/campaign.ts [PROGRAM]   (PROGRAM: the executable; from source where it is left out)
// Mounting disks and making control groups need root, on Linux: what cannot be tried is named, and is no failure.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endAll, FROM_SOURCE } from "../support/server.ts";
import { fewFiles } from "./few-files.ts";
import { fullDisk } from "./full-disk.ts";
import { littleMemory } from "./little-memory.ts";
import { paused } from "./paused.ts";
import { readOnlyDisk } from "./read-only-disk.ts";
import { CannotTry } from "./surroundings.ts";

const [executable] = process.argv.slice(2);
const program = executable === undefined ? FROM_SOURCE : [executable];
const faults = { fullDisk, readOnlyDisk, littleMemory, fewFiles, paused };
const print = (line: string) => process.stdout.write(`${line}\n`);

for (const [name, provoke] of Object.entries(faults)) {
  const folder = mkdtempSync(join(tmpdir(), "cupel-faults-"));
  const startMs = performance.now();
  try {
    for (const line of await provoke(program, folder)) print(`${name}: ${line}`);
    print(`${name}: done in ${Math.round((performance.now() - startMs) / 1_000)} s`);
  } catch (error) {
    if (!(error instanceof CannotTry)) throw error;
    print(`${name}: not tried, ${error.message}`);
  } finally {
    await endAll();
    rmSync(folder, { recursive: true, force: true });
  }
}
