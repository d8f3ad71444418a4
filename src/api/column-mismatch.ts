// The answer to columns that are not the model's: which are missing, which nobody expects, and how many there should be (D30).
import { type ColumnMismatch, mismatchErrors } from "../../engine/scoring/column-mismatch.ts";
import { ApiError } from "../http/problem.ts";

/** `field`: the part of the request that has the columns. */
export function columnMismatch(mismatch: ColumnMismatch, field: string): ApiError {
  return new ApiError("COLUMN_MISMATCH", mismatch.message, { errors: mismatchErrors(mismatch, field) });
}
