// How large a forest may grow: fewer trees, and fewer rows each, where the table is large.
import type { ForestSettings } from "./forest.ts";

/** Rows that one tree draws at most, so that trees on a large table stay small. */
const MAX_ROWS_PER_TREE = 100_000;
/** Trees × rows per tree at most, so that a forest's nodes stay within a few hundred megabytes. */
export const MAX_TREE_ROWS = 8_000_000;
/** Trees × rows per tree × features per split at most, so that no forest takes minutes where another takes seconds. */
const MAX_TREE_WORK = 150_000_000;
/** Trees that a forest has at least, however large the table. */
const LEAST_TREES = 60;
export const MOST_TREES = 1_000;
/** Tables of more rows get the settings for many rows, and no refined forests. */
export const MANY_ROWS = 5_000;

/** The facts that a forest's size depends on. */
export interface ForestShape {
  learningRowCount: number;
  featureCount: number;
  /** Trees at most, where memory is short. */
  mostTrees?: number | undefined;
}

/** Settings of a forest with at most `treeCount` trees. */
export function boundedForest(
  shape: ForestShape,
  variant: ForestSettings["variant"],
  featuresPerSplit: number,
  minLeafRows: number,
  treeCount: number,
  maxDepth: number | null = null,
): { algorithm: "forest" } & ForestSettings {
  const rowsPerTree = Math.min(shape.learningRowCount, MAX_ROWS_PER_TREE);
  const tried = Math.max(1, Math.min(shape.featureCount, Math.round(featuresPerSplit)));
  const affordable = Math.floor(Math.min(MAX_TREE_ROWS, MAX_TREE_WORK / tried) / rowsPerTree);
  return {
    algorithm: "forest",
    variant,
    treeCount: Math.min(treeCount, shape.mostTrees ?? MOST_TREES, Math.max(LEAST_TREES, affordable)),
    featuresPerSplit: tried,
    minLeafRows,
    maxDepth,
    rowsPerTree: shape.learningRowCount > MAX_ROWS_PER_TREE ? MAX_ROWS_PER_TREE : null,
  };
}

/** Trees at most of a forest that keeps growing towards a target. */
export function treeLimit(
  { treeCount, rowsPerTree }: Pick<ForestSettings, "treeCount" | "rowsPerTree">,
  learningRowCount: number,
  mostTrees: number = MOST_TREES,
): number {
  const affordable = Math.floor(MAX_TREE_ROWS / (rowsPerTree ?? learningRowCount));
  return Math.max(treeCount, Math.min(mostTrees, affordable));
}
