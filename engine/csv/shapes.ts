// The shapes of what reading a CSV gives: its header, batches of its records, and a report.

import type { ReadingKernel } from "../reading/reading-kernel.ts";
import type { Warning } from "../warning.ts";

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

/** Consecutive records as cells in the memory of a kernel, where they are good until the sink returns. */
export interface CellBatch {
  firstIndex: number;
  recordCount: number;
  /** Cells of each record: as many as there are names. */
  columnCount: number;
  /** Its `cells` are column by column, the first record's of one column `stride` cells behind that of the one before; its `lines` tell where records start. */
  kernel: ReadingKernel;
  stride: number;
  /** The records, where they came as text: odd lines, and files of other encodings. Null where each is one line of the file. */
  records: RecordBatch["records"] | null;
}

/** Takes all records as cells. */
export interface CellSink {
  addCells(batch: CellBatch): void;
  /** Where the cells go, and where the sink may have tables. */
  readonly kernel: ReadingKernel;
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
