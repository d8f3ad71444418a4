// `bun run build`: the executable of this machine, dist/cupel; with --all
// also those of other machines, and their hashes.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileExecutable } from "./bundle.ts";
import { BUN_VERSION, fetchRuntime, MACHINES, type Machine, sha256Of } from "./runtimes.ts";

const DIST = join(import.meta.dir, "../../dist");
const HASHES = join(DIST, "SHA256SUMS");

const flags = process.argv.slice(2);
if (flags.some((flag) => flag !== "--all")) {
  process.stderr.write("error: bun run build takes --all or nothing.\n");
  process.exit(2);
}
const isMade = await report(fileName("cupel", process.platform), null, (path) => compileExecutable(path));
if (flags.includes("--all")) await buildForAll();
// A missing runtime of another machine is reported but is no failure: the registry may be out of reach.
process.exit(isMade ? 0 : 1);

async function buildForAll(): Promise<void> {
  rmSync(HASHES, { force: true });
  const hashes: string[] = [];
  for (const machine of MACHINES) {
    const name = fileName(`cupel-${machine.name}`, machine.os);
    const isMade = await report(name, machine.note, (path) => buildFor(machine, path));
    if (isMade) hashes.push(`${await sha256Of(join(DIST, name))}  ${name}\n`);
  }
  if (hashes.length > 0) writeFileSync(HASHES, hashes.join(""));
}

async function buildFor(machine: Machine, path: string): Promise<void> {
  if (Bun.version !== BUN_VERSION)
    throw new Error(`runtimes are known for Bun ${BUN_VERSION}, and this is ${Bun.version}`);
  const folder = mkdtempSync(join(tmpdir(), "cupel-runtime-"));
  try {
    const { target } = machine.runtime;
    await compileExecutable(path, { target, path: await fetchRuntime(machine, folder) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fileName(name: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `${name}.exe` : name;
}

/** Makes a file of dist/, replacing an earlier one, and prints the outcome; returns whether it was made. */
async function report(name: string, note: string | null, make: (path: string) => Promise<void>): Promise<boolean> {
  const path = join(DIST, name);
  rmSync(path, { force: true });
  try {
    await make(path);
    const megabytes = (statSync(path).size / 1e6).toFixed(1);
    process.stdout.write(`dist/${name}: made, ${megabytes} MB${note === null ? "" : `; ${note}`}\n`);
    return true;
  } catch (error) {
    process.stdout.write(`dist/${name}: not made: ${error instanceof Error ? error.message : "unknown fault"}\n`);
    return false;
  }
}
