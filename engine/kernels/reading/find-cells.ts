// Finds what the cells of a column are: a text of the column's dictionary, a number, or neither.

import { allocateArray, at, put } from "../memory.ts";
import { hashOfKey } from "./cell-key.ts";
import { countId, enter, findId, openDictionary, slotOf, smallIdOf } from "./dictionary.ts";
import { closeCounter, countAll, countOne, openCounter } from "./distinct.ts";
import {
  CELL_BYTES,
  COUNTS_TEXTS,
  ENTERS_TEXTS,
  FIRST_NUMBER_ROW,
  FURTHER,
  HIGHEST,
  LISTED_COUNT,
  LOWEST,
  NO_TEXT,
  NOT_A_NUMBER,
  NUMBER_CHARS,
  NUMBER_COUNT,
  ODD_COUNT,
  READS_NUMBERS,
  SHAPE_COUNT,
  SHAPES_SEEN,
  SKIPS_LOOKUP,
} from "./layout.ts";
import { shapeOfKey, shapeOfLong, valueOfKey } from "./number-forms.ts";
import { LongNumber, readLongNumber } from "./plain-numbers.ts";

/** Rows whose slots are fetched together. */
const BLOCK: i32 = 512;

/** Where the findings about each row go, see `useBuffers`. */
export class Found {
  static values: usize = 0;
  static ids: usize = 0;
  static shapes: usize = 0;
  static odd: usize = 0;
  static lines: usize = 0;
  static hashes: usize = 0;
  static drawn: usize = 0;
  static seen: usize = 0;
  static outcome: usize = 0;
}

/** The current run. */
class Run {
  static cells: usize = 0;
  static how: i32 = 0;
  static counts: bool = false;
  static oddCount: i32 = 0;
  static numberCount: i32 = 0;
}

// For a block:
/** i32: rows to look up. */
let asked: usize = 0;
/**
 * u32 for each row to look up: its hash, and one more than the id of its text
 * where that is known without a look-up, else 0.
 */
let hashes: usize = 0;
let known: usize = 0;
/** u8 for each shape: 1 where this run has seen it. */
let isSeen: usize = 0;

export function prepareFinding(): void {
  asked = allocateArray<i32>(BLOCK + 1);
  hashes = allocateArray<u32>(BLOCK + 1);
  known = allocateArray<u32>(BLOCK + 1);
  isSeen = allocateArray<u8>(SHAPE_COUNT);
}

/**
 * Call once for a memory, with the addresses of buffers. For each row of a batch: `values`, f64, its value, or a NaN
 * with the id of its text; `ids`, u16, the id of its text, 0 also for rows listed in `odd`, which the caller must
 * overwrite; `shapes`, u16, the shape of its number, 0 for none; `lines`, u32, its line in the file; `hashes`, u32, its
 * hash. Besides: `odd`, i32, a list of the rows that are neither text nor number; `drawn`, i32, a list of rows; `seen`,
 * u16, a list of shapes; `outcome`, see layout.ts.
 */
export function useBuffers(
  values: usize,
  ids: usize,
  shapes: usize,
  odd: usize,
  lines: usize,
  hashes: usize,
  drawn: usize,
  seen: usize,
  outcome: usize,
): void {
  Found.values = values;
  Found.ids = ids;
  Found.shapes = shapes;
  Found.odd = odd;
  Found.lines = lines;
  Found.hashes = hashes;
  Found.drawn = drawn;
  Found.seen = seen;
  Found.outcome = outcome;
}

/**
 * Finds what the cells of the rows `[from, to)` of a column are, and returns the row where it stopped:
 * `to`, or the first row that it may not pass. `how`: bits of layout.ts. Where the dictionary's record
 * names a counter, it counts the texts that the dictionary does not hold.
 */
export function findCells(dictionary: usize, cells: usize, from: i32, to: i32, how: i32): i32 {
  openDictionary(dictionary);
  const counter = at<u32>(dictionary, FURTHER);
  if (counter !== 0) openCounter(counter);
  Run.counts = counter !== 0;
  Run.cells = cells;
  Run.how = how;
  openOutcome();
  let row = from;
  while (row < to) {
    const end = min(row + BLOCK, to);
    row = findBlock(row, end);
    if (row < end) break;
  }
  closeOutcome(row - from);
  if (counter !== 0) closeCounter();
  return row;
}

/** Numbers the lines of a batch's rows, which are `count` lines of the file one after the other. */
export function numberLines(first: u32, count: i32): void {
  for (let row = 0; row < count; row++) put<u32>(Found.lines, row, first + u32(row));
}

/** Counts the text of an odd row that proved to be a value. */
export function countOdd(dictionary: usize, cells: usize, row: i32): void {
  openDictionary(dictionary);
  openCounter(at<u32>(dictionary, FURTHER));
  countOne(cells + usize(row) * usize(CELL_BYTES));
  closeCounter();
}

function openOutcome(): void {
  for (let place = 0; place < at<i32>(Found.outcome, SHAPES_SEEN); place++) {
    put<u8>(isSeen, i32(at<u16>(Found.seen, place)), 0);
  }
  put<i32>(Found.outcome, SHAPES_SEEN, 0);
  put<i32>(Found.outcome, NUMBER_CHARS, 0);
  put<f64>(Found.outcome, LOWEST, Infinity);
  put<f64>(Found.outcome, HIGHEST, -Infinity);
  Run.oddCount = 0;
  Run.numberCount = 0;
}

function closeOutcome(rowCount: i32): void {
  put<i32>(Found.outcome, LISTED_COUNT, rowCount - Run.oddCount - Run.numberCount);
  put<i32>(Found.outcome, ODD_COUNT, Run.oddCount);
  put<i32>(Found.outcome, NUMBER_COUNT, Run.numberCount);
}

/** As `findCells`, for `BLOCK` rows at most. */
function findBlock(from: i32, to: i32): i32 {
  const skips = (Run.how & SKIPS_LOOKUP) !== 0;
  const askedCount = skips ? readShort(from, to) : askAll(from, to);
  fetchSlots(askedCount);
  let end = to;
  for (let place = 0; place < askedCount; place++) {
    const row = at<i32>(asked, place);
    const cell = cellAt(row);
    const hash = at<u32>(hashes, place);
    let id = i32(at<u32>(known, place)) - 1;
    if (id < 0) id = findId(cell, hash);
    if (id < 0 && (Run.how & ENTERS_TEXTS) !== 0) id = enter(cell, hash, at<u32>(Found.lines, row));
    if (id >= 0) listRow(row, id);
    else if ((Run.how & ENTERS_TEXTS) !== 0) {
      end = row;
      break;
    } else if ((Run.how & READS_NUMBERS) === 0 || !readNumber(row, cell)) passRow(row);
  }
  if ((Run.how & READS_NUMBERS) !== 0) noteNumbers(from, end);
  return end;
}

/** Reads short decimals, lists all other rows, and returns how many these are. Has no branch on data. */
function readShort(from: i32, to: i32): i32 {
  const values = Found.values;
  const shapes = Found.shapes;
  let askedCount = 0;
  let cell = cellAt(from);
  for (let row = from; row < to; row++, cell += usize(CELL_BYTES)) {
    const low = load<i32>(cell, 8);
    const meta = load<i32>(cell, 12);
    const shape = shapeOfKey(low, meta);
    put<f64>(values, row, valueOfKey(low, meta));
    put<u16>(shapes, row, u16(shape));
    put<i32>(asked, askedCount, row);
    askedCount += i32(shape === 0);
  }
  return askedCount;
}

function askAll(from: i32, to: i32): i32 {
  memory.fill(Found.shapes + (usize(from) << 1), 0, usize(to - from) << 1);
  for (let row = from; row < to; row++) put<i32>(asked, row - from, row);
  return to - from;
}

/**
 * Hashes the rows to look up whose texts are not known yet, and loads their slots and texts into
 * the caches together, so that none waits for the one before.
 */
function fetchSlots(askedCount: i32): u32 {
  let sum: u32 = 0;
  for (let place = 0; place < askedCount; place++) {
    const cell = cellAt(at<i32>(asked, place));
    const meta = load<i32>(cell, 12);
    const small = smallIdOf(cell);
    put<u32>(known, place, small);
    if (small > 0) continue;
    const hash = hashOfKey(load<i32>(cell, 8), meta);
    put<u32>(hashes, place, hash);
    sum += load<u32>(slotOf(hash));
    if (meta < 0) sum += u32(load<u8>(load<u32>(cell))) + u32(load<u8>(load<u32>(cell, 4)));
  }
  return sum;
}

function listRow(row: i32, id: i32): void {
  if ((Run.how & COUNTS_TEXTS) !== 0) countId(id);
  put<u16>(Found.ids, row, u16(id));
  // While texts are entered every cell is one, and `ids` alone is read.
  if ((Run.how & ENTERS_TEXTS) === 0) putText(row, id);
}

function passRow(row: i32): void {
  put<i32>(Found.odd, Run.oddCount++, row);
  put<u16>(Found.ids, row, 0);
  putText(row, NO_TEXT);
}

function putText(row: i32, id: i32): void {
  put<u64>(Found.values, row, (u64(NOT_A_NUMBER) << 32) | u64(u32(id)));
}

function readNumber(row: i32, cell: usize): bool {
  const low = load<i32>(cell, 8);
  const meta = load<i32>(cell, 12);
  let shape = shapeOfKey(low, meta);
  let value = valueOfKey(low, meta);
  if (shape === 0) {
    if (meta >= 0 || !readLongNumber(load<u32>(cell), load<u32>(cell, 4))) return false;
    shape = shapeOfLong();
    value = LongNumber.value;
  }
  put<f64>(Found.values, row, value);
  put<u16>(Found.shapes, row, u16(shape));
  return true;
}

/** Adds the numbers of the rows `[from, to)` to the outcome, and counts their texts. */
function noteNumbers(from: i32, to: i32): void {
  const outcome = Found.outcome;
  const values = Found.values;
  const shapes = Found.shapes;
  let count = 0;
  let chars: u32 = 0;
  let lowest = at<f64>(outcome, LOWEST);
  let highest = at<f64>(outcome, HIGHEST);
  let cell = cellAt(from);
  for (let row = from; row < to; row++, cell += usize(CELL_BYTES)) {
    const shape = i32(at<u16>(shapes, row));
    if (shape === 0) continue;
    if (at<u8>(isSeen, shape) === 0) keepShape(shape, row);
    const value = at<f64>(values, row);
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
    chars += load<u32>(cell, 4) - load<u32>(cell);
    count++;
  }
  if (count === 0) return;
  Run.numberCount += count;
  put<u32>(outcome, NUMBER_CHARS, at<u32>(outcome, NUMBER_CHARS) + chars);
  put<f64>(outcome, LOWEST, lowest);
  put<f64>(outcome, HIGHEST, highest);
  // A loop of its own, because a call in this one made all its values wait in memory.
  if (Run.counts) countAll(cellAt(from), shapes + (usize(from) << 1), to - from);
}

/** Lists a shape that is new. `row`: the first with it, which for the first shape is the first number. */
function keepShape(shape: i32, row: i32): void {
  put<u8>(isSeen, shape, 1);
  const count = at<i32>(Found.outcome, SHAPES_SEEN);
  if (count === 0) put<i32>(Found.outcome, FIRST_NUMBER_ROW, row);
  put<u16>(Found.seen, count, u16(shape));
  put<i32>(Found.outcome, SHAPES_SEEN, count + 1);
}

function cellAt(row: i32): usize {
  return Run.cells + usize(row) * usize(CELL_BYTES);
}
