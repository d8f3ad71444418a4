// Columns of known distributions, for benches of watching: models of training rows, rows of new files, and counts of such
// rows that are drawn as counts, so that 50,000 rows cost no more than 50.
import type { ModelFile } from "../../engine/model/model-file.ts";
import type { ReferenceColumn } from "../../engine/model/reference-counts.ts";
import { Random } from "../../engine/random.ts";
import { rowsUpTo } from "../../engine/row-lists.ts";
import { MISSING_CODE } from "../../engine/table/buckets.ts";
import { type Feature, FIRST_LEVEL, MISSING_LEVEL, type Table } from "../../engine/table/table.ts";
import { besideReference } from "../../engine/watch/cell-counts.ts";
import { countTable } from "../../engine/watch/count-table.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";
import { compareCounts } from "../../engine/watch/shift.ts";
import { drawCounts } from "./drawn-counts.ts";

const HELD_OUT = 1_000;
/** The share of the positive decisions. */
export const SHARE = 0.24;
/** Tenths of confidence. */
const TENTHS = [0, 0, 0, 0, 0, 0.03, 0.12, 0.2, 0.28, 0.37];
const random = new Random(23);
export const uniform = () => random.nextFloat();

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
/** The first of many names come most often. */
const zipf = (count: number) =>
  Float64Array.from({ length: count }, (_, at) => Math.log((at + 2) / (at + 1)) / Math.log(count + 1));
const repeat = (times: number, column: Column) => new Array<Column>(times).fill(column);

export const COLUMNS: readonly Column[] = [
  ...repeat(7, { missing: 0, draw: normal, upTo: normalUpTo }),
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
  // A temperature.
  { missing: 0, draw: () => 15 + 8 * normal(), upTo: (x) => normalUpTo((x - 15) / 8) },
  ...repeat(4, category(even(5))),
  ...repeat(3, category(zipf(40))),
  // Most of its names come once: one row of five in a batch has a name that no training row has.
  category(zipf(20_000)),
];

/** A cell of a new row; null is a missing one. */
export const drawCell = ({ missing, draw }: Column): number | null => (uniform() < missing ? null : draw());

function tableOf(rowCount: number): Table {
  const made = COLUMNS.map((column, at): { feature: Feature; levels: Uint16Array } => {
    const cells = Array.from({ length: rowCount }, () => drawCell(column));
    const present = Float64Array.from(new Set(cells.filter((cell) => cell !== null))).sort();
    const levelOf = new Map([...present].map((value, index) => [value, FIRST_LEVEL + index]));
    const levels = Uint16Array.from(cells, (cell) => (cell === null ? MISSING_LEVEL : levelOf.get(cell)!));
    const own = { name: `c${at}`, column: at, part: null };
    return column.chances === undefined
      ? { feature: { ...own, kind: "number", values: present }, levels }
      : { feature: { ...own, kind: "category", names: [...present].map(String) }, levels };
  });
  return {
    rowCount,
    features: made.map(({ feature }) => feature),
    levels: made.map(({ levels }) => levels),
    labels: ["no", "yes"],
    classes: new Uint8Array(rowCount),
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

/** Decisions and tenths of confidence, as a model gives them. */
export function drawAnswers(rowCount: number, share = SHARE) {
  return {
    decisions: drawCounts([1 - share, share], rowCount, random),
    confidence: drawCounts(TENTHS, rowCount, random),
  };
}

/** A model of so many training rows, as far as it is watched, and the chances of its cells in new rows. */
export function drawModel(rowCount: number): { model: ModelFile; chances: number[][] } {
  const table = tableOf(rowCount);
  const reference = countTable(table, rowsUpTo(rowCount));
  const model = {
    ...{ label: "y", labels: table.labels, missingMarkers: [], lineage: { rowCount, version: 1 }, reference },
    columns: table.features.map(({ name, kind }) => ({ name, kind, reading: { kind: "category" }, missingCount: 1 })),
    features: table.features.map((feature, column) => ({
      column,
      ...(feature.kind === "category" ? { kind: "category", names: feature.names } : { kind: "number" }),
    })),
    heldOut: drawAnswers(HELD_OUT),
  } as unknown as ModelFile;
  const chances = COLUMNS.map((column, at) => {
    const feature = table.features[at]!;
    return chancesOf(column, reference[at]!, feature.kind === "category" ? feature.names : []);
  });
  return { model, chances };
}

/** Counts of so many new rows of the same columns. */
export function drawFile(chances: readonly number[][], rowCount: number): ScoredCounts {
  const { decisions, confidence } = drawAnswers(rowCount);
  return {
    ...{ rowCount, countedRows: rowCount, asTrained: true, reliability: [] },
    cells: chances.map((own) => drawCounts(own, rowCount, random)),
    ...{ decisions, confidence: { sum: 0, tenths: confidence } },
  };
}

const shareOf = (counts: readonly number[]) => {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / all);
};

/** The index as banks compute it, of the cells as they are. */
function plainPsi(trained: readonly number[], file: readonly number[]): number {
  const q = shareOf(file).map((share) => Math.max(share, 1e-4));
  const p = shareOf(trained).map((share) => Math.max(share, 1e-4));
  return p.reduce((sum, own, at) => sum + (own - q[at]!) * Math.log(own / q[at]!), 0);
}

/** As Evidently computes it of categories; of numbers here too, over the cells. */
function jensenShannon(trained: readonly number[], file: readonly number[]): number {
  const [p, q] = [shareOf(trained), shareOf(file)];
  const part = (own: number, middle: number) => (own === 0 ? 0 : own * Math.log2(own / middle));
  const divergence = p.reduce((sum, own, at) => {
    const middle = (own + q[at]!) / 2;
    return sum + (part(own, middle) + part(q[at]!, middle)) / 2;
  }, 0);
  return Math.sqrt(Math.max(0, divergence));
}

/** Other rules on the same counts, and whether each alarms. */
export function otherRules({ reference }: Pick<ModelFile, "reference">, { cells }: ScoredCounts): [string, boolean][] {
  const beside = reference!.map((column, at) => besideReference(column, cells[at]!));
  const psi = Math.max(...beside.map(({ trained, file }) => plainPsi(trained, file)));
  const far = beside.filter(({ trained, file }) => jensenShannon(trained, file) > 0.1).length;
  const least = Math.min(...beside.map((own) => compareCounts(own.trained, own.file, own.isOrdered, own.apart).pValue));
  return [
    ["PSI > 0.1", psi > 0.1],
    ["PSI > 0.25", psi > 0.25],
    ["JS > 0.1 in a column", far > 0],
    ["JS > 0.1 in half of them", far >= beside.length / 2],
    ["p < 0.05", least < 0.05],
    ["p < 0.01 / columns", least < 0.01 / beside.length],
  ];
}

/** The head of a table of rules by rows. */
export const headOf = (first: string, rules: readonly string[]) =>
  `| ${[first, "Cupel", ...rules].join(" | ")} |\n|${"---|".repeat(rules.length + 2)}`;
export const say = (line: string) => process.stdout.write(`${line}\n`);
