// How often a month of daily batches without any change raises an alarm: bun test/bench/shift-months.ts [--trained
// ROWS] [MONTHS] [ROWS A DAY …] Counts are drawn as such: each column's cells have the chances that its distribution
// gives them, so 50,000 rows cost no more than 50.
import { parseArgs } from "node:util";
import type { WatchedModel } from "../../engine/model/model-file.ts";
import type { ReferenceColumn } from "../../engine/model/reference-counts.ts";
import { type DayCounts, healthOf } from "../../engine/outcomes/health.ts";
import { Random } from "../../engine/random.ts";
import { rowsUpTo } from "../../engine/row-lists.ts";
import { MISSING_CODE } from "../../engine/table/buckets.ts";
import { type Feature, FIRST_LEVEL, MISSING_LEVEL, type Table } from "../../engine/table/table.ts";
import { besideReference } from "../../engine/watch/cell-counts.ts";
import { countTable } from "../../engine/watch/count-table.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";
import { compareCounts } from "../../engine/watch/shift.ts";
import { drawCounts } from "./drawn-counts.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { trained: { type: "string", default: "5000" } },
});
const TRAINED = Number(flags.trained);
const HELD_OUT = 1_000;
const DAYS = 30;
const MONTHS = Number(positionals[0] ?? 2_000);
const SIZES = positionals.length > 1 ? positionals.slice(1).map(Number) : [50, 500, 5_000, 50_000];
/** Decisions, and tenths of confidence. */
const DECIDED = [0.76, 0.24];
const TENTHS = [0, 0, 0, 0, 0, 0.03, 0.12, 0.2, 0.28, 0.37];
const random = new Random(23);
const uniform = () => random.nextFloat();

/** A column's values: how one is drawn, and how likely a value is up to `x`, or is the name `at`. */
interface Column {
  missing: number;
  draw(): number;
  upTo?(x: number): number;
  chances?: Float64Array;
}

const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
/** Abramowitz and Stegun 7.1.26 is good to 1e-7; the differences of interest are beyond 1e-3. */
const normalUpTo = (x: number) => {
  const t = 1 / (1 + 0.3275911 * Math.abs(x / Math.SQRT2));
  const series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const erf = 1 - series * Math.exp((-x * x) / 2);
  return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
};
const category = (chances: Float64Array): Column => {
  const sums = chances.slice();
  for (let at = 1; at < sums.length; at++) sums[at]! += sums[at - 1]!;
  const draw = () => {
    const u = uniform() * sums.at(-1)!;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > u) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return { missing: 0, draw, chances };
};
const even = (count: number) => new Float64Array(count).fill(1 / count);
/** Of many names, the first come most often. */
const zipf = (count: number) =>
  Float64Array.from({ length: count }, (_, at) => Math.log((at + 2) / (at + 1)) / Math.log(count + 1));
const repeat = (times: number, column: Column) => new Array<Column>(times).fill(column);

const COLUMNS: readonly Column[] = [
  ...repeat(8, { missing: 0, draw: normal, upTo: normalUpTo }),
  ...repeat(2, {
    missing: 0,
    draw: () => Math.exp(2 * normal()),
    upTo: (x) => (x <= 0 ? 0 : normalUpTo(Math.log(x) / 2)),
  }),
  ...repeat(2, {
    missing: 0.1,
    draw: () => random.nextBelow(9),
    upTo: (x) => Math.min(9, Math.max(0, Math.floor(x) + 1)) / 9,
  }),
  ...repeat(4, category(even(5))),
  ...repeat(3, category(zipf(40))),
  // Most of its names come once: one row of five in a batch has a name that no training row has.
  category(zipf(20_000)),
];

function tableOf(): Table {
  const made = COLUMNS.map((column, at): { feature: Feature; levels: Uint16Array } => {
    const cells = Array.from({ length: TRAINED }, () => (uniform() < column.missing ? Number.NaN : column.draw()));
    const present = Float64Array.from(new Set(cells.filter((cell) => !Number.isNaN(cell)))).sort();
    const levelOf = new Map([...present].map((value, index) => [value, FIRST_LEVEL + index]));
    const levels = Uint16Array.from(cells, (cell) => levelOf.get(cell) ?? MISSING_LEVEL);
    const own = { name: `c${at}`, column: at, part: null };
    return column.chances === undefined
      ? { feature: { ...own, kind: "number", values: present }, levels }
      : { feature: { ...own, kind: "category", names: [...present].map(String) }, levels };
  });
  return {
    rowCount: TRAINED,
    features: made.map(({ feature }) => feature),
    levels: made.map(({ levels }) => levels),
    labels: ["no", "yes"],
    classes: new Uint8Array(TRAINED),
  };
}

/** The chance of each code of a column, as `FileCounts` numbers them. */
function chancesOf(column: Column, reference: ReferenceColumn, names: readonly string[]): number[] {
  const chances = new Array<number>(14).fill(0);
  if (reference.kind === "category") {
    const of = (name: string) => column.chances![Number(name)]!;
    const known = names.reduce((sum, name) => sum + of(name), 0);
    const frequent = reference.frequent.map((at) => of(names[at]!));
    const rest = known - frequent.reduce((sum, chance) => sum + chance, 0);
    [1 - known, ...frequent, rest].forEach((chance, at) => {
      chances[1 + at] = Math.max(0, chance);
    });
    return chances;
  }
  if (reference.kind === "date" || reference.range === null) throw new Error("no such column");
  const { range, cutPoints } = reference;
  const ends = [range.low - 1e-9, ...cutPoints, range.high].map((end) => column.upTo!(end));
  const shares = [...ends, 1].map((end, at) => end - (at === 0 ? 0 : ends[at - 1]!));
  shares.forEach((share, at) => {
    chances[2 + at] = Math.max(0, share) * (1 - column.missing);
  });
  chances[MISSING_CODE] = column.missing;
  return chances;
}

function trained(): { model: WatchedModel; chances: number[][] } {
  const table = tableOf();
  const reference = countTable(table, rowsUpTo(TRAINED));
  const model = {
    ...{ label: "y", labels: table.labels, lineage: { rowCount: TRAINED, version: 1 }, reference },
    columns: table.features.map(({ name, kind }) => ({ name, kind, reading: { kind: "category" }, missingCount: 1 })),
    heldOut: { decisions: drawCounts(DECIDED, HELD_OUT, random), confidence: drawCounts(TENTHS, HELD_OUT, random) },
  } as unknown as WatchedModel;
  const chances = COLUMNS.map((column, at) => {
    const feature = table.features[at]!;
    return chancesOf(column, reference[at]!, feature.kind === "category" ? feature.names : []);
  });
  return { model, chances };
}

function dayCounts(chances: readonly number[][], rowCount: number): ScoredCounts {
  return {
    ...{ rowCount, countedRows: rowCount, asTrained: true, reliability: [] },
    cells: chances.map((own) => drawCounts(own, rowCount, random)),
    decisions: drawCounts(DECIDED, rowCount, random),
    confidence: { sum: 0, tenths: drawCounts(TENTHS, rowCount, random) },
  };
}

const shareOf = (counts: readonly number[]) => {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / all);
};

/** The index as banks compute it, of the cells as they are. */
function plainPsi(trainedCounts: readonly number[], file: readonly number[]): number {
  const q = shareOf(file).map((share) => Math.max(share, 1e-4));
  const p = shareOf(trainedCounts).map((share) => Math.max(share, 1e-4));
  return p.reduce((sum, own, at) => sum + (own - q[at]!) * Math.log(own / q[at]!), 0);
}

/** As Evidently computes it of categories; of numbers here too, over the cells. */
function jensenShannon(trainedCounts: readonly number[], file: readonly number[]): number {
  const [p, q] = [shareOf(trainedCounts), shareOf(file)];
  const part = (own: number, middle: number) => (own === 0 ? 0 : own * Math.log2(own / middle));
  const divergence = p.reduce((sum, own, at) => {
    const middle = (own + q[at]!) / 2;
    return sum + (part(own, middle) + part(q[at]!, middle)) / 2;
  }, 0);
  return Math.sqrt(Math.max(0, divergence));
}

/** Whether each other rule alarms on a day. */
function rulesOn({ reference }: WatchedModel, { cells }: ScoredCounts): boolean[] {
  const beside = reference!.map((column, at) => besideReference(column, cells[at]!));
  const psi = Math.max(...beside.map(({ trained: own, file }) => plainPsi(own, file)));
  const far = beside.filter(({ trained: own, file }) => jensenShannon(own, file) > 0.1).length;
  const least = Math.min(...beside.map((own) => compareCounts(own.trained, own.file, own.isOrdered, own.apart).pValue));
  return [psi > 0.1, psi > 0.25, far > 0, far >= beside.length / 2, least < 0.05, least < 0.01 / beside.length];
}

const RULES = [
  "PSI > 0.1",
  "PSI > 0.25",
  "JS > 0.1 in a column",
  "JS > 0.1 in half of them",
  "p < 0.05",
  "p < 0.01 / columns",
];
const say = (line: string) => process.stdout.write(`${line}\n`);
const day = (at: number) => `2031-04-${String(at + 1).padStart(2, "0")}`;

say(
  `${MONTHS} months of ${DAYS} daily batches without change, ${COLUMNS.length} columns, ${TRAINED} training rows: share of months with an alarm`,
);
say(`| rows a day | Cupel | ${RULES.join(" | ")} | s |\n|---|---|${RULES.map(() => "---").join("|")}|---|`);
for (const rowCount of SIZES) {
  const startMs = performance.now();
  const alarms = new Array<number>(1 + RULES.length).fill(0);
  for (let month = 0; month < MONTHS; month++) {
    const { model, chances } = trained();
    const days = Array.from(
      { length: DAYS },
      (_, at): DayCounts => ({ day: day(at), counts: dayCounts(chances, rowCount) }),
    );
    const { stretches } = healthOf(model, days, "2031-05-01");
    if (stretches.some(({ isShifted }) => isShifted === true)) alarms[0]!++;
    const rules = days.map(({ counts }) => rulesOn(model, counts));
    RULES.forEach((_, at) => {
      if (rules.some((own) => own[at]!)) alarms[1 + at]!++;
    });
  }
  const shown = alarms.map((count) => (count / MONTHS).toFixed(4)).join(" | ");
  say(`| ${rowCount.toLocaleString("en-US")} | ${shown} | ${((performance.now() - startMs) / 1_000).toFixed(0)} |`);
}
