// The first pass over cells that are all short decimals and tell no more than values and lengths: four at a time.
import { CELL_BYTES, DIGITS_SHIFT, FRACTION_SHIFT, HIGH_SHIFT, hashesOf } from "./cell-key.ts";
import {
  addRange,
  addSettled,
  bodiesSoFar,
  hasNeedlessZero,
  LENGTH_SHIFT,
  lengthOf,
  MAY_HAVE_ZERO,
  SHAPE_MASK,
  shapeAt,
} from "./column-evidence.ts";
import { allocateArray, at, put } from "./memory.ts";
import { divisorOf, powerOfTen } from "./plain-numbers.ts";

/** Cells at a time. */
export const LANES: i32 = 4;
/** Digits of what is packed at most, those behind the point among them. */
const MOST_PACKED: i32 = 9;
const RECORD_SHIFT: i32 = 4;
/** Of a shape, beside what `shapeAt` tells. */
const IS_PACKED: u32 = 128;

/** For each shape 16 bytes: f64 by which the digits are divided, and u32 what `shapeAt` tells. */
let records: usize = 0;
/** The same for packing, for each number of digits behind the point: i32 by which the digits are multiplied instead. */
let packedRecords: usize = 0;
/** u8 by that number: whether its records are there. */
let arePrepared: usize = 0;

export function prepareShortNumbers(): void {
  records = allocateArray<v128>(SHAPE_MASK + 1);
  for (let meta = 0; meta <= SHAPE_MASK; meta++) {
    const record = recordOf(records, meta);
    store<f64>(record, divisorOf(meta));
    store<u32>(record, shapeAt(meta), 8);
  }
  packedRecords = allocateArray<v128>((MOST_PACKED + 1) * (SHAPE_MASK + 1));
  arePrepared = allocateArray<u8>(MOST_PACKED + 1);
}

function recordOf(all: usize, meta: i32): usize {
  return all + (usize(meta) << RECORD_SHIFT);
}

/** `fractionDigits`: up to nine. */
function packedRecordsFor(fractionDigits: i32): usize {
  const own = recordOf(packedRecords, fractionDigits * (SHAPE_MASK + 1));
  if (at<u8>(arePrepared, fractionDigits) !== 0) return own;
  put<u8>(arePrepared, fractionDigits, 1);
  for (let meta = 0; meta <= SHAPE_MASK; meta++) {
    const further = fractionDigits - max(0, ((meta >> i32(FRACTION_SHIFT)) & 31) - 1);
    const isPacked = further >= 0 && ((meta >> i32(DIGITS_SHIFT)) & 15) + further <= MOST_PACKED;
    store<i32>(recordOf(own, meta), isPacked ? i32(powerOfTen(further)) : 0);
    store<u32>(recordOf(own, meta), shapeAt(meta) | (isPacked ? IS_PACKED : 0), 8);
  }
  return own;
}

/**
 * Writes the values and the hashes of `count` cells, a multiple of four, and takes in what they tell beside; the last `surplus` of them
 * repeat the one before. f64 or, packed as kernels/decimals.ts does with so many `fractionDigits`, i32. False, with nothing taken in,
 * where some cell is no short decimal, or has a needless zero, or tells more, or cannot be packed.
 */
export function readShortNumbers<Found>(
  cells: usize,
  count: i32,
  surplus: i32,
  firstRow: i32,
  found: usize,
  hashes: usize,
  fractionDigits: i32,
): bool {
  const own = isFloat<Found>() ? records : packedRecordsFor(fractionDigits);
  let metas = i32x4.splat(0);
  let any = i32x4.splat(0);
  let all = i32x4.splat(-1);
  let lengths = i32x4.splat(0);
  let lowest = f64x2.splat(Infinity);
  let highest = f64x2.splat(-Infinity);
  let lowestPacked = i32x4.splat(i32.MAX_VALUE);
  let highestPacked = i32x4.splat(i32.MIN_VALUE);
  let cell = cells;
  let value = found;
  for (let place = 0; place < count; place += LANES) {
    let low = v128.load_zero<u32>(cell, 8);
    low = v128.load_lane<u32>(cell, low, 1, 24);
    low = v128.load_lane<u32>(cell, low, 2, 40);
    low = v128.load_lane<u32>(cell, low, 3, 56);
    let meta = v128.load_zero<u32>(cell, 12);
    meta = v128.load_lane<u32>(cell, meta, 1, 28);
    meta = v128.load_lane<u32>(cell, meta, 2, 44);
    meta = v128.load_lane<u32>(cell, meta, 3, 60);
    cell += CELL_BYTES * LANES;
    v128.store(hashes + (usize(place) << 2), hashesOf(low, meta));
    metas = v128.or(metas, meta);
    const places = i32x4.add(i32x4.shl(v128.and(meta, i32x4.splat(SHAPE_MASK)), RECORD_SHIFT), i32x4.splat(i32(own)));
    const first = usize(u32(i32x4.extract_lane(places, 0)));
    const second = usize(u32(i32x4.extract_lane(places, 1)));
    const third = usize(u32(i32x4.extract_lane(places, 2)));
    const fourth = usize(u32(i32x4.extract_lane(places, 3)));
    let shape = v128.load_zero<u32>(first, 8);
    shape = v128.load_lane<u32>(second, shape, 1, 8);
    shape = v128.load_lane<u32>(third, shape, 2, 8);
    shape = v128.load_lane<u32>(fourth, shape, 3, 8);
    any = v128.or(any, shape);
    all = v128.and(all, shape);
    lengths = i32x4.add(lengths, i32x4.shr_u(shape, i32(LENGTH_SHIFT)));
    if (isFloat<Found>()) {
      const high = i32x4.shr_s(meta, i32(HIGH_SHIFT));
      const lower = quotients(low, high, v128.load_lane<u64>(second, v128.load_zero<u64>(first), 1));
      const upper = quotients(
        upperHalf(low),
        upperHalf(high),
        v128.load_lane<u64>(fourth, v128.load_zero<u64>(third), 1),
      );
      v128.store(value, lower);
      v128.store(value, upper, 16);
      value += 32;
      lowest = f64x2.pmin(f64x2.pmin(lowest, lower), upper);
      highest = f64x2.pmax(f64x2.pmax(highest, lower), upper);
    } else {
      let factor = v128.load_zero<u32>(first);
      factor = v128.load_lane<u32>(second, factor, 1);
      factor = v128.load_lane<u32>(third, factor, 2);
      factor = v128.load_lane<u32>(fourth, factor, 3);
      // All bits of a negative number, to be turned round.
      const minus = i32x4.neg(v128.and(meta, i32x4.splat(1)));
      const multiple = i32x4.sub(v128.xor(i32x4.mul(low, factor), minus), minus);
      v128.store(value, multiple);
      value += 16;
      lowestPacked = i32x4.min_s(lowestPacked, multiple);
      highestPacked = i32x4.max_s(highestPacked, multiple);
    }
  }
  const needed = bodiesSoFar() | (isFloat<Found>() ? 0 : IS_PACKED);
  if (v128.bitmask<i32>(metas) !== 0 || (u32(andOf(all)) & needed) !== needed) return false;
  const anyShape = u32(orOf(any));
  if ((anyShape & MAY_HAVE_ZERO) !== 0 && hasCode(cells, count)) return false;
  const lastLength = lengthOf(shapeAt(load<i32>(cell - CELL_BYTES, 12)));
  addSettled(firstRow, count - surplus, sumOf(lengths) - u32(surplus) * lastLength, anyShape);
  if (!isFloat<Found>()) {
    const power = f64x2.splat(powerOfTen(fractionDigits));
    lowest = f64x2.div(f64x2.convert_low_i32x4_s(lowestOf(lowestPacked)), power);
    highest = f64x2.div(f64x2.convert_low_i32x4_s(highestOf(highestPacked)), power);
  }
  addRange(lowest, highest);
  return true;
}

/** `decimalValue` of two cells. */
function quotients(low: v128, high: v128, divisors: v128): v128 {
  const digits = f64x2.add(
    f64x2.mul(f64x2.convert_low_i32x4_s(high), f64x2.splat(1e9)),
    f64x2.convert_low_i32x4_s(low),
  );
  // Makes 0 of -0.
  return f64x2.add(f64x2.div(digits, divisors), f64x2.splat(0));
}

/** In the first two lanes. */
function lowestOf(lanes: v128): v128 {
  return i32x4.min_s(lanes, upperHalf(lanes));
}

function highestOf(lanes: v128): v128 {
  return i32x4.max_s(lanes, upperHalf(lanes));
}

function upperHalf(lanes: v128): v128 {
  return i32x4.shuffle(lanes, lanes, 2, 3, 2, 3);
}

/** Whether some number has a needless zero. */
function hasCode(cells: usize, count: i32): bool {
  for (let cell = cells; cell < cells + usize(count) * CELL_BYTES; cell += CELL_BYTES) {
    const meta = load<i32>(cell, 12);
    if (hasNeedlessZero(shapeAt(meta), load<i32>(cell, 8), meta)) return true;
  }
  return false;
}

function orOf(lanes: v128): i32 {
  const two = v128.or(lanes, upperHalf(lanes));
  return i32x4.extract_lane(two, 0) | i32x4.extract_lane(two, 1);
}

function andOf(lanes: v128): i32 {
  const two = v128.and(lanes, upperHalf(lanes));
  return i32x4.extract_lane(two, 0) & i32x4.extract_lane(two, 1);
}

function sumOf(lanes: v128): u32 {
  const two = i32x4.add(lanes, upperHalf(lanes));
  return u32(i32x4.extract_lane(two, 0) + i32x4.extract_lane(two, 1));
}
