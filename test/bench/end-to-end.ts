// The whole job, `cupel run` with all defaults beside a script of pandas and scikit-learn
// (end_to_end.py): seconds, memory, and accuracy on rows that neither saw.
// Usage: bun test/bench/end-to-end.ts [FOLDER] [--only NAME,…] [--skip own|peer] [--split N] [--python PYTHON]
// Each table, label last, is split 70/30 by label; a program learns the 70% and predicts the 30%.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { RunSummary } from "../../src/summary/summary.ts";
import { dealRows, readTable, writeTable } from "./outer-split.ts";

interface Job {
  champion: string;
  published: number;
  accuracy: number;
  wallSeconds: number;
  cpuSeconds: number;
  peakMb: number;
}

interface Deal {
  /** Columns of the table: a prediction stands behind them. */
  columnCount: number;
  trainPath: string;
  newPath: string;
  truth: readonly string[];
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    skip: { type: "string" },
    split: { type: "string", default: "1" },
    python: { type: "string", default: "python3" },
  },
});
const [tables = join(import.meta.dir, "..", "fixtures", "tables")] = positionals;
const folder = mkdtempSync(join(tmpdir(), "cupel-end-to-end-"));
try {
  tell("| table | program | champion | accuracy | published | wall s | processor s | peak MB |");
  tell("|---|---|---|---|---|---|---|---|");
  for (const file of readdirSync(tables).filter((name) => name.endsWith(".csv"))) {
    const table = basename(file, ".csv");
    if (flags.only !== undefined && !flags.only.split(",").includes(table)) continue;
    const deal = dealTable(join(tables, file));
    if (flags.skip !== "own") tell(rowOf(table, "Cupel", await runOurs(deal)));
    if (flags.skip !== "peer") tell(rowOf(table, "scikit-learn", await runTheirs(deal)));
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function runOurs({ columnCount, trainPath, newPath, truth }: Deal): Promise<Job> {
  const out = join(folder, "ours");
  const program = join(import.meta.dir, "..", "..", "src", "main.ts");
  const begunMs = performance.now();
  const child = Bun.spawn([process.execPath, program, "run", trainPath, "--predict", newPath, "--out", out], {
    stdout: "ignore",
    stderr: "pipe",
  });
  if ((await child.exited) !== 0) throw new Error(await child.stderr.text());
  const wallSeconds = (performance.now() - begunMs) / 1000;
  const { cpuTime, maxRSS } = child.resourceUsage()!;
  const summary: RunSummary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  return {
    champion: summary.versions[0]!.algorithm,
    published: summary.testPerformance!,
    accuracy: accuracyOf(join(out, "predictions-new.csv"), columnCount, truth),
    wallSeconds,
    cpuSeconds: Number(cpuTime.total) / 1e6,
    peakMb: maxRSS / 2 ** 20,
  };
}

async function runTheirs({ columnCount, trainPath, newPath, truth }: Deal): Promise<Job> {
  const out = join(folder, "theirs");
  const script = join(import.meta.dir, "end_to_end.py");
  const begunMs = performance.now();
  const child = Bun.spawn([flags.python, script, trainPath, newPath, out], {
    env: { ...process.env, OMP_NUM_THREADS: "2", PYTHONWARNINGS: "ignore" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [answer, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(errors);
  const wallSeconds = (performance.now() - begunMs) / 1000;
  const told: Omit<Job, "accuracy" | "wallSeconds"> = JSON.parse(answer);
  return { ...told, accuracy: accuracyOf(join(out, "predictions.csv"), columnCount, truth), wallSeconds };
}

function dealTable(path: string): Deal {
  const { header, records } = readTable(path);
  const [learning, fresh] = dealRows(records, Number(flags.split));
  const [trainPath, newPath] = [join(folder, "train.csv"), join(folder, "new.csv")];
  writeTable(trainPath, header, learning);
  writeTable(newPath, header, fresh);
  return { columnCount: header.length, trainPath, newPath, truth: fresh.map((record) => record.at(-1)!) };
}

function accuracyOf(predictionsPath: string, columnCount: number, truth: readonly string[]): number {
  const { records } = readTable(predictionsPath);
  return records.filter((record, row) => record[columnCount] === truth[row]).length / truth.length;
}

function rowOf(table: string, program: string, job: Job): string {
  const percent = (share: number) => (100 * share).toFixed(2);
  const seconds = [job.wallSeconds, job.cpuSeconds].map((value) => value.toFixed(0));
  return `| ${[table, program, job.champion, percent(job.accuracy), percent(job.published), ...seconds, job.peakMb.toFixed(0)].join(" | ")} |`;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
