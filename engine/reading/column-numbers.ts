// The numbers of a column after the first pass, listed and sampled, with how often each was there.
import { dictionaryNumbers } from "../columns/features.ts";
import type { NumberForm } from "../columns/numbers.ts";
import type { ColumnNumbers } from "../columns/sentinels.ts";
import type { ColumnScan } from "./column-scan.ts";

/** `markers`: texts that count as missing. */
export function columnNumbers(
  { dictionary, sample }: ColumnScan,
  markers: ReadonlySet<string>,
  form: NumberForm,
): ColumnNumbers {
  const listed = dictionaryNumbers(dictionary, markers, form);
  const sampled = sample?.valuesIn(form) ?? new Float64Array(0);
  const values = new Float64Array(listed.length + sampled.length);
  values.set(listed);
  values.set(sampled, listed.length);
  const weights = new Float64Array(values.length).fill(sample?.weight ?? 1);
  for (let id = 0; id < listed.length; id++) weights[id] = Number.isNaN(listed[id]!) ? 0 : dictionary.countOf(id);
  const writtenAs = (value: number) => {
    const id = listed.indexOf(value);
    return id < 0 ? null : { text: dictionary.textOf(id), line: dictionary.firstLineOf(id) };
  };
  return { values, weights, writtenAs, isEstimate: sample !== null && sample.weight > 1 };
}
