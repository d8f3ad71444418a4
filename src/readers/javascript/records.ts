// CSV in pieces of text to records, and records to lines.

/** Delimiters that a file may use, the likeliest first. */
const DELIMITERS = [",", ";", "\t", "|"];
const QUOTE = '"';

export interface Record {
  cells: string[];
  /** Where it begins, from 1. */
  line: number;
}

/**
 * Cuts text into records; a cell in quotation marks may hold delimiters and
 * line ends. Lines without a cell are left out.
 */
export class RecordCutter {
  private readonly delimiter: string;
  private cells: string[] = [];
  private cell = "";
  private isQuoted = false;
  /** Whether a quotation mark has just ended the cell, unless another one follows. */
  private hasEnded = false;
  private line: number;
  private firstLine: number;
  private wasReturn = false;

  /** `line`: of the text's first line. */
  constructor(delimiter: string, line = 1) {
    this.delimiter = delimiter;
    this.line = line;
    this.firstLine = line;
  }

  /** The records that end in this piece of the text. */
  cut(text: string): Record[] {
    const records: Record[] = [];
    for (const sign of text) this.take(sign, records);
    return records;
  }

  /** The last record, where no line end follows it. @throws Error where a quotation mark is not closed */
  end(): Record[] {
    if (this.isQuoted) throw new Error(`The quotation mark in line ${this.firstLine} is not closed. Correct the line.`);
    const records: Record[] = [];
    if (this.cells.length > 0 || this.cell !== "") this.endRecord(records);
    return records;
  }

  private take(sign: string, records: Record[]): void {
    const followsReturn = this.wasReturn;
    this.wasReturn = sign === "\r";
    const isLineEnd = sign === "\n" || sign === "\r";
    if (isLineEnd && !(sign === "\n" && followsReturn)) this.line++;
    if (this.isQuoted) {
      if (sign !== QUOTE) this.cell += sign;
      else {
        this.isQuoted = false;
        this.hasEnded = true;
      }
      return;
    }
    if (sign === QUOTE && this.hasEnded) {
      this.cell += QUOTE;
      this.isQuoted = true;
    } else if (sign === QUOTE && this.cell === "") this.isQuoted = true;
    else if (sign === this.delimiter) this.endCell();
    else if (!isLineEnd) this.cell += sign;
    else if (!(sign === "\n" && followsReturn)) this.endRecord(records);
    this.hasEnded = false;
  }

  private endCell(): void {
    this.cells.push(this.cell);
    this.cell = "";
  }

  private endRecord(records: Record[]): void {
    this.endCell();
    if (this.cells.length > 1 || this.cells[0]!.trim() !== "")
      records.push({ cells: this.cells, line: this.firstLine });
    this.cells = [];
    this.firstLine = this.line;
  }
}

/** The delimiter between most of the names in a header line, else between most cells. */
export function delimiterOf(header: string, names: ReadonlySet<string>): string {
  let best = { delimiter: ",", known: -1, count: -1 };
  for (const delimiter of DELIMITERS) {
    const [record] = new RecordCutter(delimiter).cut(`${header}\n`);
    const cells = record?.cells ?? [];
    const known = cells.filter((cell) => names.has(cell.trim())).length;
    if (known > best.known || (known === best.known && cells.length > best.count)) {
      best = { delimiter, known, count: cells.length };
    }
  }
  return best.delimiter;
}

/** A line of a CSV file, with quotation marks where they are needed. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]|^\ufeff/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
}
