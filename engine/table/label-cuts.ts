// Buckets cut where the label changes: neighbours of the fine view are merged
// unless a cut between them pays (Fayyad & Irani 1993).
import { type FeatureBuckets, FIRST_CODE, levelsOf, mergeNeighbours, type NumberBuckets } from "./buckets.ts";
import type { Table } from "./table.ts";

/** Bits by which a cut must be purer than one before it: less is rounding. */
const LEAST_BITS = 1e-9;

/**
 * Merges the buckets of each number by the minimum description length principle: a range is cut at its purest cut
 * point, and both halves in turn, as long as the information gained exceeds the bits that tell of the cut. A number
 * that says nothing about the label by itself ends as one bucket. `fine` must be fitted on `rows`; no other row is
 * looked at. Categories keep their buckets. O(rows × features).
 */
export function mergeByLabel(table: Table, rows: Uint32Array, fine: readonly FeatureBuckets[]): FeatureBuckets[] {
  return fine.map((buckets, index) => {
    if (buckets.kind === "category" || buckets.counts.length <= 1) return buckets;
    return mergeNeighbours(buckets, payingGroups(classCounts(table, index, rows, buckets), table.labels.length));
  });
}

/** Rows by bucket and class, row-major; missing cells are left out. */
function classCounts(table: Table, index: number, rows: Uint32Array, buckets: NumberBuckets): Float64Array {
  const classCount = table.labels.length;
  const counts = new Float64Array(buckets.counts.length * classCount);
  const levels = levelsOf(table, index, buckets);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const code = buckets.codeOfLevel[levels[row]!]!;
    if (code >= FIRST_CODE) counts[(code - FIRST_CODE) * classCount + table.classes[row]!]!++;
  }
  return counts;
}

/** The index of the last bucket of each group that remains. */
function payingGroups(counts: Float64Array, classCount: number): number[] {
  const bucketCount = counts.length / classCount;
  const lasts = [bucketCount - 1];
  const ranges: [number, number][] = [[0, bucketCount]];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [from, to] = range;
    const cut = payingCut(counts, classCount, from, to);
    if (cut === null) continue;
    lasts.push(cut - 1);
    ranges.push([from, cut], [cut, to]);
  }
  return lasts.sort((a, b) => a - b);
}

/**
 * The first bucket right of the purest cut of a range, or null where no cut pays: where N × gain does not exceed
 * log2(N - 1) + log2(3^k - 2) - (k Ent - k1 Ent1 - k2 Ent2), k classes being in the range, k1 and k2 in its halves.
 */
function payingCut(counts: Float64Array, classCount: number, from: number, to: number): number | null {
  const wholeMix = new ClassMix(classCount);
  for (let bucket = from; bucket < to; bucket++) wholeMix.move(counts, bucket, 1);
  const leftMix = new ClassMix(classCount);
  const right = new ClassMix(classCount);
  for (let bucket = from; bucket < to; bucket++) right.move(counts, bucket, 1);
  let cut: number | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  let price = 0;
  for (let bucket = from; bucket < to - 1; bucket++) {
    leftMix.move(counts, bucket, 1);
    right.move(counts, bucket, -1);
    if (leftMix.rowCount === 0 || right.rowCount === 0 || leftMix.bits() + right.bits() > fewest - LEAST_BITS) continue;
    fewest = leftMix.bits() + right.bits();
    cut = bucket + 1;
    const spread = wholeMix.classBits() - leftMix.classBits() - right.classBits();
    price = Math.log2(wholeMix.rowCount - 1) + Math.log2(3 ** wholeMix.classesPresent - 2) - spread;
  }
  return wholeMix.bits() - fewest > price ? cut : null;
}

/** The classes of some neighbouring buckets. */
class ClassMix {
  rowCount = 0;
  classesPresent = 0;
  private readonly counts: Float64Array;
  /** Σ c log2 c over the classes. */
  private weight = 0;

  constructor(classCount: number) {
    this.counts = new Float64Array(classCount);
  }

  /** Adds the rows of a bucket (`sign` 1), or takes them away (-1). Costs the classes alone that the bucket holds. */
  move(counts: Float64Array, bucket: number, sign: 1 | -1): void {
    const classCount = this.counts.length;
    for (let k = 0; k < classCount; k++) {
      const moved = counts[bucket * classCount + k]!;
      if (moved === 0) continue;
      const before = this.counts[k]!;
      const after = before + sign * moved;
      this.counts[k] = after;
      this.weight += weightOf(after) - weightOf(before);
      this.rowCount += sign * moved;
      this.classesPresent += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    }
  }

  /** Rows × entropy. */
  bits(): number {
    return weightOf(this.rowCount) - this.weight;
  }

  /** Classes present × entropy. */
  classBits(): number {
    return (this.classesPresent * this.bits()) / this.rowCount;
  }
}

function weightOf(count: number): number {
  return count > 1 ? count * Math.log2(count) : 0;
}
