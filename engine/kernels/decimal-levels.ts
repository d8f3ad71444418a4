// The nearest level of each of many packed decimals, among whole numbers: kernels/decimals.ts packs them.
import { MOST } from "./decimals.ts";
import { at, put, touch } from "./memory.ts";
import { FEW, FIRST_LEVEL } from "./nearest-levels.ts";

/** With more cells than this, most of a table is needed. */
const MANY_CELLS: i32 = 4096;
/** Cells of which it is asked together whether some are texts. */
const BLOCK: i32 = 512;
/** Cells at a time, and as many behind the last one may be looked at. */
const LANES: i32 = 4;
const BINS_PER_THRESHOLD: i32 = 2;

/** A column's midpoints between levels as thresholds, in bins of equal width. */
class Thresholds {
  /** i32: the largest multiple that is not above the midpoint; four more that are above all. */
  static list: usize = 0;
  static count: i32 = 0;
  /** u16: thresholds in earlier bins; one more than there are bins. */
  static before: usize = 0;
  static binCount: i32 = 0;
  static lowest: i32 = 0;
  static highest: i32 = 0;
  /** Bins for each multiple, times 2 to the power of 32. */
  static scale: u64 = 0;
}

/**
 * Turns to the multiples of 1 / `power` in a column of these `count` midpoints, ascending. `list` has room for four thresholds more,
 * `before` for two bins for each, and two more.
 */
export function openDecimals(midpoints: usize, count: i32, power: f64, list: usize, before: usize): void {
  for (let place = 0; place < count; place++) put<i32>(list, place, thresholdOf(at<f64>(midpoints, place), power));
  for (let place = count; place < count + i32(FEW); place++) put<i32>(list, place, i32.MAX_VALUE);
  Thresholds.list = list;
  Thresholds.count = count;
  Thresholds.before = before;
  Thresholds.binCount = BINS_PER_THRESHOLD * count + 1;
  Thresholds.lowest = count === 0 ? 0 : within(at<i32>(list, 0));
  Thresholds.highest = count === 0 ? 0 : within(at<i32>(list, count - 1));
  const width = u64(i64(Thresholds.highest) - i64(Thresholds.lowest) + 1);
  Thresholds.scale = (u64(Thresholds.binCount) << 32) / width;
  countBins();
}

/** Of multiples, those above it are above the midpoint: dividing by the power is what makes them values, and keeps their order. */
function thresholdOf(midpoint: f64, power: f64): i32 {
  const most = f64(i32.MAX_VALUE);
  const near = Math.floor(min(max(midpoint * power, -most), most));
  // The product is less than one off.
  if (near / power > midpoint) return i32(near) - 1;
  return i32(near) + i32(near < most && (near + 1) / power <= midpoint);
}

function within(multiple: i32): i32 {
  return min(max(multiple, -MOST), MOST);
}

function countBins(): void {
  const before = Thresholds.before;
  memory.fill(before, 0, usize(Thresholds.binCount + 1) << 1);
  for (let place = 0; place < Thresholds.count; place++) {
    const multiple = within(at<i32>(Thresholds.list, place));
    const bin = binOf(u32(multiple - Thresholds.lowest));
    put<u16>(before, bin + 1, at<u16>(before, bin + 1) + 1);
  }
  for (let bin = 0; bin < Thresholds.binCount; bin++) {
    put<u16>(before, bin + 1, at<u16>(before, bin + 1) + at<u16>(before, bin));
  }
}

/** `above`: how far a multiple is above the lowest threshold, the highest at most. */
function binOf(above: u32): i32 {
  return i32((u64(above) * Thresholds.scale) >> 32);
}

/**
 * Writes the level of each of `count` decimals, and returns how many of them are texts: their places are in `odd`.
 */
export function writeLevelsOfDecimals(packed: usize, count: i32, found: usize, odd: usize): i32 {
  if (count > MANY_CELLS) {
    touch(Thresholds.list, usize(Thresholds.count) << 2);
    touch(Thresholds.before, usize(Thresholds.binCount) << 1);
  }
  let oddCount = 0;
  for (let from = 0; from < count; from += BLOCK) {
    const to = min(from + BLOCK, count);
    if (haveTexts(packed, from, to)) oddCount = listTexts(packed, from, to, odd, oddCount);
  }
  writeLevels(packed, count, found);
  return oddCount;
}

/** Whether some decimals of a block are texts, or some behind them. */
function haveTexts(packed: usize, from: i32, to: i32): bool {
  let least = i32x4.splat(0);
  for (let place = from; place < to; place += LANES) {
    least = i32x4.min_s(least, v128.load(packed + (usize(place) << 2)));
  }
  return v128.bitmask<i32>(i32x4.le_s(least, i32x4.splat(-MOST))) !== 0;
}

function listTexts(packed: usize, from: i32, to: i32, odd: usize, oddBefore: i32): i32 {
  let oddCount = oddBefore;
  for (let place = from; place < to; place++) {
    put<i32>(odd, oddCount, place);
    oddCount += i32(at<i32>(packed, place) <= -MOST);
  }
  return oddCount;
}

function writeLevels(packed: usize, count: i32, found: usize): void {
  const lowest = Thresholds.lowest;
  const highest = Thresholds.highest;
  for (let place = 0; place < count; place++) {
    const multiple = at<i32>(packed, place);
    const above = u32(min(max(multiple, lowest), highest) - lowest);
    put<u16>(found, place, u16(levelOf(multiple, binOf(above))));
  }
}

function levelOf(multiple: i32, bin: i32): u32 {
  const own = Thresholds.before + (usize(bin) << 1);
  let low: u32 = load<u16>(own);
  let high: u32 = load<u16>(own, 2);
  while (high - low > FEW) {
    const middle = (low + high) >> 1;
    if (at<i32>(Thresholds.list, i32(middle)) < multiple) low = middle + 1;
    else high = middle;
  }
  // Thresholds of later bins are not below it.
  const near = v128.load(Thresholds.list + (usize(low) << 2));
  return FIRST_LEVEL + low + popcnt<u32>(u32(v128.bitmask<i32>(i32x4.lt_s(near, i32x4.splat(multiple)))));
}
