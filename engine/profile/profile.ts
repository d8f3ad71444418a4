// The profile of a table after the first pass: every column, the label, and warnings.

import type { NumberForm } from "../columns/numbers.ts";
import type { OtherText } from "../columns/other-texts.ts";
import type { ColumnReading } from "../columns/reading.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import type { ColumnScan } from "../reading/column-scan.ts";
import type { Warning } from "../warning.ts";

export type ColumnKind = "number" | "category" | "date" | "text" | "constant" | "identifier";

export interface ColumnProfile {
  name: string;
  /** Position in the file, from 0. */
  index: number;
  kind: ColumnKind;
  /** The kind that its cells show by themselves, where the user chose one; left out where nobody did. */
  foundKind?: ColumnKind;
  /** Missing cells, over all records. */
  missing: number;
  /** Distinct non-missing texts, over all records. */
  distinct: number;
  /**
   * True where `distinct` is a close estimate: some 23,000 texts and more beside those listed, fewer in wide tables.
   */
  isDistinctEstimated: boolean;
  /** Every non-missing cell is an integer. */
  isInteger: boolean;
  reading: ColumnReading;
  /** True where the terms of its texts are read: words of free texts, parts of codes; see `decideKind`. */
  hasTerms: boolean;
  /** Why the column makes no feature, in one short sentence; null where it makes one or more. */
  unusedReason: string | null;
  /** For the second pass; null where that reads no cell of the column. */
  scan: ColumnScan | null;
}

export interface ClassCount {
  label: string;
  count: number;
}

export interface LabelProfile {
  /** Position in the file, from 0. */
  column: number;
  name: string;
  /** In order of UTF-16 code units; empty where there are more than 10,000. */
  classes: readonly ClassCount[];
  classCount: number;
  rowsWithoutLabel: number;
  /** Texts that count as a missing label, the empty one aside; the most frequent first. */
  missingTexts: readonly OtherText[];
  /** The form of the label's numbers; null where its texts are no numbers. */
  numberForm: NumberForm | null;
}

export interface TableProfile {
  /** All records of the file, those without a label included. */
  rowCount: number;
  /** In file order, the label among them. */
  columns: readonly ColumnProfile[];
  label: LabelProfile;
  /** Texts that count as missing, the empty one included. */
  missingMarkers: ReadonlySet<string>;
  warnings: readonly Warning[];
}

/** Returns the kernel whose memory holds the dictionaries of the columns. */
export function kernelOf({ columns, label }: TableProfile): ReadingKernel {
  return columns[label.column]!.scan!.dictionary.kernel;
}

/** Returns how many rows the file gives to a table: its records with a label. */
export function labelledRowCount({ rowCount, label }: TableProfile): number {
  return rowCount - label.rowsWithoutLabel;
}
