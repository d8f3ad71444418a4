// Compares a scored file with the training rows: its columns, decisions and confidence, worst first; its labels.

import { quotedName } from "../csv/header.ts";
import type { Estimate } from "../judging/metrics.ts";
import { expectedAccuracy } from "../judging/reliability.ts";
import type { WatchedModel } from "../model/model-file.ts";
import { type HeldOutCounts, type PartReference, partsOf, type ReferenceColumn } from "../model/reference-counts.ts";
import { sumOf } from "../sums.ts";
import { FIRST_CODE } from "../table/buckets.ts";
import type { TextPart } from "../table/table.ts";
import type { Warning } from "../warning.ts";
import { besideReference, type CellCounts, MISSING_CELL, UNSEEN_CELL } from "./cell-counts.ts";
import { type ColumnShares, sharesOf } from "./column-shares.ts";
import { type DecidedRows, type LabelledScore, labelledScore } from "./labelled-score.ts";
import type { ScoredCounts } from "./scored-counts.ts";
import { compareCounts, holm, LEAST_INDEX, type Shift, worstOf } from "./shift.ts";
import { type OneTime, oneTime } from "./time-cells.ts";
import { fewWordsOf, textShift, unknownShare } from "./unknown-texts.ts";
import { isRhythm, type Rhythm, type RhythmShifts } from "./weekly-rhythm.ts";

/** The chance that a file like the training rows raises an alarm, over all that is compared. */
const FALSE_ALARM_LEVEL = 0.01;
/** With fewer rows in the file, there are no two cells to compare. */
export const LEAST_ROWS = 10;
const NAMES_LISTED = 5;

/**
 * SHIFTED: more than chance, and by much. SLIGHT: more than chance, by little, or by the day of the week (`recurs`).
 * UNTOLD: there is too little to compare.
 */
export type ShiftVerdict = "SHIFTED" | "SLIGHT" | "ALIKE" | "UNTOLD";

type Cells = ScoredCounts["cells"];

interface JudgedShift {
  verdict: ShiftVerdict;
  /** The population stability index less what chance gives. */
  index: number;
  pValue: number;
  /** By much, but as a week before, and all seven days together as in training. */
  recurs?: true;
}

/**
 * Raises no alarm: held-out rows were answered by the fit before the last, which may be more or less sure than that.
 */
interface ConfidenceShift extends JudgedShift {
  isLessSure: boolean;
}

export interface ColumnShift extends JudgedShift, ColumnShares {
  name: string;
  /** The share of the file's texts of fewer known words than `least`, or of none; of texts alone. */
  unknownTexts?: number;
  /** The part of the texts that differs the most; left out where the texts as a whole differ more, or have no parts. */
  part?: ColumnShares & { part: TextPart };
  /** Null where the training's texts were not counted so. */
  fewWords?: { least: number; trained: number } | null;
  /** Dates that all have the same time of day, or none, where the model learned from more; raises no alarm. */
  oneTime?: OneTime | null;
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

/**
 * Compares rows that were scored with the training rows. `decided`: by their labels; null where they have none.
 * `level`: the chance that rows like the training rows raise an alarm, over all that is compared. `rhythm`: null where
 * nothing is known of the week before.
 */
export function watchReport(
  file: WatchedModel,
  scored: ScoredCounts,
  decided: DecidedRows | null,
  { level = FALSE_ALARM_LEVEL, rhythm = null }: { level?: number; rhythm?: Rhythm | null } = {},
): WatchReport {
  const { reference = null, heldOut = null, trainedClassWeights, reliability } = file;
  const { rowCount, countedRows, cells, confidence } = scored;
  // Under another threshold than the trained one, other decisions are no shift.
  const isAsTrained = trainedClassWeights === undefined && scored.asTrained;
  const held = isAsTrained ? heldOut : null;
  const countedReference = (reference ?? []).slice(0, cells.length);
  const rhythms = rhythm === null ? [] : rhythmShifts(countedReference, held, scored, rhythm);
  const compared = compareColumns(countedReference, cells);
  const judged = judge(shiftsOf(compared, held, scored), rhythms, countedRows, level);
  const judgedAnswers = judged.splice(countedReference.length);
  const columns = judged.map(
    (judged, at): ColumnShift => ({
      name: file.columns[at]!.name,
      ...judged,
      ...sharesOf(countedReference[at]!, cells[at]!, countedRows, categoryNames(file, at)),
      ...unknownOf(countedReference[at]!, cells[at]!),
      ...partOf(compared[at]!, countedRows),
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
    labelled: labelledScore(decided, file.labels),
  };
  const isKnown = reliability !== undefined && isAsTrained && !hasAlarm(report) && !hasOneTime(report);
  return { ...report, expected: isKnown ? expectedAccuracy(reliability, scored.reliability) : null };
}

/** Counts of the part of a text, and how they differ from those of the training rows. */
interface ComparedPart {
  counted: PartReference;
  codes: readonly number[];
  shift: Shift;
}

/** How a column differs from the training rows: without its parts, and each of these. */
interface ComparedColumn {
  whole: Shift;
  parts: readonly ComparedPart[];
}

function compareColumns(reference: readonly ReferenceColumn[], cells: Cells): ComparedColumn[] {
  const partsOfColumn = Map.groupBy(countedParts(reference, cells), ({ column }) => column);
  return reference.map((column, at) => {
    const shift = shiftOf(column, cells[at]!);
    return {
      whole: column.kind === "text" ? textShift(shift, column, cells[at]!) : shift,
      parts: (partsOfColumn.get(at) ?? []).map(({ counted, codes }) => ({
        ...{ counted, codes, shift: shiftOf(counted, codes) },
      })),
    };
  });
}

function shiftOf(column: ReferenceColumn, codes: readonly number[]): Shift {
  const { trained, file, isOrdered, apart } = comparedCells(column, codes);
  return compareCounts(trained, file, isOrdered, apart);
}

/** The counts of the parts of texts, which stand behind those of the columns. */
function countedParts(reference: readonly ReferenceColumn[], cells: Cells) {
  return partsOf(reference).flatMap((own, place) => {
    const codes = cells[reference.length + place];
    return codes === undefined ? [] : [{ ...own, codes }];
  });
}

/** The part that differs the most, where it differs more than the texts as a whole. */
function partOf({ whole, parts }: ComparedColumn, rowCount: number): Pick<ColumnShift, "part"> {
  const [most] = parts.toSorted((a, b) => b.shift.index - a.shift.index);
  if (most === undefined || most.shift.index <= whole.index) return {};
  return { part: { part: most.counted.part, ...sharesOf(most.counted, most.codes, rowCount, []) } };
}

/** The columns as one comparison each; then decisions and confidence, where these are compared. */
function shiftsOf(compared: readonly ComparedColumn[], held: HeldOutCounts | null, scored: ScoredCounts): Shift[] {
  const columns = compared.map(({ whole, parts }) => worstOf([whole, ...parts.map(({ shift }) => shift)]));
  if (held === null) return columns;
  return [
    ...columns,
    compareCounts(held.decisions, scored.decisions, false),
    compareCounts(held.confidence, scored.confidence.tenths, true),
  ];
}

/** In the order of `shiftsOf`. */
function rhythmShifts(
  reference: readonly ReferenceColumn[],
  held: HeldOutCounts | null,
  scored: ScoredCounts,
  { before, week }: Rhythm,
): RhythmShifts[] {
  const sinceThen = (own: ReferenceColumn, thenCodes: readonly number[], nowCodes: readonly number[]) => {
    const { file: then } = besideReference(own, thenCodes);
    const { file: now, isOrdered, apart } = besideReference(own, nowCodes);
    return compareCounts(then, now, isOrdered, apart);
  };
  const thenParts = countedParts(reference, before.cells);
  const nowParts = countedParts(reference, scored.cells.slice(0, before.cells.length));
  const partsSince = Map.groupBy(
    nowParts.map(({ column, counted, codes }, place) => ({
      column,
      shift: sinceThen(counted, thenParts[place]!.codes, codes),
    })),
    ({ column }) => column,
  );
  const between = [
    ...reference.map((column, at) =>
      worstOf([
        sinceThen(column, before.cells[at]!, scored.cells[at]!),
        ...(partsSince.get(at) ?? []).map(({ shift }) => shift),
      ]),
    ),
    compareCounts(before.decisions, scored.decisions, false),
    compareCounts(before.confidence.tenths, scored.confidence.tenths, true),
  ];
  const [beforeShifts, weekShifts] = [before, week].map((each) =>
    shiftsOf(compareColumns(reference, each.cells), held, each),
  );
  return beforeShifts!.map((one, at) => ({ before: one, week: weekShifts![at]!, between: between[at]! }));
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

/** Holm's correction is over all that is compared. `rhythms`: of each; empty where they are not known. */
function judge(
  all: readonly Shift[],
  rhythms: readonly RhythmShifts[],
  rowCount: number,
  level: number,
): JudgedShift[] {
  const speaks = holm(
    all.map(({ pValue }) => pValue),
    level,
  );
  return all.map(({ cellCount, pValue, index }, at): JudgedShift => {
    const isUntold = cellCount === 0 || rowCount < LEAST_ROWS;
    const verdict = isUntold ? "UNTOLD" : !speaks[at] ? "ALIKE" : index < LEAST_INDEX ? "SLIGHT" : "SHIFTED";
    const rhythm = rhythms[at];
    const recurs = verdict === "SHIFTED" && rhythm !== undefined && isRhythm(rhythm, level);
    return recurs ? { verdict: "SLIGHT", index, pValue, recurs } : { verdict, index, pValue };
  });
}

const RANK: Readonly<Record<ShiftVerdict, number>> = { SHIFTED: 0, SLIGHT: 1, ALIKE: 2, UNTOLD: 3 };

/** Columns with other dates or times come before those that are as in training. */
function rankOf({ verdict, dates = null, oneTime = null }: ColumnShift): number {
  return RANK[verdict] - ((dates !== null && dates.earlier + dates.later > 0) || oneTime !== null ? 0.5 : 0);
}

function unknownOf(column: ReferenceColumn, codes: readonly number[]): Partial<ColumnShift> {
  return column.kind === "text" ? { unknownTexts: unknownShare(codes), fewWords: fewWordsOf(column) } : {};
}

/** The names of a column's categories; none of other kinds. */
function categoryNames({ features }: WatchedModel, column: number): readonly string[] {
  return features?.find((own) => own.column === column && own.names !== undefined)?.names ?? [];
}

/** How many hours the model tells apart in a column's dates. */
function hourCount({ features }: WatchedModel, column: number): number {
  const hour = features.find((feature) => feature.column === column && feature.part === "hour");
  return hour === undefined ? 0 : hour.codeCount - FIRST_CODE;
}

function worstFirst(a: ColumnShift, b: ColumnShift): number {
  return rankOf(a) - rankOf(b) || b.index - a.index || a.pValue - b.pValue;
}
