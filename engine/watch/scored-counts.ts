// Counts of the cells that a model was given over some time, and of its answers: they can be added up, and hold no row.
import { CONFIDENCE_BINS } from "../judging/metrics.ts";
import { hasShape, isCount, isListOf, isNumber, isOneOf } from "../model/model-check.ts";

/** Rows that one model scored; plain, to be stored as JSON. */
export interface ScoredCounts {
  rowCount: number;
  /** Rows whose cells were counted: of a large file, some. */
  countedRows: number;
  /**
   * Counted rows of each column of the reference counts, then of each part of these, by code; see `FileCounts`.
   * Empty of a model without these.
   */
  cells: number[][];
  /** All rows by class code. */
  decisions: number[];
  /** The decided class of all rows: the sum of its probabilities, and rows by tenths. */
  confidence: { sum: number; tenths: number[] };
  /** All rows by range of the model's reliability map; empty of a model without one. */
  reliability: number[];
  /** False where another threshold than the trained one decided some of the rows: these decisions are not compared. */
  asTrained: boolean;
}

/**
 * Columns whose counts are kept, the first of the model: they bound what a
 * day takes on the disk (at 50 bytes each, 50 kB).
 */
const MOST_KEPT_COLUMNS = 1_000;

/** Nothing counted yet, in the form of other counts of the same model. */
export function noCountsLike({ cells, decisions, confidence, reliability }: ScoredCounts): ScoredCounts {
  return {
    ...{ rowCount: 0, countedRows: 0, asTrained: true },
    cells: cells.map((ofColumn) => ofColumn.map(() => 0)),
    decisions: decisions.map(() => 0),
    confidence: { sum: 0, tenths: confidence.tenths.map(() => 0) },
    reliability: reliability.map(() => 0),
  };
}

/** Adds counts of the same model in place, without the parts of texts that not both have. */
export function addCounts(into: ScoredCounts, more: ScoredCounts): void {
  into.rowCount += more.rowCount;
  into.countedRows += more.countedRows;
  // A version that counts no parts of texts may have counted one of the days of a month.
  into.cells.length = Math.min(into.cells.length, more.cells.length);
  for (const [column, ofColumn] of into.cells.entries()) addEach(ofColumn, more.cells[column]!);
  addEach(into.decisions, more.decisions);
  into.confidence.sum += more.confidence.sum;
  addEach(into.confidence.tenths, more.confidence.tenths);
  addEach(into.reliability, more.reliability);
  into.asTrained &&= more.asTrained;
}

/** Counts as they are kept. */
export function keptCounts(counts: ScoredCounts): ScoredCounts {
  return { ...counts, cells: counts.cells.slice(0, MOST_KEPT_COLUMNS) };
}

/** Whether both count the same columns, labels and ranges: counts of two models must not be added. */
export function areAlike(one: ScoredCounts, other: ScoredCounts): boolean {
  const lengths = ({ cells, decisions, reliability }: ScoredCounts) => [
    ...[decisions.length, reliability.length],
    ...cells.map(({ length }) => length),
  ];
  return lengths(one).join() === lengths(other).join();
}

function addEach(into: number[], more: readonly number[]): void {
  // Nor need it tell all cells apart.
  for (let at = 0; at < into.length; at++) into[at]! += more[at] ?? 0;
}

const isShaped = hasShape({
  ...{ rowCount: isCount, countedRows: isCount, asTrained: isOneOf(true, false) },
  cells: isListOf(isListOf(isCount)),
  decisions: isListOf(isCount),
  confidence: hasShape({ sum: isNumber, tenths: isListOf(isCount) }),
  reliability: isListOf(isCount),
});

/** Whether a value from a file is counts. */
export function isScoredCounts(value: unknown): value is ScoredCounts {
  return isShaped(value) && (value as ScoredCounts).confidence.tenths.length === CONFIDENCE_BINS;
}
