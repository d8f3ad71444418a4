// The pairs of columns whose difference may tell something: two dates, or two numbers of which one nearly copies the
// other.

import { evenlySpaced } from "../row-lists.ts";
import { rankCorrelation, standardRanks } from "../statistics/rank-correlation.ts";
import { levelCount, type Table } from "../table/table.ts";
import type { AmountColumn } from "./amounts.ts";

/** The amount of `minus` is taken off that of `column`, which stands behind it in the file. */
export interface ColumnPair {
  column: AmountColumn;
  minus: AmountColumn;
}

/** Numbers whose ranks correlate less are hardly amounts of the same kind: their difference means nothing. */
const LEAST_CORRELATION = 0.85;
const CORRELATED_ROWS = 1_000;
/** More numbers are not compared at all, more dates with their neighbours only. */
const MOST_NUMBERS = 1_000;
const MOST_DATES = 5;

/** `rows`: by which numbers are compared. O(numbers² × 1,000). */
export function candidatePairs(table: Table, columns: readonly AmountColumn[], rows: Uint32Array): ColumnPair[] {
  const dates = columns.filter(({ kind }) => kind === "date");
  const numbers = columns.filter(({ kind }) => kind === "number");
  return [...pairsOfDates(dates), ...(numbers.length > MOST_NUMBERS ? [] : nearCopies(table, numbers, rows))];
}

function pairsOfDates(dates: readonly AmountColumn[]): ColumnPair[] {
  return dates.flatMap((column, at) =>
    dates.slice(dates.length > MOST_DATES ? Math.max(0, at - 1) : 0, at).map((minus) => ({ column, minus })),
  );
}

/** Each number with the one whose ranks follow it most closely, each pair once. */
function nearCopies(table: Table, numbers: readonly AmountColumn[], rows: Uint32Array): ColumnPair[] {
  const sample = evenlySpaced(rows.length, CORRELATED_ROWS).map((at) => rows[at]!);
  const ranks = numbers.map(({ feature }): Float64Array | null => {
    const codes = { codes: table.levels[feature!]!, codeCount: levelCount(table.features[feature!]!) };
    return standardRanks(codes, sample);
  });
  const nearest = ranks.map(() => ({ at: -1, correlation: LEAST_CORRELATION }));
  for (let last = 1; last < ranks.length; last++) {
    for (let first = 0; first < last; first++) {
      const [own, other] = [ranks[last]!, ranks[first]!];
      const correlation = own === null || other === null ? 0 : rankCorrelation(own, other);
      if (correlation > nearest[first]!.correlation) nearest[first] = { at: last, correlation };
      if (correlation > nearest[last]!.correlation) nearest[last] = { at: first, correlation };
    }
  }
  const pairs = new Map<string, ColumnPair>();
  for (const [at, { at: other }] of nearest.entries()) {
    if (other < 0) continue;
    const [first, last] = [Math.min(at, other), Math.max(at, other)];
    pairs.set(`${first} ${last}`, { column: numbers[last]!, minus: numbers[first]! });
  }
  return [...pairs.values()];
}
