// The check file of an export: rows and Cupel's answers to them, by which
// anyone proves that an import scores as Cupel does.
import type { ModelFile } from "../model/model-file.ts";
import { Scorer } from "../scoring/scorer.ts";
import { checkRows } from "./check-rows.ts";

export interface CheckFile {
  columns: readonly string[];
  /** Text cells as in a CSV file. */
  rows: readonly (readonly string[])[];
  /** The decided label of each row. */
  labels: readonly string[];
  /** One list per row, in the order of the model's labels. */
  probabilities: readonly (readonly number[])[];
}

/** Rows made from the model, and its answers by its own reading rules. */
export function checkFile(file: ModelFile): CheckFile {
  return answeredRows(file, checkRows(file));
}

/**
 * The answers to rows of text cells in the order of the model's columns, read by
 * the model's own rules whatever other rows hold.
 */
export function answeredRows(file: ModelFile, rows: readonly (readonly string[])[]): CheckFile {
  const columns = file.columns.map(({ name }) => name);
  const classCount = file.labels.length;
  const { probabilities, decisions } = new Scorer(file, columns).score(rows);
  return {
    columns,
    rows,
    labels: Array.from(decisions, (decided) => file.labels[decided]!),
    probabilities: rows.map((_, row) => [...probabilities.subarray(row * classCount, (row + 1) * classCount)]),
  };
}
