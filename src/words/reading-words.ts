// How a column is read where that was chosen, where it writes its numbers or dates in another than the plain way, or
// where texts of its own mean "no value", in words.

import { isClockAffix } from "../../engine/columns/clock-times.ts";
import type { ShownForm } from "../../engine/columns/reading.ts";
import { formatList } from "../common/format.ts";
import { plainName } from "../common/markup.ts";

interface Read {
  kind: string;
  foundKind?: string;
  missingTexts?: readonly string[];
  form?: ShownForm;
}

const ORDERS = { ymd: "year first", dmy: "day first", mdy: "month first", unix: "since 1970" };

const LONGEST_TEXT = 40;
const TEXTS_LISTED = 3;

/** Such as "day first", "as 1.234,5 €", "in “g”". */
export function formInWords(form: ShownForm): string {
  if ("order" in form) return ORDERS[form.order];
  const { decimal, grouping, affix, units } = form;
  if (isClockAffix(affix)) return affix === "h:mm" ? "as 14:05" : "as 1:02:03";
  if (units !== undefined) return `in “${affix}”`;
  return `as 1${grouping}234${decimal}5${affix === "" ? "" : ` ${affix}`}`;
}

/** "date, day first"; "category, as chosen (number by its cells)"; the kind alone where that says all. */
export function kindInWords({ kind, foundKind, form }: Pick<Read, "kind" | "foundKind" | "form">): string {
  if (form !== undefined)
    return `${kindInWords({ kind, ...(foundKind !== undefined && { foundKind }) })}, ${formInWords(form)}`;
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
