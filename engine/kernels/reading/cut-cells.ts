// Cuts plain lines of a table into cells, each with the key of its text.

import { allocateArray, put } from "../memory.ts";
import {
  DIGITS_SHIFT,
  HIGH_SHIFT,
  hashOfBytes,
  LOW_DIGITS,
  LOW_UNIT,
  MOST_DIGITS,
  POINT_SHIFT,
  TEXT,
} from "./cell-key.ts";
import { CELL_BYTES } from "./layout.ts";
import {
  BLOCK,
  digitsFrom,
  EIGHT_DIGITS,
  halvesOf,
  othersOf,
  PLACE_BITS,
  placeOf,
  writeShuffle,
} from "./sixteen-digits.ts";
import { CR, LF, mayBeWide, nextStop, openStops, prepareStops, QUOTE, setStops } from "./stops.ts";

const TAB: u32 = 9;
const SPACE: u32 = 32;
const PLUS: u32 = 43;
const MINUS: u32 = 45;
const POINT: u32 = 46;

/** Bytes of an entry of `shapes`, as a power of two. */
const SHAPE_SHIFT: u32 = 5;
/** Where an entry has its `meta`: after the shuffle. */
const SHAPE: usize = 16;
/** The sign bit of an `i32`. */
const IS_LONG: u32 = 0x8000_0000;

/** A longer line is not cut, because one of its cells might be too long. */
const MOST_LINE_BYTES: usize = 1_048_576;

/** u8 for each byte: its code as the sign of a key, 0 for no sign. */
let signs: usize = 0;
/**
 * For short decimals, by whether there is a sign, the length and the place of the point, 32 bytes each: the shuffle of
 * the digits, and i32 the part of `meta` that depends on these, negative where there are more digits than `low` holds.
 */
let shapes: usize = 0;
let delimiter: u32 = 0;
/** The byte that ends the last cell of a record. */
let recordEnd: u32 = LF;
let columnCount: i32 = 0;
/** Bytes from a cell to the next of its record. */
let step: usize = 0;
let end: usize = 0;

export function prepareCutting(): void {
  signs = allocateArray<u8>(256);
  put<u8>(signs, MINUS, 1);
  put<u8>(signs, PLUS, 2);
  shapes = allocateArray<u8>(1 << (PLACE_BITS + 1 + SHAPE_SHIFT));
  for (let signCount: u32 = 0; signCount <= 1; signCount++) {
    for (let length = signCount; length <= BLOCK; length++) {
      for (let point = signCount; point <= length; point++) {
        const shape = shapeAt(signCount, length, point);
        writeShuffle(shape, signCount, length, point);
        store<u32>(shape, shapeOf(length - signCount, point - signCount), SHAPE);
      }
    }
  }
  prepareStops();
}

function shapeAt(signCount: u32, length: u32, point: u32): usize {
  return shapes + (usize(placeOf(length, point) | (signCount << PLACE_BITS)) << SHAPE_SHIFT);
}

/** Returns 0 for no digit and for too many. */
function shapeOf(length: u32, point: u32): u32 {
  const digitCount = length - u32(point < length);
  if (digitCount - 1 >= MOST_DIGITS) return 0;
  const meta = (digitCount << DIGITS_SHIFT) | ((length - point) << POINT_SHIFT);
  return digitCount > LOW_DIGITS ? meta | IS_LONG : meta;
}

/**
 * Prepares to cut a table. `stride`: records that a column of cells has room for. With the delimiter 0, every cell ends
 * with a NUL, is trimmed, and may hold anything else.
 */
export function openTable(tableDelimiter: u32, tableColumnCount: i32, stride: i32): void {
  delimiter = tableDelimiter;
  recordEnd = tableDelimiter === 0 ? 0 : LF;
  columnCount = tableColumnCount;
  step = usize(stride) * usize(CELL_BYTES);
  setStops(tableDelimiter);
}

/**
 * Cuts at most `most` lines of `[from, to)` into `cells`, and returns how many. The byte before `to` must
 * be a line feed. Stops before the first odd line: one with a wrong number of cells, a quoted cell with
 * more than text in it, a lone CR, a NUL, or white space beyond ASCII at an end of a cell. May read the
 * bytes after `to` that `openStops` names, and a block before `from`.
 */
export function cutLines(from: usize, to: usize, cells: usize, most: i32): i32 {
  let line = from;
  openStops(line);
  let record = 0;
  for (; record < most && line < to; record++) {
    const next = cutLine(line, cells + usize(record) * usize(CELL_BYTES));
    if (next === 0 || (next - line > MOST_LINE_BYTES && delimiter !== 0)) break;
    line = next;
  }
  end = line;
  return record;
}

/** Returns the address after the last line that was cut. */
export function cutEnd(): usize {
  return end;
}

/** True where the lines cut last may hold bytes beyond ASCII, which were not checked to be UTF-8. */
export function isCutWide(): bool {
  return mayBeWide();
}

/**
 * Cuts one line, the first cell to `out`, and returns where the next line starts; 0 where this
 * one is odd. The values of a turn just fit the registers: with one more, in memory, each cell
 * waited for the one before, and cutting took 1.7 times as long.
 */
function cutLine(line: usize, out: usize): usize {
  const last = out + usize(columnCount - 1) * step;
  let start = line;
  for (let cell = out; cell <= last; cell += step) {
    let from = start;
    let stop = nextStop();
    let to = stop;
    // Nearly every cell ends with the byte that its place in the line asks for.
    if (u32(load<u8>(to)) !== select<u32>(recordEnd, delimiter, cell === last)) {
      const isQuoted = load<u8>(start) === QUOTE;
      stop = endOfOther(to, isQuoted, cell === last);
      if (stop === 0) return 0;
      from += usize(isQuoted);
      to = stop - usize(isQuoted);
    }
    while (!cutDecimal(from, to, cell)) {
      const first = firstOf(from, to);
      const behind = behindOf(first, to);
      if (first === from && behind === to) {
        if (!keepText(from, to, cell)) return 0;
        break;
      }
      from = first;
      to = behind;
    }
    start = stop + 1;
  }
  let byte = u32(load<u8>(start - 1));
  // The byte after a CR is the next stop, as if it ended an empty cell.
  if (byte === CR && nextStop() === start) byte = u32(load<u8>(start++));
  return byte === recordEnd ? start : 0;
}

/** Returns where a cell ends whose first stop is not the expected one; 0 where its line is odd. */
function endOfOther(first: usize, isQuoted: bool, isLast: bool): usize {
  const stop = load<u8>(first) === QUOTE ? endOfQuoted(isQuoted) : first;
  return stop !== 0 && (isLast || load<u8>(stop) === delimiter) ? stop : 0;
}

/** Writes a cell that is a short decimal as it stands; false, with nothing written, where it is none. */
function cutDecimal(from: usize, to: usize, cell: usize): bool {
  const length = u32(to - from);
  if (length > BLOCK) return false;
  const sign = u32(load<u8>(signs + usize(load<u8>(from))));
  const signCount = u32(sign !== 0);
  // The digits are loaded with the sign, because finding that takes two loads.
  const digits = digitsFrom(from);
  const others = (othersOf(digits) & ((1 << length) - 1)) ^ signCount;
  const point = ctz<u32>(others | (1 << length));
  const found = shapeAt(signCount, length, point);
  const shape = load<i32>(found, SHAPE);
  if ((others & (others - 1)) !== 0 || shape === 0) return false;
  if (others !== 0 && load<u8>(from + usize(point)) !== POINT) return false;
  const halves = halvesOf(v128.swizzle(digits, v128.load(found)));
  let low = u32(halves) * EIGHT_DIGITS + u32(halves >> 32);
  let meta = sign | u32(shape);
  if (shape < 0) {
    const high = u32(halves) / 10;
    low -= high * u32(LOW_UNIT);
    meta = (meta & ~IS_LONG) | (high << HIGH_SHIFT);
  }
  keep(cell, from, to, low, meta);
  return true;
}

/**
 * Returns where a cell with quotes ends, the first of which is the current
 * stop; 0 where it holds more than quoted text.
 */
function endOfQuoted(isQuoted: bool): usize {
  let stop = nextStop();
  while (load<u8>(stop) === (isQuoted ? delimiter : QUOTE)) stop = nextStop();
  if (!isQuoted) return stop;
  if (load<u8>(stop) !== QUOTE) return 0;
  const behind = nextStop();
  return behind === stop + 1 && load<u8>(behind) !== QUOTE ? behind : 0;
}

/** Returns where a cell's text starts after white space. */
function firstOf(from: usize, to: usize): usize {
  let first = from;
  while (first < to && isBlank(load<u8>(first))) first++;
  return first;
}

/** Returns where it ends before white space. */
function behindOf(from: usize, to: usize): usize {
  let behind = to;
  while (behind > from && isBlank(load<u8>(behind - 1))) behind--;
  return behind;
}

/**
 * Writes a cell of trimmed text that is no short decimal; false where white space beyond ASCII may have to be trimmed.
 */
function keepText(from: usize, to: usize, cell: usize): bool {
  if (delimiter !== 0 && mayBeWide() && from < to && (isWideBlank(from) || isWideBlank(to - 2) || isWideBlank(to - 3)))
    return false;
  keep(cell, from, to, hashOfBytes(from, to), u32(TEXT));
  return true;
}

function keep(cell: usize, start: usize, stop: usize, low: u32, meta: u32): void {
  store<u32>(cell, u32(start));
  store<u32>(cell, u32(stop), 4);
  store<u32>(cell, low, 8);
  store<u32>(cell, meta, 12);
}

function isBlank(byte: u32): bool {
  return byte === SPACE || (byte >= TAB && byte <= CR);
}

/** True where white space beyond ASCII begins that `String.prototype.trim` removes: two or three bytes of UTF-8. */
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
