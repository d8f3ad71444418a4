// Reads CSV, whole files and live feeds: bytes in, a header and batches of records out.

import { InputError } from "../input-error.ts";
import type { Warning } from "../warning.ts";
import { ByteReader, pieces } from "./byte-reader.ts";
import { delimiterByNames, sniffDelimiter } from "./delimiter.ts";
import { Decoder, Undecodable } from "./encoding.ts";
import { quotedName } from "./header.ts";
import { TableReader, TextInDroppedColumn } from "./table-reader.ts";
import type { CellSink, ChunkTaker, CsvHeader, CsvReport, GivenHeader, RecordSink } from "./types.ts";

const NOT_UTF8 = "WINDOWS_1252";
const ASCII = /^[\0-\x7F]*$/;
/** Bytes that windows-1252 does not define, as they are read; Shift-JIS, GBK and DOS code pages have them. */
const UNDEFINED = /[\x81\x8D\x8F\x90\x9D]/;

/** How rows are read, where not as usual; see `TableReaderSettings`. */
export interface RowOptions {
  /** Its delimiter parts the cells, whatever the table looks like. */
  given?: GivenHeader | null;
  skipsBad?: boolean;
}

/**
 * Reads a whole file. The delimiter is guessed from its first 64 KB, unless the first
 * line is `sep=X`, which is no data but counts as line 1.
 *
 * A file is read again from the start where it proves not to be UTF-8, or where a record has text behind the last
 * column that has a name. So `openChunks` and `start` may each be called up to three times; only the
 * last sink counts. A header without records is a table; an empty file is EMPTY_FILE. Without `hasHeader` the first
 * record is data, and columns are called `column_1`, `column_2`, …
 *
 * Where it makes no table, or one of one column or without records, and begins as HTML, XML or JSON do, it is NOT_TEXT.
 *
 * Throws InputError EMPTY_FILE, NOT_TEXT, INVALID_UTF16, NUL_BYTE, MALFORMED_QUOTE, UNCLOSED_QUOTE, CELL_COUNT,
 * CELL_TOO_LONG, RECORD_TOO_LONG, TOO_MANY_COLUMNS: whichever comes first in the file.
 */
export function readCsv(
  openChunks: (taker: ChunkTaker) => Iterable<Uint8Array>,
  start: (header: CsvHeader) => RecordSink | CellSink,
  hasHeader = true,
  { given = null, skipsBad = false }: RowOptions = {},
): CsvReport {
  const chooseDelimiter = (text: string, atEnd: boolean) => given?.delimiter ?? sniffDelimiter(text, atEnd, hasHeader);
  let dropTrailing = given === null;
  let firstBadLine: number | null = null;
  for (;;) {
    const decoder = new Decoder(firstBadLine !== null);
    const reader = new TableReader({
      chooseDelimiter,
      source: decoder,
      dropTrailing,
      hasHeader,
      given,
      skipsBad,
      start,
    });
    if (firstBadLine !== null) reader.warnings.push(windows1252Warning(firstBadLine, "the file was"));
    try {
      const notUtf8 = readToEnd(openChunks, decoder, reader);
      if (notUtf8 === null) return reader.end();
      firstBadLine = notUtf8;
    } catch (error) {
      if (!(error instanceof TextInDroppedColumn)) throw reader.named(error);
      dropTrailing = false;
    }
  }
}

/** Returns the first line that is not UTF-8, up to which it read; null where it read all bytes. */
function readToEnd(
  openChunks: (taker: ChunkTaker) => Iterable<Uint8Array>,
  decoder: Decoder,
  reader: TableReader,
): number | null {
  const bytes = new ByteReader(decoder, reader);
  try {
    for (const chunk of openChunks(bytes)) bytes.push(chunk);
    bytes.end();
    return null;
  } catch (error) {
    if (error instanceof Undecodable) return badLine(error, decoder, reader);
    throw error;
  }
}

/**
 * Reads a live feed, such as standard input: the `push` that completes a record's line end hands the
 * record on. After an error the feed cannot be used any more.
 *
 * A feed cannot be read again, so it differs from a file in three points:
 * - the header alone decides the delimiter: the one under which most names are expected ones, then the one that makes
 *   most names;
 * - from the first bytes that are not UTF-8 on, it is read as windows-1252, with a warning;
 * - a header that ends with a delimiter has a last column `column_N`, because a later record may have text there.
 */
export class CsvFeed {
  private readonly decoder = new Decoder(false);
  private readonly reader: TableReader;

  constructor(
    expectedNames: readonly string[],
    start: (header: CsvHeader) => RecordSink,
    hasHeader = true,
    { given = null, skipsBad = false }: RowOptions = {},
  ) {
    const expected = new Set(expectedNames);
    this.reader = new TableReader({
      chooseDelimiter: (text, atEnd) => given?.delimiter ?? delimiterByNames(text, atEnd, expected, hasHeader),
      source: this.decoder,
      dropTrailing: false,
      hasHeader,
      given,
      skipsBad,
      start,
    });
  }

  push(bytes: Uint8Array): void {
    this.named(() => {
      for (const piece of pieces(bytes)) this.pushDecoded(() => this.decoder.push(piece));
    });
  }

  end(): CsvReport {
    return this.named(() => {
      this.pushDecoded(() => this.decoder.end());
      return this.reader.end();
    });
  }

  private named<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.reader.named(error);
    }
  }

  private pushDecoded(decode: () => string): void {
    let text: string;
    try {
      text = decode();
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
      this.reader.warnings.push(windows1252Warning(badLine(error, this.decoder, this.reader), "from there on it was"));
      this.decoder.switchToWindows1252();
      text = this.decoder.push(error.rest);
    }
    this.reader.push(text);
  }
}

/**
 * Reads up to the first bad byte and returns its line. @throws InputError
 * INVALID_UTF16, because a UTF-16 mark leaves nothing else to try
 */
function badLine(error: Undecodable, decoder: Decoder, reader: TableReader): number {
  reader.push(error.before);
  const { line } = reader;
  if (decoder.encoding === "utf-8") return line;
  const message = `The file begins as UTF-16, but line ${line} is not valid UTF-16. Save the file as UTF-8.`;
  throw new InputError("INVALID_UTF16", message, { line });
}

function windows1252Warning(line: number, subject: string): Warning {
  const message = `Line ${line} is not valid UTF-8, so ${subject} read as windows-1252. Save it as UTF-8 if letters look wrong.`;
  return { code: NOT_UTF8, message, line };
}

/**
 * Adds to the warning about windows-1252 how a name or label with other letters than those of ASCII was read, by which
 * people see whether that is right.
 */
export function withReadLetters(warnings: readonly Warning[], texts: readonly string[]): Warning[] {
  const shown = texts.find((text) => UNDEFINED.test(text)) ?? texts.find((text) => !ASCII.test(text));
  if (shown === undefined) return [...warnings];
  const doubt = UNDEFINED.test(shown) ? ", so it is probably Shift-JIS, GBK or another encoding" : "";
  return warnings.map((warning) =>
    warning.code === NOT_UTF8
      ? { ...warning, message: `${warning.message} It has ${quotedName(shown)}${doubt}.` }
      : warning,
  );
}
