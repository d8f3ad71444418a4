// False alarms of Evidently's rule for references of at most 1,000 rows: bun test/bench/small-reference.ts [--check]
// [MONTHS] [ROWS A DAY …] Each column has a test at 5%: Kolmogorov-Smirnov of numbers, chi-square of categories. The
// data has drifted where half of the columns have. `--check` holds the p-values against scipy (`small_reference.py`).
// The columns are those of shift-months.ts, without missing cells.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../../engine/random.ts";
import { upperGamma } from "../../engine/statistics/tail-probabilities.ts";
import { drawCounts } from "./drawn-counts.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean", default: false } },
});
const TRAINED = 900;
const DAYS = 30;
const MONTHS = Number(positionals[0] ?? 2_000);
const SIZES = positionals.length > 1 ? positionals.slice(1).map(Number) : [50, 500, 5_000, 50_000];
const LEVEL = 0.05;
const random = new Random(29);
const say = (line: string) => process.stdout.write(`${line}\n`);

const even = (count: number) => new Array<number>(count).fill(1 / count);
/** The first of many names come most often. */
const zipf = (count: number) =>
  Array.from({ length: count }, (_, at) => Math.log((at + 2) / (at + 1)) / Math.log(count + 1));
/** Columns by the chances of their values; null: without ties, of which ranks alone count. */
const NUMBERS: readonly (number[] | null)[] = [...new Array<null>(10).fill(null), even(9), even(9)];
const CATEGORIES = [...new Array<number[]>(4).fill(even(5)), ...new Array<number[]>(3).fill(zipf(40)), zipf(20_000)];
const COLUMN_COUNT = NUMBERS.length + CATEGORIES.length;

/** The largest difference of the shares of two samples up to each value. */
function distance(a: readonly number[], b: readonly number[]): number {
  const [m, n] = [total(a), total(b)];
  let [first, second, most] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    first += a[at]! / m;
    second += b[at]! / n;
    most = Math.max(most, Math.abs(first - second));
  }
  return most;
}

/**
 * The chance of such a distance or a larger one between samples of one distribution without ties: the share of lattice
 * paths that leave the band (Hodges 1957). O(m n × the band's width).
 */
function distanceChance(least: number, m: number, n: number): number {
  let inside = new Float64Array(n + 1);
  const edge = least - 1e-12;
  for (let i = 0; i <= m; i++) {
    const from = Math.max(0, Math.floor((i / m - edge) * n) + 1);
    const to = Math.min(n, Math.ceil((i / m + edge) * n) - 1);
    const next = new Float64Array(n + 1);
    for (let j = from; j <= to; j++) {
      if (i + j === 0) next[j] = 1;
      else next[j] = (i * inside[j]! + (j > 0 ? j * next[j - 1]! : 0)) / (i + j);
    }
    inside = next;
  }
  return 1 - inside[n]!;
}

/** The least distance that is rarer than the level. */
function criticalDistance(m: number, n: number): number {
  let [low, high] = [0, 1];
  while (high - low > 1e-7) {
    const middle = (low + high) / 2;
    if (distanceChance(middle, m, n) < LEVEL) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * As Evidently calls scipy's `chisquare`: the reference, brought to the batch's size,
 * as what was seen, and the batch as what was expected.
 */
function chiSquareChance(trained: readonly number[], batch: readonly number[]): number {
  const scale = total(batch) / total(trained);
  let [sum, cells] = [0, 0];
  for (let at = 0; at < trained.length; at++) {
    if (trained[at] === 0 && batch[at] === 0) continue;
    cells++;
    sum += (trained[at]! * scale - batch[at]!) ** 2 / batch[at]!;
  }
  return upperGamma((cells - 1) / 2, sum / 2);
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A column's training rows, and how a batch of it is drawn beside them. */
interface Drawn {
  trained: number[];
  batch(rowCount: number): number[];
}

/** Cells are the training rows and what lies between them, so that no distance is lost. */
function withoutTies(): Drawn {
  const ends = Float64Array.from({ length: TRAINED }, () => random.nextFloat()).sort();
  const gaps = [...ends, 1].map((end, at) => end - (at === 0 ? 0 : ends[at - 1]!));
  const trained = gaps.flatMap((_, at) => (at < TRAINED ? [0, 1] : [0]));
  return {
    trained,
    batch: (rowCount) => drawCounts(gaps, rowCount, random).flatMap((n, at) => (at < TRAINED ? [n, 0] : [n])),
  };
}

function withTies(chances: number[]): Drawn {
  return { trained: drawCounts(chances, TRAINED, random), batch: (rowCount) => drawCounts(chances, rowCount, random) };
}

/** How many columns a batch has drifted in. */
function driftedColumns(
  numbers: readonly Drawn[],
  categories: readonly Drawn[],
  rowCount: number,
  critical: number,
): number {
  const far = numbers.filter(({ trained, batch }) => distance(trained, batch(rowCount)) >= critical).length;
  return far + categories.filter(({ trained, batch }) => chiSquareChance(trained, batch(rowCount)) < LEVEL).length;
}

function alarms(rowCount: number): string {
  const critical = criticalDistance(TRAINED, rowCount);
  let [ofColumn, ofHalf, columnSum] = [0, 0, 0];
  for (let month = 0; month < MONTHS; month++) {
    const numbers = NUMBERS.map((chances) => (chances === null ? withoutTies() : withTies(chances)));
    const categories = CATEGORIES.map(withTies);
    let most = 0;
    for (let day = 0; day < DAYS; day++) {
      const drifted = driftedColumns(numbers, categories, rowCount, critical);
      columnSum += drifted;
      most = Math.max(most, drifted);
    }
    if (most > 0) ofColumn++;
    if (most >= COLUMN_COUNT / 2) ofHalf++;
  }
  const share = (count: number) => (count / MONTHS).toFixed(4);
  const mean = (columnSum / (MONTHS * DAYS)).toFixed(2);
  return `| ${rowCount.toLocaleString("en-US")} | ${share(ofColumn)} | ${share(ofHalf)} | ${mean} of ${COLUMN_COUNT} |`;
}

/** A few drawn samples, and the largest relative difference from scipy. */
async function check(): Promise<void> {
  const cases = [40, 300, 2_000].flatMap((rowCount) => {
    const numbers = [withoutTies(), withTies(even(9))].map((column) => ({ kind: "ks", ...column }));
    const categories = [withTies(even(5)), withTies(zipf(12))].map((column) => ({ kind: "chi", ...column }));
    return [...numbers, ...categories].map(({ kind, trained, batch }) => ({ kind, trained, batch: batch(rowCount) }));
  });
  const child = Bun.spawn(["python3", join(import.meta.dir, "small_reference.py")], { stdin: "pipe", stdout: "pipe" });
  child.stdin.write(JSON.stringify(cases));
  child.stdin.end();
  const theirs = (await new Response(child.stdout).json()) as number[];
  for (const [at, { kind, trained, batch }] of cases.entries()) {
    const ours =
      kind === "ks"
        ? distanceChance(distance(trained, batch), total(trained), total(batch))
        : chiSquareChance(trained, batch);
    say(`${kind} of ${total(batch)} rows: ${ours} here, ${theirs[at]} by scipy`);
    if (Math.abs(ours - theirs[at]!) > 1e-8 * Math.max(1e-3, theirs[at]!)) throw new Error("not as scipy has it");
  }
}

if (flags.check) await check();
else {
  say(`${MONTHS} months of ${DAYS} daily batches without change, ${COLUMN_COUNT} columns, ${TRAINED} training rows`);
  say("| rows a day | a column | half of the columns | drifted columns of a day, mean |\n|---|---|---|---|");
  for (const rowCount of SIZES) say(alarms(rowCount));
}
