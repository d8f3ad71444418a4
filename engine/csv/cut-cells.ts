// Records cut out of bytes: the fast way for lines that hold nothing odd, with the key of each cell found on the way.
import {
  type CellKey,
  decimalMeta,
  finishHash,
  HASH_FACTOR,
  HASH_START,
  MOST_DECIMAL_BYTES,
  MOST_LOW_DIGITS,
  readBytesKey,
  TEXT,
} from "./cell-key.ts";
import { CUT_CELLS, MAX_CELL_BYTES } from "./limits.ts";

/** Numbers that `CellBatch.cells` has for each cell. */
export const CELL_FIELDS = 4;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** The sign in a key of the bytes that are one. */
const SIGNS = new Uint8Array(256);
SIGNS[MINUS] = 1;
SIGNS[PLUS] = 2;

/** Cuts lines of one table; made once per file. */
export class CellCutter {
  /** As `CellBatch` has them. */
  readonly cells: Int32Array;
  readonly stride: number;
  /** Where the cut ended: behind the last record that was cut. */
  end = 0;
  /** Some byte of the records cut is no ASCII, and was not checked to be UTF-8. */
  isWide = false;
  private readonly delimiter: number;
  private readonly columnCount: number;
  /** 1 for a byte that ends unquoted text or must not stand in it. */
  private readonly stops = new Uint8Array(256);
  private readonly key: CellKey = { low: 0, meta: 0 };

  /** `delimiter`: one ASCII character, no quote, letter, digit, sign or point; `columnCount`: two at least. */
  constructor(delimiter: number, columnCount: number) {
    this.delimiter = delimiter;
    this.columnCount = columnCount;
    // Odd, or the columns of one record might share a few places of the processor's cache.
    this.stride = Math.floor(CUT_CELLS / columnCount) | 1;
    this.cells = new Int32Array(columnCount * this.stride * CELL_FIELDS);
    for (const byte of [delimiter, LF, CR, 0]) this.stops[byte] = 1;
  }

  /**
   * Cuts the records of `bytes` from `from` on, at most `stride`, and returns how many; the byte before `to` is a line feed.
   * Ends before the first line that is odd: a wrong number of cells, a quoted cell with more than text in it, a lone CR, NUL.
   */
  cut(bytes: Uint8Array, from: number, to: number): number {
    const { stride } = this;
    this.isWide = false;
    this.end = from;
    for (let record = 0; record < stride; record++) {
      if (this.end >= to) return record;
      const next = this.cutRecord(bytes, this.end, record * CELL_FIELDS);
      if (next < 0 || next - this.end > MAX_CELL_BYTES) return record;
      this.end = next;
    }
    return stride;
  }

  /** The cells of one line, the first into the fields from `out` on; returns where the next line starts, -1 where this one is odd. */
  private cutRecord(bytes: Uint8Array, from: number, out: number): number {
    const { delimiter, cells, stops } = this;
    const step = this.stride * CELL_FIELDS;
    const last = out + (this.columnCount - 1) * step;
    let at = from;
    for (let field = out; field <= last; field += step) {
      const start = at;
      let byte = bytes[at]!;
      const sign = SIGNS[byte]!;
      if (sign > 0) byte = bytes[++at]!;
      // Most cells of large files are numbers: to read them in a function of its own takes half as long again.
      let digitsFrom = at;
      let low = 0;
      while (byte >= ZERO && byte <= NINE) {
        low = (Math.imul(low, 10) + (byte - ZERO)) | 0;
        byte = bytes[++at]!;
      }
      let fractionCode = 0;
      if (byte === POINT) {
        fractionCode = -at++;
        digitsFrom++;
        byte = bytes[at]!;
        while (byte >= ZERO && byte <= NINE) {
          low = (Math.imul(low, 10) + (byte - ZERO)) | 0;
          byte = bytes[++at]!;
        }
        fractionCode += at;
      }
      const digitCount = at - digitsFrom;
      if (stops[byte] === 1 && digitCount > 0 && digitCount <= MOST_LOW_DIGITS) {
        cells[field] = start;
        cells[field + 1] = at;
        cells[field + 2] = low;
        cells[field + 3] = decimalMeta(sign, digitCount, fractionCode);
      } else {
        at = this.cutOther(bytes, start, field);
        if (at < 0) return -1;
        byte = bytes[at]!;
      }
      if (field < last && byte !== delimiter) return -1;
      at++;
    }
    // What ended the last cell stands before it.
    if (bytes[at - 1] === CR) at++;
    return bytes[at - 1] === LF ? at : -1;
  }

  /** A cell that is no short decimal of few digits; returns the index of what ends it, -1 where it is odd. */
  private cutOther(bytes: Uint8Array, from: number, out: number): number {
    const { stops, cells } = this;
    let start = from;
    let byte = bytes[from]!;
    if (byte === QUOTE) return this.cutQuoted(bytes, from, out);
    while (byte === SPACE || (byte === TAB && stops[TAB] === 0)) byte = bytes[++start]!;
    let at = start;
    let hash = HASH_START;
    let seen = 0;
    while (stops[byte] === 0) {
      hash = Math.imul(hash ^ byte, HASH_FACTOR);
      seen |= byte;
      byte = bytes[++at]!;
    }
    const first = bytes[start]!;
    const isUnusual = seen >= 0x80 || (at > start && (bytes[at - 1]! <= SPACE || first <= SPACE));
    const mayBeShort = first >= PLUS && first <= NINE && at - start <= MOST_DECIMAL_BYTES;
    if (isUnusual || mayBeShort) return this.keep(bytes, start, at, out, seen) ? at : -1;
    cells[out] = start;
    cells[out + 1] = at;
    cells[out + 2] = finishHash(hash);
    cells[out + 3] = TEXT;
    return at;
  }

  /** A quoted cell without a quote or a line end in it. */
  private cutQuoted(bytes: Uint8Array, from: number, out: number): number {
    let at = from + 1;
    let seen = 0;
    for (; ; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) break;
      if (byte === LF || byte === CR || byte === 0) return -1;
      seen |= byte;
    }
    const next = bytes[at + 1]!;
    if (next !== this.delimiter && next !== LF && next !== CR) return -1;
    return this.keep(bytes, from + 1, at, out, seen) ? at + 1 : -1;
  }

  /** Trims and keeps a cell of any text; false where white space beyond ASCII may have to be trimmed. */
  private keep(bytes: Uint8Array, from: number, to: number, out: number, seen: number): boolean {
    const { cells, key } = this;
    let start = from;
    let end = to;
    while (start < end && isBlank(bytes[start]!)) start++;
    while (end > start && isBlank(bytes[end - 1]!)) end--;
    if (seen >= 0x80) {
      this.isWide = true;
      if (start < end && (isWideBlank(bytes, start) || isWideBlank(bytes, end - 2) || isWideBlank(bytes, end - 3)))
        return false;
    }
    readBytesKey(bytes, start, end, key);
    cells[out] = start;
    cells[out + 1] = end;
    cells[out + 2] = key.low;
    cells[out + 3] = key.meta;
    return true;
  }
}

function isBlank(byte: number): boolean {
  return byte === SPACE || (byte >= TAB && byte <= CR);
}

/** White space beyond ASCII begins there: what `String.prototype.trim` takes for it, two or three bytes of UTF-8. */
function isWideBlank(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at]!;
  const second = bytes[at + 1]!;
  const third = bytes[at + 2]!;
  if (first === 0xc2) return second === 0xa0;
  if (first === 0xe1) return second === 0x9a && third === 0x80;
  if (first === 0xe3) return second === 0x80 && third === 0x80;
  if (first === 0xef) return second === 0xbb && third === 0xbf;
  if (first !== 0xe2) return false;
  if (second === 0x81) return third === 0x9f;
  return second === 0x80 && (third <= 0x8a || third === 0xa8 || third === 0xa9 || third === 0xaf);
}
