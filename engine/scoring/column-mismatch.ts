// The error for a file with other columns than are needed: which are missing, and which nobody expects.
import { quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";

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

/** Columns named of either kind. */
const MOST_NAMED = 50;

/** The particulars one by one, as the API shows them; `field`: the part of the request that has the columns. */
export function mismatchErrors({ missing, unexpected, expectedCount }: MismatchedColumns, field: string) {
  const about = (names: readonly string[], code: string, what: string) =>
    names
      .slice(0, MOST_NAMED)
      .map((name) => ({ field, code, message: `Column ${quotedName(name)} ${what}.`, column: name }));
  const columns = expectedCount === 1 ? "1 column" : `${expectedCount} columns`;
  return [
    ...about(missing, "MISSING", "is missing"),
    ...about(unexpected, "UNEXPECTED", "is not expected"),
    { field, code: "EXPECTED_COUNT", message: `${columns} are expected.` },
  ];
}
