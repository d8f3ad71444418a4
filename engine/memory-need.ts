// Estimates how much memory a job takes at most, from the size of its table; a guard uses it before the job begins.
//
// Each term is a bound that the named code keeps, times the copies of it measured at once; test/bench/memory-need.ts
// compares estimates with runs. All figures are bytes, beyond those of the idle program.

import { FINE_BUCKETS } from "./buckets.ts";
import { BASE_ALGORITHMS } from "./families/base-algorithms.ts";
import { type FitSize, forestBytes, PLANNED_TREES, termModelBytes } from "./families/fit-memory.ts";
import { columnCaps, MOST_LOG_BYTES } from "./reading/caps.ts";
import { LEAST_SELECTION_ROWS, MOST_SELECTION_CELLS, MOST_SELECTION_ROWS } from "./refinement/open-task.ts";
import { MOST_HOLDOUT_CELLS, MOST_OUT_OF_FOLD_CELLS, MOST_TRAINING_CELLS } from "./search/qualify-stack.ts";
import { MOST_JUDGING_ROWS, MOST_SEARCH_ROWS, MOST_WHOLE_ROWS } from "./search/search-sample.ts";
import { type Feature, levelCount, type Table } from "./table.ts";
import type { TextColumn } from "./text/term-rows.ts";
import { scoreGroups } from "./text/text-scores.ts";
import { MOST_COUNTED, MOST_ENTRIES, MOST_TERMS } from "./text/vocabulary.ts";
import { MOST_TREES } from "./trees/forest-size.ts";

const MIB = 2 ** 20;

/** A file before it is read. */
export interface FileSize {
  sizeBytes: number;
  rowCount: number;
  columnCount: number;
  /** Bytes in columns whose words may be read; none where it is left out. */
  textBytes?: number;
}

/** A table once it is read. */
export interface TableSize {
  rowCount: number;
  featureCount: number;
  classCount: number;
  /** Bytes of number values and category texts, per thread. */
  levelBytes: number;
  /** Terms of all texts, and entries of their sparse rows; none where they are left out. */
  termCount?: number;
  entryCount?: number;
}

/** A model's file. */
export interface ModelSize {
  sizeBytes: number;
  /** Bytes of the file's head, which holds the names of categories: see `readModelHead`. */
  headBytes: number;
  /** Whether some column is text; false where it is left out. */
  readsTexts?: boolean;
}

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

export interface RefinementWork {
  threadCount: number;
  numberOfBuckets: number;
}

/** A thread that reads, its kernel, and what it leaves between two collections (workers/reading/file-chunks.ts). */
const READING_BYTES = 46 * MIB;
const GARBAGE_PER_BYTE = 18;
const GARBAGE_FROM_BYTES = 8 * MIB;
/** A text of a dictionary: count, line, key, offset, filter, and up to four slots of its table. */
const TEXT_BYTES = 40;
/** A cell of the log (reading/cell-log.ts), which shrinks as the table grows. */
const LOG_BYTES = 8;
/** CellEvidence, features, and all small objects of a column. */
const COLUMN_BYTES = 16_384;
/** Copies of a reader's contents: themselves, the results made of them, and garbage of both that is not collected yet. */
const READER_COPIES = 3.25;

/**
 * Reading a file into a table (workers/reading/read-table.ts): dictionaries, samples and logs within their caps (reading/caps.ts), then two
 * bytes a cell for the levels. The texts cannot be longer than the file.
 */
export function readingNeed({ sizeBytes, rowCount, columnCount, textBytes = 0 }: FileSize): number {
  const caps = columnCaps(columnCount);
  const texts = TEXT_BYTES * Math.min(rowCount, caps.texts);
  const overflow = rowCount > caps.texts ? 10 * caps.distinctSlots + 13 * Math.min(rowCount, caps.sampleCells) : 0;
  const chars = 2 * Math.min(sizeBytes, columnCount * caps.bytes);
  const held = columnCount * (texts + overflow + COLUMN_BYTES) + chars;
  const logged = Math.min(MOST_LOG_BYTES, LOG_BYTES * rowCount * columnCount);
  const filled = Math.max(logged, tableBytes(rowCount, columnCount));
  return READER_COPIES * held + readingGarbage(sizeBytes) + filled + textReadingBytes(textBytes, rowCount);
}

/** A term that is counted: hash, counts and slots, once more while their tables grow (text/vocabulary.ts). */
const COUNTED_TERM_BYTES = 64;
/** For a byte of text: entries of sparse rows (1.5 of reviews), distinct terms, and those that are kept (0.04 of reviews). */
const ENTRIES_PER_BYTE = 2;
const TERMS_PER_BYTE = 1;
const KEPT_TERMS_PER_BYTE = 0.1;
/** The shape of a text, and its place in the sparse rows. */
const TEXT_ROW_BYTES = 56;
/** Texts as they are, lower-cased and cut, until they are collected. */
const TEXT_GARBAGE_PER_BYTE = 12;
const TEXT_GARBAGE_FROM_BYTES = 16 * MIB;

/** Counting the terms of a file's texts, then writing its rows of them, with the names of terms. */
function textReadingBytes(textBytes: number, rowCount: number): number {
  if (textBytes === 0) return 0;
  const counting = COUNTED_TERM_BYTES * Math.min(MOST_COUNTED, TERMS_PER_BYTE * textBytes);
  const garbage = TEXT_GARBAGE_PER_BYTE * Math.min(textBytes, TEXT_GARBAGE_FROM_BYTES);
  return counting + sparseRowBytes(mostTerms(textBytes)) + TEXT_ROW_BYTES * rowCount + garbage;
}

/** Terms and entries that so many bytes of text come to at most. */
export function mostTerms(textBytes: number): { termCount: number; entryCount: number } {
  return {
    termCount: Math.min(MOST_TERMS, Math.ceil(KEPT_TERMS_PER_BYTE * textBytes)),
    entryCount: Math.min(MOST_ENTRIES, ENTRIES_PER_BYTE * textBytes),
  };
}

/** An entry of a sparse row: its term and its count. */
const ENTRY_BYTES = 5;
/** A term that was kept: its hash, its name, and the table that finds it. */
const TERM_BYTES = 96;

/** Bytes of a table's texts, which all threads share. */
function sparseRowBytes({ entryCount = 0, termCount = 0 }: Pick<TableSize, "entryCount" | "termCount">): number {
  return ENTRY_BYTES * entryCount + TERM_BYTES * termCount;
}

/** A thread without any work. */
const THREAD_BYTES = 44 * MIB;
/** Bytes per row and thread, beside the codes: parts, splits and folds of the task, and the arrays of a growing tree. */
const ROW_BYTES = 24 + 40;
/** Views of the codes: that at hand, that of the fold before it, and the rows that a family gathers, two bytes each. */
const CODE_COPIES = 4;
/** Probabilities of all rows by class, out of fold, of the holdout and of the rows learned from, eight bytes each. */
const SCORE_COPIES = 4;
/** Copies of a forest's nodes: those grown, those before the last enlargement, and those of the finished forest. */
const FOREST_COPIES = 3;
/** Forests of a stack's final model; most of its candidates get no weight. */
const STACKED_FORESTS = 2;
/** Models of terms in a stack's final model. */
const STACKED_TERM_MODELS = 4;
/** Copies of a finished model: itself, and the bytes of its file, which go to the main thread. */
const MODEL_COPIES = 2;

/** Rows of a search on a sample, at most. */
const MOST_SAMPLE_ROWS = MOST_SEARCH_ROWS + MOST_JUDGING_ROWS;
/** Bytes per row that a model grows on: kernel scratch, lists, and the row's place in the pool and its copy (search/grow.ts). */
const GROWTH_ROW_BYTES = 48 + 24 + 12;
/** The share of rows that models learn from; a fifth is held out. */
const GROWN_SHARE = 4 / 5;

/**
 * A whole training (src/training/train.ts): the table, what attempts leave for stacks, each thread's work, and finished models.
 * For a large table, attempts work on a sample, and each thread grows one model on all rows.
 */
export function trainingNeed(size: TableSize, work: TrainingWork): number {
  if (work.hasKeys === true || size.rowCount <= MOST_WHOLE_ROWS) return wholeNeed(size, work);
  const { rowCount, featureCount, classCount } = size;
  const sampled = { ...size, rowCount: Math.min(rowCount, MOST_SAMPLE_ROWS) };
  const codes = 2 * featureCount * (work.numberOfBuckets > FINE_BUCKETS ? 2 : 1);
  const grownBytes = GROWN_SHARE * rowCount * (GROWTH_ROW_BYTES + codes + 8 * (classCount + 1));
  const growing = THREAD_BYTES + size.levelBytes + grownBytes;
  const own = threadBytes(sampled, fitSize(sampled, work.numberOfBuckets, forestsOf(work)));
  const beside = tableBytes(rowCount, featureCount) + work.threadCount * Math.max(0, growing - own);
  return wholeNeed(sampled, work) + beside;
}

function forestsOf({ hasTarget, mostTrees = MOST_TREES }: TrainingWork) {
  const treeCount = hasTarget ? mostTrees : Math.min(PLANNED_TREES, mostTrees);
  return { hasTarget, treeCount, forestCopies: Math.max(MODEL_COPIES * STACKED_FORESTS, FOREST_COPIES) };
}

function wholeNeed(size: TableSize, work: TrainingWork): number {
  const { threadCount, numberOfBuckets, attemptCount } = work;
  const { rowCount, featureCount, classCount } = size;
  const finishedCopies = MODEL_COPIES * STACKED_FORESTS;
  const fit = fitSize(size, numberOfBuckets, forestsOf(work));
  return (
    tableBytes(rowCount, featureCount) +
    sparseRowBytes(size) +
    votesBytes(rowCount * classCount, attemptCount) +
    threadCount * threadBytes(size, fit) +
    finishedCopies * forestBytes(fit) +
    MODEL_COPIES * STACKED_TERM_MODELS * termModelBytes(fit)
  );
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

/** Codes of the selection rows, and those of as many shadows, each beside the matrix that a forest grows on. */
const SELECTION_COPIES = 6;
/** Changes of class sums by two shuffles of each group, eight bytes each (refinement/cluster-permutation.ts). */
const CHANGE_BYTES = 16;
const MOST_CHANGES_BYTES = 32 * MIB;

/** The algorithms of a refinement (refinement/entrants.ts). */
const REFINING = ["forest", "naive Bayes", "naive Bayes of terms", "logistic regression"] as const;
/** Bytes per row: its places in the task's lists, and the arrays of a growing tree. */
const REFINING_ROW_BYTES = 8 + 40;
/** One view at a time, that before it, and the rows that a family gathers. */
const REFINING_CODE_COPIES = 3;

/** A whole refinement (src/refining/refine.ts); `size` is that of TRAIN's and TEST's rows together. */
export function refinementNeed(size: TableSize, { threadCount, numberOfBuckets }: RefinementWork): number {
  const { rowCount, featureCount, classCount } = size;
  const mostCells = Math.max(MOST_SELECTION_CELLS, LEAST_SELECTION_ROWS * featureCount);
  const selected = Math.min(mostCells, Math.min(rowCount, MOST_SELECTION_ROWS) * featureCount);
  const changes = Math.min(MOST_CHANGES_BYTES, CHANGE_BYTES * selected * classCount);
  const forests = { hasTarget: false, treeCount: PLANNED_TREES, forestCopies: FOREST_COPIES };
  const fit = fitSize(size, numberOfBuckets, forests);
  const held = Math.max(...REFINING.map((algorithm) => BASE_ALGORITHMS[algorithm].fitBytes(fit)));
  const codes = REFINING_CODE_COPIES * codeBytes(fit) + 8 * rowCount * classCount;
  const own = THREAD_BYTES + size.levelBytes + REFINING_ROW_BYTES * rowCount + codes + held + textScoreBytes(size);
  const thread = own + SELECTION_COPIES * selected + changes;
  return tableBytes(rowCount, featureCount) + sparseRowBytes(size) + threadCount * thread;
}

/** Bytes in memory per byte of a head: its text, and for every name a string and an entry in the map that looks cells up. */
const HEAD_COPIES = 28;
/** Texts of rows that are scored together, and their terms, until they are collected. */
const SCORED_TEXT_PER_BYTE = 28;

/**
 * Copies of a model that explains its decisions. A forest's class shares take 4 bytes per node and class, 8 while they are made;
 * in its file a node takes 8 bytes, and each leaf (one for two nodes) 4 per class.
 */
const REASON_COPIES = 2;

/** Scoring a file with a model (workers/scoring/score-file.ts): the model's file and what is made of it; rows pass through. */
export function scoringNeed(
  { sizeBytes, headBytes, readsTexts = false }: ModelSize,
  fileBytes: number,
  hasReasons = false,
): number {
  const texts = readsTexts ? SCORED_TEXT_PER_BYTE * Math.min(fileBytes, GARBAGE_FROM_BYTES) : 0;
  return (
    readingGarbage(fileBytes) +
    texts +
    (MODEL_COPIES + (hasReasons ? REASON_COPIES : 0)) * sizeBytes +
    HEAD_COPIES * headBytes
  );
}

/** A level of a number on every thread: its value, and its code under two bucketings. */
const NUMBER_LEVEL_BYTES = 12;
/** The same of a category, whose text is a string of its own on every thread. */
const TEXT_LEVEL_BYTES = 64;

export function sizeOf({ rowCount, features, labels, texts }: Table): TableSize {
  const levelBytes = features.reduce((sum, feature) => sum + bytesOfLevels(feature.kind, levelCount(feature)), 0);
  const size = { rowCount, featureCount: features.length, classCount: labels.length, levelBytes };
  if (texts === undefined) return size;
  const sumOf = (count: (text: TextColumn) => number) => texts.reduce((sum, text) => sum + count(text), 0);
  return { ...size, termCount: sumOf((text) => text.termCount), entryCount: sumOf(({ terms }) => terms.length) };
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

/** Bytes that attempts leave for stacks: four a cell, with a quarter as many holdout cells as learning cells. */
function votesBytes(cells: number, attemptCount: number): number {
  const learning = Math.min(cells, MOST_OUT_OF_FOLD_CELLS) + Math.min(cells, MOST_TRAINING_CELLS);
  return attemptCount * 4 * (Math.min(cells / 5, MOST_HOLDOUT_CELLS) + learning);
}

function fitSize(
  size: TableSize,
  numberOfBuckets: number,
  forests: Pick<FitSize, "hasTarget" | "treeCount" | "forestCopies">,
): FitSize {
  return { ...size, ...forests, bucketCount: Math.max(FINE_BUCKETS, numberOfBuckets) };
}

/** The codes of all rows, once. */
function codeBytes({ rowCount, featureCount, bucketCount }: FitSize): number {
  return rowCount * featureCount * (bucketCount > FINE_BUCKETS ? 2 : 1);
}

/** One thread at an attempt or a refit: the algorithm that takes most. */
function threadBytes(size: TableSize, fit: FitSize): number {
  const { rowCount, classCount, levelBytes } = size;
  const codes = CODE_COPIES * codeBytes(fit);
  const scores = SCORE_COPIES * 8 * rowCount * classCount;
  const held = Math.max(...Object.values(BASE_ALGORITHMS).map(({ fitBytes }) => fitBytes(fit)));
  return THREAD_BYTES + levelBytes + ROW_BYTES * rowCount + codes + scores + held + textScoreBytes(size);
}

/** Counts of a term on both sides of a group, of all rows and of a fold, and its weights in two fits. */
const SCORED_TERM_BYTES = 24;
/** A row's score, and its level in two fits. */
const SCORED_ROW_BYTES = 12;

/** Bytes that a fit of score features takes (text/text-scores.ts). */
function textScoreBytes({ rowCount, classCount, termCount = 0 }: TableSize): number {
  if (termCount === 0) return 0;
  const groupCount = scoreGroups(classCount).length;
  return groupCount * (SCORED_TERM_BYTES * termCount + SCORED_ROW_BYTES * rowCount);
}
