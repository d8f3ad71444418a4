// The inputs of an exported model: one for each column, of a date one for each part
// that the model reads; and rows as these take them.
import { datePart, isDatePart, packDate, secondsOf } from "../../columns/dates.ts";
import { categoryAlias, readNumber } from "../../columns/numbers.ts";
import { type ColumnReading, missingMarkerSet, missingTextsOf } from "../../columns/reading.ts";
import { freeName } from "../../csv/header.ts";
import { isDifference, type ModelColumn, type ModelFeature, type ModelFile } from "../../model/model-file.ts";
import { type NumberFeature, sourcesOf } from "../../table/table.ts";

/** Names that belong to the answers. */
export const OUTPUTS = ["label", "probabilities"] as const;
/** The part of a date that differences are made of: seconds since 1970 with its time, zones not applied. */
const SECONDS = "seconds";

type InputPart = NumberFeature["part"] | typeof SECONDS;

export interface ModelInput {
  /** The column's name, `name.part` of a date; with `_2`, `_3`, … where another value has it. */
  name: string;
  type: "double" | "string";
  column: ModelColumn;
  /** Index among the model's columns. */
  at: number;
  part: InputPart;
  /** The categories that the model knows; empty for a number. */
  names: readonly string[];
}

/** In the order of the model's columns. The model reads no texts. */
export function modelInputs(file: ModelFile): ModelInput[] {
  const takenNames = new Set<string>(OUTPUTS);
  const featuresOf = file.columns.map((): ModelFeature[] => []);
  for (const feature of file.features) for (const at of sourcesOf(feature)) featuresOf[at]!.push(feature);
  return file.columns.flatMap((column, at) => {
    const features = featuresOf[at]!;
    const names = features.flatMap((feature) => (feature.kind === "category" ? feature.names : []));
    const type = features.some(({ kind }) => kind === "category") ? "string" : "double";
    const parts = new Set(features.map((feature) => inputPart(feature, column.reading)));
    return [...parts].map((part): ModelInput => {
      const name = freeName((part === null ? column.name : `${column.name}.${part}`) || "column", takenNames);
      return { name, type, column, at, part, names };
    });
  });
}

/** Finds the inputs that a feature is made of: two of a difference. */
export function inputsOfFeatures(inputs: readonly ModelInput[]): (feature: ModelFeature) => ModelInput[] {
  const byColumn = Map.groupBy(inputs, ({ at }) => at);
  return (feature) =>
    sourcesOf(feature).map(
      (at) => byColumn.get(at)!.find(({ part, column }) => part === inputPart(feature, column.reading))!,
    );
}

/** The part of a column that a feature reads. */
function inputPart(feature: ModelFeature, reading: ColumnReading): InputPart {
  if (!isDifference(feature)) return feature.part;
  return reading.kind === "date" ? SECONDS : null;
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
      const cells = rows.map((row) => row[input.at]!.trim());
      return [input.name, cells.map((cell) => (missing.has(cell) ? missingOf(input) : value(cell)))];
    }),
  );
}

function missingOf({ type }: ModelInput): "" | null {
  return type === "string" ? "" : null;
}

/** Returns the function that reads a trimmed text that is not missing. */
function valueReader({ column: { reading }, type, part, names }: ModelInput): (text: string) => number | string | null {
  if (type === "string") {
    const known = new Set(names);
    const aliasOf = categoryAlias(names);
    return (text) => {
      const alias = known.has(text) ? null : aliasOf(text);
      return alias !== null && known.has(alias) ? alias : text;
    };
  }
  if (reading.kind === "number") return (text) => finiteOrNull(readNumber(text, reading.form));
  if (reading.kind !== "date") return () => null;
  if (part === SECONDS) return (text) => finiteOrNull(secondsOf(text, reading.form));
  return (text) => {
    const date = packDate(text, reading.form);
    return date < 0 || !isDatePart(part) ? null : finiteOrNull(datePart(date, part));
  };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
