// Estimates of memory beside what whole commands really take at their peak, on tables of very different shapes.
// Usage: bun test/bench/memory-need.ts [SECONDS] [TABLE…]   (SECONDS: the time cap of each run, 600 by default)
//   TABLE  one of those drawn here, all of them by default, or a CSV file, of which a model is trained and the file scored
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readingNeed } from "../../engine/memory/reading-need.ts";
import { refinementNeed } from "../../engine/memory/refinement-need.ts";
import { scoringNeed } from "../../engine/memory/scoring-need.ts";
import { sizeOf } from "../../engine/memory/sizes.ts";
import { trainingNeed } from "../../engine/memory/training-need.ts";
import { Random } from "../../engine/random.ts";
import { lookAt, sumOfSizes } from "../../src/jobs/job-need.ts";
import { modelSize } from "../../src/jobs/prediction-file.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { WorkerPool } from "../../workers/pool.ts";

interface Shape {
  rows: number;
  numbers: number;
  texts?: number;
  distinctTexts?: number;
  dates?: number;
  classes: number;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  small: { rows: 500, numbers: 8, texts: 2, distinctTexts: 5, classes: 2 },
  middling: { rows: 10_000, numbers: 12, texts: 3, distinctTexts: 30, classes: 2 },
  "many classes": { rows: 20_000, numbers: 20, classes: 50 },
  texts: { rows: 100_000, numbers: 0, texts: 30, distinctTexts: 40_000, classes: 2 },
  dates: { rows: 100_000, numbers: 4, dates: 6, classes: 2 },
  wide: { rows: 2_000, numbers: 3_000, classes: 2 },
  widest: { rows: 300, numbers: 9_999, classes: 2 },
  "wide, many classes": { rows: 5_000, numbers: 500, classes: 20 },
  tall: { rows: 300_000, numbers: 40, classes: 2 },
};

const WORKERS = 2;
const BUCKETS = 20;
const ATTEMPTS = 20;
const MIB = 2 ** 20;
const PEAK_HOOK = join(import.meta.dir, "peak-memory.ts");
const MAIN = join(import.meta.dir, "../../src/main.ts");
const [seconds = "600", ...names] = process.argv.slice(2);
/** As src/common/memory-budget.ts has it for a command. */
const COMMAND_BYTES = 64 * MIB;

const folder = mkdtempSync(join(tmpdir(), "cupel-memory-"));
try {
  print("| table | work | estimate MiB | peak MiB | estimate / peak | exit |");
  print("|---|---|---|---|---|---|");
  for (const [name, shape] of Object.entries(SHAPES)) {
    if (names.length === 0 || names.includes(name)) await measure(name, shape);
  }
  for (const path of names.filter((name) => name.endsWith(".csv"))) await measureFile(path);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(name: string, shape: Shape): Promise<void> {
  const train = join(folder, "train.csv");
  const test = join(folder, "test.csv");
  writeTable(train, shape, 1);
  writeTable(test, { ...shape, rows: Math.max(500, shape.rows / 10) }, 2);
  const file = lookAt(train, null).file;
  const pair = sumOfSizes(file, lookAt(test, null).file);
  const size = await tableSize(train);
  const both = { ...size, rowCount: Math.ceil(size.rowCount * 1.1) };
  const work = { threadCount: WORKERS, numberOfBuckets: BUCKETS };
  const trained = (hasTarget: boolean) =>
    Math.max(readingNeed(file), trainingNeed(size, { ...work, attemptCount: ATTEMPTS, hasTarget }));
  const shared = ["--workers", `${WORKERS}`, "--memory-budget-mib", "9999999", "--time-cap", seconds];
  const out = (folderName: string) => ["--out", join(folder, folderName)];
  const whole = ["run", train, "--no-refine", ...shared];
  await compare(name, "training", trained(false), [...whole, ...out("run")]);
  await compare(name, "training to a target", trained(true), [...whole, "--target", "1", ...out("aimed")]);
  const refined = Math.max(readingNeed(pair), refinementNeed(both, work));
  await compare(name, "refinement", refined, ["refine", train, test, ...shared, ...out("refined")]);
  const model = join(folder, "run", "model.cupel");
  const scored = ["predict", model, test, "--out", join(folder, "scored.csv")];
  await compare(name, "prediction", scoringNeed(modelSize(model), statSync(test).size), scored);
  for (const made of ["run", "aimed", "refined"]) rmSync(join(folder, made), { recursive: true, force: true });
}

async function measureFile(path: string): Promise<void> {
  const name = basename(path, ".csv");
  const work = { threadCount: WORKERS, numberOfBuckets: BUCKETS, attemptCount: ATTEMPTS, hasTarget: false };
  const need = Math.max(readingNeed(lookAt(path, null).file), trainingNeed(await tableSize(path), work));
  const made = join(folder, "run");
  const shared = ["--workers", `${WORKERS}`, "--memory-budget-mib", "9999999", "--time-cap", seconds];
  await compare(name, "training", need, ["run", path, "--no-refine", ...shared, "--out", made]);
  const model = join(made, "model.cupel");
  const scored = ["predict", model, path, "--out", join(folder, "scored.csv")];
  await compare(name, "prediction", scoringNeed(modelSize(model), statSync(path).size), scored);
  rmSync(made, { recursive: true, force: true });
}

async function tableSize(path: string) {
  const pool = new WorkerPool(() => new Worker(new URL("../../workers/worker.ts", import.meta.url).href), 1);
  try {
    const limits = untilCancelled(new Int32Array(new SharedArrayBuffer(4)));
    const { table } = await pool.run("readTable", { path, label: null, missingMarkers: null }, limits);
    return sizeOf(table);
  } finally {
    pool.close();
  }
}

async function compare(name: string, work: string, needBytes: number, args: readonly string[]): Promise<void> {
  const peakPath = join(folder, "peak");
  const child = Bun.spawn([process.execPath, "--preload", PEAK_HOOK, MAIN, ...args], {
    env: { ...process.env, PEAK_FILE: peakPath },
    stdout: "ignore",
    stderr: "ignore",
  });
  const exit = await child.exited;
  const estimate = (COMMAND_BYTES + needBytes) / MIB;
  const peak = Number(readFileSync(peakPath, "utf8")) / 1024;
  print(
    `| ${name} | ${work} | ${estimate.toFixed(0)} | ${peak.toFixed(0)} | ${(estimate / peak).toFixed(2)} | ${exit} |`,
  );
}

/** Rows of which the label follows some columns, half of it chance: forests then grow large. */
function writeTable(path: string, shape: Shape, seed: number): void {
  const { rows, numbers, texts = 0, distinctTexts = 1, dates = 0, classes } = shape;
  const random = new Random(seed);
  const count = (length: number, prefix: string) => Array.from({ length }, (_, index) => `${prefix}${index}`);
  const names = [...count(numbers, "n"), ...count(texts, "t"), ...count(dates, "d"), "label"];
  const file = openSync(path, "w");
  writeSync(file, `${names.join(",")}\n`);
  for (let row = 0; row < rows; row++) {
    let signal = 0;
    const cells = names.slice(0, -1).map((name, column) => {
      const value = random.nextFloat();
      if (column < 4) signal += value / 4;
      if (name.startsWith("n")) return (100 * value - 50).toFixed(4);
      if (name.startsWith("t")) return `value_${Math.floor(value ** 2 * distinctTexts)}`;
      return new Date(1.5e12 + Math.floor(value * 3e11)).toISOString().slice(0, 19).replace("T", " ");
    });
    const drawn = random.nextFloat() < 0.5 ? random.nextFloat() : signal;
    writeSync(file, `${cells.join(",")},class${Math.min(classes - 1, Math.floor(drawn * classes))}\n`);
  }
  closeSync(file);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
