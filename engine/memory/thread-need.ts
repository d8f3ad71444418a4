// The memory of a thread that learns, in a training or a refinement.

import { bytesPerCode } from "../families/fit-memory.ts";
import type { FitSize } from "../fitting/algorithm-entry.ts";
import { FINE_BUCKETS } from "../table/buckets.ts";
import { scoreGroups } from "../table/text-scores.ts";
import { MIB, mostCategories, type TableSize } from "./sizes.ts";

/** Measured: a thread without any work. */
export const THREAD_BYTES = 44 * MIB;

// Bounds, from arrays.
/** Bytes per row of a growing tree. */
export const TREE_ROW_BYTES = 40;
/**
 * Counts of a term on both sides of a group, of all rows and of a fold, and
 * its weights in two fits (table/text-scores.ts).
 */
const SCORED_TERM_BYTES = 24;
/** A row's score, and its level in two fits. */
const SCORED_ROW_BYTES = 12;

export function fitSize(
  size: TableSize,
  numberOfBuckets: number,
  forests: Pick<FitSize, "hasTarget" | "treeCount" | "forestCopies">,
): FitSize {
  const categoryCount = mostCategories(size.levelBytes);
  return { ...size, ...forests, bucketCount: Math.max(FINE_BUCKETS, numberOfBuckets), categoryCount };
}

/** The codes of all rows, once. */
export function codeBytes({ rowCount, featureCount, bucketCount }: FitSize): number {
  return rowCount * featureCount * bytesPerCode(bucketCount);
}

/** Bytes that a fit of score features takes (table/text-scores.ts). */
export function textScoreBytes({ rowCount, classCount, termCount = 0 }: TableSize): number {
  if (termCount === 0) return 0;
  const groupCount = scoreGroups(classCount).length;
  return groupCount * (SCORED_TERM_BYTES * termCount + SCORED_ROW_BYTES * rowCount);
}
