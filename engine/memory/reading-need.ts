// The memory that reading a file into a table takes at most.
import { columnCaps, MOST_LOG_BYTES } from "../reading/caps.ts";
import { MOST_COUNTED, MOST_ENTRIES, MOST_TERMS } from "../text/vocabulary.ts";
import { type FileSize, MIB, sparseRowBytes, tableBytes } from "./sizes.ts";

// Measured: a thread that reads with its kernel, what it leaves between two collections
// (workers/reading/file-chunks.ts), and how many copies of its contents are alive at the peak:
// themselves, the results made of them, and garbage of both.
const READING_BYTES = 46 * MIB;
const GARBAGE_PER_BYTE = 18;
export const GARBAGE_FROM_BYTES = 8 * MIB;
const READER_COPIES = 3.25;

// Bounds, from the arrays of a column's dictionary, its samples beyond the dictionary (reading/caps.ts) and the log.
/** A text of a dictionary: count, line, key, offset, filter, and up to four slots of its table. */
const TEXT_BYTES = 40;
const DISTINCT_SLOT_BYTES = 10;
const SAMPLE_CELL_BYTES = 13;
/** A cell of the log (reading/cell-log.ts), which shrinks as the table grows. */
const LOG_BYTES = 8;
/** CellEvidence, features, and all small objects of a column. */
const COLUMN_BYTES = 16_384;

/**
 * Reading a file into a table (workers/reading/read-table.ts): dictionaries, samples and logs within their caps, then
 * two bytes a cell for the levels. The texts cannot be longer than the file.
 */
export function readingNeed({ sizeBytes, rowCount, columnCount, textBytes = 0 }: FileSize): number {
  const caps = columnCaps(columnCount);
  const texts = TEXT_BYTES * Math.min(rowCount, caps.texts);
  const sampled = DISTINCT_SLOT_BYTES * caps.distinctSlots + SAMPLE_CELL_BYTES * Math.min(rowCount, caps.sampleCells);
  const overflow = rowCount > caps.texts ? sampled : 0;
  const chars = 2 * Math.min(sizeBytes, columnCount * caps.bytes);
  const profileBytes = columnCount * (texts + overflow + COLUMN_BYTES) + chars;
  const logged = Math.min(MOST_LOG_BYTES, LOG_BYTES * rowCount * columnCount);
  const filled = Math.max(logged, tableBytes(rowCount, columnCount));
  return READER_COPIES * profileBytes + readingGarbage(sizeBytes) + filled + textReadingBytes(textBytes, rowCount);
}

/** A thread that passes over a file, whatever it makes of it. */
export function readingGarbage(sizeBytes: number): number {
  return READING_BYTES + GARBAGE_PER_BYTE * Math.min(sizeBytes, GARBAGE_FROM_BYTES);
}

// Bounds of texts, from the tables of text/vocabulary.ts and text/term-rows.ts.
/** A term that is counted: hash, counts and slots, once more while their tables grow. */
const COUNTED_TERM_BYTES = 64;
/** The shape of a text, and its place in the sparse rows. */
const TEXT_ROW_BYTES = 56;

// Measured on reviews, which have 1.5 entries and 0.04 kept terms a byte, and rounded up.
const ENTRIES_PER_BYTE = 2;
const TERMS_PER_BYTE = 1;
const KEPT_TERMS_PER_BYTE = 0.1;
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

/** The most terms and entries that `textBytes` bytes of text can hold. */
export function mostTerms(textBytes: number): { termCount: number; entryCount: number } {
  return {
    termCount: Math.min(MOST_TERMS, Math.ceil(KEPT_TERMS_PER_BYTE * textBytes)),
    entryCount: Math.min(MOST_ENTRIES, ENTRIES_PER_BYTE * textBytes),
  };
}
