// Writes a number in the form of a training file's column.
import { clockTimeText, isClockAffix } from "./clock-times.ts";
import { type NumberForm, readNumber } from "./numbers.ts";

const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/** Writes a finite number. Forms that group thousands have no exponent, so numbers below 1e-20 become 0. */
export function numberText(value: number, { decimal, grouping, affix }: NumberForm): string {
  if (isClockAffix(affix)) return clockTimeText(value, affix);
  if (grouping === "") return (decimal === "," ? String(value).replace(".", ",") : String(value)) + affix;
  const text = GROUPED.format(value);
  const body = grouping === "," ? text : text.replaceAll(/[.,]/g, (sign) => (sign === "." ? "," : "."));
  return body + affix;
}

/** The numbers that some texts write exactly as the form does, such as a missing marker of -999. */
export function numbersWrittenBy(texts: Iterable<string>, form: NumberForm): number[] {
  return [...texts].flatMap((text) => {
    const value = readNumber(text, form);
    return Number.isFinite(value) && numberText(value, form) === text ? [value] : [];
  });
}
