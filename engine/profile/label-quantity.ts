// Warns where a label's classes look like values of a quantity, such as scores or
// counts, of which each would be learned as a class.

import { boundIn, type NumberForm, readNumber } from "../columns/numbers.ts";
import type { Warning } from "../warning.ts";
import type { ClassCount } from "./profile.ts";

/** Numbers are no codes if this many distinct ones have fractions, or if more than `MOST_CODES` are whole. */
const FEWEST_FRACTIONS = 5;
const MOST_CODES = 30;
/** From this many whole numbers on, their counts must form a hump; up to `MOST_STRICT` numbers, a strict one. */
const FEWEST_HUMPED = 7;
const MOST_STRICT = 10;
/** Codes follow one another, so numbers are no codes if their range has room for this many times as many. */
const BROKEN_ROW = 1.5;
/** Counts may go up and down this many times as much as in one rise and one fall. */
const UNEVENNESS = 1.25;

interface Value {
  label: string;
  value: number;
  count: number;
}

/**
 * Returns LABEL_LOOKS_LIKE_QUANTITY, or null where the numbers may be classes: few numbers, or whole numbers in an
 * unbroken row whose counts go up and down. In the order of its values, a quantity's counts make one hump or one slope.
 * `form`: how the label's numbers are written.
 */
export function quantityWarning(column: string, classes: readonly ClassCount[], form: NumberForm): Warning | null {
  const values = valuesOf(classes, form);
  if (!looksLikeQuantity(values, form)) return null;
  const [lowest, highest] = [values[0]!.label, values.at(-1)!.label];
  const message =
    `Column "${column}" holds ${values.length} different numbers, from ${lowest} to ${highest}, ` +
    "and looks like a quantity: each number is learned as a class of its own. " +
    `${rangesAdvice(classes, form)} If the numbers are codes of classes, leave it.`;
  return { code: "LABEL_LOOKS_LIKE_QUANTITY", message, column, count: values.length };
}

/** Returns advice for a label that is a quantity. */
export function rangesAdvice(classes: readonly ClassCount[], form: NumberForm): string {
  const values = valuesOf(classes, form);
  const cut = medianOf(values);
  const example = cut === null ? "" : `, such as "up to ${cut}" and "above ${cut}", which is cut at the median`;
  return `To predict ranges of it, write them to a new column${example}, and take that as the label.`;
}

/** Returns the median, or the number before the last where the last is the median: above it must be rows. */
function medianOf(values: readonly Value[]): string | null {
  let left = values.reduce((sum, { count }) => sum + count, 0) / 2;
  for (const { label, count } of values.slice(0, -1)) {
    left -= count;
    if (left <= 0) return label;
  }
  return values.at(-2)?.label ?? null;
}

/** Returns the classes that are numbers, in the order of these. */
function valuesOf(classes: readonly ClassCount[], form: NumberForm): Value[] {
  return classes
    .filter(({ label }) => boundIn(label) === null)
    .map(({ label, count }) => ({ label, value: readNumber(label, form), count }))
    .filter(({ value }) => Number.isFinite(value))
    .sort((a, b) => a.value - b.value);
}

function looksLikeQuantity(values: readonly Value[], { affix }: NumberForm): boolean {
  const amount = values.length;
  if (affix !== "" || values.some(({ value }) => !Number.isInteger(value))) return amount >= FEWEST_FRACTIONS;
  if (amount > MOST_CODES) return true;
  if (amount < FEWEST_HUMPED) return false;
  if (amount > MOST_STRICT && isBroken(values.map(({ value }) => value))) return true;
  const counts = values.map(({ count }) => count);
  const half = Math.max(...counts) / 2;
  const [first, last] = [counts[0]!, counts.at(-1)!];
  // Balanced classes have even counts too, so one end must be low.
  if (amount > MOST_STRICT) return roughness(counts) <= UNEVENNESS && Math.min(first, last) <= half;
  return roughness(counts) === 1 && Math.max(first, last) <= half;
}

/** Tells whether most places between the first and the last number, counted in their common step, are free. */
function isBroken(values: readonly number[]): boolean {
  const steps = values.slice(1).map((value, at) => value - values[at]!);
  const step = steps.reduce(greatestDivisor, 0);
  return (values.at(-1)! - values[0]!) / step + 1 >= BROKEN_ROW * values.length;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Returns all ups and downs of the counts as a multiple of one rise and one fall. */
function roughness(counts: readonly number[]): number {
  const most = Math.max(...counts);
  const way = counts.slice(1).reduce((sum, count, at) => sum + Math.abs(count - counts[at]!), 0);
  return way / (2 * most - counts[0]! - counts.at(-1)!);
}
