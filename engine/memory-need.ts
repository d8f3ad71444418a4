// How much memory a job takes at the most, from the size of its table: what a guard goes by before the job begins.
//
// A term is a bound that the code it names keeps to, times the copies of it that were seen at once; test/bench/memory-need.ts
// holds estimates against what runs take. All is in bytes, and beside what the program takes when it is idle.
import { MANY_ROWS, MAX_TREE_ROWS, MOST_TREES } from "./attempts.ts";
import { FINE_BUCKETS } from "./buckets.ts";
import { columnCaps, MOST_LOG_BYTES } from "./columns/caps.ts";
import { MAX_CELLS } from "./families/bayes-tables.ts";
import { MAX_HISTORY, MAX_HISTORY_NUMBERS } from "./families/lbfgs.ts";
import { MAX_PARAMETERS } from "./families/logistic-regression.ts";
import { MAX_ROW_TREES } from "./families/refined-forest.ts";
import { MOST_FOLDS } from "./holdout.ts";
import { MOST_HOLDOUT_CELLS, MOST_OUT_OF_FOLD_CELLS } from "./qualify-stack.ts";
import { LEAST_SELECTION_ROWS, MOST_SELECTION_CELLS, MOST_SELECTION_ROWS } from "./refinement/open-arena.ts";
import { type Feature, levelCount, type Table } from "./table.ts";

const MIB = 2 ** 20;

/** A file before it is read. */
export interface FileSize {
  sizeBytes: number;
  rowCount: number;
  columnCount: number;
}

/** A table once it is read. */
export interface TableSize {
  rowCount: number;
  featureCount: number;
  classCount: number;
  /** Of the values of its numbers and the texts of its categories, on each thread. */
  levelBytes: number;
}

/** A model's file. */
export interface ModelSize {
  sizeBytes: number;
  /** Of its head, which holds the names of categories: see `modelHeadLength`. */
  headBytes: number;
}

export interface TrainingWork {
  threadCount: number;
  numberOfBuckets: number;
  attemptCount: number;
  /** Whether forests may go on growing towards a target. */
  hasTarget: boolean;
  /** Trees of a forest at most; no fewer than a plan asks for where it is left out. */
  mostTrees?: number;
}

export interface RefinementWork {
  threadCount: number;
  numberOfBuckets: number;
}

/** A thread that reads, its kernel, and what it leaves between two collections (workers/file-chunks.ts). */
const READING_BYTES = 46 * MIB;
const GARBAGE_PER_BYTE = 18;
const GARBAGE_FROM_BYTES = 8 * MIB;
/** A text of a dictionary: count, line, key, offset, filter, and up to four slots of its table. */
const TEXT_BYTES = 40;
/** A cell of the log (columns/cell-log.ts), which shrinks as the table grows. */
const LOG_BYTES = 8;
/** Evidence, features, and all small objects of a column. */
const COLUMN_BYTES = 16_384;
/** Copies of what a reader holds: it, what is made of it, and what of both is not collected yet. */
const READER_COPIES = 3.25;

/**
 * Reading a file into a table (workers/read-table.ts): dictionaries, samples and logs within their caps (columns/caps.ts), then two
 * bytes a cell for the levels. The texts cannot be longer than the file.
 */
export function readingNeed({ sizeBytes, rowCount, columnCount }: FileSize): number {
  const caps = columnCaps(columnCount);
  const texts = TEXT_BYTES * Math.min(rowCount, caps.texts);
  const overflow = rowCount > caps.texts ? 10 * caps.distinctSlots + 13 * Math.min(rowCount, caps.sampleCells) : 0;
  const chars = 2 * Math.min(sizeBytes, columnCount * caps.chars);
  const held = columnCount * (texts + overflow + COLUMN_BYTES) + chars;
  const logged = Math.min(MOST_LOG_BYTES, LOG_BYTES * rowCount * columnCount);
  return READER_COPIES * held + readingGarbage(sizeBytes) + Math.max(logged, tableBytes(rowCount, columnCount));
}

/** A thread without any work. */
const THREAD_BYTES = 44 * MIB;
/** Of each row on each thread, beside its codes: parts, splits and folds of the arena, and the arrays of a tree that grows. */
const ROW_BYTES = 24 + 40;
/** Views of the codes: that at hand, that of the fold before it, and the rows that a family gathers, two bytes each. */
const CODE_COPIES = 4;
/** Probabilities of all rows by class, out of fold, of the holdout and of the rows learned from, eight bytes each. */
const SCORE_COPIES = 4;
/** Of what a family holds: it, and what the fold before it left. */
const FAMILY_COPIES = 2;
/** Of a forest's nodes: those grown, those before the last time that room was made, and those of the finished forest. */
const FOREST_COPIES = 3;
/** Forests that a stack comes to, of all that it might rest on: most weigh nothing. */
const STACKED_FORESTS = 2;
/** Of a finished model: it, and the bytes of its file, which are handed to the main thread. */
const MODEL_COPIES = 2;

/** A whole training (jobs/train.ts): the table, what attempts leave for stacks, each thread's work, and finished models. */
export function trainingNeed(
  size: TableSize,
  { threadCount, numberOfBuckets, attemptCount, hasTarget, mostTrees = MOST_TREES }: TrainingWork,
): number {
  const { rowCount, featureCount, classCount } = size;
  const forest = forestBytes(size, hasTarget ? mostTrees : Math.min(PLANNED_TREES, mostTrees), hasTarget);
  const finished = MODEL_COPIES * STACKED_FORESTS * forest;
  const thread = threadBytes(size, numberOfBuckets, Math.max(finished, FOREST_COPIES * forest));
  return (
    tableBytes(rowCount, featureCount) +
    votesBytes(rowCount * classCount, attemptCount) +
    threadCount * thread +
    finished
  );
}

/** Trees of a plan's forest. */
const PLANNED_TREES = 300;
/** Numbers of trees that a plan may be held to, from as many as it may ask for to as few as it can do with. */
const TREE_COUNTS = [MOST_TREES, PLANNED_TREES, 200, 150, 100, 60, 30] as const;

/** How large a training's forests may be, and what it takes then. */
export interface ForestFit {
  /** Trees of a forest at most; undefined where a plan has as many as it wants. */
  mostTrees: number | undefined;
  needBytes: number;
}

/** Forests of fewer trees where those of the plan do not fit; where nothing fits, what the training takes at the least. */
export function fitForests(size: TableSize, work: TrainingWork, mostBytes: number): ForestFit {
  const fits = TREE_COUNTS.map((trees): ForestFit => {
    const mostTrees = trees === MOST_TREES ? undefined : trees;
    return { mostTrees, needBytes: trainingNeed(size, mostTrees === undefined ? work : { ...work, mostTrees }) };
  });
  return fits.find(({ needBytes }) => needBytes <= mostBytes) ?? fits.at(-1)!;
}

/** Codes of the selection rows, and those of as many shadows, each beside the matrix that a forest grows on. */
const SELECTION_COPIES = 6;
/** Changes of class sums by two shuffles of each group, eight bytes each (refinement/cluster-permutation.ts). */
const CHANGE_BYTES = 16;
const MOST_CHANGES_BYTES = 32 * MIB;

/** A whole refinement (jobs/refine.ts); `size` is that of TRAIN's and TEST's rows together. */
export function refinementNeed(size: TableSize, { threadCount, numberOfBuckets }: RefinementWork): number {
  const { rowCount, featureCount, classCount } = size;
  const mostCells = Math.max(MOST_SELECTION_CELLS, LEAST_SELECTION_ROWS * featureCount);
  const selected = Math.min(mostCells, Math.min(rowCount, MOST_SELECTION_ROWS) * featureCount);
  const forest = FOREST_COPIES * forestBytes(size, PLANNED_TREES, false);
  const changes = Math.min(MOST_CHANGES_BYTES, CHANGE_BYTES * selected * classCount);
  const thread = threadBytes(size, numberOfBuckets, forest) + SELECTION_COPIES * selected + changes;
  return tableBytes(rowCount, featureCount) + threadCount * thread;
}

/** Of a head: its text, and of every name in it a string and an entry in the map by which cells are told. */
const HEAD_COPIES = 28;

/** Scoring a file with a model (workers/score-file.ts): the model's file and what is made of it; rows pass through. */
export function scoringNeed({ sizeBytes, headBytes }: ModelSize, fileBytes: number): number {
  return readingGarbage(fileBytes) + MODEL_COPIES * sizeBytes + HEAD_COPIES * headBytes;
}

/** A level of a number on every thread: its value, and its code under two bucketings. */
const NUMBER_LEVEL_BYTES = 12;
/** The same of a category, whose text is a string of its own on every thread. */
const TEXT_LEVEL_BYTES = 64;

export function sizeOf({ rowCount, features, labels }: Table): TableSize {
  const levelBytes = features.reduce((sum, feature) => sum + bytesOfLevels(feature.kind, levelCount(feature)), 0);
  return { rowCount, featureCount: features.length, classCount: labels.length, levelBytes };
}

export function bytesOfLevels(kind: Feature["kind"], levels: number): number {
  return levels * (kind === "number" ? NUMBER_LEVEL_BYTES : TEXT_LEVEL_BYTES);
}

function readingGarbage(sizeBytes: number): number {
  return READING_BYTES + GARBAGE_PER_BYTE * Math.min(sizeBytes, GARBAGE_FROM_BYTES);
}

/** Levels of two bytes, and the classes. */
function tableBytes(rowCount: number, featureCount: number): number {
  return rowCount * (2 * featureCount + 1);
}

/** What each attempt leaves for stacks, four bytes a cell, a quarter as many cells for the holdout as for the rows learned from. */
function votesBytes(cells: number, attemptCount: number): number {
  return attemptCount * 4 * (Math.min(cells / 5, MOST_HOLDOUT_CELLS) + Math.min(cells, MOST_OUT_OF_FOLD_CELLS));
}

/** One thread at an attempt, a refit, or a model of a refinement; `forestBytes`: of what it holds at once of forests. */
function threadBytes(size: TableSize, numberOfBuckets: number, forestBytes: number): number {
  const { rowCount, featureCount, classCount, levelBytes } = size;
  const buckets = Math.max(FINE_BUCKETS, numberOfBuckets);
  const codes = CODE_COPIES * rowCount * featureCount * (buckets > FINE_BUCKETS ? 2 : 1);
  const scores = SCORE_COPIES * 8 * rowCount * classCount;
  const tables = FAMILY_COPIES * Math.max(logisticBytes(size, buckets), bayesBytes(size, buckets));
  const held = Math.max(forestBytes + leafBytes(rowCount), tables, additiveBytes(size, buckets));
  return THREAD_BYTES + levelBytes + ROW_BYTES * rowCount + codes + scores + held;
}

/** Rows of the largest table whose plan has refined forests: four fifths of them are learned from. */
const MOST_REFINED_ROWS = (5 / 4) * MANY_ROWS;

/** Leaf ids of every tree of a refined forest: up to two bytes a row and tree, and two for the solver's (forest-leaves.ts). */
function leafBytes(rowCount: number): number {
  return 4 * Math.min(PLANNED_TREES * Math.min(rowCount, MOST_REFINED_ROWS), MAX_ROW_TREES);
}

/** The folds of stage-wise trees in lock-step: the codes of each, and its scores (additive-regression.ts). */
function additiveBytes({ rowCount, featureCount, classCount }: TableSize, buckets: number): number {
  const codeBytes = buckets > FINE_BUCKETS ? 2 : 1;
  return MOST_FOLDS * rowCount * (codeBytes * featureCount + 8 * classCount);
}

/** Of two classes and of more: nodes by the rows that trees draw, 8 bytes each, as labels without any signal make them. */
const NODE_BYTES = [6, 10] as const;
/** The same of leaves of several rows, which hold shares of every class. */
const LEAF_BYTES = 3;
const SHARE_BYTES = 0.55;
/** Of a forest that grows on towards a target: it is one with the most nodes. */
const GROWN_SHARE = 1.5;

function forestBytes({ rowCount, classCount }: TableSize, treeCount: number, growsOn: boolean): number {
  const perRow = Math.max(NODE_BYTES[classCount === 2 ? 0 : 1], LEAF_BYTES + SHARE_BYTES * classCount);
  return Math.min(treeCount * rowCount, MAX_TREE_ROWS) * perRow * (growsOn ? GROWN_SHARE : 1);
}

/**
 * The solver's history and six other vectors (families/lbfgs.ts), then tables and their gradients; a smooth table has two
 * parameters a bucket.
 */
function logisticBytes({ rowCount, featureCount, classCount }: TableSize, buckets: number): number {
  const outputCount = classCount === 2 ? 1 : classCount;
  const own = featureCount * outputCount * (2 * Math.min(buckets, rowCount) + 2);
  const parameters = Math.min(own, MAX_PARAMETERS);
  const history = Math.min(2 * MAX_HISTORY * parameters, MAX_HISTORY_NUMBERS);
  return 8 * (history + 8 * parameters);
}

/** Counts and lifts (families/bayes-tables.ts), the lifts with a row left out of it, and the tables of the model. */
function bayesBytes({ rowCount, featureCount, classCount }: TableSize, buckets: number): number {
  const cells = featureCount * classCount * (2 + Math.min(buckets, rowCount));
  return (4 + 8 + 16 + 8) * Math.min(cells, MAX_CELLS);
}
