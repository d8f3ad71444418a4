// Plain lines of a table to cells, each with the key of its text.
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
import { allocateArray, put } from "./memory.ts";
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

/** Of an entry of `shapes`. */
const SHAPE_SHIFT: u32 = 5;
/** Behind its shuffle. */
const SHAPE: usize = 16;
/** The sign of an `i32`. */
const IS_LONG: u32 = 0x8000_0000;

/** Of a line; a longer one, whose cells might be too long, is left alone. */
const MOST_LINE_BYTES: usize = 1_048_576;

/** u8 for each byte: the sign of a key that it is. */
let signs: usize = 0;
/**
 * For short decimals, by whether there is a sign, how long they are and where the point is: the shuffle of their digits, and i32 what
 * `meta` has of it, negative with more digits than `low` holds. 32 bytes each.
 */
let shapes: usize = 0;
let delimiter: u32 = 0;
/** What ends the last cell of a record. */
let recordEnd: u32 = LF;
let columnCount: i32 = 0;
/** From a cell to the next of its record. */
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

/** 0 for no digit and for too many. */
function shapeOf(length: u32, point: u32): u32 {
  const digitCount = length - u32(point < length);
  if (digitCount - 1 >= MOST_DIGITS) return 0;
  const meta = (digitCount << DIGITS_SHIFT) | ((length - point) << POINT_SHIFT);
  return digitCount > LOW_DIGITS ? meta | IS_LONG : meta;
}

/**
 * Turns to a table. `stride`: records that a column of cells has room for. With 0 as its delimiter all cells end with a NUL, are
 * trimmed, and may hold anything else.
 */
export function openTable(tableDelimiter: u32, tableColumnCount: i32, stride: i32): void {
  delimiter = tableDelimiter;
  recordEnd = tableDelimiter === 0 ? 0 : LF;
  columnCount = tableColumnCount;
  step = usize(stride) * usize(CELL_BYTES);
  setStops(tableDelimiter);
}

/**
 * Cuts the lines in `[from, to)`, at most `most`, into `cells`, and returns how many; the byte before `to` is a line feed. Ends before the first line that is odd: a wrong number of cells, a quoted cell with more than text in it, a lone CR, NUL,
 * white space beyond ASCII at an end of a cell. What `openStops` tells may be read behind `to`, and a block before `from`.
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

/** Where the last cutting ended: behind the last line that was cut. */
export function cutEnd(): usize {
  return end;
}

/** False where all bytes of the lines cut last are ASCII; none was checked to be UTF-8. */
export function isCutWide(): bool {
  return mayBeWide();
}

/**
 * The cells of one line, the first at `out`; returns where the next line starts, 0 where this one is odd. What is used in each turn
 * just fits the registers: with one value more in memory, a cell waited for the one before, and all took 1.7 times as long.
 */
function cutLine(line: usize, out: usize): usize {
  const last = out + usize(columnCount - 1) * step;
  let start = line;
  for (let cell = out; cell <= last; cell += step) {
    let from = start;
    let stop = nextStop();
    let to = stop;
    // Nearly every cell ends with what its place in the line is to end with.
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
  // What follows a CR is looked at as what ends a cell without text.
  if (byte === CR && nextStop() === start) byte = u32(load<u8>(start++));
  return byte === recordEnd ? start : 0;
}

/** Where a cell ends whose first stop is another than expected; 0 where its line is odd. */
function endOfOther(first: usize, isQuoted: bool, isLast: bool): usize {
  const stop = load<u8>(first) === QUOTE ? endOf(isQuoted) : first;
  return stop !== 0 && (isLast || load<u8>(stop) === delimiter) ? stop : 0;
}

/** Keeps a cell that is a short decimal as it stands; false, with nothing kept, where it is none. */
function cutDecimal(from: usize, to: usize, cell: usize): bool {
  const length = u32(to - from);
  if (length > BLOCK) return false;
  const sign = u32(load<u8>(signs + usize(load<u8>(from))));
  const signCount = u32(sign !== 0);
  // The bytes do not wait for the sign, which takes two steps through memory.
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

/** Of a cell with quotes, the first of which is the stop at hand: where what ends it is, 0 for more than quoted text. */
function endOf(isQuoted: bool): usize {
  let stop = nextStop();
  while (load<u8>(stop) === (isQuoted ? delimiter : QUOTE)) stop = nextStop();
  if (!isQuoted) return stop;
  if (load<u8>(stop) !== QUOTE) return 0;
  const behind = nextStop();
  return behind === stop + 1 && load<u8>(behind) !== QUOTE ? behind : 0;
}

/** Where a cell's text without white space starts. */
function firstOf(from: usize, to: usize): usize {
  let first = from;
  while (first < to && isBlank(load<u8>(first))) first++;
  return first;
}

/** Where it ends. */
function behindOf(from: usize, to: usize): usize {
  let behind = to;
  while (behind > from && isBlank(load<u8>(behind - 1))) behind--;
  return behind;
}

/** Keeps trimmed text that is no short decimal; false where white space beyond ASCII may have to be trimmed. */
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
