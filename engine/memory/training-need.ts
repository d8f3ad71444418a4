// The memory that a training takes at most, and how small its forests have to be to fit.

import { BASE_ALGORITHMS } from "../families/base-algorithms.ts";
import { bytesPerCode, forestBytes, PLANNED_TREES, termModelBytes } from "../families/fit-memory.ts";
import type { FitSize } from "../fitting/algorithm-entry.ts";
import { MOST_JUDGING_ROWS, MOST_SEARCH_ROWS, MOST_WHOLE_ROWS } from "../search/search-sample.ts";
import { MOST_HOLDOUT_CELLS, MOST_OUT_OF_FOLD_CELLS, MOST_TRAINING_CELLS } from "../search/stack-votes.ts";
import { MOST_TREES } from "../trees/forest-size.ts";
import { sparseRowBytes, type TableSize, tableBytes } from "./sizes.ts";
import { codeBytes, fitSize, THREAD_BYTES, TREE_ROW_BYTES, textScoreBytes } from "./thread-need.ts";

export interface TrainingWork {
  threadCount: number;
  numberOfBuckets: number;
  attemptCount: number;
  /** Whether forests may continue to grow towards a target. */
  hasTarget: boolean;
  /** Trees of a forest at most; no fewer than a plan asks for where it is left out. */
  mostTrees?: number;
  /** Whether rows have groups or times: then a large table is searched whole. */
  hasKeys?: boolean;
}

// Searching. Bounds: what one thread holds for an attempt, beside the fit itself (families/fit-memory.ts).
/** Parts, splits and folds of the task, per row. */
const TASK_ROW_BYTES = 24;
/** Views of the codes: that at hand, that of the fold before it, and the rows that a family gathers, two bytes each. */
const CODE_COPIES = 4;
/** Probabilities of all rows by class, out of fold, of the holdout and of the rows learned from, eight bytes each. */
const SCORE_COPIES = 4;

// Stacks and finished models. Measured: most candidates of a stack's final model get no weight.
const STACKED_FORESTS = 2;
const STACKED_TERM_MODELS = 4;
/** Copies of a finished model: itself, and the bytes of its file, which go to the main thread. */
export const MODEL_COPIES = 2;

// Growing on more rows than the sample (search/grow.ts). Bounds.
/** Rows of a search on a sample, at most. */
const MOST_SAMPLE_ROWS = MOST_SEARCH_ROWS + MOST_JUDGING_ROWS;
/** Bytes per row that a model grows on: kernel scratch, lists, and the row's place in the pool and its copy. */
const GROWTH_ROW_BYTES = 48 + 24 + 12;
/** The share of rows that models learn from; a fifth is held out. */
const GROWN_SHARE = 4 / 5;

/**
 * A whole training (src/training/train.ts): the table, what attempts leave for stacks, each thread's work, and finished
 * models. For a large table, attempts work on a sample, and each thread grows one model on all rows.
 */
export function trainingNeed(size: TableSize, work: TrainingWork): number {
  if (work.hasKeys === true || size.rowCount <= MOST_WHOLE_ROWS) return wholeNeed(size, work);
  const { rowCount, featureCount, classCount } = size;
  const sampled = { ...size, rowCount: Math.min(rowCount, MOST_SAMPLE_ROWS) };
  const codes = 2 * featureCount * bytesPerCode(work.numberOfBuckets);
  const grownBytes = GROWN_SHARE * rowCount * (GROWTH_ROW_BYTES + codes + 8 * (classCount + 1));
  const growing = THREAD_BYTES + size.levelBytes + grownBytes;
  const perThread = threadBytes(sampled, fitSize(sampled, work.numberOfBuckets, forestsOf(work)));
  const beside = tableBytes(rowCount, featureCount) + work.threadCount * Math.max(0, growing - perThread);
  return wholeNeed(sampled, work) + beside;
}

/** A thread holds most forests when it packs a stack: more than the three copies of a forest that grows. */
function forestsOf({ hasTarget, mostTrees = MOST_TREES }: TrainingWork) {
  const treeCount = hasTarget ? mostTrees : Math.min(PLANNED_TREES, mostTrees);
  return { hasTarget, treeCount, forestCopies: MODEL_COPIES * STACKED_FORESTS };
}

function wholeNeed(size: TableSize, work: TrainingWork): number {
  const { threadCount, numberOfBuckets, attemptCount } = work;
  const { rowCount, featureCount, classCount } = size;
  const fit = fitSize(size, numberOfBuckets, forestsOf(work));
  return (
    tableBytes(rowCount, featureCount) +
    sparseRowBytes(size) +
    votesBytes(rowCount * classCount, attemptCount) +
    threadCount * threadBytes(size, fit) +
    fit.forestCopies * forestBytes(fit) +
    MODEL_COPIES * STACKED_TERM_MODELS * termModelBytes(fit)
  );
}

/** One thread at an attempt or a refit: the algorithm that takes most. */
function threadBytes(size: TableSize, fit: FitSize): number {
  const { rowCount, classCount, levelBytes } = size;
  const rows = (TASK_ROW_BYTES + TREE_ROW_BYTES) * rowCount;
  const codes = CODE_COPIES * codeBytes(fit);
  const scores = SCORE_COPIES * 8 * rowCount * classCount;
  const largestFitBytes = Math.max(...Object.values(BASE_ALGORITHMS).map(({ fitBytes }) => fitBytes(fit)));
  return THREAD_BYTES + levelBytes + rows + codes + scores + largestFitBytes + textScoreBytes(size);
}

/** Bytes that attempts leave for stacks: four a cell, with a quarter as many holdout cells as learning cells. */
function votesBytes(cells: number, attemptCount: number): number {
  const learning = Math.min(cells, MOST_OUT_OF_FOLD_CELLS) + Math.min(cells, MOST_TRAINING_CELLS);
  return attemptCount * 4 * (Math.min(cells / 5, MOST_HOLDOUT_CELLS) + learning);
}

/** Numbers of trees that a plan may be held to, from as many as it may ask for to as few as it can do with. */
const TREE_COUNTS = [MOST_TREES, PLANNED_TREES, 200, 150, 100, 60, 30] as const;

/** How large a training's forests may be, and what it takes then. */
export interface ForestFit {
  /** Trees of a forest at most; undefined where a plan has as many as it wants. */
  mostTrees: number | undefined;
  needBytes: number;
}

/** Finds how many trees forests may have if the planned ones do not fit; if nothing fits, the training's least need. */
export function fitForests(size: TableSize, work: TrainingWork, mostBytes: number): ForestFit {
  const fits = TREE_COUNTS.map((trees): ForestFit => {
    const mostTrees = trees === MOST_TREES ? undefined : trees;
    return { mostTrees, needBytes: trainingNeed(size, mostTrees === undefined ? work : { ...work, mostTrees }) };
  });
  return fits.find(({ needBytes }) => needBytes <= mostBytes) ?? fits.at(-1)!;
}
