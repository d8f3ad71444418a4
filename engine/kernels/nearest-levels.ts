// The second pass over a column of numbers: the nearest level of each cell.
import { CELL_BYTES } from "./cell-key.ts";
import { at, put, touch } from "./memory.ts";
import { decimalValue, LongNumber, readLongNumber } from "./plain-numbers.ts";

/** Midpoints that are compared without asking how many there are. */
const FEW: u32 = 4;
/** With more rows than this, most of a table is needed. */
const MANY_ROWS: i32 = 4096;

/** Cells whose texts are fetched together. */
const BLOCK: i32 = 512;

/** Fields of a grid: two numbers of eight bytes, then four of four. */
const LOWEST: i32 = 0;
const SCALE: i32 = 1;
const MIDPOINTS: i32 = 4;
const MIDPOINT_COUNT: i32 = 5;
const BEFORE: i32 = 6;
const LAST_BIN: i32 = 7;
const FIRST_LEVEL: u32 = 2;

/**
 * Writes the level of each of the first `count` cells of a column, and returns how many of them are no plain numbers that it
 * can read: their rows are in `odd`. The grid is that of engine/columns/nearest-level.ts, with four more midpoints, infinite.
 */
export function writeLevels<Level>(grid: usize, cells: usize, bytes: usize, count: i32, found: usize, odd: usize): i32 {
  const lowest = at<f64>(grid, LOWEST);
  const scale = at<f64>(grid, SCALE);
  const midpoints: usize = at<u32>(grid, MIDPOINTS);
  const before: usize = at<u32>(grid, BEFORE);
  const last = at<i32>(grid, LAST_BIN);
  const lastBin = f64(last);
  if (count > MANY_ROWS) {
    touch(midpoints, usize(at<u32>(grid, MIDPOINT_COUNT)) << 3);
    touch(before, usize(last + 2) << 1);
  }
  let oddCount = 0;
  let cell = cells;
  for (let row = 0; row < count; row++, cell += CELL_BYTES) {
    const meta = load<i32>(cell, 12);
    if ((row & (BLOCK - 1)) === 0 && meta < 0) fetchTexts(cell, bytes, min(BLOCK, count - row));
    let value: f64 = 0;
    if (meta >= 0) value = decimalValue(load<i32>(cell, 8), meta);
    else if (readLongNumber(bytes + load<u32>(cell), bytes + load<u32>(cell, 4))) value = LongNumber.value;
    else {
      put<i32>(odd, oddCount++, row);
      continue;
    }
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
    const below =
      u32(load<f64>(near) < value) +
      u32(load<f64>(near, 8) < value) +
      u32(load<f64>(near, 16) < value) +
      u32(load<f64>(near, 24) < value);
    store<Level>(found + usize(row) * sizeof<Level>(), (FIRST_LEVEL + low + below) as Level);
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
