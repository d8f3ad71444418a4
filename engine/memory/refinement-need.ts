// The memory that a refinement takes at most.
import { BASE_ALGORITHMS } from "../families/base-algorithms.ts";
import { PLANNED_TREES } from "../families/fit-memory.ts";
import { MOST_CHANGES } from "../refinement/cluster-permutation.ts";
import { LEAST_SELECTION_ROWS, MOST_SELECTION_CELLS, MOST_SELECTION_ROWS } from "../refinement/open-task.ts";
import { SHUFFLE_COUNT } from "../refinement/shuffled-walks.ts";
import { sparseRowBytes, type TableSize, tableBytes } from "./sizes.ts";
import { codeBytes, fitSize, THREAD_BYTES, TREE_ROW_BYTES, textScoreBytes } from "./thread-need.ts";

export interface RefinementWork {
  threadCount: number;
  numberOfBuckets: number;
}

/** The algorithms of a refinement (refinement/entrants.ts). */
const REFINING = ["forest", "naive Bayes", "naive Bayes of terms", "logistic regression"] as const;

// Bounds.
/** A row's places in the task's lists. */
const LIST_ROW_BYTES = 8;
/** One view at a time, that before it, and the rows that a family gathers. */
const CODE_COPIES = 3;
/** Copies of a forest's nodes: those grown, those before the last enlargement, and those of the finished forest. */
const FOREST_COPIES = 3;
/** Changes of class sums, eight bytes each, by every shuffle of each group. */
const CHANGE_BYTES = 8 * SHUFFLE_COUNT;

/**
 * Measured: codes of the selection rows, and those of as many shadows, each beside the matrix that a forest grows on.
 */
const SELECTION_COPIES = 6;

/** A whole refinement (src/refining/refine.ts); `size` is that of TRAIN's and TEST's rows together. */
export function refinementNeed(size: TableSize, { threadCount, numberOfBuckets }: RefinementWork): number {
  const { rowCount, featureCount, classCount } = size;
  const mostCells = Math.max(MOST_SELECTION_CELLS, LEAST_SELECTION_ROWS * featureCount);
  const selected = Math.min(mostCells, Math.min(rowCount, MOST_SELECTION_ROWS) * featureCount);
  const changes = Math.min(8 * MOST_CHANGES, CHANGE_BYTES * selected * classCount);
  const forests = { hasTarget: false, treeCount: PLANNED_TREES, forestCopies: FOREST_COPIES };
  const fit = fitSize(size, numberOfBuckets, forests);
  const fitBytes = Math.max(...REFINING.map((algorithm) => BASE_ALGORITHMS[algorithm].fitBytes(fit)));
  const rows = (LIST_ROW_BYTES + TREE_ROW_BYTES) * rowCount;
  const codes = CODE_COPIES * codeBytes(fit) + 8 * rowCount * classCount;
  const perThread = THREAD_BYTES + size.levelBytes + rows + codes + fitBytes + textScoreBytes(size);
  const thread = perThread + SELECTION_COPIES * selected + changes;
  return tableBytes(rowCount, featureCount) + sparseRowBytes(size) + threadCount * thread;
}
