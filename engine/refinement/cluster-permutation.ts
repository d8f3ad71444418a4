// One unit of grouped permutation: what a forest loses on rows it has not seen
// when a cluster of features is shuffled together.
import { gatherClasses } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { deriveSeed } from "../random.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import type { Forest } from "../trees/forest.ts";
import { ForestGrower } from "../trees/forest-growth.ts";
import { type ForestSize, searchForest } from "./plan.ts";
import { addWalks, newShuffledWalks, SHUFFLE_COUNT, type ShuffledWalks, shuffleCodes } from "./shuffled-walks.ts";

/** Judging rows at most: enough for a z-score, and bounded on any table. */
const MOST_JUDGING_ROWS = 2_000;
/** Numbers in the class-sum changes of one block of rows, at most: 32 MiB. */
export const MOST_CHANGES = 1 << 22;

/** Parts of seeds: the forest, the sample of judging rows, and the shuffles. */
const FOREST_DRAW = 41;
const SAMPLE_DRAW = 42;
const SHUFFLE_DRAW = 43;

/** Input for one fold: the forest learns from `rows`, with all features of the view. */
export interface ClusterPermutationInput extends FitInput, ForestSize {
  /** Ascending row indexes into the view that the forest is judged on. */
  judging: Uint32Array;
  /** Features of the view, each in one cluster at most: those of a cluster are shuffled together. */
  clusters: readonly (readonly number[])[];
}

/** The loss on the judging rows when a cluster is shuffled; each row's fall is the mean of two shuffles. */
export interface ClusterLoss {
  /** Sum, over the rows, of the falls in the probability of the true class, and the sum of their squares. */
  sum: number;
  sumOfSquares: number;
  rowCount: number;
  /** Rows decided rightly before the shuffle, less the mean number after it. */
  accuracyLossSum: number;
}

/**
 * Grows a forest on the learning rows and measures each cluster by shuffling its members together among at most about
 * 2,000 judging rows (Breiman 2001; in groups Gregorutti, Michel and Saint-Pierre 2017). A shuffle changes a tree's
 * answer only for rows that meet a feature of the cluster on their way down and turn off there: each row walks once and
 * then only those side ways, so the cost hardly grows with the number of clusters. Where time is up, the forest is
 * smaller, of one tree at least. Throws `Cancelled`.
 */
export function permuteClusters(input: ClusterPermutationInput): ClusterLoss[] {
  const { view, judging, classes, classCount, clusters, seed, stop } = input;
  const clusterOf = assignClusters(clusters, view.features.length);
  const forest = growForest(input);
  const sample = sampleRows({ ...input, rows: judging }, MOST_JUDGING_ROWS, deriveSeed(seed, SAMPLE_DRAW));
  const codes = shuffleCodes(view.features, sample, clusters, deriveSeed(seed, SHUFFLE_DRAW), stop);
  const blockRowCount = Math.floor(MOST_CHANGES / Math.max(1, clusters.length * SHUFFLE_COUNT * classCount));
  const walks = newShuffledWalks(forest, codes, clusterOf, clusters.length, Math.min(sample.length, blockRowCount));
  return judgeClusters(walks, gatherClasses(classes, sample), stop);
}

/** The cluster of each feature, -1 for none. */
function assignClusters(clusters: readonly (readonly number[])[], featureCount: number): Int32Array {
  const clusterOf = new Int32Array(featureCount).fill(-1);
  clusters.forEach((members, cluster) => {
    for (const feature of members) clusterOf[feature] = cluster;
  });
  return clusterOf;
}

function growForest(input: ClusterPermutationInput): Forest {
  const settings = searchForest(input.view.features.length, input);
  const grower = new ForestGrower({ ...input, seed: deriveSeed(input.seed, FOREST_DRAW) }, settings, "no votes");
  grower.growTo(input.treeCount);
  return grower.forest();
}

/** Walks all rows block by block, so that the changes of all clusters stay within memory. Sums run in row order. */
function judgeClusters(walks: ShuffledWalks, rowClasses: Uint8Array, stop: StopSignal): ClusterLoss[] {
  const { forest, blockRowCount, clusterCount } = walks;
  const losses = Array.from({ length: clusterCount }, () => ({
    sum: 0,
    sumOfSquares: 0,
    rowCount: rowClasses.length,
    accuracyLossSum: 0,
  }));
  for (let start = 0; start < rowClasses.length; start += blockRowCount) {
    const count = Math.min(blockRowCount, rowClasses.length - start);
    walks.sums.fill(0);
    walks.changes.fill(0);
    for (const root of forest.roots) {
      throwIfCancelled(stop);
      addWalks(walks, root, start, count);
    }
    for (let row = 0; row < count; row++) judgeRow(walks, row, rowClasses[start + row]!, losses);
  }
  return losses;
}

/** Adds one row of the block to the loss of every cluster. */
function judgeRow(walks: ShuffledWalks, row: number, actual: number, losses: readonly ClusterLoss[]): void {
  const { forest, sums, changes } = walks;
  const { classCount } = forest;
  const sumsStart = row * classCount;
  const isRight = isDecided(sums, sumsStart, changes, -1, classCount, actual) ? 1 : 0;
  let at = row * losses.length * SHUFFLE_COUNT * classCount;
  for (const loss of losses) {
    let change = 0;
    let rightCount = 0;
    for (let shuffled = 0; shuffled < SHUFFLE_COUNT; shuffled++) {
      change += changes[at + actual]!;
      if (isDecided(sums, sumsStart, changes, at, classCount, actual)) rightCount++;
      at += classCount;
    }
    const fall = -change / (SHUFFLE_COUNT * forest.roots.length);
    loss.sum += fall;
    loss.sumOfSquares += fall * fall;
    loss.accuracyLossSum += isRight - rightCount / SHUFFLE_COUNT;
  }
}

/**
 * Whether a row with these class sums is decided as `actual`: the largest, the first of
 * equals. Sums of leaf shares are exact (shares have 24 bits, and rows times trees stay
 * below 2^29), so equals are found whatever the order of addition.
 */
function isDecided(
  sums: Float64Array,
  sumsStart: number,
  changes: Float64Array,
  changesStart: number,
  classCount: number,
  actual: number,
): boolean {
  const isChanged = changesStart >= 0;
  const reached = sums[sumsStart + actual]! + (isChanged ? changes[changesStart + actual]! : 0);
  for (let k = 0; k < classCount; k++) {
    const other = sums[sumsStart + k]! + (isChanged ? changes[changesStart + k]! : 0);
    if (other > reached || (other === reached && k < actual)) return false;
  }
  return true;
}
