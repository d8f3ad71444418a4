// How a column is read where that was chosen, or where texts of its own mean "no value", in words.

import { formatList } from "../common/format.ts";
import { plainName } from "../common/markup.ts";

interface Read {
  kind: string;
  foundKind?: string;
  missingTexts?: readonly string[];
}

const LONGEST_TEXT = 40;
const TEXTS_LISTED = 3;

/** "category, as chosen (number by its cells)"; the kind alone where nobody chose it. */
export function kindInWords({ kind, foundKind }: Pick<Read, "kind" | "foundKind">): string {
  if (foundKind === undefined) return kind;
  return foundKind === kind ? `${kind}, as chosen` : `${kind}, as chosen (${foundKind} by its cells)`;
}

/** The same with the texts that mean "no value": 'number; "unknown" counts as missing'. */
export function readingInWords(column: Read): string {
  const { missingTexts = [] } = column;
  if (missingTexts.length === 0) return kindInWords(column);
  const texts = missingTexts.map((text) => `“${plainName(text, LONGEST_TEXT)}”`);
  const counts = missingTexts.length === 1 ? "counts" : "count";
  return `${kindInWords(column)}; ${formatList(texts, TEXTS_LISTED)} ${counts} as missing`;
}
