// Turns text into a table: settles the delimiter and the header, then checks every record against the header.

import { InputError } from "../input-error.ts";
import type { Warning } from "../warning.ts";
import { cellCountError } from "./cell-count.ts";
import { GUESSED_DELIMITERS, separatorLine } from "./delimiter.ts";
import { nameWarnings, quotedName, repairNames } from "./header.ts";
import { MAX_CELL_BYTES, MAX_COLUMNS, SNIFF_CHARS } from "./limits.ts";
import { otherText } from "./other-text.ts";
import type { ReadingKernel } from "./reading-kernel.ts";
import { RecordSplitter } from "./records.ts";
import { SwallowedLines } from "./swallowed-lines.ts";
import { TextCells } from "./text-cells.ts";
import type { BadRecords, CellSink, CsvHeader, CsvReport, Encoding, GivenHeader, RecordSink } from "./types.ts";

/** Thrown where the header ends with empty names, and a record has text in one of their columns. */
export class TextInDroppedColumn extends Error {}

export interface TableReaderSettings {
  /** Returns the delimiter, or null to wait for more text; must decide `atEnd`. */
  chooseDelimiter: (text: string, atEnd: boolean) => string | null;
  /** Read where the header is complete. */
  source: { readonly encoding: Encoding };
  /** Drops columns behind the last name, until a record has text in one of them (TextInDroppedColumn). */
  dropTrailing: boolean;
  /** False where the first record is data: the columns are then called `column_1`, `column_2`, … */
  hasHeader: boolean;
  /** The header, where the first record is data and its columns are known; then also of a table without a record. */
  given: GivenHeader | null;
  /**
   * Records with another number of cells or a cell too long, and blank lines
   * after the header, are bad records instead of faults.
   */
  skipsBad: boolean;
  start: (header: CsvHeader) => RecordSink | CellSink;
}

/**
 * Takes decoded text in pieces; calls `start` once with the header, then its sink with every batch of sound records.
 */
export class TableReader {
  readonly warnings: Warning[] = [];
  private readonly settings: TableReaderSettings;
  /** The first SNIFF_CHARS of the text, behind a `sep=` line: by these a refusal tells another kind of text. */
  private first = "";
  /** Text before the delimiter is settled. */
  private opening = "";
  /** A CR that ended a piece before the header was known, and may be half of a CRLF. */
  private held = "";
  private firstLine = 1;
  private splitter: RecordSplitter | null = null;
  private header: CsvHeader | null = null;
  private sink: RecordSink | null = null;
  /** Null where records go to the sink as text. */
  private cellSink: CellSink | null = null;
  private delimiter = "";
  /** Cells of every record in the file, a trailing empty one included. */
  private cellCount = 0;
  /** Unnamed columns at the end that are empty so far. */
  private dropCount = 0;
  private recordCount = 0;
  private readonly swallowed = new SwallowedLines();

  constructor(settings: TableReaderSettings) {
    this.settings = settings;
  }

  push(text: string): void {
    this.take(text, false);
  }

  end(): CsvReport {
    this.take("", true);
    this.splitter?.end();
    const { given, hasHeader } = this.settings;
    if (this.header === null && given !== null) this.takeHeader([...given.cells], 1, []);
    if (this.header === null || this.splitter === null) {
      const advice = hasHeader
        ? "The first line must hold the column names."
        : "It must have a row, which tells how many columns there are.";
      throw new InputError("EMPTY_FILE", `The file is empty. ${advice}`);
    }
    if (this.recordCount === 0) this.requireTable(false);
    const { blankLineCount, firstBlankLine } = this.splitter;
    if (blankLineCount > 0) {
      const what = blankLineCount === 1 ? "One blank line was" : `${blankLineCount} blank lines were`;
      const message = `${what} skipped, the first at line ${firstBlankLine}.`;
      this.warnings.push({ code: "BLANK_LINES", message, line: firstBlankLine, count: blankLineCount });
    }
    this.warnings.push(...this.swallowed.warnings());
    return { header: this.header, recordCount: this.recordCount, warnings: this.warnings };
  }

  /** The refusal of another kind of text, where the text is that; otherwise the error itself. */
  named(error: unknown): unknown {
    return (error instanceof InputError ? otherText(this.first) : null) ?? error;
  }

  /** Physical line of the next character. */
  get line(): number {
    const heldLines = this.held === "" ? 0 : 1;
    if (this.splitter !== null) return this.splitter.line + heldLines;
    return 1 + (this.opening.match(/\r\n?|\n/g)?.length ?? 0) + heldLines;
  }

  /**
   * How the kernel can cut records for `handOnCells`; null while the header is
   * not known, and where records must come as text.
   */
  get cutting(): { delimiter: number; columnCount: number; kernel: ReadingKernel } | null {
    const { cellSink, delimiter, cellCount: columnCount } = this;
    // A line of one cell may be a blank line.
    const isFit = this.dropCount === 0 && columnCount >= 2 && GUESSED_DELIMITERS.includes(delimiter);
    return cellSink !== null && isFit && this.settings.source.encoding === "utf-8"
      ? { delimiter: delimiter.charCodeAt(0), columnCount, kernel: cellSink.kernel }
      : null;
  }

  /** True where the next character begins a record. */
  get isAtRecord(): boolean {
    return this.held === "" && this.splitter !== null && this.splitter.isAtRecord;
  }

  /**
   * Takes records of one line each, which the sink's kernel cut. Only where
   * `isAtRecord`. `stride`: as `CellBatch` has it.
   */
  handOnCells(recordCount: number, stride: number): void {
    const splitter = this.splitter!;
    const { recordCount: firstIndex, cellCount: columnCount } = this;
    const { kernel } = this.cellSink!;
    kernel.exports.numberLines(splitter.line, recordCount);
    this.recordCount += recordCount;
    splitter.skipLines(recordCount);
    this.cellSink!.addCells({ firstIndex, recordCount, columnCount, kernel, stride, records: null });
  }

  /** @throws InputError NOT_TEXT */
  private requireTable(isTable: boolean): void {
    const refusal = otherText(this.first, isTable);
    if (refusal !== null) throw refusal;
  }

  private take(text: string, atEnd: boolean): void {
    this.first += text.slice(0, SNIFF_CHARS - this.first.length);
    let ready = this.held + text;
    this.held = "";
    if (this.header === null && !atEnd && ready.endsWith("\r")) {
      this.held = "\r";
      ready = ready.slice(0, -1);
    }
    if (this.splitter === null) {
      this.opening += ready;
      this.splitter = this.openSplitter(atEnd);
      if (this.splitter === null) return;
      ready = this.opening;
      this.opening = "";
    }
    this.splitter.push(ready);
    if (this.held !== "" && this.header !== null) {
      this.held = "";
      this.splitter.push("\r");
    }
  }

  /** Returns null while the delimiter is not settled. Takes a `sep=` line off the opening. */
  private openSplitter(atEnd: boolean): RecordSplitter | null {
    const { given, skipsBad } = this.settings;
    const separator = given === null ? separatorLine(this.opening, atEnd) : null;
    if (separator !== null) {
      this.opening = this.opening.slice(separator.charCount);
      this.first = this.first.slice(separator.charCount);
      this.firstLine = 2;
    }
    const delimiter = separator?.delimiter ?? this.settings.chooseDelimiter(this.opening, atEnd);
    if (delimiter === null) return null;
    this.delimiter = delimiter;
    return new RecordSplitter({
      delimiter,
      firstLine: this.firstLine,
      columnName: (index) => this.header?.names[index],
      take: (records, lines, charCount) => this.takeRecords(records, lines, charCount),
      keepsBlankLines: skipsBad,
      isBehindHeader: given !== null,
    });
  }

  private takeRecords(records: string[][], lines: Uint32Array, charCount: number): void {
    let first = 0;
    if (this.header === null) {
      const { given, hasHeader } = this.settings;
      this.takeHeader([...(given?.cells ?? records[0]!)], lines[0]!, records);
      if (given !== null) refuseHeader(records[0]!, given.cells, lines[0]!);
      first = given === null && hasHeader ? 1 : 0;
    }
    this.handOn(first === 0 ? records : records.slice(first), lines.subarray(first), charCount);
  }

  /** `records`: the first ones that follow, as far as they are read. */
  private takeHeader(cells: string[], line: number, records: readonly (readonly string[])[]): void {
    const isNamed = this.settings.hasHeader || this.settings.given !== null;
    this.cellCount = cells.length;
    if (this.settings.dropTrailing) this.dropTrailing(cells, line, records);
    if (cells.length > MAX_COLUMNS) {
      const what = `Line ${line} names ${cells.length} columns; at most ${MAX_COLUMNS} can be read.`;
      throw new InputError("TOO_MANY_COLUMNS", `${what} Remove the columns that are not needed.`, { line });
    }
    this.requireTable(cells.length > 1 || !this.settings.hasHeader || this.settings.given !== null);
    const repaired = repairNames(isNamed ? cells : cells.map(() => ""));
    const { names } = repaired;
    if (isNamed) {
      this.checkCells(cells, names, line);
      this.warnings.push(...nameWarnings(repaired, line));
    }
    this.header = {
      delimiter: this.delimiter,
      encoding: this.settings.source.encoding,
      lineEnding: this.splitter?.lineEnding ?? "\n",
      names,
      cells: isNamed ? cells : names,
    };
    const sink = this.settings.start(this.header);
    if (typeof sink === "function") {
      this.sink = sink;
      return;
    }
    this.cellSink = sink;
    const texts = new TextCells(sink.kernel, cells.length);
    this.sink = (batch) => {
      for (const part of texts.batchesOf(batch)) sink.addCells(part);
    };
  }

  /** Takes empty columns without a name off the end, such as spreadsheets write where columns were cleared. */
  private dropTrailing(cells: string[], line: number, records: readonly (readonly string[])[]): void {
    const isEmpty = (at: number) => [cells, ...records].every((record) => (record[at] ?? "").trim() === "");
    let count = 0;
    while (count < cells.length - 1 && isEmpty(cells.length - 1 - count)) count++;
    this.dropCount = count;
    if (count === 0) return;
    cells.length -= count;
    const message =
      count === 1
        ? "Every line ends with a delimiter: the empty, unnamed last column was dropped."
        : `The last ${count} columns have neither names nor values, and were dropped.`;
    this.warnings.push({ code: "TRAILING_DELIMITER", message, line, ...(count > 1 && { count }) });
  }

  /** Hands on the records before the first fault, then throws it. */
  private handOn(records: string[][], lines: Uint32Array, charCount: number): void {
    const mayBeLong = 3 * charCount > MAX_CELL_BYTES;
    const count = records.length;
    const bad = new Map<number, string>();
    let soundCount = 0;
    try {
      for (; soundCount < count; soundCount++) {
        const isFirst = this.recordCount + soundCount === 0;
        const reason = this.checkRecord(records[soundCount]!, lines[soundCount]!, isFirst, mayBeLong);
        if (reason === null) {
          const end = soundCount + 1 < count ? lines[soundCount + 1]! : this.splitter!.line;
          const line = lines[soundCount]!;
          if (end > line + 1) this.swallowed.look(records[soundCount]!, this.header!.names, line, this.delimiter);
          continue;
        }
        bad.set(soundCount, reason);
        records[soundCount] = this.header!.names.map(() => "");
      }
    } finally {
      if (soundCount > 0) {
        const sound = soundCount === count ? records : records.slice(0, soundCount);
        this.sink!({
          firstIndex: this.recordCount,
          records: sound,
          lines: lines.subarray(0, soundCount),
          ...(bad.size > 0 && { bad: bad as BadRecords }),
        });
        this.recordCount += soundCount;
      }
    }
  }

  /**
   * Why a record is a bad one, where such are skipped; null for a sound one.
   * Takes off the cells of dropped columns.
   */
  private checkRecord(record: string[], line: number, isFirst: boolean, mayBeLong: boolean): string | null {
    const { cellCount, dropCount } = this;
    const { skipsBad } = this.settings;
    if (record.length !== cellCount) {
      if (!skipsBad) throw this.unevenRecord(record, line, isFirst);
      const isBlank = record.length === 1 && record[0]!.trim() === "";
      return isBlank ? "blank line" : `${record.length} cells; the header has ${cellCount}`;
    }
    if (dropCount > 0 && record.splice(-dropCount).some((cell) => cell.trim() !== "")) throw new TextInDroppedColumn();
    if (!mayBeLong) return null;
    try {
      this.checkCells(record, this.header!.names, line);
      return null;
    } catch (error) {
      if (skipsBad && error instanceof InputError)
        return `a cell longer than 1 MiB in column ${quotedName(error.column!)}`;
      throw error;
    }
  }

  private unevenRecord(record: readonly string[], line: number, isFirst: boolean): InputError {
    const { delimiter, dropCount, first, firstLine, settings } = this;
    const header = [...this.header!.cells, ...Array<string>(dropCount).fill("")];
    return cellCountError(
      { record, line, isFirst, delimiter, header },
      settings.given === null ? first : "",
      firstLine,
    );
  }

  private checkCells(cells: readonly string[], names: readonly string[], line: number): void {
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!;
      // A UTF-16 code unit takes at most three bytes.
      if (3 * cell.length <= MAX_CELL_BYTES || new TextEncoder().encode(cell).length <= MAX_CELL_BYTES) continue;
      const column = names[i]!;
      const what = `Line ${line} has a cell longer than 1 MiB in column ${quotedName(column)}.`;
      throw new InputError("CELL_TOO_LONG", `${what} Shorten it, or check its quotes.`, { line, column });
    }
  }
}

/**
 * Refuses a first record that is the header which was given, since it would
 * be scored as a row. Numbers alone may be data.
 *
 * @throws InputError HEADER_TWICE
 */
function refuseHeader(record: readonly string[], header: readonly string[], line: number): void {
  const isHeader =
    record.length > 1 && record.length === header.length && record.every((cell, at) => cell === header[at]);
  if (!isHeader || !header.some((name) => /[^\d.,+-]/.test(name))) return;
  const advice = "Cut the line off, or do not give a header.";
  throw new InputError("HEADER_TWICE", `Line ${line} is the header that was given. ${advice}`, { line });
}
