// Scoring a few rows of JSON at once, while the caller waits: the same reading and the same models as for files.

import { ColumnMismatch, type MismatchedColumns } from "../../engine/column-mismatch.ts";
import type { ColumnReading } from "../../engine/columns/reading.ts";
import { quotedName } from "../../engine/csv/header.ts";
import { InputError } from "../../engine/input-error.ts";
import type { ModelColumn, ModelFile } from "../../engine/model-file.ts";
import type { Warning } from "../../engine/warning.ts";
import { MOST_LIVE_ROWS } from "../limits.ts";
import type { ModelCache, ReadyModel } from "./model-cache.ts";
import { numberText } from "./number-text.ts";

/** Names listed in a message. */
const NAMES_LISTED = 10;

export type JsonRow = Readonly<Record<string, unknown>>;

interface LiveScore {
  label: string;
  /** The probability of that label. */
  confidence: number;
  /** By label. */
  probabilities: Readonly<Record<string, number>>;
}

export interface LiveAnswer {
  /** One per row, in their order. */
  scores: LiveScore[];
  /** What was unlike the training data, and names that the model does not know. */
  warnings: Warning[];
}

/**
 * Scores 1 to MOST_LIVE_ROWS rows, each a value by column name. A value is a number, a text as a file would have it, a
 * truth value, or null for none. Blocks: well below a millisecond a row once the model is in the cache, longer the first
 * time.
 *
 * @throws ColumnMismatch where a row lacks a column that the model needs, InputError ROW_COUNT or BAD_VALUE
 */
export function scoreRows(cache: ModelCache, modelPath: string, rows: readonly JsonRow[]): LiveAnswer {
  if (rows.length === 0 || rows.length > MOST_LIVE_ROWS) {
    const message = `${rows.length} rows were given; from 1 to ${MOST_LIVE_ROWS} are scored at once. Send more as a file.`;
    throw new InputError("ROW_COUNT", message);
  }
  const ready = cache.open(modelPath);
  const { file, scorer } = ready;
  const warnings = checkColumns(file, rows);
  const names = categoryNames(file);
  scorer.coder.forgetCounts();
  const readings = readAsWritten(ready, rows);
  const records = rows.map((row, index) =>
    file.columns.map(({ name }, at) => cellText(row[name], { name, reading: readings[at]! }, names[at]!, index)),
  );
  const { probabilities, decisions } = scorer.score(records);
  const { labels } = file;
  const scores = rows.map((_, index): LiveScore => {
    const own = probabilities.subarray(index * labels.length, (index + 1) * labels.length);
    const decided = decisions[index]!;
    return {
      label: labels[decided]!,
      confidence: own[decided]!,
      probabilities: Object.fromEntries(labels.map((label, code) => [label, own[code]!])),
    };
  });
  return { scores, warnings: [...warnings, ...scorer.warnings()] };
}

function checkColumns({ columns, label }: ModelFile, rows: readonly JsonRow[]): Warning[] {
  const isNeeded = new Set(columns.map(({ name }) => name));
  const unexpected = new Set<string>();
  rows.forEach((row, index) => {
    for (const name of Object.keys(row)) if (!isNeeded.has(name) && name !== label) unexpected.add(name);
    const missing = columns.filter(({ name }) => !Object.hasOwn(row, name)).map(({ name }) => name);
    if (missing.length === 0) return;
    const particulars = { missing, unexpected: [...unexpected], expectedCount: columns.length };
    throw new ColumnMismatch(mismatchMessage(index, particulars), particulars);
  });
  if (unexpected.size === 0) return [];
  const count = unexpected.size;
  const which = count === 1 ? "One name" : `${count} names`;
  const message = `${which} that the model does not know ${count === 1 ? "was" : "were"} ignored: ${listed([...unexpected])}.`;
  return [{ code: "EXTRA_COLUMNS", message, count }];
}

function mismatchMessage(index: number, { missing, expectedCount }: MismatchedColumns): string {
  const what = missing.length === 1 ? "a column" : `${missing.length} columns`;
  return (
    `Row ${index + 1} lacks ${what} of the ${expectedCount} that the model needs: ${listed(missing)}. ` +
    "Names must match exactly; where there is no value, send null."
  );
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_LISTED).map(quotedName);
  return names.length > NAMES_LISTED ? `${shown.join(", ")}, …` : shown.join(", ");
}

/** The categories of each column; none where it is read otherwise. */
function categoryNames({ columns, features }: ModelFile): readonly (readonly string[])[] {
  const names: (readonly string[])[] = columns.map(() => []);
  for (const feature of features) if (feature.kind === "category") names[feature.column] = feature.names;
  return names;
}

/**
 * Has texts read as they are written here, which need not be as the training file was; numbers of JSON need no reading.
 * @throws InputError UNREADABLE_COLUMN
 */
function readAsWritten({ file, scorer }: ReadyModel, rows: readonly JsonRow[]): readonly ColumnReading[] {
  const dialect = scorer.newDialect(null);
  rows.forEach((row, index) => {
    file.columns.forEach(({ name }, at) => {
      const value = row[name];
      if (typeof value === "string") dialect.addText(at, value, index + 1);
    });
  });
  scorer.readAs(dialect);
  return dialect.readings();
}

/** What a file would have in the cell. */
function cellText(
  value: unknown,
  { name, reading }: Pick<ModelColumn, "name" | "reading">,
  categories: readonly string[],
  row: number,
): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return textOfNumber(value, reading);
  if (typeof value === "boolean") return textOfTruth(value, reading, categories);
  const message = `Row ${row + 1} has ${Array.isArray(value) ? "a list" : "an object"} in column ${quotedName(name)}. Send a number, a text, true, false or null.`;
  throw new InputError("BAD_VALUE", message, { column: name });
}

function textOfNumber(value: number, reading: ColumnReading): string {
  return reading.kind === "number" ? numberText(value, reading.form) : String(value);
}

/** As the training data wrote it. */
function textOfTruth(value: boolean, reading: ColumnReading, categories: readonly string[]): string {
  if (reading.kind === "number") return numberText(Number(value), reading.form);
  const plain = String(value);
  return categories.find((category) => category.toLowerCase() === plain) ?? plain;
}
