// The facts that a column's kind is decided by.

import type { CellEvidence } from "../columns/cell-evidence.ts";
import type { ColumnChoice } from "../columns/choices.ts";
import type { OtherText } from "../columns/other-texts.ts";

/** A column after every cell was seen. */
export interface ColumnFacts {
  name: string;
  evidence: CellEvidence;
  /** Distinct non-missing texts. */
  distinct: number;
  /** An upper bound of `distinct`: above it where that is an estimate. */
  mostDistinct: number;
  /** All records of the file. */
  rowCount: number;
  /** The column holds "0" and "1" and nothing else. */
  isZeroOne: boolean;
  delimiter: string;
  /** Texts of the cells that warnings may name. */
  recurring?: readonly OtherText[];
  /** The user's choice for the column; null for none. */
  choice?: ColumnChoice | null;
}
