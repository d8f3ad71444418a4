// The cells of a column, of the training rows and of a file side by side.

import type { ReferenceColumn } from "../model/reference-counts.ts";
import { sumOf } from "../sums.ts";
import { FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../table/buckets.ts";
import { NO_TIME } from "./time-cells.ts";
import { beyondTimes, unixUnitOf } from "./unix-cells.ts";

/** The cells of a column in the order of their neighbourhood, of the training rows and of a file alike. */
export interface CellCounts {
  trained: number[];
  file: number[];
  /** False where neighbours have nothing in common. */
  isOrdered: boolean;
  /** Places of the cells for missing values, unseen values and values beyond the range. */
  apart: number[];
}

/** Places among the cells of a category column. */
export const MISSING_CELL = 0;
export const UNSEEN_CELL = 1;

/** Puts a column's counts beside those of the training rows: missing and unseen cells first. */
export function besideReference(column: ReferenceColumn, codes: readonly number[]): CellCounts {
  const missing = codes[MISSING_CODE]!;
  if (column.kind === "category") {
    const file = [...codes.slice(FIRST_CODE, FIRST_CODE + column.counts.length)];
    const trained = [column.missing, column.unseen, ...column.counts];
    return {
      trained,
      file: [missing, codes[UNSEEN_CODE]!, ...file],
      isOrdered: false,
      apart: [MISSING_CELL, UNSEEN_CELL],
    };
  }
  if (column.kind === "date" && column.range !== undefined) {
    const [earlier, ...others] = codes.slice(FIRST_CODE, NO_TIME) as [number, ...number[]];
    // Later days are as in training: new rows are of new days.
    const [trained, file] = [sumOf(column.counts), sumOf(others)];
    return { trained: [column.missing, 0, trained], file: [missing, earlier, file], isOrdered: true, apart: [0, 1] };
  }
  if (column.kind === "date" || column.range === null) {
    const present = sumOf(codes.slice(FIRST_CODE, NO_TIME));
    const trained = sumOf(column.counts);
    return { trained: [column.missing, trained], file: [missing, present], isOrdered: true, apart: [] };
  }
  if (unixUnitOf(column) !== null) {
    const [below, ...times] = codes.slice(FIRST_CODE, beyondTimes(column)) as [number, ...number[]];
    // Later times are as in training. Earlier versions did not count what is no time.
    const file = [missing, below, sumOf(times), codes[beyondTimes(column)] ?? 0];
    return { trained: [column.missing, 0, sumOf(column.counts), 0], file, isOrdered: true, apart: [0, 1, 3] };
  }
  const trained = [column.missing, 0, ...column.counts, 0];
  return {
    trained,
    file: [missing, ...codes.slice(FIRST_CODE, FIRST_CODE + column.counts.length + 2)],
    isOrdered: true,
    apart: [0, 1, trained.length - 1],
  };
}
