// The levels of very many numbers: engine/columns/number-levels.ts, of which this is the fast way.
import { allocateArray, at, put } from "./memory.ts";

/** Half a number's bits are sorted by, in three digits. */
const DIGIT_COUNT: i32 = 3;
const DIGIT_BITS: u64 = 11;
const DIGIT_MASK: u64 = 2047;
const DIGITS: i32 = 2048;
const HALF_BITS: u64 = 32;
/** Steps of insertion for each number that are taken before the lower halves of the bits are sorted by as well. */
const MOST_STEPS: i32 = 1;

/** u32: of each digit, how many numbers have it, then where the next of them goes. */
let places: usize = 0;

class Numbers {
  static count: i32 = 0;
  /** f64: as they stand, with 0 or -0. */
  static given: usize = 0;
  /** u64: half of the bits of each, so turned that they order as the numbers do, above where the number stands. */
  static pairs: usize = 0;
  static spare: usize = 0;
  /** f64: in order. */
  static sorted: usize = 0;
}

export function prepareNumberLevels(): void {
  places = allocateArray<u32>(DIGIT_COUNT * DIGITS);
}

/**
 * Writes the levels of finite values, and returns how many they are: see `levelValues`. `room`: 24 bytes for each value. At most
 * `maxLevels`, and one for each value, are written.
 */
export function writeNumberLevels(
  values: usize,
  weights: usize,
  count: i32,
  maxLevels: i32,
  mostQuantiles: i32,
  room: usize,
  levels: usize,
): i32 {
  Numbers.count = count;
  Numbers.given = values;
  Numbers.pairs = room;
  Numbers.spare = room + (usize(count) << 3);
  Numbers.sorted = room + (usize(count) << 4);
  sort();
  const distinctCount = countDistinct();
  if (distinctCount > maxLevels) return writeQuantiles(weights, min(maxLevels, mostQuantiles), levels);
  const sorted = Numbers.sorted;
  let levelCount = 0;
  for (let place = 0; place < count; place++) {
    const value = at<f64>(sorted, place);
    if (levelCount === 0 || value !== at<f64>(levels, levelCount - 1)) put<f64>(levels, levelCount++, value);
  }
  return levelCount;
}

function countDistinct(): i32 {
  const sorted = Numbers.sorted;
  let count = i32(Numbers.count > 0);
  for (let place = 1; place < Numbers.count; place++) {
    count += i32(at<f64>(sorted, place) !== at<f64>(sorted, place - 1));
  }
  return count;
}

function writeQuantiles(weights: usize, shareCount: i32, levels: usize): i32 {
  const sorted = Numbers.sorted;
  const last = Numbers.count - 1;
  let total: f64 = 0;
  for (let place = 0; place <= last; place++) total += at<f64>(weights, place);
  let levelCount = 0;
  let place = 0;
  let below = weightAt(weights, 0);
  for (let share = 0; share < shareCount; share++) {
    const position = ((f64(share) + 0.5) / f64(shareCount)) * total;
    while (below < position && place < last) below += weightAt(weights, ++place);
    const value = at<f64>(sorted, place);
    if (levelCount === 0 || at<f64>(levels, levelCount - 1) !== value) put<f64>(levels, levelCount++, value);
  }
  return levelCount;
}

/** Of the number in that place of the order. */
function weightAt(weights: usize, place: i32): f64 {
  return at<f64>(weights, i32(at<u64>(Numbers.pairs, place)));
}

/**
 * LSD radix sort over the upper halves of the doubles; what these leave out of order is put in order by insertion where that is little, or
 * else by the lower halves too. Equal numbers (-0 and 0 too) stay as they stood. O(numbers).
 */
function sort(): void {
  begin();
  sortByHalves(true);
  gather();
  if (insertAll()) return;
  begin();
  sortByHalves(false);
  sortByHalves(true);
  gather();
}

function begin(): void {
  for (let place = 0; place < Numbers.count; place++) put<u64>(Numbers.pairs, place, u64(place));
}

/** Sorts by one half of the bits; those with equal ones stay as they are. */
function sortByHalves(isUpper: bool): void {
  const count = Numbers.count;
  const given = Numbers.given;
  const pairs = Numbers.pairs;
  memory.fill(places, 0, usize(DIGIT_COUNT * DIGITS) << 2);
  for (let place = 0; place < count; place++) {
    const index = at<u64>(pairs, place) & 0xffff_ffff;
    // Adding 0 makes 0 of -0. Negative numbers are ordered by their bits upside down, and come first.
    const bits = reinterpret<u64>(at<f64>(given, i32(index)) + 0);
    const turned = bits ^ (u64(i64(bits) >> 63) | 0x8000_0000_0000_0000);
    const half = isUpper ? turned >> HALF_BITS : turned & 0xffff_ffff;
    put<u64>(pairs, place, (half << HALF_BITS) | index);
    for (let digit = 0; digit < DIGIT_COUNT; digit++) {
      const own = digit * DIGITS + i32((half >> (u64(digit) * DIGIT_BITS)) & DIGIT_MASK);
      put<u32>(places, own, at<u32>(places, own) + 1);
    }
  }
  for (let digit = 0; digit < DIGIT_COUNT; digit++) {
    if (moveByDigit(digit)) {
      const moved = Numbers.spare;
      Numbers.spare = Numbers.pairs;
      Numbers.pairs = moved;
    }
  }
}

/** Moves all pairs to the spare ones, in the order of one digit; false where all have the same digit and nothing was moved. */
function moveByDigit(digit: i32): bool {
  const count = Numbers.count;
  const pairs = Numbers.pairs;
  const spare = Numbers.spare;
  const own = places + (usize(digit * DIGITS) << 2);
  const shift = HALF_BITS + u64(digit) * DIGIT_BITS;
  let place: u32 = 0;
  for (let next = 0; next < DIGITS; next++) {
    const size = at<u32>(own, next);
    if (size === u32(count)) return false;
    put<u32>(own, next, place);
    place += size;
  }
  for (let from = 0; from < count; from++) {
    const pair = at<u64>(pairs, from);
    const next = i32((pair >> shift) & DIGIT_MASK);
    const to = at<u32>(own, next);
    put<u32>(own, next, to + 1);
    put<u64>(spare, i32(to), pair);
  }
  return true;
}

function gather(): void {
  for (let place = 0; place < Numbers.count; place++) {
    put<f64>(Numbers.sorted, place, at<f64>(Numbers.given, i32(at<u64>(Numbers.pairs, place))) + 0);
  }
}

/** Sorts by insertion; false, with some numbers still out of order, where that takes too many steps. */
function insertAll(): bool {
  const sorted = Numbers.sorted;
  const pairs = Numbers.pairs;
  const count = Numbers.count;
  let stepsLeft = MOST_STEPS * count;
  for (let place = 1; place < count; place++) {
    const value = at<f64>(sorted, place);
    if (value >= at<f64>(sorted, place - 1)) continue;
    const pair = at<u64>(pairs, place);
    let to = place;
    do {
      put<f64>(sorted, to, at<f64>(sorted, to - 1));
      put<u64>(pairs, to, at<u64>(pairs, to - 1));
      to--;
    } while (to > 0 && value < at<f64>(sorted, to - 1));
    put<f64>(sorted, to, value);
    put<u64>(pairs, to, pair);
    stepsLeft -= place - to;
    if (stepsLeft < 0) return false;
  }
  return true;
}
