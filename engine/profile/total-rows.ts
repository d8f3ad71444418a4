// Warns of rows that hold totals of others, as sheets have them: no examples, and they may make labels of their own.

import type { OtherText } from "../columns/other-texts.ts";
import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";

/** How such rows begin, in the languages of the spreadsheets that have them. */
const TOTALS = [
  ...["Total", "Totals", "Grand Total", "Subtotal", "Sum"],
  ...["Summe", "Gesamt", "Gesamtsumme", "Zwischensumme", "Insgesamt"],
  ...["Total général", "Sous-total", "Somme", "Suma", "Totale", "Totaal", "Subtotaal"],
];
const WRITTEN = TOTALS.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()]).flatMap((text) => [
  text,
  `${text}:`,
]);
/** Where more of the rows have the word, it is a value, as total beside partial. */
const MOST_ROWS = 0.05;

/** `find`: the first line and the number of a column's cells with a text; null where none is found. */
export function totalWarnings(
  columns: readonly { name: string; index: number }[],
  rowCount: number,
  find: (column: number, text: string) => Pick<OtherText, "line" | "count"> | null,
): Warning[] {
  for (const { name, index } of columns) {
    for (const text of WRITTEN) {
      const found = find(index, text);
      if (found === null || found.count > MOST_ROWS * rowCount) continue;
      const { line, count } = found;
      const where = count === 1 ? `Line ${line} has` : `${count} rows, the first in line ${line}, have`;
      const message = `${where} ${quotedName(text)} in column ${quotedName(name)}, as totals do. Remove what is a total and no example.`;
      return [{ code: "TOTAL_ROWS", message, line, column: name, count }];
    }
  }
  return [];
}
