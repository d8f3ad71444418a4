// CSV of rows, and rows of CSV, as far as this client needs it.

/** A value of a row; null and undefined are a missing one. */
export type Cell = string | number | boolean | Date | null | undefined;
/** Values by column. */
export type Row = Readonly<Record<string, Cell>>;

const DELIMITERS = [",", ";", "\t", "|"];
const LEAST_PIECE = 16 * 1_024;

/** A header of all columns in the order in which they first occur, then the rows. */
export function csvOf(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => textOf(row[name])))];
  return `${lines.map((cells) => cells.map(quoted).join(",")).join("\n")}\n`;
}

/** A cell as the server takes it in JSON. */
export function jsonCell(cell: Cell): string | number | boolean | null {
  if (cell instanceof Date || (typeof cell === "number" && !Number.isFinite(cell))) return textOf(cell);
  return cell ?? null;
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  return cell instanceof Date ? cell.toISOString() : String(cell);
}

/** An empty line would be no row: a row of one missing cell is written with quotation marks. */
function quoted(cell: string, _at: number, cells: readonly string[]): string {
  const isPlain = cells.length > 1 || cell !== "";
  return isPlain && !/[",;\t|\r\n]|^\s|\s$/.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`;
}

/** Finds the delimiter of a result: the one by which its header has a prediction. */
export function resultDelimiter(header: string): string {
  const names = (delimiter: string) => header.split(delimiter).map((name) => name.replace(/_\d+$/, ""));
  const isIt = (delimiter: string) =>
    names(delimiter).some((name, at, all) => name === "prediction" && all[at + 1] === "confidence");
  return DELIMITERS.find(isIt) ?? ",";
}

/** Cuts a text, which may come in pieces, into records of cells. */
export class CsvReader {
  private readonly delimiter: string;
  private rest = "";
  /** A record is looked at anew with more of it: only after twice as much, so that the work grows with the text. */
  private enough = LEAST_PIECE;

  constructor(delimiter: string) {
    this.delimiter = delimiter;
  }

  /** The records that are whole by now. */
  push(piece: string): string[][] {
    this.rest += piece;
    return this.rest.length < this.enough ? [] : this.cut(false);
  }

  /** The records that are left. */
  end(): string[][] {
    return this.cut(true);
  }

  private cut(isEnd: boolean): string[][] {
    const records: string[][] = [];
    let place = 0;
    for (;;) {
      const record = readRecord(this.rest, place, this.delimiter, isEnd);
      if (record === null) break;
      if (record.cells.length > 1 || record.cells[0] !== "") records.push(record.cells);
      place = record.end;
    }
    this.rest = this.rest.slice(place);
    this.enough = Math.max(LEAST_PIECE, 2 * this.rest.length);
    return records;
  }
}

/** Null where the record is not whole, or there is none. */
function readRecord(
  text: string,
  start: number,
  delimiter: string,
  isEnd: boolean,
): { cells: string[]; end: number } | null {
  if (start >= text.length) return null;
  const cells: string[] = [];
  for (let place = start; ; ) {
    const { cell, end } = text[place] === '"' ? readQuoted(text, place) : readPlain(text, place, delimiter);
    // Behind the last piece there may be a line feed, or another quotation mark.
    if (end >= text.length && !isEnd) return null;
    cells.push(cell);
    if (text[end] === delimiter) place = end + 1;
    else if (text[end] === "\r" && end + 1 >= text.length && !isEnd) return null;
    else return { cells, end: end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1) };
  }
}

function readPlain(text: string, start: number, delimiter: string): { cell: string; end: number } {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
  return { cell: text.slice(start, end), end };
}

function readQuoted(text: string, start: number): { cell: string; end: number } {
  let cell = "";
  for (let place = start + 1; ; ) {
    const mark = text.indexOf('"', place);
    if (mark < 0) return { cell: cell + text.slice(place), end: text.length };
    cell += text.slice(place, mark);
    if (text[mark + 1] !== '"') return { cell, end: mark + 1 };
    cell += '"';
    place = mark + 2;
  }
}
