// The bucketing of an attempt's view. Those of a small table are kept, since all algorithms learn from the same few
// sets of rows.

import { rowsUpTo } from "../row-lists.ts";
import { type BucketChoice, type FeatureBuckets, FINE_BUCKETS, fitBuckets, mergeBuckets } from "../table/buckets.ts";
import { mergeByLabel } from "../table/label-cuts.ts";
import type { Table } from "../table/table.ts";

/** Rows of a table whose bucketings are kept at most, and sets of rows: folds, all learning rows, tenths, all rows. */
const MOST_ROWS = 2_000;
const MOST_KEPT = 12;
/** Buckets of a number in the tables on top of a stack. */
const MAIN_BUCKETS = 20;

interface Fitted {
  rows: Uint32Array;
  numberOfBuckets: number;
  byChoice: Map<BucketChoice, FeatureBuckets[]>;
}

/** The newest last. */
const keptBucketings = new WeakMap<Table, Fitted[]>();

/** The bucketing of an attempt, fitted on the given rows alone. Nobody may write to it. */
export function fitBucketing(
  table: Table,
  rows: Uint32Array,
  buckets: BucketChoice,
  numberOfBuckets: number,
): FeatureBuckets[] {
  const isKept = table.rowCount <= MOST_ROWS && table.texts === undefined;
  const { byChoice } = isKept ? fittedOn(table, rows, numberOfBuckets) : { byChoice: new Map() };
  const known = byChoice.get(buckets);
  if (known !== undefined) return known;
  const fine = byChoice.get("fine") ?? fitBuckets(table, rows, Math.max(FINE_BUCKETS, numberOfBuckets));
  byChoice.set("fine", fine);
  if (buckets === "fine") return fine;
  const merged = buckets === "by label" ? mergeByLabel(table, rows, fine) : mergeBuckets(fine, buckets);
  byChoice.set(buckets, merged);
  return merged;
}

/** The bucketing of the tables on top of a stack, fitted on all rows: it uses labels only to order categories. */
export function mainBuckets(table: Table): FeatureBuckets[] {
  return fitBuckets(table, rowsUpTo(table.rowCount), MAIN_BUCKETS);
}

function fittedOn(table: Table, rows: Uint32Array, numberOfBuckets: number): Fitted {
  const fits = keptBucketings.get(table) ?? [];
  keptBucketings.set(table, fits);
  const known = fits.find((fitted) => fitted.numberOfBuckets === numberOfBuckets && areEqual(fitted.rows, rows));
  if (known !== undefined) return known;
  const fitted: Fitted = { rows, numberOfBuckets, byChoice: new Map() };
  fits.push(fitted);
  if (fits.length > MOST_KEPT) fits.shift();
  return fitted;
}

function areEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a === b || (a.length === b.length && a.every((row, index) => row === b[index]));
}
