// Warns of columns whose cells are all in quotes that belong to their text: numbers in them are no numbers, and labels
// are answered with their quotes.

import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";

/** A quote and what closes it, as programs and word processors write them. */
const PAIRS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "“": "”",
  "”": "”",
  "„": "“",
  "«": "»",
  "»": "«",
  "‘": "’",
};
/** A single text shows nothing. */
const LEAST_TEXTS = 2;

/** `columns`: each with its first distinct texts, without those that count as missing. */
export function quotedCellsWarning(columns: readonly { name: string; texts: readonly string[] }[]): Warning[] {
  const quoted = columns.filter(({ texts }) => texts.length >= LEAST_TEXTS && texts.every(isQuoted));
  const first = quoted[0];
  if (first === undefined) return [];
  const count = quoted.length;
  const which =
    count === 1 ? `column ${quotedName(first.name)}` : `${count} columns, such as ${quotedName(first.name)},`;
  const open = first.texts[0]![0]!;
  const advice =
    open === '"'
      ? "If a blank stands before each quote, remove it: a quote opens a cell only right behind the delimiter."
      : 'Remove these quotes, or write " in their place.';
  const message = `All values of ${which} are in quotes that are read as a part of them: ${open}…${PAIRS[open]}. ${advice}`;
  return [{ code: "QUOTED_CELLS", message, column: first.name, count }];
}

function isQuoted(text: string): boolean {
  return text.length >= 2 && text.at(-1) === PAIRS[text[0]!];
}
