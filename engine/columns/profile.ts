// What is known of a table after the first pass over it: every column, the label, and what is worth a warning.

import type { ColumnScan } from "../reading/column-scan.ts";
import type { ReadingKernel } from "../reading/reading-kernel.ts";
import type { Warning } from "../warning.ts";
import type { NumberForm } from "./numbers.ts";
import type { ColumnReading } from "./reading.ts";

export type ColumnKind = "number" | "category" | "date" | "text" | "constant" | "identifier";

export interface ColumnProfile {
  name: string;
  /** Position in the file, from 0. */
  index: number;
  kind: ColumnKind;
  /** Missing cells, over all records. */
  missing: number;
  /** Distinct non-missing texts, over all records. */
  distinct: number;
  /** True where `distinct` is a close estimate: some 23,000 texts and more beside those listed, fewer in wide tables. */
  isDistinctEstimated: boolean;
  /** Every non-missing cell is an integer. */
  isInteger: boolean;
  reading: ColumnReading;
  /** Why the column makes no feature, in one short sentence; null where it makes one or more. */
  unusedReason: string | null;
  /** What the second pass needs; null where it reads no cell of the column. */
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
  /** How the label's texts are written as numbers; null where they are none. */
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

/** Where the dictionaries of its columns are. */
export function kernelOf({ columns, label }: TableProfile): ReadingKernel {
  return columns[label.column]!.scan!.dictionary.kernel;
}

/** Rows that the file gives to a table: its records with a label. */
export function labelledRowCount({ rowCount, label }: TableProfile): number {
  return rowCount - label.rowsWithoutLabel;
}
