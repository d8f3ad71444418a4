// The shapes of what reading a CSV gives: its header, batches of its records, and a report.
import type { Warning } from "../warning.ts";
import type { ReadingKernel } from "./reading-kernel.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

export interface CsvHeader {
  delimiter: string;
  encoding: Encoding;
  /** The first line end of the file, behind a `sep=` line if there is one; "\n" where there is none. */
  lineEnding: "\n" | "\r\n" | "\r";
  hasBom: boolean;
  /** Trimmed, none empty (`column_N`), all different (`_2`, `_3`…). Any text may be a name, `__proto__` too. */
  names: readonly string[];
  /** The text of the header's cells as it stands in the file, without a dropped trailing cell. */
  cells: readonly string[];
}

/**
 * Consecutive records, each with as many cells as there are names; cells keep their outer white space. A cell is a
 * substring that keeps the text of its batch alive (up to some 256 KB): copy the cells that are to be kept for long.
 */
export interface RecordBatch {
  /** Index of the first record; the record behind the header has 0. */
  firstIndex: number;
  records: readonly (readonly string[])[];
  /** The physical line where each record starts. CR, LF and CRLF each end a line, inside quotes too. */
  lines: Uint32Array;
}

export type RecordSink = (batch: RecordBatch) => void;

/** Consecutive records as bytes, for sinks that need no string of most cells. All arrays are good until the sink returns. */
export interface CellBatch {
  firstIndex: number;
  recordCount: number;
  /** Cells of each record: as many as there are names. */
  columnCount: number;
  /** Has `bytes` and `cells` in its memory. These are other arrays once it has grown. */
  kernel: ReadingKernel;
  /** UTF-8. */
  readonly bytes: Uint8Array;
  /**
   * `CELL_FIELDS` of each cell, column by column, the first record's of one column `stride` cells behind that of the one before:
   * where its text without outer white space starts and ends in `bytes`, then `low` and `meta` of that text's key.
   */
  readonly cells: Int32Array;
  stride: number;
  /** The physical line of the first record; each record is one line. */
  firstLine: number;
}

/** Takes records either way, as they come. */
export interface BulkSink {
  add(batch: RecordBatch): void;
  addCells(batch: CellBatch): void;
  /** The kernel that its tables are in; where there is none, one of the reader's own holds the batches. */
  readonly kernel?: ReadingKernel | null;
}

export interface CsvReport {
  header: CsvHeader;
  recordCount: number;
  /** WINDOWS_1252, TRAILING_DELIMITER, EMPTY_NAME, DUPLICATE_NAME, BLANK_LINES; each at most once. */
  warnings: Warning[];
}

/** What the reader of a file tells those who bring it chunks. */
export interface ChunkTaker {
  /** How much of the file became text so far, rather than being cut from its bytes: text leaves much behind for the collector. */
  readonly textBytes: number;
  /** A chunk whose bytes are put there, from the start on, need not be copied; null where there is no such place yet. */
  readonly room: Uint8Array | null;
}
