// What a profile holds, wherever its arrays lie and however much room they have.

import type { NumberSample } from "../../engine/columns/number-sample.ts";
import type { TableProfile } from "../../engine/columns/profile.ts";
import { allTexts, type TextDictionary } from "../../engine/columns/text-dictionary.ts";

export function profileContent({ columns, ...profile }: TableProfile) {
  return { ...profile, columns: columns.map(({ scan, ...column }) => ({ ...column, scan: scan && contentOf(scan) })) };
}

function contentOf({
  dictionary,
  sample,
  listed: _,
  log: __,
  ...scan
}: NonNullable<TableProfile["columns"][number]["scan"]>) {
  return { ...scan, sample: sample && cellsOf(sample), dictionary: textsOf(dictionary) };
}

function cellsOf({ size, depth, rowHashes, values, readings }: NumberSample) {
  return { depth, own: [rowHashes, values, readings].map((numbers) => [...numbers.subarray(0, size)]) };
}

function textsOf(dictionary: TextDictionary) {
  const { size, full, maxTexts, maxChars, counts, firstLines, lows, metas } = dictionary;
  const own = [counts, firstLines, lows, metas].map((numbers) => [...numbers.subarray(0, size)]);
  return { full, maxTexts, maxChars, texts: allTexts(dictionary), own };
}
