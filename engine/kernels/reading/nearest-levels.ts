// Finds the nearest level of many numbers: bins over the midpoints between levels leave few midpoints to compare.

import { at, put, touch } from "../memory.ts";
import {
  BINS,
  BINS_PER_MIDPOINT,
  BINS_PER_UNIT,
  FIRST_LEVEL,
  LAST_BIN,
  LOWEST_MIDPOINT,
  MIDPOINT_COUNT,
  MIDPOINTS,
  MIDPOINTS_BEHIND,
} from "./layout.ts";

/** A batch of this many numbers needs most of the tables. */
const MANY: i32 = 4096;
/** 2 to the power 52: with it added, the lowest bits of a double are those of the nearest whole number. */
const TO_BITS: f64 = 4_503_599_627_370_496;

/** The current levels, from their record. */
class Grid {
  /** f64, ascending; those after the last one are infinite. */
  static midpoints: usize = 0;
  static count: i32 = 0;
  /** u16 for each bin, and one more: how many midpoints lie in earlier bins. */
  static before: usize = 0;
  static lastBin: i32 = 0;
  static lowest: f64 = 0;
  /** Bins per unit; 0 where one bin holds all. */
  static scale: f64 = 0;
}

/** Makes the bins of new levels, whose record has the addresses and the midpoints. */
export function layOutLevels(record: usize): void {
  openLevels(record);
  const count = Grid.count;
  const midpoints = Grid.midpoints;
  const lowest = count > 0 ? at<f64>(midpoints, 0) : 0;
  const range = count > 0 ? at<f64>(midpoints, count - 1) - lowest : 0;
  const wanted = f64(count * BINS_PER_MIDPOINT) / range;
  // Where the midpoints are too far apart or too close for a width, one bin holds all.
  const scale = wanted > 0 && wanted < Infinity && range < Infinity ? wanted : 0;
  put<i32>(record, LAST_BIN, scale === 0 ? 0 : count * BINS_PER_MIDPOINT);
  put<f64>(record, LOWEST_MIDPOINT, lowest);
  put<f64>(record, BINS_PER_UNIT, scale);
  openLevels(record);
  for (let place = 0; place < MIDPOINTS_BEHIND; place++) put<f64>(midpoints, count + place, Infinity);
  let bin = 0;
  for (let place = 0; place < count; place++) {
    const binOfPlace = binOf(f64x2.splat(at<f64>(midpoints, place)));
    while (bin <= binOfPlace) put<u16>(Grid.before, bin++, u16(place));
  }
  while (bin <= Grid.lastBin + 1) put<u16>(Grid.before, bin++, u16(count));
}

function openLevels(record: usize): void {
  Grid.midpoints = at<u32>(record, MIDPOINTS);
  Grid.count = at<i32>(record, MIDPOINT_COUNT);
  Grid.before = at<u32>(record, BINS);
  Grid.lastBin = at<i32>(record, LAST_BIN);
  Grid.lowest = at<f64>(record, LOWEST_MIDPOINT);
  Grid.scale = at<f64>(record, BINS_PER_UNIT);
}

/** `value`: in both lanes. */
function binOf(value: v128): i32 {
  const bin = f64x2.mul(f64x2.sub(value, f64x2.splat(Grid.lowest)), f64x2.splat(Grid.scale));
  // NaN, which becomes 0 here, where the value is, or where an infinite difference meets the scale 0.
  const held = f64x2.pmin(f64x2.splat(f64(Grid.lastBin)), f64x2.pmax(f64x2.splat(0), bin));
  return i32(i64x2.extract_lane(f64x2.add(held, f64x2.splat(TO_BITS)), 0));
}

/**
 * Writes the u16 levels of f64 values by the levels of this record, lists the places
 * of NaN in `odd`, i32, and returns how many these are.
 */
export function writeLevels(record: usize, values: usize, count: i32, levels: usize, odd: usize): i32 {
  openLevels(record);
  const midpoints = Grid.midpoints;
  if (count > MANY) {
    touch(midpoints, usize(Grid.count) << 3);
    touch(Grid.before, usize(Grid.lastBin) << 1);
  }
  let oddCount = 0;
  for (let place = 0; place < count; place++) {
    const value = at<f64>(values, place);
    put<i32>(odd, oddCount, place);
    oddCount += i32(Number.isNaN(value));
    const splat = f64x2.splat(value);
    const between = Grid.before + (usize(binOf(splat)) << 1);
    let low: u32 = load<u16>(between);
    let high: u32 = load<u16>(between, 2);
    while (high - low > u32(MIDPOINTS_BEHIND)) {
      const middle = (low + high) >> 1;
      if (at<f64>(midpoints, middle) < value) low = middle + 1;
      else high = middle;
    }
    // Midpoints of later bins are not below the value, so they may be compared too.
    const near = midpoints + (usize(low) << 3);
    const first = v128.bitmask<i64>(f64x2.lt(v128.load(near), splat));
    const below = first + (v128.bitmask<i64>(f64x2.lt(v128.load(near, 16), splat)) << 2);
    put<u16>(levels, place, u16(FIRST_LEVEL + low + popcnt<u32>(u32(below))));
  }
  return oddCount;
}
