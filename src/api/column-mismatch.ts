// The answer to columns that are not the model's: which are missing, which nobody expects, and how many there should be (D30).

import type { ColumnMismatch } from "../../engine/column-mismatch.ts";
import { quotedName } from "../../engine/csv/header.ts";
import { ApiError, type FieldError } from "./problem.ts";

/** Columns named of either kind. */
const MOST_NAMED = 50;

/** `field`: the part of the request that has the columns. */
export function columnMismatch(
  { message, missing, unexpected, expectedCount }: ColumnMismatch,
  field: string,
): ApiError {
  const about = (names: readonly string[], code: string, what: string): FieldError[] =>
    names
      .slice(0, MOST_NAMED)
      .map((name) => ({ field, code, message: `Column ${quotedName(name)} ${what}.`, column: name }));
  const columns = expectedCount === 1 ? "1 column" : `${expectedCount} columns`;
  return new ApiError("COLUMN_MISMATCH", message, {
    errors: [
      ...about(missing, "MISSING", "is missing"),
      ...about(unexpected, "UNEXPECTED", "is not expected"),
      { field, code: "EXPECTED_COUNT", message: `${columns} are expected.` },
    ],
  });
}
