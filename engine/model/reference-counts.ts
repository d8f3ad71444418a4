// The counts that a model keeps of its training rows, so that new files can be compared with them: never a cell.

import type { TextPart } from "../table/table.ts";

/** The cells of one column of the training rows, by ranges or groups; alike for every version of a run. */
export type ReferenceColumn = NumberReference | CategoryReference | DateReference;

export interface NumberReference {
  /** A text is counted by its length in characters. */
  kind: "number" | "text";
  /** The lowest and the highest value; null where no row has one. */
  range: { low: number; high: number } | null;
  /**
   * Between ranges of about as many rows, ascending: range `i` holds values
   * above cut point `i - 1`, up to cut point `i`.
   */
  cutPoints: readonly number[];
  /** Rows by range. */
  counts: readonly number[];
  missing: number;
  /** Texts of fewer known words than `least`; left out of models of earlier versions, and where numbers are. */
  words?: { least: number; fewer: number };
  /** Numbers in the texts and characters by their place; left out of models of earlier versions, and without any. */
  parts?: readonly PartReference[];
}

/** Numbers at a place of texts, or codes of the characters there. */
export interface PartReference extends Omit<NumberReference, "words" | "parts"> {
  kind: "number";
  part: TextPart;
}

interface CategoryReference {
  kind: "category";
  /** The most frequent names, by their index in the column's feature. */
  frequent: readonly number[];
  /** Rows of each of them, then of all other names. A row that is the only one of its category counts as unseen. */
  counts: readonly number[];
  unseen: number;
  missing: number;
}

/** Dates are not counted by ranges, since new rows are of new days: only whether they lie beyond the training's. */
interface DateReference {
  kind: "date";
  /** The first and the last day, as `2031-05-06`; left out of models of earlier versions, and without a date. */
  range?: { from: string; to: string };
  counts: readonly [number];
  missing: number;
}

/** Held-out rows of the training: decisions by class, and by tenths of their confidence. */
export interface HeldOutCounts {
  decisions: readonly number[];
  confidence: readonly number[];
}

/** Ranges or groups of a column at most. */
export const MOST_CELLS = 10;
/** Parts of a text that are counted at most. */
export const MOST_PARTS = 3;

/** The parts of all columns, with the column of each: the order in which they are counted, behind the columns. */
export function partsOf(reference: readonly ReferenceColumn[]): { column: number; counted: PartReference }[] {
  return reference.flatMap((own, column) =>
    (own.kind === "text" ? (own.parts ?? []) : []).map((counted) => ({ column, counted })),
  );
}
