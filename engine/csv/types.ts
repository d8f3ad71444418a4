// The types of what the CSV reader hands out: a header, batches of records, and a report.

import type { Warning } from "../warning.ts";
import type { ReadingKernel } from "./reading-kernel.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

export interface CsvHeader {
  delimiter: string;
  encoding: Encoding;
  /** The first line end of the file, after a `sep=` line if there is one; "\n" where there is none. */
  lineEnding: "\n" | "\r\n" | "\r";
  /** Trimmed, none empty (`column_N`), all different (`_2`, `_3`…). Any text may be a name, `__proto__` too. */
  names: readonly string[];
  /** The header's cells as they stand in the file, without a dropped trailing cell. */
  cells: readonly string[];
}

/** The header of a table that has none of its own, and what parts the cells of both. */
export interface GivenHeader {
  cells: readonly string[];
  delimiter: string;
}

/**
 * Records that could not be read, by place in their batch, each with a reason
 * that holds none of its text. Their cells are empty.
 */
export type BadRecords = ReadonlyMap<number, string>;

/**
 * Consecutive records, each with as many cells as there are names. Cells keep their outer white space. A cell is a
 * substring that keeps the text of its batch alive, some 256 KB: copy the cells that are kept for long.
 */
export interface RecordBatch {
  /** Index of the first record; the record after the header has 0. */
  firstIndex: number;
  records: readonly (readonly string[])[];
  /** The physical line where each record starts. CR, LF and CRLF each end a line, inside quotes too. */
  lines: Uint32Array;
  /** Left out where all are sound. */
  bad?: BadRecords;
}

export type RecordSink = (batch: RecordBatch) => void;

/** Consecutive records as cells in the memory of a kernel, valid until the sink returns. */
export interface CellBatch {
  firstIndex: number;
  recordCount: number;
  /** Cells of a record, one for each name. */
  columnCount: number;
  /** Its `cells` hold column after column, `stride` cells apart; its `lines` hold the line where each record starts. */
  kernel: ReadingKernel;
  stride: number;
  /**
   * The records where they came as text: odd lines, and files of other
   * encodings. Null where each is one plain line of the file.
   */
  records: RecordBatch["records"] | null;
  /** Left out where all are sound. */
  bad?: BadRecords;
}

/** Takes all records as cells. */
export interface CellSink {
  addCells(batch: CellBatch): void;
  /** Its memory takes the cells, and may hold tables of the sink. */
  readonly kernel: ReadingKernel;
}

export interface CsvReport {
  header: CsvHeader;
  recordCount: number;
  /** WINDOWS_1252, TRAILING_DELIMITER, EMPTY_NAME, DUPLICATE_NAME, BLANK_LINES, SWALLOWED_LINES; each at most once. */
  warnings: Warning[];
}

/** The reader's side towards whoever brings it chunks of a file. */
export interface ChunkTaker {
  /**
   * Bytes decoded to strings so far, not cut by the kernel. Strings leave much
   * garbage, so the caller collects by this count.
   */
  readonly textBytes: number;
  /** Chunks written to the start of this buffer need not be copied; null while there is no such buffer. */
  readonly buffer: Uint8Array | null;
}
