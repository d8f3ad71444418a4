// Plain lines of a table to cells, each with the key of its text: engine/csv/cell-key.ts.
import {
  CELL_BYTES,
  DIGITS_SHIFT,
  FRACTION_SHIFT,
  HIGH_SHIFT,
  hashOfBytes,
  LOW_DIGITS,
  LOW_UNIT,
  MOST_DECIMAL_BYTES,
  MOST_DIGITS,
  TEXT,
} from "./cell-key.ts";
import { allocateArray, put } from "./memory.ts";
import { alignDigits, BLOCK, digitsFrom, numberOf } from "./sixteen-digits.ts";

const TAB: u32 = 9;
const LF: u32 = 10;
const CR: u32 = 13;
const SPACE: u32 = 32;
const QUOTE: u32 = 34;
const PLUS: u32 = 43;
const MINUS: u32 = 45;
const POINT: u32 = 46;
const ZERO: u32 = 48;
const NINE: u32 = 57;
/** From here on a byte is no ASCII. */
const WIDE: u32 = 0x80;

/** Of a line; a longer one, whose cells might be too long, is left alone. */
const MOST_LINE_BYTES: usize = 1_048_576;

/** u8 for each byte: the sign of a key that it is; whether it ends unquoted text or must not stand in it. */
let signs: usize = 0;
let stops: usize = 0;
let delimiter: u32 = 0;
let columnCount: i32 = 0;
/** From a cell to the next of its record. */
let step: usize = 0;
/** Where the file's bytes begin that cells count from. */
let base: usize = 0;
let end: usize = 0;
let isWide: bool = false;
/** Some byte of the text that `stopFrom` passed over is no ASCII. */
let isWideText: bool = false;

export function prepareCutting(): void {
  signs = allocateArray<u8>(256);
  put<u8>(signs, MINUS, 1);
  put<u8>(signs, PLUS, 2);
  stops = allocateArray<u8>(256);
}

/** Turns to a table. `stride`: records that a column of cells has room for. */
export function openTable(tableDelimiter: u32, tableColumnCount: i32, stride: i32): void {
  delimiter = tableDelimiter;
  columnCount = tableColumnCount;
  step = usize(stride) * CELL_BYTES;
  memory.fill(stops, 0, 256);
  put<u8>(stops, tableDelimiter, 1);
  put<u8>(stops, LF, 1);
  put<u8>(stops, CR, 1);
  put<u8>(stops, 0, 1);
}

/**
 * Cuts the lines in `[from, to)` of `bytes`, at most `most`, into `cells`, and returns how many; the byte before `to` is a line
 * feed. Ends before the first line that is odd: a wrong number of cells, a quoted cell with more than text in it, a lone CR, NUL,
 * white space beyond ASCII at an end of a cell. Sixteen bytes behind `to` may be read.
 */
export function cutLines(bytes: usize, from: usize, to: usize, cells: usize, most: i32): i32 {
  base = bytes;
  isWide = false;
  const last = bytes + to;
  let line = bytes + from;
  let record = 0;
  for (; record < most && line < last; record++) {
    const next = cutLine(line, cells + usize(record) * CELL_BYTES);
    if (next === 0 || next - line > MOST_LINE_BYTES) break;
    line = next;
  }
  end = line - bytes;
  return record;
}

/** Where the last cutting ended: behind the last line that was cut. */
export function cutEnd(): usize {
  return end;
}

/** Whether some byte of the lines cut last is no ASCII; none was checked to be UTF-8. */
export function isCutWide(): bool {
  return isWide;
}

/** The cells of one line, the first at `out`; returns where the next line starts, 0 where this one is odd. */
function cutLine(line: usize, out: usize): usize {
  const last = out + usize(columnCount - 1) * step;
  let next = line;
  let byte: u32 = 0;
  for (let cell = out; cell <= last; cell += step) {
    const start = next;
    const sign = u32(load<u8>(signs + usize(load<u8>(start))));
    next += usize(sign !== 0);
    const from = next;
    // Digit by digit: the lengths of a column's numbers are guessed well, and blocks of sixteen take longer than a few digits.
    byte = u32(load<u8>(next));
    let low: u32 = 0;
    while (byte - ZERO <= 9) {
      low = low * 10 + (byte - ZERO);
      byte = u32(load<u8>(++next));
    }
    let fractionCode: u32 = 0;
    if (byte === POINT) {
      const point = next++;
      byte = u32(load<u8>(next));
      while (byte - ZERO <= 9) {
        low = low * 10 + (byte - ZERO);
        byte = u32(load<u8>(++next));
      }
      fractionCode = u32(next - point);
    }
    const length = u32(next - from);
    const digitCount = length - u32(fractionCode > 0);
    if (digitCount - 1 < MOST_DIGITS && load<u8>(stops + usize(byte)) !== 0) {
      const mantissa =
        digitCount <= LOW_DIGITS ? u64(low) : numberOf(alignDigits(digitsFrom(from), length, length - fractionCode));
      const meta = sign | (digitCount << DIGITS_SHIFT) | (fractionCode << FRACTION_SHIFT);
      keepDecimal(cell, start, next, mantissa, meta, digitCount);
    } else {
      next = cutOther(start, cell);
      if (next === 0) return 0;
      byte = u32(load<u8>(next));
    }
    if (cell < last && byte !== delimiter) return 0;
    next++;
  }
  if (byte === CR) byte = u32(load<u8>(next++));
  return byte === LF ? next : 0;
}

function keepDecimal(cell: usize, start: usize, stop: usize, mantissa: u64, meta: u32, digitCount: u32): void {
  store<u32>(cell, u32(start - base));
  store<u32>(cell, u32(stop - base), 4);
  const high = digitCount <= LOW_DIGITS ? 0 : mantissa / LOW_UNIT;
  store<u32>(cell, u32(mantissa - high * LOW_UNIT), 8);
  store<u32>(cell, meta | (u32(high) << HIGH_SHIFT), 12);
}

/** A cell that is no short decimal as it stands; returns where what ends it is, 0 where it is odd. */
function cutOther(from: usize, cell: usize): usize {
  let start = from;
  let byte = u32(load<u8>(start));
  if (byte === QUOTE) return cutQuoted(start, cell);
  while (byte === SPACE || (byte === TAB && delimiter !== TAB)) byte = u32(load<u8>(++start));
  const next = stopFrom(start);
  if (next === start) {
    keepText(cell, start, start);
    return start;
  }
  const first = u32(load<u8>(start));
  const last = u32(load<u8>(next - 1));
  const isTrimmed = first > SPACE && last > SPACE && !isWideText;
  if (isTrimmed && !(next - start <= usize(MOST_DECIMAL_BYTES) && mayBeDecimal(first))) {
    keepText(cell, start, next);
    return next;
  }
  return keep(start, next, cell, isWideText) ? next : 0;
}

/** The first byte from a place on that ends unquoted text or must not stand in it; `isWideText` tells of those before. */
function stopFrom(place: usize): usize {
  const delimiters = i8x16.splat(delimiter as i8);
  isWideText = false;
  let next = place - usize(BLOCK);
  let mask: u32 = 0;
  let wide: u32 = 0;
  do {
    isWideText = isWideText || wide !== 0;
    next += usize(BLOCK);
    const block = v128.load(next);
    wide = u32(v128.bitmask<i8>(block));
    mask = u32(
      v128.bitmask<i8>(
        v128.or(
          v128.or(v128.eq<i8>(block, delimiters), v128.eq<i8>(block, i8x16.splat(LF as i8))),
          v128.or(v128.eq<i8>(block, i8x16.splat(CR as i8)), v128.eq<i8>(block, i8x16.splat(0))),
        ),
      ),
    );
  } while (mask === 0);
  // Of the last block, the bytes before the stop.
  isWideText = isWideText || (wide & ((mask & (0 - mask)) - 1)) !== 0;
  return next + usize(ctz<u32>(mask));
}

/** A quoted cell without a quote or a line end in it. */
function cutQuoted(from: usize, cell: usize): usize {
  let next = from + 1;
  let seen: u32 = 0;
  let byte = u32(load<u8>(next));
  while (byte !== QUOTE) {
    if (byte === LF || byte === CR || byte === 0) return 0;
    seen |= byte;
    byte = u32(load<u8>(++next));
  }
  const behind = u32(load<u8>(next + 1));
  if (behind !== delimiter && behind !== LF && behind !== CR) return 0;
  return keep(from + 1, next, cell, seen >= WIDE) ? next + 1 : 0;
}

/** Trims and keeps a cell of any text; false where white space beyond ASCII may have to be trimmed. */
function keep(from: usize, to: usize, cell: usize, isWideCell: bool): bool {
  let start = from;
  let stop = to;
  while (start < stop && isBlank(load<u8>(start))) start++;
  while (stop > start && isBlank(load<u8>(stop - 1))) stop--;
  if (isWideCell) {
    isWide = true;
    if (start < stop && (isWideBlank(start) || isWideBlank(stop - 2) || isWideBlank(stop - 3))) return false;
  }
  const isShort = start < stop && u32(stop - start) <= MOST_DECIMAL_BYTES;
  if (isShort && mayBeDecimal(load<u8>(start)) && keepTrimmedDecimal(cell, start, stop)) return true;
  keepText(cell, start, stop);
  return true;
}

function keepText(cell: usize, start: usize, stop: usize): void {
  store<u32>(cell, u32(start - base));
  store<u32>(cell, u32(stop - base), 4);
  store<u32>(cell, hashOfBytes(start, stop), 8);
  store<i32>(cell, TEXT, 12);
}

/** False, with nothing kept, where the text is no short decimal. */
function keepTrimmedDecimal(cell: usize, start: usize, stop: usize): bool {
  const sign = u32(load<u8>(signs + usize(load<u8>(start))));
  let mantissa: u64 = 0;
  let digitCount: u32 = 0;
  let fractionCode: u32 = 0;
  for (let next = start + usize(sign !== 0); next < stop; next++) {
    const byte = u32(load<u8>(next));
    const digit = byte - ZERO;
    if (digit <= 9) {
      mantissa = mantissa * 10 + digit;
      digitCount++;
    } else if (byte === POINT && fractionCode === 0) {
      fractionCode = u32(stop - next);
    } else return false;
  }
  if (digitCount - 1 >= MOST_DIGITS) return false;
  const meta = sign | (digitCount << DIGITS_SHIFT) | (fractionCode << FRACTION_SHIFT);
  keepDecimal(cell, start, stop, mantissa, meta, digitCount);
  return true;
}

function mayBeDecimal(first: u32): bool {
  return first >= PLUS && first <= NINE;
}

function isBlank(byte: u32): bool {
  return byte === SPACE || (byte >= TAB && byte <= CR);
}

/** White space beyond ASCII begins there: what `String.prototype.trim` takes for it, two or three bytes of UTF-8. */
function isWideBlank(place: usize): bool {
  const first = u32(load<u8>(place));
  const second = u32(load<u8>(place, 1));
  const third = u32(load<u8>(place, 2));
  if (first === 0xc2) return second === 0xa0;
  if (first === 0xe1) return second === 0x9a && third === 0x80;
  if (first === 0xe3) return second === 0x80 && third === 0x80;
  if (first === 0xef) return second === 0xbb && third === 0xbf;
  if (first !== 0xe2) return false;
  if (second === 0x81) return third === 0x9f;
  return second === 0x80 && (third <= 0x8a || third === 0xa8 || third === 0xa9 || third === 0xaf);
}
