// Rates of alarms without a change, and rows until a change is found: the tables
// "Watching" of RESULTS.md. `bun test/bench/shift.ts [batches]`
import type { ModelFile } from "../../engine/model/model-file.ts";
import { codeOfNumber, MISSING_CODE, UNSEEN_CODE } from "../../engine/table/buckets.ts";
import { FileCounts } from "../../engine/watch/file-counts.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";
import { hasAlarm, watchReport } from "../../engine/watch/watch-report.ts";
import {
  COLUMNS,
  drawAnswers,
  drawCell,
  drawFile,
  drawModel,
  headOf,
  otherRules,
  SHARE,
  say,
  uniform,
} from "./drawn-columns.ts";

const TRAINED = 5_000;
const BATCHES = Number(process.argv[2] ?? 2_000);
/** Batches of each change. */
const CHANGED = 200;

type Value = number | null;
type Change = (value: Value, column: number) => Value;

/** Counts of rows that are drawn one by one and changed. */
function changedFile(file: ModelFile, rowCount: number, change: Change, share: number): ScoredCounts {
  const fileCounts = new FileCounts(file, false, rowCount);
  const { decisions, confidence } = drawAnswers(rowCount, share);
  const counts = { ...fileCounts.scored(), rowCount, countedRows: rowCount };
  fileCounts.model.counted.columns.forEach(({ feature }, column) => {
    const cells = counts.cells[column]!;
    const codeOf =
      feature.kind === "category" ? new Map(feature.names.map((name, at) => [Number(name), feature.codes[at]!])) : null;
    for (let row = 0; row < rowCount; row++) {
      const value = change(drawCell(COLUMNS[column]!), column);
      if (value === null) cells[MISSING_CODE]!++;
      else if (codeOf !== null) cells[codeOf.get(value) ?? UNSEEN_CODE]!++;
      else if (feature.kind === "number") cells[codeOfNumber(value, feature.cutPoints)]!++;
    }
  });
  return { ...counts, decisions, confidence: { sum: 0, tenths: confidence } };
}

const isAlarming = (file: ModelFile, counts: ScoredCounts) => hasAlarm(watchReport(file, counts, null));

const BATCH_SIZES = [50, 500, 5_000, 50_000];
const RULES = ["PSI > 0.1", "PSI > 0.25", "p < 0.05"];

/** One table of rates; each model is held against a batch of every size. */
function falseAlarms(): string[] {
  const rates = BATCH_SIZES.map(() => [0, 0, 0, 0]);
  for (let batch = 0; batch < BATCHES; batch++) {
    const { model, chances } = drawModel(TRAINED);
    for (const [at, rowCount] of BATCH_SIZES.entries()) {
      const counts = drawFile(chances, rowCount);
      const others = new Map(otherRules(model, counts));
      const alarms = [isAlarming(model, counts), ...RULES.map((rule) => others.get(rule))];
      for (const [place, alarm] of alarms.entries()) if (alarm === true) rates[at]![place]!++;
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
  ["labels from 24% to 40%", (value) => value, 0.4],
];
const SIZES = [20, 50, 100, 200, 500, 1_000, 2_000];

function detection([name, change, share = SHARE]: (typeof CHANGES)[number]): string {
  const found = SIZES.map(() => 0);
  for (let batch = 0; batch < CHANGED; batch++) {
    const { model } = drawModel(TRAINED);
    for (const [at, rowCount] of SIZES.entries()) {
      if (isAlarming(model, changedFile(model, rowCount, change, share))) found[at]!++;
    }
  }
  return `| ${name} | ${found.map((count) => (count / CHANGED).toFixed(2)).join(" | ")} |`;
}

say(`${BATCHES} batches, ${COLUMNS.length} columns, ${TRAINED} training rows`);
say(headOf("rows", RULES));
for (const line of falseAlarms()) say(line);
say(`\n| change | ${SIZES.join(" | ")} |\n|---|${SIZES.map(() => "---").join("|")}|`);
for (const change of CHANGES) say(detection(change));
