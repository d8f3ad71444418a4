// Tests whether the difference of two columns tells more of the label than the columns themselves.

import { mapped } from "../mapped.ts";
import { rowsUpTo } from "../row-lists.ts";
import { testWithinStrata } from "../statistics/independence.ts";
import type { Table } from "../table/table.ts";
import type { ColumnPair } from "./candidate-pairs.ts";

/** Quantile groups of the sums, and of the differences. */
const GROUPS = 5;

/**
 * Returns the p-value of independence of difference and label, given the sum of the amounts: fifths of the difference
 * within each fifth of the sum.
 */
export function testDifference({ column, minus }: ColumnPair, { classes, labels }: Table, rows: Uint32Array): number {
  const classCount = labels.length;
  const amounts = mapped(Float64Array, rows, (row) => column.at(row));
  const others = mapped(Float64Array, rows, (row) => minus.at(row));
  const filled = rowsUpTo(rows.length).filter((at) => Number.isFinite(amounts[at]! - others[at]!));
  const sums = quantileGroupsOf(mapped(Float64Array, filled, (at) => amounts[at]! + others[at]!));
  const differences = quantileGroupsOf(mapped(Float64Array, filled, (at) => amounts[at]! - others[at]!));
  const counts = new Int32Array(GROUPS * GROUPS * classCount);
  for (const [place, at] of filled.entries()) {
    counts[(sums[place]! * GROUPS + differences[place]!) * classCount + classes[rows[at]!]!]!++;
  }
  const size = GROUPS * classCount;
  const strata = Array.from({ length: GROUPS }, (_, at) => counts.subarray(at * size, (at + 1) * size));
  return testWithinStrata(strata, classCount);
}

/** The group of each value: about as many values in each, equal ones together. */
function quantileGroupsOf(values: Float64Array): Uint8Array {
  const order = Uint32Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  const groups = new Uint8Array(values.length);
  let group = 0;
  for (const [place, at] of order.entries()) {
    if (place > 0 && values[at]! > values[order[place - 1]!]!) group = Math.floor((GROUPS * place) / values.length);
    groups[at] = group;
  }
  return groups;
}
