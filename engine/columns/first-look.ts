// The size of a table guessed from the beginning of its file: so that somebody can say no before all of it is read.
import { readCsv } from "../csv/read.ts";
import { InputError } from "../input-error.ts";

export interface GuessedSize {
  /** A tenth more than records as long as the first ones would make, and never more than the file has room for. */
  rowCount: number;
  columnCount: number;
  /** Labels seen, and as many more as were seen once alone. */
  classCount: number;
}

const MARGIN = 1.1;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * `opening`: the first bytes of a file of `sizeBytes`, or all of them; `label`: null for the last column. Null where no header
 * can be read from them: reading the file will say what is wrong with it. O(opening).
 */
export function guessSize(opening: Uint8Array, sizeBytes: number, label: string | null): GuessedSize | null {
  const isWhole = opening.length >= sizeBytes;
  const text = isWhole ? opening : wholeLines(opening);
  let columnCount = 0;
  let recordCount = 0;
  const labels = new Map<string, number>();
  try {
    readCsv(
      () => [text],
      ({ names }) => {
        columnCount = names.length;
        recordCount = 0;
        labels.clear();
        const at = label === null ? names.length - 1 : names.indexOf(label);
        return ({ records }) => {
          recordCount += records.length;
          for (const record of records) labels.set(record[at] ?? "", (labels.get(record[at] ?? "") ?? 0) + 1);
        };
      },
    );
  } catch (error) {
    // What was read up to a fault, or to a record that the opening cuts, tells as much.
    if (!(error instanceof InputError)) throw error;
  }
  if (columnCount === 0) return null;
  const seenOnce = [...labels.values()].filter((count) => count === 1).length;
  const rowCount = isWhole ? recordCount : guessRows(text, recordCount, sizeBytes, columnCount);
  return { rowCount, columnCount, classCount: labels.size + seenOnce };
}

/** What the first lines of a file say. */
export interface FirstRecords {
  names: readonly string[];
  /** A fault behind the header leaves those before it, or none. */
  records: readonly (readonly string[])[];
}

/** `opening` as above. @throws InputError where it holds no header that can be read. O(opening) */
export function firstRecords(
  opening: Uint8Array,
  sizeBytes: number,
  mostRecords: number,
  hasHeader = true,
): FirstRecords {
  const text = opening.length >= sizeBytes ? opening : wholeLines(opening);
  let found: { names: readonly string[]; records: string[][] } | null = null;
  const noted = () => found;
  try {
    readCsv(
      () => [text],
      ({ names }) => {
        const fresh = { names, records: [] as string[][] };
        found = fresh;
        return ({ records }) => {
          for (const record of records.slice(0, mostRecords - fresh.records.length)) fresh.records.push([...record]);
        };
      },
      hasHeader,
    );
  } catch (error) {
    if (!(error instanceof InputError) || noted() === null) throw error;
  }
  return noted()!;
}

/** All of it where not even the header ends within it. */
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
