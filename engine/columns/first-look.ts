// Reads a file's first bytes: names, first records and a guess at the size, so
// that a file that is too large is refused early.
import { readCsv } from "../csv/read.ts";
import type { CsvHeader, RecordSink } from "../csv/types.ts";
import { InputError } from "../input-error.ts";

export interface GuessedSize {
  /**
   * A tenth more than the size of the file divided by the mean length of the first records, but no more than the file
   * has room for.
   */
  rowCount: number;
  columnCount: number;
  /** Labels seen, those seen only once counted twice. */
  classCount: number;
  /**
   * Bytes of the file in columns that may be read as text, by their share of the first records; no more than the file
   * has.
   */
  textBytes: number;
}

/** A column whose first cells have this many words on average may be text (kind.ts decides by all cells). */
const TEXT_WORDS = 2;
const MARGIN = 1.1;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * `opening`: the first bytes of a file of `sizeBytes`, or all of them; `label`: null for the last column. Null where
 * they hold no header that can be read: reading the file will say what is wrong with it. O(opening).
 */
export function guessSize(opening: Uint8Array, sizeBytes: number, label: string | null): GuessedSize | null {
  const isWhole = opening.length >= sizeBytes;
  const text = isWhole ? opening : wholeLines(opening);
  let columnCount = 0;
  let recordCount = 0;
  const labels = new Map<string, number>();
  let columns: ColumnLook[] = [];
  readUpToFault(text, true, ({ names }) => {
    columnCount = names.length;
    recordCount = 0;
    labels.clear();
    columns = names.map(() => ({ chars: 0, words: 0 }));
    const at = label === null ? names.length - 1 : names.indexOf(label);
    return ({ records }) => {
      recordCount += records.length;
      for (const record of records) {
        labels.set(record[at] ?? "", (labels.get(record[at] ?? "") ?? 0) + 1);
        for (const [column, cell] of record.entries()) if (column !== at) lookAt(columns[column]!, cell);
      }
    };
  });
  if (columnCount === 0) return null;
  const seenOnce = [...labels.values()].filter((count) => count === 1).length;
  const rowCount = isWhole ? recordCount : guessRows(text, recordCount, sizeBytes, columnCount);
  const textBytes = Math.round(sizeBytes * textShare(columns, recordCount));
  return { rowCount, columnCount, classCount: labels.size + seenOnce, textBytes };
}

/** Characters and words of a column's first cells. */
interface ColumnLook {
  chars: number;
  words: number;
}

function lookAt(column: ColumnLook, cell: string): void {
  column.chars += cell.length + 1;
  if (cell !== "") column.words += cell.split(" ").length;
}

/** The share of the characters that stand in columns of several words. */
function textShare(columns: readonly ColumnLook[], recordCount: number): number {
  const sumOf = (looks: readonly ColumnLook[]) => looks.reduce((sum, { chars }) => sum + chars, 0);
  const texts = columns.filter(({ words }) => words >= TEXT_WORDS * recordCount);
  return sumOf(texts) / Math.max(1, sumOf(columns));
}

/** The names and the first records of a file. */
export interface FirstRecords {
  names: readonly string[];
  /** Where a fault follows the header, only the records before it. */
  records: readonly (readonly string[])[];
}

/** `opening`: as above. @throws InputError where it holds no header that can be read. O(opening) */
export function firstRecords(
  opening: Uint8Array,
  sizeBytes: number,
  mostRecords: number,
  hasHeader = true,
): FirstRecords {
  const text = opening.length >= sizeBytes ? opening : wholeLines(opening);
  const found: { names: readonly string[]; records: string[][] }[] = [];
  const fault = readUpToFault(text, hasHeader, ({ names }) => {
    const records: string[][] = [];
    found.push({ names, records });
    return (batch) => {
      for (const record of batch.records.slice(0, mostRecords - records.length)) records.push([...record]);
    };
  });
  const last = found.at(-1);
  if (last === undefined) throw fault;
  return last;
}

/** Returns the fault at which reading ended, such as a record that the opening cuts; null where there was none. */
function readUpToFault(
  text: Uint8Array,
  hasHeader: boolean,
  start: (header: CsvHeader) => RecordSink,
): InputError | null {
  try {
    readCsv(() => [text], start, hasHeader);
    return null;
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

/** Up to the last line end; all of it where there is none. */
function wholeLines(opening: Uint8Array): Uint8Array {
  const end = Math.max(opening.lastIndexOf(LINE_FEED), opening.lastIndexOf(CARRIAGE_RETURN)) + 1;
  return end === 0 ? opening : opening.subarray(0, end);
}

/** A cell takes a byte of the file at least: its delimiter, or the line end. */
function guessRows(text: Uint8Array, recordCount: number, sizeBytes: number, columnCount: number): number {
  const most = Math.floor(sizeBytes / columnCount);
  if (recordCount === 0) return most;
  const headerBytes = text.findIndex((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN) + 1;
  const recordBytes = Math.max(1, (text.length - headerBytes) / recordCount);
  return Math.min(most, Math.ceil((MARGIN * (sizeBytes - headerBytes)) / recordBytes));
}
