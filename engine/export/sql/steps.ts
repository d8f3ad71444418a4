// Functions of a whole number or of a number's place among cut points as SQL:
// balanced CASE expressions, or constant arrays.
import type { SqlDialect } from "./dialects.ts";

/** Runs of equal values up to which a CASE is written; beyond, an array is shorter and as fast. */
const MOST_STEPS = 12;

/** `values[code]`, for a column that holds 0 to `values.length - 1`. */
export function lookUp(dialect: SqlDialect, code: string, values: ArrayLike<number>, type: "whole" | "double"): string {
  const literal = (value: number) => (type === "whole" ? String(value) : dialect.double(value));
  const starts: number[] = [];
  for (let at = 0; at < values.length; at++) if (at === 0 || values[at] !== values[at - 1]) starts.push(at);
  if (starts.length > MOST_STEPS) return dialect.element(Array.from(values, literal), type, code);
  return balanced(
    starts,
    (start) => `${code} < ${start}`,
    (start) => literal(values[start]!),
  );
}

/**
 * A CASE that finds the last entry whose start has been reached. `isBefore`:
 * whether the searched place is before an entry.
 */
export function balanced<T>(
  entries: readonly T[],
  isBefore: (entry: T) => string,
  result: (entry: T) => string,
): string {
  if (entries.length === 1) return result(entries[0]!);
  const middle = entries.length >> 1;
  const below = balanced(entries.slice(0, middle), isBefore, result);
  const above = balanced(entries.slice(middle), isBefore, result);
  return `CASE WHEN ${isBefore(entries[middle]!)} THEN ${below} ELSE ${above} END`;
}
