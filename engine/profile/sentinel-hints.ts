// Hints at numbers and dates of a column that may stand for missing cells, from those that it lists and samples.
import { type DateForm, packDate, partValues } from "../columns/dates.ts";
import type { NumberForm } from "../columns/numbers.ts";
import { type ColumnNumbers, sentinelDateWarnings, sentinelWarnings } from "../columns/sentinels.ts";
import { concatenate } from "../concatenate.ts";
import type { ColumnScan } from "../reading/column-scan.ts";
import type { Warning } from "../warning.ts";
import { dictionaryNumbers } from "./features.ts";

/** `missingTexts`: that count as missing in this column alone. */
export function sentinelHints(
  column: string,
  { dictionary, sample, markers }: ColumnScan,
  form: NumberForm,
  missingTexts: readonly string[],
): Warning[] {
  const listed = dictionaryNumbers(dictionary, markers.texts, form);
  const writtenAs = (value: number) => {
    const id = listed.indexOf(value);
    return id < 0 ? null : { text: dictionary.textOf(id), line: dictionary.firstLineOf(id) };
  };
  return sentinelWarnings(column, listed, (): ColumnNumbers => {
    const sampled = sample?.valuesIn(form) ?? new Float64Array(0);
    const values = concatenate(Float64Array, [listed, sampled]);
    const weights = new Float64Array(values.length).fill(sample?.weight ?? 1);
    weights.set(dictionary.allCounts());
    return { values, weights, writtenAs, isEstimate: sample !== null && sample.weight > 1, missingTexts };
  });
}

/** `missingTexts`: as for numbers. */
export function sentinelDateHints(
  column: string,
  { dictionary, evidence, markers }: ColumnScan,
  form: DateForm,
  missingTexts: readonly string[],
): Warning[] {
  const { values } = evidence.dates[form.order];
  if (values === null) return [];
  const listed = () =>
    dictionary
      .allTexts()
      .map((text, id) => ({ text, date: markers.texts.has(text) ? -1 : packDate(text, form), id }))
      .filter(({ date }) => date >= 0)
      .map(({ text, date, id }) => ({ text, date, count: dictionary.countOf(id), line: dictionary.firstLineOf(id) }));
  return sentinelDateWarnings(column, { years: partValues(values, "year"), listed, missingTexts });
}
