// A Cupel model outside Cupel: scores rows of typed values or text cells, in Node, Bun and browsers.

import { rewriteDate, YEAR_FIRST } from "../../../engine/columns/dates.ts";
import { type ColumnReading, missingMarkerSet, missingTextsOf } from "../../../engine/columns/reading.ts";
import { isDifference, type ModelFile, unpackScoring } from "../../../engine/model/model-file.ts";
import { answerOf } from "../../../engine/scoring/answer.ts";
import { amountOf, DifferenceCoder } from "../../../engine/scoring/difference-coder.ts";
import { codeIn, featureCoder } from "../../../engine/scoring/feature-coder.ts";
import { TextCoder } from "../../../engine/scoring/text-coder.ts";
import { type TypedCell, typedCellText } from "../../../engine/scoring/typed-cell.ts";
import { type CodedFeature, MISSING_CODE, newCodes } from "../../../engine/table/buckets.ts";
import { isOfText } from "../../../engine/table/text-shape.ts";

/** A value of a row. A date is taken in UTC. */
export type Value = TypedCell | Date | undefined;
/** Values by column name, or cells in the order of the model's columns. */
export type Row = Readonly<Record<string, Value>> | readonly Value[];

export interface Answer {
  label: string;
  /** The label's probability. */
  confidence: number;
  /** By label. */
  probabilities: Record<string, number>;
}

/** Reads a column's cells: writes their codes, one for each feature. */
interface ReadColumn {
  name: string;
  cellOf(value: Value): string;
  code(cell: string, features: readonly CodedFeature[], row: number): void;
  text: TextCoder | null;
}

export class Model {
  /** In the order of the probabilities. */
  readonly labels: readonly string[];
  /** The name of the column that is predicted. */
  readonly label: string;
  /** The columns that a row must have. */
  readonly columns: readonly string[];
  readonly file: ModelFile;
  private readonly differences: DifferenceCoder;
  private readonly readColumns: readonly ReadColumn[];

  constructor(file: ModelFile) {
    this.file = file;
    this.labels = file.labels;
    this.label = file.label;
    this.columns = file.columns.map(({ name }) => name);
    this.differences = new DifferenceCoder(file.features);
    this.readColumns = file.columns.map((_, at) => readColumn(file, at, this.differences));
  }

  /**
   * Scores rows; a text is read as a cell of a CSV file, by the training file's
   * rules. @throws Error where a row lacks a column
   */
  score(rows: readonly Row[]): Answer[] {
    const { labels } = this;
    const { probabilities, decisions } = this.scoreCells(rows.map((row, at) => this.cellsOf(row, at)));
    return Array.from(decisions, (decided, row) => {
      const ofRow = probabilities.subarray(row * labels.length, (row + 1) * labels.length);
      const shares = Object.fromEntries(labels.map((label, k) => [label, ofRow[k]!]));
      return { label: labels[decided]!, confidence: ofRow[decided]!, probabilities: shares };
    });
  }

  /** The label of each row. */
  predict(rows: readonly Row[]): string[] {
    return this.score(rows).map(({ label }) => label);
  }

  /** `rows × labels` probabilities, and the decided label's index; cells are texts in the order of the columns. */
  scoreCells(rows: readonly (readonly string[])[]): { probabilities: Float64Array; decisions: Uint8Array } {
    const { file } = this;
    const view = { rowCount: rows.length, features: this.codes(rows) };
    if (file.texts === undefined) return answerOf(file, view);
    return answerOf(file, {
      ...view,
      texts: file.texts.map(({ column }) => this.readColumns[column]!.text!.take().rows),
    });
  }

  private codes(rows: readonly (readonly string[])[]): CodedFeature[] {
    const features = this.file.features.map(
      ({ kind, codeCount }): CodedFeature => ({
        kind: kind === "category" ? "category" : "number",
        codes: newCodes(codeCount, rows.length),
        codeCount,
        centres: new Float64Array(0),
      }),
    );
    this.differences.startRows(rows.length);
    for (const [column, { code }] of this.readColumns.entries()) {
      for (let row = 0; row < rows.length; row++) code(rows[row]![column]!.trim(), features, row);
    }
    const codes = features.map((feature) => feature.codes);
    this.differences.code(codes, 0);
    return features;
  }

  private cellsOf(row: Row, at: number): string[] {
    if (Array.isArray(row)) {
      if (row.length !== this.columns.length) {
        throw new Error(`Row ${at + 1} has ${row.length} cells; the model has ${this.columns.length} columns.`);
      }
      return this.readColumns.map(({ cellOf }, column) => cellOf(row[column]));
    }
    const named = row as Readonly<Record<string, Value>>;
    const missing = this.columns.filter((name) => !Object.hasOwn(named, name));
    if (missing.length > 0) {
      throw new Error(
        `Row ${at + 1} lacks ${listed(missing)}. Names must match exactly; where there is no value, give null.`,
      );
    }
    return this.readColumns.map(({ cellOf, name }) => cellOf(named[name]));
  }
}

/** The first ten of the names of columns. */
export function listed(names: readonly string[]): string {
  const shown = names.map((name) => `"${name}"`);
  return shown.slice(0, 10).join(", ") + (names.length > 10 ? ", …" : "");
}

/** @throws Error where the bytes are no model, damaged, or made by a newer Cupel */
export function loadModel(bytes: Uint8Array | ArrayBuffer): Model {
  return new Model(unpackScoring(new Uint8Array(bytes)));
}

function readColumn(file: ModelFile, at: number, differences: DifferenceCoder): ReadColumn {
  const { name, reading } = file.columns[at]!;
  const missing = missingTextsOf(reading, missingMarkerSet(file.missingMarkers));
  const known = file.texts?.find(({ column }) => column === at);
  const text = known === undefined ? null : new TextCoder(known, file.features, false);
  const coders = file.features.flatMap((feature, index) =>
    feature.column === at && !isDifference(feature) && (text === null || !isOfText(feature))
      ? [{ index, codeOf: featureCoder(feature, reading) }]
      : [],
  );
  const categories = file.features.flatMap((feature) =>
    feature.column === at && feature.kind === "category" ? feature.names : [],
  );
  return {
    name,
    text,
    cellOf: (value) => {
      if (value instanceof Date && reading.kind !== "number") return dateText(value, reading);
      // Nobody would see that such a value is missing.
      if (value instanceof Object) throw new Error(`"${name}" takes no object.`);
      return typeof value === "number" && !Number.isFinite(value) ? "" : typedCellText(value, reading, categories);
    },
    code: (cell, features, row) => {
      const isMissing = missing.has(cell);
      text?.add(
        isMissing ? "" : cell,
        features.map(({ codes }) => codes),
        row,
      );
      const amounts = differences.amounts[at];
      if (amounts !== undefined && !isMissing) amounts[row] = amountOf(cell, reading);
      for (const { index, codeOf } of coders) {
        features[index]!.codes[row] = isMissing ? MISSING_CODE : codeIn(codeOf(cell));
      }
    },
  };
}

/** A date as the training file writes it; one that is invalid is missing. */
function dateText(value: Date, reading: ColumnReading): string {
  if (Number.isNaN(value.getTime())) return "";
  const text = value.toISOString();
  return reading.kind === "date" ? (rewriteDate(text, YEAR_FIRST, reading.form) ?? "") : text;
}
