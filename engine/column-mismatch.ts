// A file whose columns are not those that are needed, told apart into what is missing and what nobody expects.
import { InputError } from "./input-error.ts";

export interface MismatchedColumns {
  missing: readonly string[];
  unexpected: readonly string[];
  /** How many columns there should be. */
  expectedCount: number;
}

/** COLUMN_MISMATCH with its particulars, for callers that show them one by one. */
export class ColumnMismatch extends InputError implements MismatchedColumns {
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
  readonly expectedCount: number;

  constructor(message: string, { missing, unexpected, expectedCount }: MismatchedColumns) {
    super("COLUMN_MISMATCH", message, { line: 1, column: missing[0] });
    this.missing = missing;
    this.unexpected = unexpected;
    this.expectedCount = expectedCount;
  }
}
