// What a profile holds, wherever its arrays lie and however much room they have.
import type { TableProfile } from "../../engine/columns/profile.ts";
import { allTexts, type TextDictionary } from "../../engine/columns/text-dictionary.ts";

export function profileContent({ columns, ...profile }: TableProfile) {
  return { ...profile, columns: columns.map(({ scan, ...column }) => ({ ...column, scan: scan && contentOf(scan) })) };
}

function contentOf({ dictionary, listed: _, ...scan }: NonNullable<TableProfile["columns"][number]["scan"]>) {
  return { ...scan, dictionary: textsOf(dictionary) };
}

function textsOf(dictionary: TextDictionary) {
  const { size, full, maxTexts, maxChars, counts, firstLines, lows, metas } = dictionary;
  const own = [counts, firstLines, lows, metas].map((numbers) => [...numbers.subarray(0, size)]);
  return { full, maxTexts, maxChars, texts: allTexts(dictionary), own };
}
