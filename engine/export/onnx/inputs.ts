// The inputs of an exported model: one for each column, of a date one for each part
// that the model reads; and rows as these take them.
import { datePart, isDatePart, packDate } from "../../columns/dates.ts";
import { categoryAlias, readNumber } from "../../columns/numbers.ts";
import { missingMarkerSet, missingTextsOf } from "../../columns/reading.ts";
import { freeName } from "../../csv/header.ts";
import type { ModelColumn, ModelFeature, ModelFile } from "../../model/model-file.ts";

/** Names that belong to the answers. */
export const OUTPUTS = ["label", "probabilities"] as const;

export interface ModelInput {
  /** The column's name, `name.part` of a date; with `_2`, `_3`, … where another value has it. */
  name: string;
  type: "double" | "string";
  column: ModelColumn;
  /** Index among the model's features. */
  feature: number;
  source: Exclude<ModelFeature, { kind: "score" }>;
}

/** In the order of the model's columns. The model reads no texts. */
export function modelInputs(file: ModelFile): ModelInput[] {
  const takenNames = new Set<string>(OUTPUTS);
  return file.columns.flatMap((column, at) =>
    file.features.flatMap((source, feature): ModelInput[] => {
      if (source.column !== at || source.kind === "score") return [];
      const { name } = column;
      const inputName = freeName((source.part === null ? name : `${name}.${source.part}`) || "column", takenNames);
      return [{ name: inputName, type: source.kind === "category" ? "string" : "double", column, feature, source }];
    }),
  );
}

/** Values of each input, one per row: null for a missing number, "" for a missing category. */
export type InputValues = Record<string, (number | string | null)[]>;

/** Rows of text cells, in the order of the model's columns, as the inputs take them. */
export function inputValues(file: ModelFile, rows: readonly (readonly string[])[]): InputValues {
  const markers = missingMarkerSet(file.missingMarkers);
  return Object.fromEntries(
    modelInputs(file).map((input) => {
      const missing = missingTextsOf(input.column.reading, markers);
      const value = valueReader(input);
      const cells = rows.map((row) => row[input.source.column]!.trim());
      return [input.name, cells.map((cell) => (missing.has(cell) ? missingOf(input) : value(cell)))];
    }),
  );
}

function missingOf({ type }: ModelInput): "" | null {
  return type === "string" ? "" : null;
}

/** Returns the function that reads a trimmed text that is not missing. */
function valueReader({ column: { reading }, source }: ModelInput): (text: string) => number | string | null {
  if (source.kind === "category") {
    const names = new Set(source.names);
    const aliasOf = categoryAlias(source.names);
    return (text) => {
      const alias = names.has(text) ? null : aliasOf(text);
      return alias !== null && names.has(alias) ? alias : text;
    };
  }
  if (reading.kind === "number") return (text) => finiteOrNull(readNumber(text, reading.form));
  return (text) => {
    const date = reading.kind === "date" ? packDate(text, reading.form) : -1;
    return date < 0 || !isDatePart(source.part) ? null : finiteOrNull(datePart(date, source.part));
  };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
