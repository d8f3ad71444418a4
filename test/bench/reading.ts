// Reading large CSV files, from bytes to the levels of a table, beside pandas.read_csv:
// MB of file a second of processor time, and peak memory.
// Usage: bun test/bench/reading.ts [--mib N] [--mixed CSV-FILE] [--python PYTHON]
//   --mib     size of the files, 50 by default; --mixed: a table whose records are repeated, the fixture of penguins by default
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { layOutTable } from "../../engine/filling/table-frame.ts";
import { labelledRowCount } from "../../engine/profile/profile.ts";
import { Random } from "../../engine/random.ts";
import { MOST_LOG_BYTES } from "../../engine/reading/caps.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { profileFile } from "../../workers/reading/profile-file.ts";
import { fillTable } from "../../workers/reading/read-table.ts";

const MIB = 2 ** 20;
const NUMBER_COLUMNS = 20;
const { values: flags } = parseArgs({
  options: {
    mib: { type: "string", default: "50" },
    mixed: { type: "string", default: join(import.meta.dir, "../fixtures/tables/penguins.csv") },
    python: { type: "string", default: "python3" },
    read: { type: "string" },
    hashed: { type: "boolean", default: false },
  },
});

const TABLES: Readonly<Record<string, (path: string, bytes: number) => void>> = {
  numbers: (path, bytes) => drawNumbers(path, bytes, (random) => normal(random).toFixed(6)),
  integers: (path, bytes) =>
    drawNumbers(path, bytes, (random, column) => String(Math.floor(random.nextFloat() * 10 ** (1 + (column % 9))))),
  "many digits": (path, bytes) => drawNumbers(path, bytes, (random) => String(normal(random))),
  mixed: (path, bytes) => repeatRecords(flags.mixed, path, bytes),
};

/** Seconds of the processor, all threads of the process: collector and compiler too. */
interface Reading {
  first: number;
  layout: number;
  /** From what the first pass logged or, where that does not do, in a second one. */
  filled: number;
  peakMib: number;
}

interface PandasReading {
  seconds: number;
  peakMib: number;
}

if (flags.read !== undefined) tell(JSON.stringify(readTable(flags.read)));
else compareAll();

function compareAll(): void {
  const folder = mkdtempSync(join(tmpdir(), "cupel-reading-"));
  try {
    const bytes = Number(flags.mib) * MIB;
    tell(
      "| table | first pass | levels laid out | table filled | peak MB | pandas | peak MB | times pandas | where the file is hashed too |\n",
    );
    tell("|---|---|---|---|---|---|---|---|---|\n");
    for (const [name, write] of Object.entries(TABLES)) {
      const path = join(folder, `${name}.csv`);
      write(path, bytes);
      const [own, hashed] = [[], ["--hashed"]].map(
        (more): Reading => JSON.parse(output([process.execPath, import.meta.path, "--read", path, ...more])),
      );
      tell(compare(name, path, own!, hashed!, readByPandas(path, null)));
      // The fast way of pandas rounds a third of such numbers to a neighbour.
      if (name === "many digits")
        tell(compare(`${name}, each rounded right`, path, own!, hashed!, readByPandas(path, "round_trip")));
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compare(name: string, path: string, own: Reading, hashed: Reading, theirs: PandasReading | null): string {
  const mib = statSync(path).size / MIB;
  const rate = (seconds: number) => `${(mib / seconds).toFixed(0)} MiB/s`;
  const times = ({ first, layout, filled }: Reading) =>
    theirs === null ? "" : (theirs.seconds / (first + layout + filled)).toFixed(2);
  const cells = [
    `${name}, ${mib.toFixed(0)} MiB`,
    rate(own.first),
    `${own.layout.toFixed(2)} s`,
    `${own.filled.toFixed(2)} s`,
    own.peakMib.toFixed(0),
    theirs === null ? "not installed" : rate(theirs.seconds),
    theirs === null ? "" : theirs.peakMib.toFixed(0),
    times(own),
    times(hashed),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

function readTable(path: string): Reading {
  const start = cpuSeconds();
  // A stored file's hash is known.
  const request = { path, label: null, missingMarkers: null, sha256: flags.hashed ? null : "known" };
  const { profile } = profileFile(request, neverStop, MOST_LOG_BYTES);
  const profiled = cpuSeconds();
  const frame = layOutTable(profile, labelledRowCount(profile));
  const laidOut = cpuSeconds();
  fillTable({ path, hasHeader: true }, profile, frame, neverStop);
  const filled = cpuSeconds();
  const peakMib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024;
  return { first: profiled - start, layout: laidOut - profiled, filled: filled - laidOut, peakMib };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Null where pandas is not there. `precision`: of floating-point numbers, null for its fast way. */
function readByPandas(path: string, precision: string | null): PandasReading | null {
  const script = [
    "import json, resource, sys, time, pandas",
    "start = time.process_time()",
    `pandas.read_csv(sys.argv[1], float_precision=${precision === null ? "None" : `'${precision}'`})`,
    "seconds = time.process_time() - start",
    "print(json.dumps({'seconds': seconds, 'peakMib': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))",
  ];
  try {
    return JSON.parse(output([flags.python, "-c", script.join("\n"), path]));
  } catch {
    return null;
  }
}

function output(command: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(command, { stdout: "pipe", stderr: "pipe" });
  if (!success) throw new Error(stderr.toString());
  return stdout.toString();
}

/** Columns of numbers, and a label of two classes. `textOf`: of a cell, by its column. */
function drawNumbers(path: string, bytes: number, textOf: (random: Random, column: number) => string): void {
  const random = new Random(1);
  const names = Array.from({ length: NUMBER_COLUMNS }, (_, at) => `x${at}`);
  writeLines(path, bytes, `${names.join(",")},label\n`, () => {
    const cells = names.map((_, column) => textOf(random, column));
    return `${cells.join(",")},${random.nextFloat() < 0.5 ? "yes" : "no"}\n`;
  });
}

/** Box and Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.nextFloat())) * Math.cos(2 * Math.PI * random.nextFloat());
}

function repeatRecords(source: string, path: string, bytes: number): void {
  const text = readFileSync(source, "utf8");
  const end = text.indexOf("\n") + 1;
  const body = text.slice(end).replace(/\n?$/, "\n");
  writeLines(path, bytes, text.slice(0, end), () => body);
}

function writeLines(path: string, bytes: number, header: string, next: () => string): void {
  const file = openSync(path, "w");
  let written = writeSync(file, header);
  while (written < bytes) {
    let block = "";
    while (block.length < MIB && written + block.length < bytes) block += next();
    written += writeSync(file, block);
  }
  closeSync(file);
}

function tell(text: string): void {
  process.stdout.write(text);
}
