// Whether a label's classes are values of a quantity, such as scores or counts, rather than codes of classes: each would be learned
// as a class of its own.
import type { Warning } from "../warning.ts";
import { type NumberForm, readNumber } from "./numbers.ts";
import type { ClassCount } from "./profile.ts";

/** With fractions, so many numbers are no codes; without them, more than so many are none whatever their counts. */
const FEWEST_FRACTIONS = 5;
const MOST_CODES = 30;
/** From so many whole numbers on, and beyond the next without exception, counts in order tell a quantity. */
const FEWEST_HUMPED = 7;
const MOST_STRICT = 10;
/** Codes follow one another; of so many times as many whole numbers as there are codes, most would be free. */
const BROKEN_ROW = 1.5;
/** How much more than one rise and one fall the counts may go up and down. */
const UNEVENNESS = 1.25;

interface Value {
  label: string;
  value: number;
  count: number;
}

/**
 * `form`: how the label's numbers are written. Null where they may well be classes: few, or whole numbers in an unbroken row whose
 * counts have no shape. Where a quantity's values are counted in their order, there is one hump, or one slope; counts of codes
 * go up and down.
 */
export function quantityWarning(column: string, classes: readonly ClassCount[], form: NumberForm): Warning | null {
  const values = valuesOf(classes, form);
  if (!looksLikeQuantity(values, form)) return null;
  const [lowest, highest] = [values[0]!.label, values.at(-1)!.label];
  const message =
    `Column "${column}" holds ${values.length} different numbers, from ${lowest} to ${highest}, and looks like a quantity: each number is ` +
    `learned as a class of its own. ${rangesAdvice(classes, form)} If the numbers are codes of classes, leave it.`;
  return { code: "LABEL_LOOKS_LIKE_QUANTITY", message, column, count: values.length };
}

/** How to go on with a quantity for a label. */
export function rangesAdvice(classes: readonly ClassCount[], form: NumberForm): string {
  const values = valuesOf(classes, form);
  const cut = medianOf(values);
  const example = cut === null ? "" : `, such as "up to ${cut}" and "above ${cut}", which is cut at the median`;
  return `To predict ranges of it, write them to a new column${example}, and take that as the label.`;
}

/** The number that half of the rows lie up to, but not the last one: above it there would be none. */
function medianOf(values: readonly Value[]): string | null {
  let left = values.reduce((sum, { count }) => sum + count, 0) / 2;
  for (const { label, count } of values.slice(0, -1)) {
    left -= count;
    if (left <= 0) return label;
  }
  return values.at(-2)?.label ?? null;
}

/** In their order. */
function valuesOf(classes: readonly ClassCount[], form: NumberForm): Value[] {
  return classes
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
  // Counts of balanced classes do not tell.
  if (amount > MOST_STRICT) return roughness(counts) <= UNEVENNESS && Math.min(first, last) <= half;
  return roughness(counts) === 1 && Math.max(first, last) <= half;
}

/** Whether far more numbers of their step lie between the first and the last than there are. */
function isBroken(values: readonly number[]): boolean {
  const steps = values.slice(1).map((value, at) => value - values[at]!);
  const step = steps.reduce(greatestDivisor, 0);
  return (values.at(-1)! - values[0]!) / step + 1 >= BROKEN_ROW * values.length;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** All ups and downs by those of one rise and one fall, which is 1 where there is no other. */
function roughness(counts: readonly number[]): number {
  const most = Math.max(...counts);
  const way = counts.slice(1).reduce((sum, count, at) => sum + Math.abs(count - counts[at]!), 0);
  return way / (2 * most - counts[0]! - counts.at(-1)!);
}
