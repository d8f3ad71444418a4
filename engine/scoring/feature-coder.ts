// The code of one cell's text for one feature: numbers by cut points, dates by their parts, categories by name.

import { datePart, isDatePart, packDate } from "../columns/dates.ts";
import { categoryAlias, readNumber } from "../columns/numbers.ts";
import type { ColumnReading } from "../columns/reading.ts";
import type { ModelFeature } from "../model/model-file.ts";
import { codeOfNumber, FIRST_CODE, MISSING_CODE } from "../table/buckets.ts";

/**
 * Reads a trimmed text that is not missing: a number, a packed date, or the
 * place of a name; NaN if the model does not know it.
 */
export type CellReader = (text: string) => number;

/**
 * Gives the code of a cell's value; for a value that training did not have the
 * complement (~) of the code, so that one number tells both.
 */
export type ValueCoder = (value: number) => number;

/** Whether a value coder's answer is for a value that training did not have. */
export function isNew(answer: number): boolean {
  return answer < 0;
}

/** The code in a value coder's answer. */
export function codeIn(answer: number): number {
  return answer < 0 ? ~answer : answer;
}

/** Codes the cells of a feature's column, as `reading` reads them. */
export function featureCoder(feature: ModelFeature, reading: ColumnReading): (text: string) => number {
  const read = cellReader(feature, reading);
  const code = valueCoder(feature);
  return (text) => code(read(text));
}

/** Reads cells for all features of a column, of which `feature` is one. */
export function cellReader(feature: ModelFeature, reading: ColumnReading): CellReader {
  if (feature.kind === "category") return nameReader(feature.names);
  if (feature.kind === "score") throw new Error("a score of a column without text");
  if (reading.kind === "number") {
    const { form } = reading;
    return (text) => {
      const value = readNumber(text, form);
      return Number.isFinite(value) ? value : Number.NaN;
    };
  }
  if (reading.kind !== "date") throw new Error(`a number of a ${reading.kind} column`);
  const { form } = reading;
  return (text) => {
    const date = packDate(text, form);
    return date < 0 ? Number.NaN : date;
  };
}

export function valueCoder(feature: ModelFeature): ValueCoder {
  if (feature.kind === "category") {
    const { codes } = feature;
    const others = ~feature.codeOfOthers;
    return (place) => {
      const code = codes[place] ?? MISSING_CODE;
      return code >= FIRST_CODE ? code : others;
    };
  }
  const { cutPoints, part } = feature;
  if (!isDatePart(part)) return (value) => (Number.isNaN(value) ? ~MISSING_CODE : codeOfNumber(value, cutPoints));
  return (date) => (Number.isNaN(date) ? ~MISSING_CODE : codeOfNumber(datePart(date, part), cutPoints));
}

/** The last of equal names counts. */
function nameReader(names: readonly string[]): CellReader {
  const placeOf = new Map(names.map((name, index) => [name, index]));
  const aliasOf = categoryAlias(names);
  return (text) => {
    const place = placeOf.get(text);
    if (place !== undefined) return place;
    const alias = aliasOf(text);
    return (alias === null ? undefined : placeOf.get(alias)) ?? Number.NaN;
  };
}
