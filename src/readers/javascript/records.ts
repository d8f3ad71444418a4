// CSV in pieces of text to records, and records to lines.

/** Delimiters that a file may use, the likeliest first. */
const DELIMITERS = [",", ";", "\t", "|"];
const QUOTE = '"';
/** UTF-16 code units of a file that tell its delimiter at most. */
const HEADER_CHARS = 65_536;

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

/** Cuts a file, whose beginning tells how: its first line names the separator, or its header has known names. */
export class FileCutter {
  private readonly names: ReadonlySet<string>;
  private cutter: RecordCutter | null = null;
  private uncut = "";

  constructor(names: ReadonlySet<string>) {
    this.names = names;
  }

  /** The records that end in this piece of the file. @throws Error where the last piece leaves a quotation mark open */
  cut(piece: string, isLast: boolean): Record[] {
    this.uncut += piece;
    this.cutter ??= this.start(isLast);
    if (this.cutter === null) return [];
    const records = this.cutter.cut(this.uncut);
    this.uncut = "";
    return isLast ? [...records, ...this.cutter.end()] : records;
  }

  /** Null while more of the file is needed. */
  private start(isLast: boolean): RecordCutter | null {
    // Two characters may end the first line.
    if (!isLast && !/[\r\n]./s.test(this.uncut)) return null;
    const separator = /^sep=([^"\r\n])(?:\r\n|\n|\r)/i.exec(this.uncut);
    if (separator !== null) {
      this.uncut = this.uncut.slice(separator[0].length);
      return new RecordCutter(separator[1]!, 2);
    }
    const isEnough = isLast || this.uncut.length > HEADER_CHARS;
    const delimiter = delimiterOf(this.uncut.slice(0, HEADER_CHARS), this.names, isEnough);
    return delimiter === null ? null : new RecordCutter(delimiter);
  }
}

/**
 * The delimiter between most of the names in a text's first record, else between most cells. Unless the text is enough,
 * null where that record does not end under every delimiter: a name in quotation marks may hold line ends.
 */
function delimiterOf(text: string, names: ReadonlySet<string>, isEnough: boolean): string | null {
  let best = { delimiter: ",", known: -1, count: -1 };
  for (const delimiter of DELIMITERS) {
    const [record] = new RecordCutter(delimiter).cut(isEnough ? `${text}\n` : text);
    if (record === undefined && !isEnough) return null;
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
