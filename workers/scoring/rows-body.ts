// Scores the body of `…/rows`, or says what is wrong with it, field by field, in the words of the API.

import { InputError } from "../../engine/input-error.ts";
import { type BodyError, MalformedJson, parseJson } from "../../engine/json-body.ts";
import { ColumnMismatch, mismatchErrors } from "../../engine/scoring/column-mismatch.ts";
import type { TypedCell } from "../../engine/scoring/typed-cell.ts";
import { shortened } from "../../engine/shortened.ts";
import type { FileCounts } from "../../engine/watch/file-counts.ts";
import { type JsonRow, type LiveAnswer, scoreRows } from "./live-scoring.ts";
import type { ModelCache } from "./model-cache.ts";

const MOST_ERRORS = 20;
const MOST_SHOWN_CHARACTERS = 40;

export interface RowsBody {
  bytes: Uint8Array;
  modelPath: string;
  mostRows: number;
  mostLevels: number;
  /** Reasons of each row at most. */
  reasonCount: number;
}

export interface RowsRefusal {
  code: "MALFORMED_JSON" | "VALIDATION_FAILED" | "COLUMN_MISMATCH" | "UNREADABLE_COLUMN";
  message: string;
  errors: readonly BodyError[];
}

/** The body has the wrong form, or its rows do not fit the model. */
export class RowsRefused extends Error {
  readonly refusal: RowsRefusal;

  constructor(refusal: RowsRefusal) {
    super(refusal.message);
    this.name = "RowsRefused";
    this.refusal = refusal;
  }
}

/** Scores the rows of a body, blocking. @throws RowsRefused, or InputError for the model's file */
export function scoreBody(cache: ModelCache, body: RowsBody, follow: (counts: FileCounts) => void): LiveAnswer {
  const { bytes, modelPath, mostRows, mostLevels, reasonCount } = body;
  try {
    return scoreRows(cache, modelPath, checkedRows(parseJson(bytes, mostLevels), mostRows), reasonCount, follow);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof MalformedJson)
      throw new RowsRefused({ code: "MALFORMED_JSON", message, errors: error.errors });
    if (error instanceof InputError && error.code === "UNREADABLE_COLUMN") {
      const { code, column } = error;
      const errors = [{ field: "rows", code, message, ...(column !== undefined && { column }) }];
      throw new RowsRefused({ code, message, errors });
    }
    if (!(error instanceof ColumnMismatch)) throw error;
    throw new RowsRefused({ code: "COLUMN_MISMATCH", message, errors: mismatchErrors(error, "rows") });
  }
}

/**
 * The rows of a body that is `{"rows": […]}` with 1 to `mostRows` objects of texts, finite numbers, truth values and
 * nulls. Checked by hand rather than by a schema, because threads contain no part of the API.
 *
 * @throws RowsRefused VALIDATION_FAILED with one error per field
 */
export function checkedRows(value: unknown, mostRows: number): JsonRow[] {
  if (isRowsBody(value, mostRows)) return value.rows;
  const errors: BodyError[] = [];
  for (const error of faultsOf(value, mostRows)) if (errors.push(error) === MOST_ERRORS) break;
  const rest = errors.length === 1 ? "" : ` ${errors.length - 1} more in \`errors\`.`;
  throw new RowsRefused({ code: "VALIDATION_FAILED", message: `${errors[0]!.message}${rest}`, errors });
}

function isRowsBody(value: unknown, mostRows: number): value is { rows: JsonRow[] } {
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  const { rows } = value;
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > mostRows) return false;
  return rows.every((row) => isObject(row) && Object.values(row).every(isCell));
}

function* faultsOf(value: unknown, mostRows: number): Generator<BodyError> {
  if (!isObject(value)) return yield wrong("body", "WRONG_TYPE", "The body must be an object", value);
  const list = `a list of 1 to ${mostRows} items`;
  const isGiven = Object.hasOwn(value, "rows");
  if (!isGiven) yield { field: "rows", code: "REQUIRED", message: `"rows" is required; it must be ${list}.` };
  for (const name of Object.keys(value)) if (name !== "rows") yield unknownField(name);
  if (!isGiven) return;
  const { rows } = value;
  if (!Array.isArray(rows)) return yield wrong("rows", "WRONG_TYPE", `"rows" must be ${list}`, rows);
  if (rows.length === 0 || rows.length > mostRows) {
    const message = `"rows" must be ${list}; it has ${rows.length}.`;
    return yield { field: "rows", code: "WRONG_LENGTH", message };
  }
  for (const [index, row] of rows.entries()) yield* faultsOfRow(row, `rows.${index}`);
}

function* faultsOfRow(row: unknown, place: string): Generator<BodyError> {
  if (!isObject(row)) {
    return yield wrong(place, "WRONG_TYPE", `"${place}" must be an object of values by column name`, row);
  }
  for (const [name, cell] of Object.entries(row)) {
    if (isCell(cell)) continue;
    const field = shorten(`${place}.${name}`);
    yield wrong(field, "NOT_ONE_OF", `"${field}" must be a text or a number or true or false or null`, cell);
  }
}

function unknownField(name: string): BodyError {
  const field = shorten(name || "body");
  const list = field.includes(".") ? "" : " The fields are rows.";
  return { field, code: "UNKNOWN_FIELD", message: `There is no field "${field}".${list}` };
}

function wrong(field: string, code: string, demand: string, value: unknown): BodyError {
  return { field, code, message: `${demand}; it ${shown(value)}.` };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON may contain numbers that are not finite as floats, such as 1e999. */
function isCell(value: unknown): value is TypedCell {
  return typeof value === "number" ? Number.isFinite(value) : value === null || typeof value !== "object";
}

/** No text is shown: it may be one of the table's. */
function shown(value: unknown): string {
  if (typeof value === "string") return "is a text";
  if (Array.isArray(value)) return "is a list";
  return isObject(value) ? "is an object" : `is ${String(value)}`;
}

function shorten(text: string): string {
  return shortened(text, MOST_SHOWN_CHARACTERS);
}
