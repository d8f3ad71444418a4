// A number as a column of a training file would write it, so that it is read back by that column's form.
import type { NumberForm } from "./numbers.ts";

const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/** A finite number. Forms with thousands have no exponent: below 1e-20 such a number is written as 0. */
export function numberText(value: number, { decimal, grouping, affix }: NumberForm): string {
  if (grouping === "") return (decimal === "," ? String(value).replace(".", ",") : String(value)) + affix;
  const text = GROUPED.format(value);
  const body = grouping === "," ? text : text.replaceAll(/[.,]/g, (sign) => (sign === "." ? "," : "."));
  return body + affix;
}
