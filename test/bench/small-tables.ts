// Small tables: `cupel run --no-refine` beside a bagged ensemble of twelve models
// (bagged_ensemble.py), on rows that nobody chose on.
// Usage: bun test/bench/small-tables.ts RESULTS.jsonl SPLITS FILE… [--cupel PROGRAM] [--skip
// own|peer] [--python PYTHON] Every table is split 70/30 by label, as in rivals.ts. A line of RESULTS
// that is there is not made again. Both sides have one thread.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import {
  calibrationBins,
  type Estimate,
  expectedCalibrationError,
  judge,
  wilsonInterval,
} from "../../engine/judging/metrics.ts";
import { rowsUpTo } from "../../engine/row-lists.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import {
  type Deal,
  dealTable,
  majorityShare,
  printRow as print,
  programOf,
  readResults,
  readTable,
  runToEnd,
} from "./outer-split.ts";

interface Answer {
  accuracy: number;
  logLoss: number;
  /** Expected calibration error. */
  calibration: number;
  /** Of the processor, all threads. */
  seconds: number;
}

interface OwnAnswer extends Answer {
  published: number;
  confirmed: Estimate | null;
  champion: string;
  versions: number;
  megabytes: number;
}

interface Line {
  table: string;
  split: number;
  rows: number;
  /** Rows that both are judged on. */
  judged: number;
  majority: number;
  way: "own" | "peer";
  answer: Answer | OwnAnswer;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cupel: { type: "string" },
    skip: { type: "string" },
    python: { type: "string", default: "python3" },
  },
});
const [resultsPath = "", splits = "3", ...paths] = positionals;
const work = mkdtempSync(join(tmpdir(), "cupel-small-"));
const out = join(work, "out");
const lines = readResults<Line>(resultsPath);
for (const path of paths) {
  const table = basename(path, ".csv");
  for (let split = 0; split < Number(splits); split++) {
    const deal = dealTable(path, split, work);
    const { learning, judging } = deal;
    for (const way of ["own", "peer"] as const) {
      const isDone = lines.some((line) => line.table === table && line.split === split && line.way === way);
      if (isDone || values.skip === way) continue;
      const answer = await (way === "own" ? runOwn(deal) : runPeer(deal));
      const counts = { rows: learning.length + judging.length, judged: judging.length };
      const line: Line = { table, split, ...counts, majority: majorityShare(deal), way, answer };
      lines.push(line);
      appendFileSync(resultsPath, `${JSON.stringify(line)}\n`);
    }
  }
}
rmSync(work, { recursive: true });
report();

async function runOwn({ header: { length: columnCount }, trainPath, testPath, truth }: Deal): Promise<OwnAnswer> {
  const asked = ["--no-refine", "--workers", "1", "--predict", testPath, "--out", out];
  const { processorSeconds } = await runToEnd([...programOf(values.cupel), "run", trainPath, ...asked]);
  const summary: RunSummary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  const { header, records } = readTable(join(out, "predictions-test.csv"));
  const first = columnCount + 2;
  const labels = header.slice(first).map((name) => name.slice("probability_".length));
  const cells = records.map((record) => record.slice(first).map(Number));
  return {
    ...judged(labels, cells, truth),
    seconds: processorSeconds,
    published: summary.testPerformance!,
    confirmed: summary.confirmedPerformance ?? null,
    champion: summary.versions[0]!.algorithm,
    versions: summary.versions.length,
    megabytes: statSync(join(out, "model.cupel")).size / 1e6,
  };
}

async function runPeer({ trainPath, testPath, truth }: Deal): Promise<Answer> {
  const command = [values.python, join(import.meta.dir, "bagged_ensemble.py"), trainPath, testPath];
  const { labels, probabilities, seconds } = JSON.parse((await runToEnd(command)).output);
  return { ...judged(labels, probabilities, truth), seconds };
}

function judged(labels: readonly string[], cells: readonly (readonly number[])[], truth: readonly string[]) {
  const classes = Uint8Array.from(truth, (label) => labels.indexOf(label));
  const probabilities = Float64Array.from(cells.flat());
  const rows = rowsUpTo(truth.length);
  const answered = { rows, classes, classCount: labels.length };
  const { accuracy, logLoss, decisions } = judge(probabilities, answered);
  const bins = calibrationBins(probabilities, answered, decisions);
  return { accuracy, logLoss, calibration: expectedCalibrationError(bins) ?? 0 };
}

/**
 * Whether the confirmed interval holds the accuracy on the judged rows; and where
 * their own chance widens it (Newcombe 1998, method 10).
 */
function holds({ confirmed, accuracy }: OwnAnswer, judgedRows: number): { alone: boolean; withChance: boolean } | null {
  if (confirmed === null) return null;
  const { mean, low, high } = confirmed;
  const there = wilsonInterval(Math.round(accuracy * judgedRows), judgedRows);
  const least = mean - accuracy - Math.hypot(mean - low, there.high - accuracy);
  const most = mean - accuracy + Math.hypot(high - mean, accuracy - there.low);
  return { alone: low <= accuracy && accuracy <= high, withChance: least <= 0 && most >= 0 };
}

function report(): void {
  const columns = ["accuracy", "ensemble", "log-loss", "ensemble", "calibration", "ensemble", "s", "ensemble"];
  const honesty = ["published less new", "confirmed less new", "interval holds", "with the rows' chance"];
  print(["table", "rows", "splits", ...columns, ...honesty, "MB"]);
  print(Array.from({ length: columns.length + honesty.length + 4 }, () => "---"));
  for (const table of [...new Set(lines.map((line) => line.table))].sort()) {
    const of = (way: Line["way"]) => lines.filter((line) => line.table === table && line.way === way);
    const [own, peer] = [of("own"), of("peer")];
    const mean = (from: readonly Line[], figure: (answer: OwnAnswer) => number) =>
      from.reduce((sum, { answer }) => sum + figure(answer as OwnAnswer), 0) / from.length;
    const both = (figure: (answer: Answer) => number, digits: number) =>
      [own, peer].map((from) => mean(from, figure).toFixed(digits));
    print([
      ...[table, own[0]?.rows ?? 0, own.length],
      ...both(({ accuracy }) => 100 * accuracy, 1),
      ...both(({ logLoss }) => logLoss, 3),
      ...both(({ calibration }) => 100 * calibration, 1),
      ...both(({ seconds }) => seconds, 1),
      mean(own, ({ published, accuracy }) => 100 * (published - accuracy)).toFixed(1),
      mean(own, ({ confirmed, accuracy }) => 100 * ((confirmed?.mean ?? Number.NaN) - accuracy)).toFixed(1),
      ...(["alone", "withChance"] as const).map((way) => {
        const told = own.flatMap(({ answer, judged: judgedRows }) => holds(answer as OwnAnswer, judgedRows) ?? []);
        return `${told.filter((each) => each[way]).length} of ${told.length}`;
      }),
      mean(own, ({ megabytes }) => megabytes).toFixed(1),
    ]);
  }
}
