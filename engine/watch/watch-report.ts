// Compares a scored file with the training rows: its columns, decisions and confidence, worst first; its labels.

import { quotedName } from "../csv/header.ts";
import { type Estimate, rightCount, wilsonInterval } from "../judging/metrics.ts";
import { expectedAccuracy } from "../judging/reliability.ts";
import type { WatchedModel } from "../model/model-file.ts";
import type { ReferenceColumn } from "../model/reference-counts.ts";
import { sumOf } from "../sums.ts";
import { FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../table/buckets.ts";
import { unixDay } from "../unix-times.ts";
import type { Warning } from "../warning.ts";
import { besideReference, type CellCounts, MISSING_CELL, UNSEEN_CELL } from "./cell-counts.ts";
import type { ScoredCounts } from "./scored-counts.ts";
import { compareCounts, holm, type Shift } from "./shift.ts";
import { type OneTime, oneTime } from "./time-cells.ts";
import { beyondTimes, unixUnitOf } from "./unix-cells.ts";
import { textShift, unknownShare } from "./unknown-texts.ts";

/** The chance that a file like the training rows raises an alarm, over all that is compared. */
const FALSE_ALARM_LEVEL = 0.01;
/** A difference below it is not worth an alarm, however sure it is: banks begin to look at a stability index of 0.1. */
const LEAST_INDEX = 0.1;
/** With fewer rows in the file, there are no two cells to compare. */
export const LEAST_ROWS = 10;
const NAMES_LISTED = 5;

/**
 * SHIFTED: more than chance, and by much. SLIGHT: more than chance, by little. UNTOLD: there is too little to compare.
 */
export type ShiftVerdict = "SHIFTED" | "SLIGHT" | "ALIKE" | "UNTOLD";

interface JudgedShift {
  verdict: ShiftVerdict;
  /** The population stability index less what chance gives. */
  index: number;
  pValue: number;
}

/**
 * Raises no alarm: held-out rows were answered by the fit before the last, which may be more or less sure than that.
 */
interface ConfidenceShift extends JudgedShift {
  isLessSure: boolean;
}

/** Shares of the rows, of the training file and of this one. */
interface SharePair {
  trained: number;
  file: number;
}

export interface ColumnShift extends JudgedShift {
  name: string;
  kind: ReferenceColumn["kind"];
  missing: SharePair;
  /**
   * Categories that no training row had; of the training rows, those that were
   * the only ones of theirs. Null of other kinds.
   */
  unseen: SharePair | null;
  /** Numbers, and the lengths of texts. */
  range: RangeShift | null;
  /** Dates of models that know the training's range, and Unix times; left out of reports of earlier versions. */
  dates?: DateShift | null;
  /** The share of the file's texts without a word that the model knows; of texts alone. */
  unknownTexts?: number;
  /** Dates that all have the same time of day, or none, where the model learned from more; raises no alarm. */
  oneTime?: OneTime | null;
}

/** Dates beyond the training's range raise no alarm: new rows are of new days. */
interface DateShift {
  /** The first and the last day of the training rows. */
  from: string;
  to: string;
  /** Shares of the file's rows before the first and after the last. */
  earlier: number;
  later: number;
}

export interface RangeShift {
  low: number;
  high: number;
  /** Shares of the file's rows below the lowest and above the highest value of the training rows. */
  below: number;
  above: number;
  /** Between which values the middle one lies; null at an end where it lies outside the range. */
  middle: { trained: Between; file: Between } | null;
}

interface Between {
  from: number | null;
  to: number | null;
}

export interface WatchReport {
  rowCount: number;
  /** Rows whose cells were counted: of a large file, some. */
  countedRows: number;
  trainedRowCount: number;
  /** Worst first; null where the model has no reference counts. */
  columns: ColumnShift[] | null;
  /**
   * Decisions by label, and by tenths of confidence, beside those of held-out rows; null where they cannot be compared.
   */
  decisions: JudgedShift | null;
  confidence: ConfidenceShift | null;
  /**
   * The accuracy to expect if decisions of each confidence are right as often as they were on rows that the model had
   * not learned from: if the relation to the label has not changed. Null where that is not known, as of rows that raise
   * an alarm, of models of earlier versions and under another threshold than the trained one. Left out of reports of
   * earlier versions.
   */
  expected?: Estimate | null;
  /** Null where the file has no label that the model knows. */
  labelled: LabelledScore | null;
}

interface LabelledScore {
  rowCount: number;
  accuracy: Estimate;
  labels: string[];
  /** By actual label, then by decision. */
  confusion: number[][];
}

/**
 * Compares rows that were scored with the training rows. `confusion`: rows by label and decision; null where they have
 * no label. `level`: the chance that rows like the training rows raise an alarm, over all that is compared.
 */
export function watchReport(
  file: WatchedModel,
  scored: ScoredCounts,
  confusion: number[][] | null,
  level: number = FALSE_ALARM_LEVEL,
): WatchReport {
  const { reference = null, heldOut = null, trainedClassWeights, reliability } = file;
  const { rowCount, countedRows, cells, decisions, confidence } = scored;
  // Under another threshold than the trained one, other decisions are no shift.
  const isAsTrained = trainedClassWeights === undefined && scored.asTrained;
  const held = isAsTrained ? heldOut : null;
  const countedReference = (reference ?? []).slice(0, cells.length);
  const shifts = countedReference.map((column, at) => {
    const { trained, file: counted, isOrdered, apart } = comparedCells(column, cells[at]!);
    const shift = compareCounts(trained, counted, isOrdered, apart);
    return column.kind === "text" ? textShift(shift, column.counts, cells[at]!) : shift;
  });
  const answers =
    held === null
      ? []
      : [compareCounts(held.decisions, decisions, false), compareCounts(held.confidence, confidence.tenths, true)];
  const [judgedColumns, judgedAnswers] = judge(shifts, answers, countedRows, level);
  const columns = judgedColumns.map(
    (judged, at): ColumnShift => ({
      name: file.columns[at]!.name,
      ...judged,
      ...sharesOf(countedReference[at]!, cells[at]!, countedRows),
      ...(countedReference[at]!.kind === "text" && { unknownTexts: unknownShare(cells[at]!) }),
      ...(countedReference[at]!.kind === "date" &&
        countedRows >= LEAST_ROWS && { oneTime: oneTime(cells[at]!, hourCount(file, at)) }),
    }),
  );
  const report = {
    rowCount,
    countedRows,
    trainedRowCount: file.lineage.rowCount,
    columns: reference === null ? null : columns.sort(worstFirst),
    decisions: judgedAnswers[0] ?? null,
    confidence:
      held === null
        ? null
        : { ...judgedAnswers[1]!, isLessSure: meanTenth(confidence.tenths) < meanTenth(held.confidence) },
    labelled: labelledScore(confusion, file.labels),
  };
  const isKnown = reliability !== undefined && isAsTrained && !hasAlarm(report) && !hasOneTime(report);
  return { ...report, expected: isKnown ? expectedAccuracy(reliability, scored.reliability) : null };
}

/**
 * Fewer unseen categories than among the training rows are no shift: a file of the training rows itself has none. A
 * training row that was the only one of its category counted as unseen, but in the file its category is known. So the
 * cells in which such rows may lie are compared as one.
 */
function comparedCells(column: ReferenceColumn, codes: readonly number[]): CellCounts {
  const cells = besideReference(column, codes);
  const { trained, file } = cells;
  const hasFewer = file[UNSEEN_CELL]! * sumOf(trained) < trained[UNSEEN_CELL]! * sumOf(file);
  if (column.kind !== "category" || !hasFewer) return cells;
  // A frequent category without a row in `trained` had one; the last cell holds all that are not frequent.
  const mayHold = (at: number) => at === UNSEEN_CELL || at === trained.length - 1 || trained[at] === 0;
  const joined = ([missing, ...counts]: readonly number[]) => [
    missing!,
    sumOf(counts.filter((_, at) => mayHold(at + 1))),
    ...counts.filter((_, at) => !mayHold(at + 1)),
  ];
  return { ...cells, trained: joined(trained), file: joined(file), apart: [MISSING_CELL] };
}

/** Whether anything has shifted. */
export function hasAlarm({ columns, decisions }: Pick<WatchReport, "columns" | "decisions">): boolean {
  return [...(columns ?? []), decisions].some((judged) => judged?.verdict === "SHIFTED");
}

/** Whether the dates of a column all have one time of day, or none, as those of the training rows had not. */
export function hasOneTime({ columns }: Pick<WatchReport, "columns">): boolean {
  return (columns ?? []).some(({ oneTime = null }) => oneTime !== null);
}

function meanTenth(counts: readonly number[]): number {
  return counts.reduce((sum, count, tenth) => sum + count * tenth, 0) / Math.max(1, sumOf(counts));
}

/** SHIFTED where something has. */
export function shiftWarnings(report: WatchReport): Warning[] {
  if (!hasAlarm(report)) return [];
  const { columns, decisions } = report;
  const names = (columns ?? []).filter(({ verdict }) => verdict === "SHIFTED").map(({ name }) => quotedName(name));
  const listed = names.slice(0, NAMES_LISTED).join(", ");
  const rest = names.length > NAMES_LISTED ? ", …" : "";
  const inColumns = names.length === 1 ? `column ${names[0]}` : `${names.length} columns (${listed}${rest})`;
  const what = [
    ...(names.length > 0 ? [inColumns] : []),
    ...(decisions?.verdict === "SHIFTED" ? ["the predicted labels"] : []),
  ];
  const message = `The file differs from the training rows beyond chance, in ${what.join(" and ")}. The model may be worse on it than its figures say.`;
  return [{ code: "SHIFTED", message, ...(names.length > 0 && { count: names.length }) }];
}

/** Holm's correction is over all that is compared. */
function judge(
  columns: readonly Shift[],
  answers: readonly Shift[],
  rowCount: number,
  level: number,
): [JudgedShift[], JudgedShift[]] {
  const all = [...columns, ...answers];
  const speaks = holm(
    all.map(({ pValue }) => pValue),
    level,
  );
  const judged = all.map(({ cellCount, pValue, index }, at): JudgedShift => {
    const isUntold = cellCount === 0 || rowCount < LEAST_ROWS;
    const verdict = isUntold ? "UNTOLD" : !speaks[at] ? "ALIKE" : index < LEAST_INDEX ? "SLIGHT" : "SHIFTED";
    return { verdict, index, pValue };
  });
  return [judged.slice(0, columns.length), judged.slice(columns.length)];
}

const RANK: Readonly<Record<ShiftVerdict, number>> = { SHIFTED: 0, SLIGHT: 1, ALIKE: 2, UNTOLD: 3 };

/** Columns with other dates or times come before those that are as in training. */
function rankOf({ verdict, dates = null, oneTime = null }: ColumnShift): number {
  return RANK[verdict] - ((dates !== null && dates.earlier + dates.later > 0) || oneTime !== null ? 0.5 : 0);
}

/** How many hours the model tells apart in a column's dates. */
function hourCount({ features }: WatchedModel, column: number): number {
  const hour = features.find((feature) => feature.column === column && feature.part === "hour");
  return hour === undefined ? 0 : hour.codeCount - FIRST_CODE;
}

function worstFirst(a: ColumnShift, b: ColumnShift): number {
  return rankOf(a) - rankOf(b) || b.index - a.index || a.pValue - b.pValue;
}

type ColumnShares = Pick<ColumnShift, "kind" | "missing" | "unseen" | "range" | "dates">;

function sharesOf(column: ReferenceColumn, codes: readonly number[], rowCount: number): ColumnShares {
  const { kind, missing } = column;
  const known = sumOf(column.counts);
  const trainedCount = Math.max(1, known + missing + (kind === "category" ? column.unseen : 0));
  const shareOf = (count: number) => count / Math.max(1, rowCount);
  const pair = (trained: number, code: number) => ({ trained: trained / trainedCount, file: shareOf(codes[code]!) });
  return {
    kind,
    missing: pair(missing, MISSING_CODE),
    unseen: kind === "category" ? pair(column.unseen, UNSEEN_CODE) : null,
    range: kind === "number" || kind === "text" ? rangeShift(column, codes, shareOf) : null,
    dates: dateShift(column, codes, shareOf),
  };
}

function dateShift(
  column: ReferenceColumn,
  codes: readonly number[],
  shareOf: (count: number) => number,
): DateShift | null {
  const beyond = (ranges: number) => ({
    earlier: shareOf(codes[FIRST_CODE]!),
    later: shareOf(codes[FIRST_CODE + 1 + ranges]!),
  });
  if (column.kind === "date") return column.range === undefined ? null : { ...column.range, ...beyond(1) };
  const unit = unixUnitOf(column);
  if (unit === null) return null;
  const { low, high } = (column as Extract<ReferenceColumn, { cutPoints: readonly number[] }>).range!;
  return { from: unixDay(low, unit), to: unixDay(high, unit), ...beyond(column.counts.length) };
}

function rangeShift(
  column: Extract<ReferenceColumn, { cutPoints: readonly number[] }>,
  codes: readonly number[],
  shareOf: (count: number) => number,
): RangeShift | null {
  const { range, cutPoints, counts } = column;
  if (range === null) return null;
  const { low, high } = range;
  const ends = [null, low, ...cutPoints, high, null];
  const valueCodes = codes.slice(FIRST_CODE, FIRST_CODE + counts.length + 2);
  if (unixUnitOf(column) !== null) valueCodes.push(valueCodes.pop()! + (codes[beyondTimes(column)] ?? 0));
  const trained = middleCell([0, ...counts, 0]);
  const here = middleCell(valueCodes);
  const between = (cell: number): Between => ({ from: ends[cell]!, to: ends[cell + 1]! });
  return {
    ...{ low, high, below: shareOf(valueCodes[0]!), above: shareOf(valueCodes.at(-1)!) },
    middle: trained === null || here === null ? null : { trained: between(trained), file: between(here) },
  };
}

/** The cell that the middle row falls in. */
function middleCell(counts: readonly number[]): number | null {
  const half = sumOf(counts) / 2;
  if (half === 0) return null;
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen >= half;
  });
}

function labelledScore(confusion: number[][] | null, labels: readonly string[]): LabelledScore | null {
  if (confusion === null) return null;
  const rowCount = sumOf(confusion.flat());
  if (rowCount === 0) return null;
  return { rowCount, accuracy: wilsonInterval(rightCount(confusion), rowCount), labels: [...labels], confusion };
}
