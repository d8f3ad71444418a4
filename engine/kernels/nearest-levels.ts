// The nearest level of each number of a column.
import { CELL_BYTES } from "./cell-key.ts";
import { allocateArray, at, put, touch } from "./memory.ts";
import { decimalValue, LongNumber, readLongNumber } from "./plain-numbers.ts";

/** Midpoints that are compared without asking how many there are. */
export const FEW: u32 = 4;
/** With more rows than this, most of a table is needed. */
const MANY_ROWS: i32 = 4096;

/** Cells that are read together. */
const BLOCK: i32 = 512;

/** Fields of a grid: two numbers of eight bytes, then four of four. */
const LOWEST: i32 = 0;
const SCALE: i32 = 1;
const MIDPOINTS: i32 = 4;
const MIDPOINT_COUNT: i32 = 5;
const BEFORE: i32 = 6;
const LAST_BIN: i32 = 7;
export const FIRST_LEVEL: u32 = 2;

/** f64 of each cell of a block. */
let values: usize = 0;

export function prepareLevels(): void {
  values = allocateArray<f64>(BLOCK);
}

/**
 * Writes the level of each of the first `count` cells of a column, two bytes each, and returns how many of them are no plain numbers that it
 * can read: their rows are in `odd`. The grid is that of engine/columns/nearest-level.ts, with four more midpoints, infinite.
 */
export function writeLevels(grid: usize, cells: usize, bytes: usize, count: i32, found: usize, odd: usize): i32 {
  if (count > MANY_ROWS) touchGrid(grid);
  let oddCount = 0;
  for (let from = 0; from < count; from += BLOCK) {
    const size = min(BLOCK, count - from);
    readValues(cells + usize(from) * CELL_BYTES, bytes, size);
    oddCount = nearestLevels(grid, values, size, found, odd, from, oddCount);
  }
  return oddCount;
}

/** The same of values, NaN where there is none. */
export function writeLevelsOf(grid: usize, numbers: usize, count: i32, found: usize, odd: usize): i32 {
  if (count > MANY_ROWS) touchGrid(grid);
  return nearestLevels(grid, numbers, count, found, odd, 0, 0);
}

/** Has a grid at hand. */
function touchGrid(grid: usize): void {
  touch(at<u32>(grid, MIDPOINTS), usize(at<u32>(grid, MIDPOINT_COUNT)) << 3);
  touch(at<u32>(grid, BEFORE), usize(at<i32>(grid, LAST_BIN) + 2) << 1);
}

/** The values of cells, NaN where one is no plain number that can be read. */
function readValues(cells: usize, bytes: usize, count: i32): void {
  if (load<i32>(cells, 12) < 0) fetchTexts(cells, bytes, count);
  let cell = cells;
  for (let place = 0; place < count; place++, cell += CELL_BYTES) {
    const meta = load<i32>(cell, 12);
    let value: f64 = NaN;
    if (meta >= 0) value = decimalValue(load<i32>(cell, 8), meta);
    else if (readLongNumber(bytes + load<u32>(cell), bytes + load<u32>(cell, 4))) value = LongNumber.value;
    put<f64>(values, place, value);
  }
}

/** Writes the levels of the rows from `firstRow` on, whose values these are, and the rows of those that are NaN behind the odd ones so far: returns how many these are then. */
function nearestLevels(
  grid: usize,
  numbers: usize,
  count: i32,
  found: usize,
  odd: usize,
  firstRow: i32,
  oddBefore: i32,
): i32 {
  const lowest = at<f64>(grid, LOWEST);
  const scale = at<f64>(grid, SCALE);
  const midpoints: usize = at<u32>(grid, MIDPOINTS);
  const before: usize = at<u32>(grid, BEFORE);
  const last = at<i32>(grid, LAST_BIN);
  const lastBin = f64(last);
  let oddCount = oddBefore;
  for (let place = 0; place < count; place++) {
    const value = at<f64>(numbers, place);
    put<i32>(odd, oddCount, firstRow + place);
    oddCount += i32(Number.isNaN(value));
    const bin = (value - lowest) * scale;
    // NaN where an infinite range leaves the scale 0.
    const own = before + (usize(bin > 0 ? (bin < lastBin ? i32(bin) : last) : 0) << 1);
    let low: u32 = load<u16>(own);
    let high: u32 = load<u16>(own, 2);
    while (high - low > FEW) {
      const middle = (low + high) >> 1;
      if (at<f64>(midpoints, middle) < value) low = middle + 1;
      else high = middle;
    }
    // Midpoints of later bins are not below the value.
    const near = midpoints + (usize(low) << 3);
    const values = f64x2.splat(value);
    const first = v128.bitmask<i64>(f64x2.lt(v128.load(near), values));
    const below = first + (v128.bitmask<i64>(f64x2.lt(v128.load(near, 16), values)) << 2);
    put<u16>(found, firstRow + place, u16(FIRST_LEVEL + low + popcnt<u32>(u32(below))));
  }
  return oddCount;
}

/** Has the texts of cells fetched at once, where one by one would each wait for the one before. */
function fetchTexts(cells: usize, bytes: usize, count: i32): u32 {
  let sum: u32 = 0;
  for (let cell = cells; cell < cells + usize(count) * CELL_BYTES; cell += CELL_BYTES) {
    sum += u32(load<u8>(bytes + load<u32>(cell))) + u32(load<u8>(bytes + load<u32>(cell, 4)));
  }
  return sum;
}
