// Accuracy reached against seconds spent: runs of more and more attempts beside
// scikit-learn and XGBoost, by default and searched.
// Usage: bun test/bench/anytime.ts FOLDER RESULTS.jsonl [--only NAME,…] [--splits
// N] [--points N] [--scalings N,…] [--skip own|peers]
//   [--python PYTHON]
// Each table is split 70/30 by label as in rivals.ts; all learn the same 70% with two threads and
// are judged by the other rows. What RESULTS.jsonl has is not measured again. Seconds are from
// start to answer: reading included, peers without their start.
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type Deal,
  dealTable,
  meanOf,
  printRow as print,
  programOf,
  readResults,
  readTable,
  runToEnd,
} from "./outer-split.ts";

const THREADS = 2;

interface Measured {
  table: string;
  split: number;
  way: string;
  accuracy: number;
  seconds: number;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "credit_g,mlc_churn,online_shoppers,madelon_noise,adult,letter" },
    splits: { type: "string", default: "1" },
    points: { type: "string", default: "20" },
    scalings: { type: "string", default: "2,4,9,19" },
    skip: { type: "string" },
    python: { type: "string", default: "python3" },
  },
});
const [folder, resultsPath] = positionals;
if (folder === undefined || resultsPath === undefined) throw new Error("usage: anytime.ts FOLDER RESULTS.jsonl");
const scalings = flags.scalings.split(",").map(Number);
const tables = flags.only.split(",");
const results = readResults<Measured>(resultsPath);
const work = mkdtempSync(join(tmpdir(), "cupel-anytime-"));
try {
  for (let split = 0; split < Number(flags.splits); split++) {
    for (const table of tables) await measure(folder, table, split);
  }
} finally {
  rmSync(work, { recursive: true });
}
report();

async function measure(from: string, table: string, split: number): Promise<void> {
  const deal = dealTable(join(from, `${table}.csv`), split, work);
  const isKnown = (way: string) =>
    results.some((result) => result.table === table && result.split === split && result.way === way);
  for (const scaling of flags.skip === "own" ? [] : scalings) {
    const way = `Cupel, ${Math.max(3, 1 + scaling)} attempts`;
    if (!isKnown(way)) keep({ table, split, way, ...(await runOwn(deal, scaling)) });
  }
  if (flags.skip === "peers" || isKnown("XGBoost")) return;
  const script = join(import.meta.dir, "anytime_peers.py");
  const command = [flags.python, script, deal.trainPath, deal.testPath, String(THREADS), flags.points];
  const { output } = await runToEnd(command, { OMP_NUM_THREADS: String(THREADS), OMP_WAIT_POLICY: "PASSIVE" });
  for (const line of output.split("\n").filter(Boolean)) keep({ table, split, ...JSON.parse(line) });
}

async function runOwn({ trainPath, testPath, truth }: Deal, scaling: number) {
  const out = join(work, "out");
  const options = ["--no-refine", "--workers", String(THREADS), "--scaling", String(scaling)];
  const command = [...programOf(undefined), "run", trainPath, ...options, "--predict", testPath, "--out", out];
  const { seconds } = await runToEnd(command);
  const { header, records } = readTable(join(out, "predictions-test.csv"));
  const column = header.indexOf("prediction");
  const right = records.filter((record, row) => record[column] === truth[row]).length;
  return { accuracy: right / truth.length, seconds };
}

function keep(result: Measured): void {
  results.push(result);
  appendFileSync(resultsPath!, `${JSON.stringify(result)}\n`);
}

/** One row per way: percent and seconds, table by table, then the means of both over the tables. */
function report(): void {
  const asked = results.filter(({ table }) => tables.includes(table));
  print(["", ...tables, "mean"]);
  print(Array.from({ length: tables.length + 2 }, () => "---"));
  for (const way of new Set(asked.map((result) => result.way))) {
    const cells = tables.map((table) => {
      const own = asked.filter((result) => result.way === way && result.table === table);
      if (own.length === 0) return null;
      return { accuracy: meanOf(own.map((each) => each.accuracy)), seconds: meanOf(own.map((each) => each.seconds)) };
    });
    const text = ({ accuracy, seconds }: { accuracy: number; seconds: number }) =>
      `${(100 * accuracy).toFixed(1)}, ${seconds.toFixed(1)} s`;
    const made = cells.filter((cell) => cell !== null);
    const mean = {
      accuracy: meanOf(made.map(({ accuracy }) => accuracy)),
      seconds: meanOf(made.map(({ seconds }) => seconds)),
    };
    const isWhole = made.length === tables.length;
    print([way, ...cells.map((cell) => (cell === null ? "" : text(cell))), isWhole ? text(mean) : ""]);
  }
}
