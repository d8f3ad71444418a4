// The sizes that memory needs are estimated from, and the bytes of a table and its levels.
//
// The room estimates how much memory a job takes at most; a guard uses it before the job begins. All figures
// are bytes, beyond those of the idle program. Bounds are kept by the code that each term names. Copies,
// garbage and threads were measured: they are fitted to the peaks of whole commands on tables of very different
// shapes, so that no estimate is below its peak (test/bench/memory-need.ts).
import { type Feature, levelCount, type Table } from "../table/table.ts";
import type { TextColumn } from "../text/term-rows.ts";

export const MIB = 2 ** 20;

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

// Levels, from their arrays.

/** A level of a number on every thread: its value, and its code under two bucketings. */
const NUMBER_LEVEL_BYTES = 8 + 2 * 2;
/** Bytes of a category, whose text is a string of its own on every thread. */
const TEXT_LEVEL_BYTES = 64;

export function bytesOfLevels(kind: Feature["kind"], levels: number): number {
  return levels * (kind === "number" ? NUMBER_LEVEL_BYTES : TEXT_LEVEL_BYTES);
}

/** The most categories whose levels fit `levelBytes` bytes. */
export function mostCategories(levelBytes: number): number {
  return Math.floor(levelBytes / TEXT_LEVEL_BYTES);
}

export function sizeOf({ rowCount, features, labels, texts }: Table): TableSize {
  const levelBytes = features.reduce((sum, feature) => sum + bytesOfLevels(feature.kind, levelCount(feature)), 0);
  const size = { rowCount, featureCount: features.length, classCount: labels.length, levelBytes };
  if (texts === undefined) return size;
  const sumOf = (count: (text: TextColumn) => number) => texts.reduce((sum, text) => sum + count(text), 0);
  return { ...size, termCount: sumOf((text) => text.termCount), entryCount: sumOf(({ terms }) => terms.length) };
}

/** Levels of two bytes, and the classes. All threads share them. */
export function tableBytes(rowCount: number, featureCount: number): number {
  return rowCount * (2 * featureCount + 1);
}

// Sparse rows of terms, from their arrays and tables (text/term-rows.ts).

/** An entry of a sparse row: its term and its count. */
const ENTRY_BYTES = 4 + 1;
/** A term that was kept: its hash, its name, and the table that finds it. */
const TERM_BYTES = 96;

/** Bytes of a table's texts, which all threads share. */
export function sparseRowBytes({ entryCount = 0, termCount = 0 }: Pick<TableSize, "entryCount" | "termCount">): number {
  return ENTRY_BYTES * entryCount + TERM_BYTES * termCount;
}
