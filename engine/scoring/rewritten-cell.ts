// A cell of a scored file as the training file would have written it.
import { packDate, rewriteDate } from "../columns/dates.ts";
import { numberText } from "../columns/number-text.ts";
import { isSameForm, readNumber } from "../columns/numbers.ts";
import type { ColumnReading } from "../columns/reading.ts";

/** Whether cells of both readings are written in one form. */
export function isSameReading(a: ColumnReading, b: ColumnReading): boolean {
  if (a === b) return true;
  if (a.kind === "number") return b.kind === "number" && isSameForm(a.form, b.form);
  return a.kind === "date" && b.kind === "date" && a.form.order === b.form.order;
}

/** A trimmed text with a value that is read by `from`, as `to` writes it; null where it is no number or date. */
export function rewrittenCell(text: string, from: ColumnReading, to: ColumnReading): string | null {
  if (from.kind === "number" && to.kind === "number") {
    const value = readNumber(text, from.form);
    if (!Number.isFinite(value)) return null;
    return isSameForm(from.form, to.form) ? text : numberText(value, to.form);
  }
  if (from.kind !== "date" || to.kind !== "date") return text;
  if (from.form.order !== to.form.order) return rewriteDate(text, from.form, to.form);
  return packDate(text, from.form) < 0 ? null : text;
}
