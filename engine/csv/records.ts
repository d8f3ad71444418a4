// Splits text that comes in pieces into records: drops blank lines, numbers physical lines.

import { InputError } from "../input-error.ts";
import { splitCells } from "./cells.ts";
import { quotedName } from "./header.ts";
import { MAX_CELL_BYTES, MAX_RECORD_CHARS } from "./limits.ts";
import { afterLineEnd, type LineEnds, newLineEnds, type ScanState, scanRecords } from "./scan.ts";

/** A splitter of text whose columns have no names, and the records that it has taken so far, each with its line. */
export function collectRecords(delimiter: string) {
  const records: string[][] = [];
  const lines: number[] = [];
  const take: RecordTaker = (taken, takenLines) => {
    for (const [at, record] of taken.entries()) {
      records.push(record);
      lines.push(takenLines[at]!);
    }
  };
  const splitter = new RecordSplitter({ delimiter, firstLine: 1, columnName: () => undefined, take });
  return { splitter, records, lines };
}

/** `lines`: the physical line where each record starts. `charCount`: no cell is longer. */
type RecordTaker = (records: string[][], lines: Uint32Array, charCount: number) => void;

export interface RecordSettings {
  delimiter: string;
  /** Physical line of the first character. */
  firstLine: number;
  /** Returns the name of the column at an index, for errors; undefined while names are not known. */
  columnName: (index: number) => string | undefined;
  take: RecordTaker;
  /** Hands on blank lines as records of one cell; those before the first record only where `isBehindHeader`. */
  keepsBlankLines?: boolean;
  isBehindHeader?: boolean;
}

/**
 * Takes decoded text in pieces, and hands on the complete records of each piece at once. A CR that ends a piece and an
 * LF that begins the next are one line end. Memory is bounded by the piece and the limits.
 *
 * Each piece is scanned for the ends of its records, which go to papaparse with "\n" between them: papaparse knows one
 * line end only, and would take blank lines for records.
 *
 * Throws InputError NUL_BYTE, MALFORMED_QUOTE, UNCLOSED_QUOTE, CELL_TOO_LONG, RECORD_TOO_LONG, always after handing on
 * the complete records before the fault, so that the first fault of a file is the one reported.
 */
export class RecordSplitter {
  blankLineCount = 0;
  firstBlankLine = 0;
  /** The first line end outside quotes, null before it. Certain where no piece up to it ends with CR. */
  lineEnding: "\n" | "\r\n" | "\r" | null = null;
  private readonly settings: RecordSettings;
  private readonly state: ScanState;
  /** The record that is not complete yet, as it stands in the file. */
  private tail = "";
  /** Whether a blank line can be a record now. */
  private mayKeepBlank: boolean;

  constructor(settings: RecordSettings) {
    const line = settings.firstLine;
    this.settings = settings;
    this.mayKeepBlank = settings.isBehindHeader ?? false;
    this.state = {
      place: "cellStart",
      line,
      recordLine: line,
      single: true,
      afterCr: false,
      quoteLine: line,
      quoteIndex: 0,
    };
  }

  /** Physical line of the next character. */
  get line(): number {
    return this.state.line;
  }

  /** True where the next character begins a record, and is not the LF of a CRLF. */
  get isAtRecord(): boolean {
    return this.tail === "" && this.state.place === "cellStart" && !this.state.afterCr;
  }

  /** Counts records of one line each that the kernel cut. Only where `isAtRecord`. */
  skipLines(count: number): void {
    this.state.line += count;
    this.state.recordLine = this.state.line;
  }

  push(text: string): void {
    const nul = text.indexOf("\0");
    if (nul >= 0) {
      this.pushText(text.slice(0, nul));
      throw nulByte(this.line);
    }
    this.pushText(text);
  }

  /** Hands on the last record where its line end is missing. */
  end(): void {
    const { place, quoteLine } = this.state;
    if (place === "quotes") {
      const column = this.quotedColumn();
      const advice = "Add the closing quote, or remove the opening one.";
      throw new InputError(
        "UNCLOSED_QUOTE",
        `The quote on line ${quoteLine}${inColumn(column)} is never closed. ${advice}`,
        {
          line: quoteLine,
          column,
        },
      );
    }
    if (this.tail !== "") this.pushText("\n");
  }

  private pushText(text: string): void {
    if (text === "") return;
    const { state } = this;
    const inQuotes = state.place === "quotes" || state.place === "quoteInQuotes";
    const rest = state.afterCr && !inQuotes && text.startsWith("\n") ? text.slice(1) : text;
    const ends = newLineEnds();
    const readCount = scanRecords(rest, this.settings.delimiter.charCodeAt(0), state, ends);
    state.quoteIndex -= readCount;
    this.joinRecords(rest.slice(0, readCount), ends);
    if (readCount < rest.length) throw malformedQuote(state.line, this.quotedColumn(), rest[readCount] === '"');
    state.afterCr = text.endsWith("\r");
    this.checkTail();
  }

  /**
   * Hands on the records that `ends` delimits, without blank lines and with "\n" after each. The rest is the new tail.
   */
  private joinRecords(text: string, ends: LineEnds): void {
    const { indexes, recordLines, singles } = ends;
    if (indexes.length === 0) {
      this.tail += text;
      return;
    }
    checkLength(this.tail.length + indexes[0]!, recordLines[0]!);
    this.lineEnding ??= lineEndAt(text, indexes[0]!);
    const pieces: string[] = [];
    const lines = new Uint32Array(indexes.length);
    const { keepsBlankLines = false } = this.settings;
    let keptCount = 0;
    let start = 0;
    let copied = 0;
    for (let i = 0; i < indexes.length; i++) {
      const end = indexes[i]!;
      const next = afterLineEnd(text, end);
      const head = i === 0 ? this.tail : "";
      const isKept = keepsBlankLines && this.mayKeepBlank;
      if (!isKept && singles[i] && (head + text.slice(start, end)).trim() === "") {
        pieces.push(text.slice(copied, start));
        copied = next;
        if (this.blankLineCount++ === 0) this.firstBlankLine = recordLines[i]!;
      } else {
        this.mayKeepBlank = true;
        if (head !== "") pieces.push(head);
        lines[keptCount++] = recordLines[i]!;
        if (text[end] === "\r") {
          pieces.push(text.slice(copied, end), "\n");
          copied = next;
        }
      }
      start = next;
    }
    pieces.push(text.slice(copied, start));
    this.tail = text.slice(start);
    if (keptCount > 0) this.handOn(pieces.join(""), lines.subarray(0, keptCount));
  }

  private handOn(text: string, lines: Uint32Array): void {
    const records = splitCells(text, this.settings.delimiter);
    if (records.length !== lines.length) throw new Error("papaparse and the scan disagree on the number of records");
    this.settings.take(records, lines, text.length);
  }

  private checkTail(): void {
    const { place, quoteLine, quoteIndex, recordLine } = this.state;
    // Doubled quotes may halve a cell, so only beyond twice the limit and the
    // two outer quotes is a cell surely too long.
    if (place === "quotes" && -quoteIndex > 2 * MAX_CELL_BYTES + 2) {
      const column = this.quotedColumn();
      const what = `The quoted cell that begins on line ${quoteLine}${inColumn(column)} is longer than 1 MiB.`;
      throw new InputError("CELL_TOO_LONG", `${what} Close its quote, or shorten it.`, { line: quoteLine, column });
    }
    checkLength(this.tail.length, recordLine);
  }

  /** Returns the name of the column of the last opening quote, which lies in the tail. */
  private quotedColumn(): string | undefined {
    const before = this.tail.slice(0, this.tail.length + this.state.quoteIndex);
    const cells = splitCells(`${before}\n`, this.settings.delimiter)[0]!;
    return this.settings.columnName(cells.length - 1);
  }
}

function checkLength(charCount: number, line: number): void {
  if (charCount <= MAX_RECORD_CHARS) return;
  const what = `The record that begins on line ${line} is longer than 16 MiB.`;
  throw new InputError("RECORD_TOO_LONG", `${what} Check that the file has line ends.`, { line });
}

function lineEndAt(text: string, index: number): "\n" | "\r\n" | "\r" {
  if (text[index] === "\n") return "\n";
  return text[index + 1] === "\n" ? "\r\n" : "\r";
}

function inColumn(column: string | undefined): string {
  return column === undefined ? "" : ` in column ${quotedName(column)}`;
}

/** `isQuote`: the text is another quoted cell, as where blanks set cells apart. */
function malformedQuote(line: number, column: string | undefined, isQuote: boolean): InputError {
  const advice = isQuote
    ? "Put a comma or another delimiter between the cells; blanks set none apart."
    : 'Write a quote inside a quoted cell twice (""), or remove the quotes around the cell.';
  const what = `${isQuote ? "Another quote" : "Text"} follows a closing quote on line ${line}${inColumn(column)}.`;
  return new InputError("MALFORMED_QUOTE", `${what} ${advice}`, { line, column });
}

function nulByte(line: number): InputError {
  const advice = "If the file is UTF-16, save it as UTF-8; otherwise remove the byte.";
  return new InputError("NUL_BYTE", `Line ${line} holds a NUL byte, which text cannot hold. ${advice}`, { line });
}
