// Large drawn tables under time caps, beside HistGradientBoosting and XGBoost
// stopped at the same processor time; draws curves of all.
// Usage: bun test/bench/large-tables.ts FOLDER RESULTS.jsonl [--rows 600000]
// [--caps 60,120,300] [--python PYTHON] [--chart OUT.svg]
//   FOLDER takes the drawn files (seed 3), and 100,000 new rows of another seed, by which all are judged.
// Cupel has two threads, the peers one: what is equal is the processor time of all threads, from the start, reading
// included. A RESULTS.jsonl that is there is gone on with; with --caps "" only the chart is drawn of it.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Attained, attainedFigure } from "./attained-chart.ts";
import { readTable } from "./outer-split.ts";

const NEW_ROWS = 100_000;
const NEW_SEED = 103;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "string", default: "600000" },
    caps: { type: "string", default: "60,120,300" },
    python: { type: "string", default: "python3" },
    chart: { type: "string" },
  },
});
const [folder, resultsPath] = positionals;
if (folder === undefined || resultsPath === undefined) throw new Error("usage: large-tables.ts FOLDER RESULTS.jsonl");
const rows = Number(flags.rows);
const train = drawn(rows, 3);
const judging = drawn(NEW_ROWS, NEW_SEED);
const caps = flags.caps.split(",").filter(Boolean).map(Number);
const budgets: number[] = [];
for (const cap of caps) {
  const own = await runOwn(cap);
  keep(own);
  budgets.push(own.processorSeconds);
}
if (budgets.length > 0) for (const peer of await runPeers(budgets)) keep(peer);
if (flags.chart !== undefined) writeFileSync(flags.chart, attainedFigure(known()));

/** Draws the file unless it is there. */
function drawn(rowCount: number, seed: number): string {
  const path = join(folder!, `large-${rowCount}-${seed}.csv`);
  if (existsSync(path)) return path;
  const script = join(import.meta.dir, "large-table.ts");
  const { exitCode } = Bun.spawnSync([process.execPath, script, path, "--rows", `${rowCount}`, "--seed", `${seed}`]);
  if (exitCode !== 0) throw new Error(`${path} could not be drawn`);
  return path;
}

async function runOwn(cap: number): Promise<Attained> {
  const work = mkdtempSync(join(tmpdir(), "cupel-large-"));
  try {
    const [out, peak] = [join(work, "out"), join(work, "peak")];
    const hook = join(import.meta.dir, "peak-memory.ts");
    const program = [process.execPath, "--preload", hook, join(import.meta.dir, "../../src/main.ts")];
    const options = ["--workers", "2", "--time-cap", `${cap}`, "--predict", judging, "--out", out];
    const start = performance.now();
    const child = Bun.spawn([...program, "run", train, ...options], {
      env: { ...process.env, PEAK_FILE: peak },
      stdout: "ignore",
      stderr: "ignore",
    });
    await child.exited;
    const seconds = (performance.now() - start) / 1000;
    const right = rightOf(join(out, `predictions-large-${NEW_ROWS}-${NEW_SEED}.csv`));
    const processorSeconds = Number(child.resourceUsage()!.cpuTime.total) / 1e6;
    const { attemptsCompleted } = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
    const facts = { cap, seconds, attemptsCompleted, peakMb: Number(readFileSync(peak, "utf8")) / 1000 };
    return { way: "Cupel", rows, accuracy: right, processorSeconds, ...facts };
  } finally {
    rmSync(work, { recursive: true });
  }
}

function rightOf(path: string): number {
  const { header, records } = readTable(path);
  const [label, prediction] = [header.indexOf("label"), header.indexOf("prediction")];
  return records.filter((record) => record[label] === record[prediction]).length / records.length;
}

async function runPeers(seconds: readonly number[]): Promise<Attained[]> {
  const script = join(import.meta.dir, "large_peers.py");
  const env = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };
  const child = Bun.spawn([flags.python, script, train, judging, seconds.join(",")], { env, stdout: "pipe" });
  const text = await child.stdout.text();
  return text
    .split("\n")
    .filter(Boolean)
    .map((line): Attained => ({ rows, ...JSON.parse(line) }));
}

function keep(result: Attained): void {
  appendFileSync(resultsPath!, `${JSON.stringify(result)}\n`);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

function known(): Attained[] {
  return readFileSync(resultsPath!, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line): Attained => JSON.parse(line));
}
