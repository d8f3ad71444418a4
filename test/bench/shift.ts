// Rates of alarms without a change, and rows until a change is found: the tables
// "Watching" of RESULTS.md. `bun test/bench/shift.ts [batches]`

import type { ModelFile } from "../../engine/model/model-file.ts";
import { Random } from "../../engine/random.ts";
import { rowsUpTo } from "../../engine/row-lists.ts";
import { codeOfNumber, MISSING_CODE, UNSEEN_CODE } from "../../engine/table/buckets.ts";
import { type Feature, FIRST_LEVEL, MISSING_LEVEL, type Table } from "../../engine/table/table.ts";
import { besideReference } from "../../engine/watch/cell-counts.ts";
import { countTable } from "../../engine/watch/count-table.ts";
import { FileCounts } from "../../engine/watch/file-counts.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";
import { compareCounts } from "../../engine/watch/shift.ts";
import { hasAlarm, watchReport } from "../../engine/watch/watch-report.ts";

const TRAINED = 5_000;
const HELD_OUT = 1_000;
const BATCHES = Number(process.argv[2] ?? 2_000);
/** Batches of each change. */
const CHANGED = 200;
const random = new Random(11);

type Value = number | null;
/** Draws a number, or the index of a name, or nothing. */
interface Column {
  isNumber: boolean;
  draw(): Value;
}

const uniform = () => random.nextFloat();
const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
/** Of many names, the first come most often. */
const zipf = (names: number) => () => Math.min(names - 1, Math.floor(names ** uniform()) - 1);
const number = (draw: () => Value): Column => ({ isNumber: true, draw });
const category = (draw: () => Value): Column => ({ isNumber: false, draw });
const repeat = (times: number, column: Column) => new Array<Column>(times).fill(column);

const COLUMNS: readonly Column[] = [
  ...repeat(7, number(normal)),
  ...repeat(
    2,
    number(() => Math.exp(2 * normal())),
  ),
  ...repeat(
    2,
    number(() => (uniform() < 0.1 ? null : Math.floor(9 * uniform()))),
  ),
  number(() => 15 + 8 * normal()),
  ...repeat(
    4,
    category(() => random.nextBelow(5)),
  ),
  ...repeat(3, category(zipf(40))),
  // Most of its names come once: one row of five in a batch has a name that no training row has.
  category(zipf(20_000)),
];

function tableOf(columns: readonly (readonly Value[])[]): Table {
  const made = columns.map((cells, column): { feature: Feature; levels: Uint16Array } => {
    const present = Float64Array.from(new Set(cells.filter((cell) => cell !== null))).sort();
    const levelOf = new Map([...present].map((value, at) => [value, FIRST_LEVEL + at]));
    const levels = Uint16Array.from(cells, (cell) => (cell === null ? MISSING_LEVEL : levelOf.get(cell)!));
    const own = { name: `c${column}`, column, part: null };
    return COLUMNS[column]!.isNumber
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

/** Of decisions and tenths of confidence, as a model gives them. */
function answers(rowCount: number, share: number) {
  const decisions = [0, 0];
  const confidence = new Array<number>(10).fill(0);
  for (let row = 0; row < rowCount; row++) {
    decisions[uniform() < share ? 1 : 0]!++;
    confidence[Math.min(9, 5 + Math.floor(6 * Math.sqrt(uniform())))]!++;
  }
  return { decisions, confidence };
}

const say = (line: string) => process.stdout.write(`${line}\n`);

const SHARE = 0.24;

function trainedModel(): ModelFile {
  const table = tableOf(COLUMNS.map(({ draw }) => Array.from({ length: TRAINED }, draw)));
  return {
    ...{ lineage: { rowCount: TRAINED }, label: "y", labels: table.labels, missingMarkers: [] },
    columns: table.features.map(({ name, kind }) => ({ name, kind, reading: { kind: "category" }, missingCount: 1 })),
    features: table.features.map((feature, column) => ({
      column,
      ...(feature.kind === "category" ? { kind: "category", names: feature.names } : { kind: "number" }),
    })),
    reference: countTable(table, rowsUpTo(TRAINED)),
    heldOut: answers(HELD_OUT, SHARE),
  } as unknown as ModelFile;
}

type Change = (value: Value, column: number) => Value;

function countsOf(file: ModelFile, rowCount: number, change: Change): ScoredCounts {
  const fileCounts = new FileCounts(file, false, rowCount);
  const counts = { ...fileCounts.scored(), rowCount, countedRows: rowCount };
  fileCounts.model.counted.columns.forEach(({ feature }, column) => {
    const cells = counts.cells[column]!;
    const { draw } = COLUMNS[column]!;
    const codeOf =
      feature.kind === "category" ? new Map(feature.names.map((name, at) => [Number(name), feature.codes[at]!])) : null;
    for (let row = 0; row < rowCount; row++) {
      const value = change(draw(), column);
      if (value === null) cells[MISSING_CODE]!++;
      else if (codeOf !== null) cells[codeOf.get(value) ?? UNSEEN_CODE]!++;
      else if (feature.kind === "number") cells[codeOfNumber(value, feature.cutPoints)]!++;
    }
  });
  return counts;
}

const same: Change = (value) => value;

function isAlarming(file: ModelFile, counts: ScoredCounts, share = SHARE) {
  const { decisions, confidence } = answers(counts.rowCount, share);
  return hasAlarm(watchReport(file, { ...counts, decisions, confidence: { sum: 0, tenths: confidence } }, null));
}

/** The index as banks compute it, of the cells as they are. */
function plainPsi(trained: readonly number[], file: readonly number[]): number {
  const shareOf = (counts: readonly number[]) => {
    const all = counts.reduce((sum, count) => sum + count, 0);
    return counts.map((count) => Math.max(count / all, 1e-4));
  };
  const q = shareOf(file);
  return shareOf(trained).reduce((sum, p, at) => sum + (p === q[at] ? 0 : (p - q[at]!) * Math.log(p / q[at]!)), 0);
}

const BATCH_SIZES = [50, 500, 5_000, 50_000];

/** One table of rates; each model is held against a batch of every size. */
function falseAlarms(): string[] {
  const rates = BATCH_SIZES.map(() => [0, 0, 0, 0]);
  for (let batch = 0; batch < BATCHES; batch++) {
    const file = trainedModel();
    for (const [at, rowCount] of BATCH_SIZES.entries()) {
      const counts = countsOf(file, rowCount, same);
      const beside = file.reference!.map((column, index) => besideReference(column, counts.cells[index]!));
      const psi = Math.max(...beside.map(({ trained, file: own }) => plainPsi(trained, own)));
      const least = beside.map(({ trained, file: own, isOrdered }) => compareCounts(trained, own, isOrdered).pValue);
      const alarms = [isAlarming(file, counts), psi > 0.1, psi > 0.25, Math.min(...least) < 0.05];
      for (const [place, alarm] of alarms.entries()) if (alarm) rates[at]![place]!++;
    }
  }
  return rates.map((own, at) => {
    const shown = own.map((count) => (count / BATCHES).toFixed(4));
    return `| ${BATCH_SIZES[at]!.toLocaleString("en-US")} | ${shown.join(" | ")} |`;
  });
}

const on =
  (at: number, change: (value: number) => Value): Change =>
  (value, column) =>
    column === at && value !== null ? change(value) : value;
const CHANGES: readonly [string, Change, number?][] = [
  ["a half of a standard deviation", on(0, (value) => value + 0.5)],
  ["one standard deviation", on(0, (value) => value + 1)],
  ["minutes for hours (× 60)", on(9, (value) => value * 60)],
  ["°F for °C", on(11, (value) => value * 1.8 + 32)],
  ["a new category in 5% of the rows", on(12, (value) => (uniform() < 0.05 ? 99 : value))],
  ["a new category in 20% of the rows", on(12, (value) => (uniform() < 0.2 ? 99 : value))],
  ["5% missing where none was", on(0, (value) => (uniform() < 0.05 ? null : value))],
  ["a constant column", on(0, () => 0.1)],
  ["labels from 24% to 40%", same, 0.4],
];
const SIZES = [20, 50, 100, 200, 500, 1_000, 2_000];

function detection([name, change, share]: (typeof CHANGES)[number]): string {
  const found = SIZES.map(() => 0);
  for (let batch = 0; batch < CHANGED; batch++) {
    const file = trainedModel();
    for (const [at, rowCount] of SIZES.entries()) {
      if (isAlarming(file, countsOf(file, rowCount, change), share)) found[at]!++;
    }
  }
  return `| ${name} | ${found.map((count) => (count / CHANGED).toFixed(2)).join(" | ")} |`;
}

say(`${BATCHES} batches, ${COLUMNS.length} columns, ${TRAINED} training rows`);
say("| rows | Cupel | PSI > 0.1 | PSI > 0.25 | p < 0.05 in a column |\n|---|---|---|---|---|");
for (const line of falseAlarms()) say(line);
say(`\n| change | ${SIZES.join(" | ")} |\n|---|${SIZES.map(() => "---").join("|")}|`);
for (const change of CHANGES) say(detection(change));
