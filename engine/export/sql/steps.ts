// Functions of a whole number or of a number's place among cut points as SQL:
// balanced CASE expressions, or constant arrays.
import type { SqlDialect } from "./dialect.ts";

/** Runs of equal values up to which a CASE is written; beyond, an array is shorter and as fast. */
const MOST_STEPS = 12;
/** Branches of a CASE, so that few stand in one another: parsers limit how many may, SQLite's before 3.46 to 18. */
const BRANCHES = 4;

/** `values[code]`, for a column that holds 0 to `values.length - 1`. */
export function lookUp(dialect: SqlDialect, code: string, values: ArrayLike<number>, type: "whole" | "double"): string {
  const literal = (value: number) => (type === "whole" ? String(value) : dialect.double(value));
  const starts: number[] = [];
  for (let at = 0; at < values.length; at++) if (at === 0 || values[at] !== values[at - 1]) starts.push(at);
  if (starts.length > MOST_STEPS && dialect.element !== null)
    return dialect.element(Array.from(values, literal), type, code);
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
  const size = Math.ceil(entries.length / BRANCHES);
  const written = (from: number) => balanced(entries.slice(from, from + size), isBefore, result);
  const branches: string[] = [];
  let from = 0;
  for (; from + size < entries.length; from += size) {
    branches.push(`WHEN ${isBefore(entries[from + size]!)} THEN ${written(from)}`);
  }
  return `CASE ${branches.join(" ")} ELSE ${written(from)} END`;
}
