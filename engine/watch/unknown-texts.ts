// Texts without a word that the model knows, beside those of the training rows: a model has no counts of these.

import { sumOf } from "../sums.ts";
import { FIRST_CODE, UNSEEN_CODE } from "../table/buckets.ts";
import { compareCounts, type Shift } from "./shift.ts";

/** Short texts of many words may have this share of their like in training. */
const GRANTED = 0.1;

/** The share of a column's texts, by their codes, that have no word that the model knows. */
export function unknownShare(codes: readonly number[]): number {
  return codes[UNSEEN_CODE]! / Math.max(1, sumOf(codes.slice(FIRST_CODE)));
}

/** How a column's texts differ: by their `lengths`, or by more unknown ones than are granted. */
export function textShift(lengths: Shift, trainedCounts: readonly number[], codes: readonly number[]): Shift {
  if (unknownShare(codes) <= GRANTED) return lengths;
  const trained = sumOf(trainedCounts);
  const granted = Math.ceil(GRANTED * trained);
  const unknown = codes[UNSEEN_CODE]!;
  const known = sumOf(codes.slice(FIRST_CODE)) - unknown;
  const words = compareCounts([trained - granted, granted], [known, unknown], true);
  return {
    cellCount: Math.max(lengths.cellCount, words.cellCount),
    // Two tests (Bonferroni).
    pValue: Math.min(1, 2 * Math.min(lengths.pValue, words.pValue)),
    index: Math.max(lengths.index, words.index),
  };
}
