// The code of one cell's text for one feature: numbers by cut points, dates by their parts, categories by name.
import { codeOfNumber, FIRST_CODE, MISSING_CODE } from "../buckets.ts";
import { datePart, isDatePart, packDate } from "../columns/dates.ts";
import { categoryAlias, readNumber } from "../columns/numbers.ts";
import type { ColumnReading } from "../columns/reading.ts";
import type { ModelFeature } from "../model/model-file.ts";

/** The code of a trimmed text that is not missing; the complement (~) of the code where the text was new to the model. */
export type FeatureCoder = (text: string) => number;

/** Codes the cells of a feature's column, which are read so. */
export function featureCoder(feature: ModelFeature, reading: ColumnReading): FeatureCoder {
  if (feature.kind === "category") return categoryCoder(feature);
  if (feature.kind === "score") throw new Error("a score of a column without text");
  const { cutPoints, part } = feature;
  if (reading.kind === "number") {
    const { form } = reading;
    return (text) => {
      const value = readNumber(text, form);
      return Number.isFinite(value) ? codeOfNumber(value, cutPoints) : ~MISSING_CODE;
    };
  }
  if (reading.kind !== "date" || !isDatePart(part))
    throw new Error(`feature of a ${reading.kind} column without its part`);
  const { form } = reading;
  return (text) => {
    const date = packDate(text, form);
    return date < 0 ? ~MISSING_CODE : codeOfNumber(datePart(date, part), cutPoints);
  };
}

function categoryCoder(feature: Extract<ModelFeature, { kind: "category" }>): FeatureCoder {
  const codeOf = new Map(feature.names.map((name, index) => [name, feature.codes[index]!]));
  const aliasOf = categoryAlias(feature.names);
  const others = ~feature.codeOfOthers;
  return (text) => {
    const code = codeOf.get(text);
    if (code !== undefined) return code >= FIRST_CODE ? code : others;
    const alias = aliasOf(text);
    return (alias === null ? undefined : codeOf.get(alias)) ?? others;
  };
}
