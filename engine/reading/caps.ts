// Bounds on the memory of a table's profile: totals over all columns, and each column's share.
import { MAX_LEVELS } from "../table/table.ts";

const TOTAL_TEXTS = 1_000_000;
const LEAST_TEXTS = 512;
/**
 * If equally frequent values hardly recur among this many texts, the column has about as many distinct values as
 * there can be levels, or more.
 */
const FIRST_TEXTS = 1024;
/** Bytes of texts, in UTF-8. */
const TOTAL_BYTES = 2 ** 25;
const LEAST_BYTES = 2 ** 13;
/** 8 bytes each. */
const TOTAL_SLOTS = 2 ** 23;
const LEAST_SLOTS = 2 ** 11;
const MOST_SLOTS = 2 ** 15;
/** 14 bytes each. */
const TOTAL_SAMPLE_CELLS = 2 ** 23;
const LEAST_SAMPLE_CELLS = 2 ** 10;
const MOST_SAMPLE_CELLS = 2 ** 16;
/** Bytes that the logs of all columns of a table may take together, see cell-log.ts. */
export const MOST_LOG_BYTES = 2 ** 29;
const LABEL_TEXTS = 10_000;
const LABEL_BYTES = 2 ** 22;

/** Bounds on what one column may hold in memory. */
export interface ColumnCaps {
  /** Distinct texts that the dictionary lists, and their bytes together. */
  texts: number;
  bytes: number;
  /** After this many distinct texts the dictionary closes if they are numbers that hardly recur. */
  firstTexts: number;
  /** Slots of the table that counts further distinct texts; a power of two. */
  distinctSlots: number;
  /** Number cells kept in the sample that levels come from. */
  sampleCells: number;
}

/** Returns the share of one column among `columnCount`. */
export function columnCaps(columnCount: number): ColumnCaps {
  const slots = clamp(TOTAL_SLOTS / columnCount, LEAST_SLOTS, MOST_SLOTS);
  return {
    texts: clamp(TOTAL_TEXTS / columnCount, LEAST_TEXTS, MAX_LEVELS),
    firstTexts: FIRST_TEXTS,
    bytes: clamp(TOTAL_BYTES / columnCount, LEAST_BYTES, TOTAL_BYTES),
    distinctSlots: 2 ** Math.floor(Math.log2(slots)),
    sampleCells: clamp(TOTAL_SAMPLE_CELLS / columnCount, LEAST_SAMPLE_CELLS, MOST_SAMPLE_CELLS),
  };
}

/**
 * Returns the label's bounds, which do not shrink with the number of columns, because its distinct texts must be exact.
 */
export function labelCaps(caps: ColumnCaps): ColumnCaps {
  return { ...caps, texts: LABEL_TEXTS, bytes: LABEL_BYTES };
}

function clamp(value: number, least: number, most: number): number {
  return Math.floor(Math.min(Math.max(value, least), most));
}
