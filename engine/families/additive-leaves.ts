// The leaves of a tree that grows: their rows and sums, their histograms, and the best split of each.
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import {
  addFeature,
  addFourFeatures,
  gatherMarks,
  type HistogramLayout,
  HistogramPool,
  subtractHistogram,
} from "./additive-histogram.ts";
import { type GradientMarks, type Marks, newGradientMarks } from "./additive-marks.ts";
import { type CutSearch, gainOf, newCutSearch, searchHistogram, searchRows, startNode } from "./additive-search.ts";
import type { AdditiveSettings } from "./additive-settings.ts";
import type { TrainingMatrix } from "./forest-rows.ts";

/** A node of so many rows for each code of a mean feature, or more, gets a histogram of its own. */
const DENSE_ROWS = 0.5;
/** Codes read between two looks at the stop signal: one or two milliseconds of work. */
const CODES_BETWEEN_LOOKS = 1 << 19;

/** A leaf of the tree at hand, with the best split that it could have. */
export interface Leaf {
  node: number;
  /** Its rows to learn from, and its other rows. */
  from: number;
  to: number;
  otherFrom: number;
  otherTo: number;
  depth: number;
  /** Sums over its rows. */
  gradient: number;
  weight: number;
  /** Its histogram, or -1. */
  slot: number;
  /** 0 where it is not to be split. */
  gain: number;
  feature: number;
  threshold: number;
  /** Sums over the left side of the split. */
  leftGradient: number;
  leftWeight: number;
}

/** Memory for growing that trees on as many rows can share, one after the other. */
export interface TreeScratch {
  pool: HistogramPool;
  marks: GradientMarks;
  /** Marks of the node at hand, in the order of its rows. */
  gathered: Marks;
  /** Rows to learn from and other rows, each node a range; nodes of even depth in the first, of odd in the second. */
  rows: readonly [Int32Array, Int32Array];
  others: readonly [Int32Array, Int32Array];
}

export function newTreeScratch(rowCount: number): TreeScratch {
  return {
    pool: new HistogramPool(),
    marks: newGradientMarks(rowCount),
    gathered: newGradientMarks(rowCount),
    rows: [new Int32Array(rowCount), new Int32Array(rowCount)],
    others: [new Int32Array(rowCount), new Int32Array(rowCount)],
  };
}

/** What all trees on one matrix share while they are grown. */
export interface AdditiveGrowth {
  matrix: TrainingMatrix;
  settings: AdditiveSettings;
  stop: StopSignal;
  scratch: TreeScratch;
  search: CutSearch;
  layout: HistogramLayout;
  /** The leaves of the tree at hand, `leafCount` of them. */
  leaves: readonly Leaf[];
  leafCount: number;
  /** Whether splits are made by gain: where depth alone bounds the tree, their order is free. */
  isBestFirst: boolean;
  /** The share of a Newton step that a leaf takes. */
  stepShare: number;
  codesRead: number;
  isTimeUp: boolean;
}

export function newAdditiveGrowth(
  matrix: TrainingMatrix,
  settings: AdditiveSettings,
  stop: StopSignal,
  scratch: TreeScratch,
): AdditiveGrowth {
  const { classCount, featureCount } = matrix;
  const { maxDepth, maxLeaves, learningRate, minLeafRows } = settings;
  return {
    matrix,
    settings,
    stop,
    scratch,
    search: newCutSearch(matrix, minLeafRows),
    layout: {
      features: new Int32Array(featureCount),
      starts: new Int32Array(featureCount),
      count: 0,
      cellCount: 0,
    },
    leaves: Array.from({ length: maxLeaves }, newLeaf),
    leafCount: 0,
    isBestFirst: maxDepth === null || maxLeaves < 2 ** maxDepth,
    stepShare: learningRate * (classCount === 2 ? 1 : (classCount - 1) / classCount),
    codesRead: 0,
    isTimeUp: false,
  };
}

/** Finds the split of a tree's first leaf, whose rows' marks lie gathered already. */
export function openRoot(growth: AdditiveGrowth, root: Leaf): void {
  const { pool } = growth.scratch;
  if (!maySplit(growth, root)) return;
  if (isDense(growth, root)) root.slot = pool.take();
  if (root.slot >= 0) addGathered(growth, root, pool.cellsOf(root.slot));
  findSplit(growth, root);
}

/**
 * Finds the splits of two children. The smaller one's rows are read; what the larger one holds is the parent's histogram
 * less that. Gives back the parent's histogram where nobody inherits it.
 */
export function openChildren(growth: AdditiveGrowth, smaller: Leaf, larger: Leaf, slot: number): void {
  const { layout, scratch } = growth;
  const { pool } = scratch;
  if (maySplit(growth, smaller) && isDense(growth, smaller)) smaller.slot = histogramOf(growth, smaller);
  if (maySplit(growth, larger) && isDense(growth, larger)) {
    if (slot < 0) larger.slot = histogramOf(growth, larger);
    else {
      larger.slot = slot;
      const cells = pool.cellsOf(slot);
      if (smaller.slot < 0) addRows(growth, smaller, -1, cells);
      else subtractHistogram(cells, pool.cellsOf(smaller.slot), layout.cellCount);
    }
  } else pool.giveBack(slot);
  if (maySplit(growth, smaller)) findSplit(growth, smaller);
  if (maySplit(growth, larger)) findSplit(growth, larger);
}

function isDense({ layout }: AdditiveGrowth, leaf: Leaf): boolean {
  return (leaf.to - leaf.from) * 2 * layout.count >= DENSE_ROWS * layout.cellCount;
}

/** A histogram of the leaf's rows, or -1 where the pool has none left. */
function histogramOf(growth: AdditiveGrowth, leaf: Leaf): number {
  const { pool } = growth.scratch;
  const slot = pool.take();
  if (slot >= 0) addRows(growth, leaf, 1, pool.cellsOf(slot));
  return slot;
}

/** Adds the leaf's rows to a histogram, or takes them off where `sign` is -1. */
function addRows(growth: AdditiveGrowth, leaf: Leaf, sign: number, cells: Float64Array): void {
  const { marks, gathered, rows } = growth.scratch;
  gatherMarks(marks, rows[leaf.depth & 1]!, leaf.from, leaf.to, sign, gathered);
  addGathered(growth, leaf, cells);
}

function addGathered(growth: AdditiveGrowth, { depth, from, to }: Leaf, cells: Float64Array): void {
  const { matrix, layout, scratch } = growth;
  const { codes, rowCount } = matrix;
  const { gathered } = scratch;
  const rows = scratch.rows[depth & 1]!;
  let index = 0;
  for (; index + 3 < layout.count; index += 4) {
    addFourFeatures(codes, rowCount, layout, index, rows, from, to, gathered, cells);
    look(growth, 4 * (to - from));
  }
  for (; index < layout.count; index++) {
    addFeature(codes, rowCount, layout, index, rows, from, to, gathered, cells);
    look(growth, to - from);
  }
}

/** Finds the best split of a leaf and gives back its histogram where there is none. */
function findSplit(growth: AdditiveGrowth, leaf: Leaf): void {
  const { search, layout, scratch } = growth;
  startNode(search, leaf.gradient, leaf.weight);
  if (leaf.slot >= 0) searchHistogram(search, layout, scratch.pool.cellsOf(leaf.slot));
  else searchFewRows(growth, leaf);
  look(growth, layout.cellCount);
  if (search.bestFeature < 0) {
    scratch.pool.giveBack(leaf.slot);
    return;
  }
  leaf.gain = gainOf(search);
  leaf.feature = search.bestFeature;
  leaf.threshold = search.bestThreshold;
  leaf.leftGradient = search.bestGradient;
  leaf.leftWeight = search.bestWeight;
}

function searchFewRows(growth: AdditiveGrowth, { depth, from, to }: Leaf): void {
  const { search, layout, scratch } = growth;
  const rows = scratch.rows[depth & 1]!;
  gatherMarks(scratch.marks, rows, from, to, 1, scratch.gathered);
  for (let index = 0; index < layout.count; index++) {
    searchRows(search, layout.features[index]!, rows, from, to, scratch.gathered);
    look(growth, to - from + 16);
  }
}

/** Looks at the stop signal when enough was done since. Throws `Cancelled`. */
export function look(growth: AdditiveGrowth, codeCount: number): void {
  growth.codesRead += codeCount;
  if (growth.codesRead < CODES_BETWEEN_LOOKS) return;
  growth.codesRead = 0;
  throwIfCancelled(growth.stop);
  if (growth.stop.timeIsUp()) growth.isTimeUp = true;
}

function maySplit({ settings, leafCount }: AdditiveGrowth, leaf: Leaf): boolean {
  const { maxDepth, maxLeaves, minLeafRows } = settings;
  return leafCount < maxLeaves && leaf.depth !== maxDepth && leaf.to - leaf.from >= 2 * minLeafRows;
}

function newLeaf(): Leaf {
  return {
    node: 0,
    from: 0,
    to: 0,
    otherFrom: 0,
    otherTo: 0,
    depth: 0,
    gradient: 0,
    weight: 0,
    slot: -1,
    gain: 0,
    feature: 0,
    threshold: 0,
    leftGradient: 0,
    leftWeight: 0,
  };
}
