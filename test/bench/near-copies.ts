// Measures what the difference of two near copies tells. `cupel run --no-refine` learns from a table as it is, then with
// the difference of each column and its nearest copy as a further column. Rows that nobody chose on judge both.
// Usage: bun test/bench/near-copies.ts SPLITS FILE… [--cupel PROGRAM]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { dealRows, meanOf, printRow, programOf, readTable, runToEnd, writeTable } from "./outer-split.ts";

/** Columns whose ranks correlate less are no near copies. */
const LEAST_CORRELATION = 0.85;
const MORE_THAN_DISTINCT = 10;
/** Takes the noise of the subtraction off: 0.3 - 0.1 is 0.2. */
const DECIMALS = 9;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { cupel: { type: "string" } } });
const [splits = "5", ...paths] = positionals;
const folder = mkdtempSync(join(tmpdir(), "cupel-copies-"));
printRow(["table", "differences", "accuracy", "with them, by split"]);
for (const path of paths) {
  const { header, records } = readTable(path);
  const plain: number[] = [];
  const gains: number[] = [];
  let count = 0;
  for (let split = 0; split < Number(splits); split++) {
    const [learning, judging] = dealRows(records, split);
    const pairs = nearestCopies(learning, header.length - 1);
    count = pairs.length;
    const accuracy = await accuracyOn(header, learning, judging);
    const names = pairs.map(([first, second]) => `${header[first]} - ${header[second]}`);
    const widen = (record: string[]) => [...pairs.map((pair) => differenceOf(record, pair)), ...record];
    const widened = await accuracyOn([...names, ...header], learning.map(widen), judging.map(widen));
    plain.push(accuracy);
    gains.push(widened - accuracy);
  }
  printRow([basename(path, ".csv"), count, meanOf(plain).toFixed(1), gains.map((gain) => gain.toFixed(2)).join(", ")]);
}
rmSync(folder, { recursive: true });

/** In percent, of the rows that judge. */
async function accuracyOn(header: readonly string[], learning: string[][], judging: string[][]): Promise<number> {
  const [trainPath, testPath, out] = ["train.csv", "test.csv", "out"].map((name) => join(folder, name));
  writeTable(trainPath!, header, learning);
  writeTable(testPath!, header, judging);
  await runToEnd([...programOf(values.cupel), "run", trainPath!, "--no-refine", "--predict", testPath!, "--out", out!]);
  const { header: resultHeader, records } = readTable(join(out!, "predictions-test.csv"));
  const at = resultHeader.indexOf("prediction");
  rmSync(out!, { recursive: true });
  return (100 * records.filter((record, row) => record[at] === judging[row]!.at(-1)).length) / judging.length;
}

function numberOf(cell: string): number {
  return cell === "" ? Number.NaN : Number(cell);
}

function differenceOf(record: readonly string[], [first, second]: readonly [number, number]): string {
  const difference = numberOf(record[first]!) - numberOf(record[second]!);
  return Number.isNaN(difference) ? "" : String(Number(difference.toFixed(DECIMALS)));
}

/** Each column of numbers with the one that its ranks follow most closely, each pair once. */
function nearestCopies(records: readonly string[][], columnCount: number): [number, number][] {
  const ranked = Array.from({ length: columnCount }, (_, column) => records.map((record) => record[column]!))
    .map((cells, column) => ({ column, cells }))
    .filter(({ cells }) => cells.every((cell) => cell === "" || Number.isFinite(Number(cell))))
    .filter(({ cells }) => new Set(cells).size > MORE_THAN_DISTINCT)
    .map(({ column, cells }) => ({ column, ranks: standardRanks(cells.map(numberOf)) }));
  const pairs = new Map<string, [number, number]>();
  for (const { column, ranks } of ranked) {
    const others = ranked.filter((other) => other.column !== column);
    const correlations = others.map((other) => correlationOf(ranks, other.ranks));
    const best = correlations.indexOf(Math.max(...correlations));
    if (best < 0 || correlations[best]! < LEAST_CORRELATION) continue;
    const pair: [number, number] = [Math.min(column, others[best]!.column), Math.max(column, others[best]!.column)];
    pairs.set(pair.join(), pair);
  }
  return [...pairs.values()];
}

/** Mean ranks of mean 0 and length 1; 0 where a value is missing. */
function standardRanks(numbers: readonly number[]): Float64Array {
  const present = [...numbers.keys()].filter((row) => !Number.isNaN(numbers[row]!));
  present.sort((a, b) => numbers[a]! - numbers[b]!);
  const ranks = new Float64Array(numbers.length);
  for (let start = 0; start < present.length; ) {
    let end = start + 1;
    while (end < present.length && numbers[present[end]!] === numbers[present[start]!]) end++;
    for (let at = start; at < end; at++) ranks[present[at]!] = (start + end - present.length) / 2;
    start = end;
  }
  const length = Math.hypot(...ranks);
  return ranks.map((rank) => rank / length);
}

function correlationOf(a: Float64Array, b: Float64Array): number {
  return Math.abs(a.reduce((sum, value, row) => sum + value * b[row]!, 0));
}
