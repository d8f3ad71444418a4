// Up to sixteen digits at a time: brought to the end of a block, with a point left out, then added up in pairs of pairs.
import { allocateArray } from "./memory.ts";

/** Bytes of a block. */
export const BLOCK: u32 = 16;
const LENGTH_SHIFT: u32 = 5;
/** Of `placeOf`. */
const PLACE_COUNT: usize = usize((BLOCK + 1) << LENGTH_SHIFT);
export const PLACE_BITS: u32 = LENGTH_SHIFT + 5;
/** What one more than eight digits counts for. */
export const EIGHT_DIGITS: u32 = 100_000_000;
const ZERO: i8 = 48;
/** Brings digits to less than 128, which has the upper bit, and all other bytes to more. */
const TO_SIGN: i8 = 118;
/** A byte of a shuffle that brings a zero. */
const NOTHING: u8 = 0xff;

/** Shuffles of sixteen bytes, by how many bytes there are and where the point is; without one, that is their number. */
let shuffles: usize = 0;

export function prepareDigits(): void {
  shuffles = allocateArray<u8>(PLACE_COUNT * usize(BLOCK));
  for (let length: u32 = 0; length <= BLOCK; length++) {
    for (let point: u32 = 0; point <= length; point++) writeShuffle(shuffleAt(length, point), 0, length, point);
  }
}

/** Sixteen bytes that bring the bytes `[first, length)` of a block, but for that at `point`, to its end, behind zeros. */
export function writeShuffle(shuffle: usize, first: u32, length: u32, point: u32): void {
  const digitCount = length - first - u32(point < length);
  for (let place: u32 = 0; place < BLOCK; place++) {
    const digit = first + place + digitCount - BLOCK;
    const isDigit = place + digitCount >= BLOCK;
    store<u8>(shuffle + usize(place), isDigit ? u8(digit + u32(digit >= point)) : NOTHING);
  }
}

function shuffleAt(length: u32, point: u32): usize {
  return shuffles + usize(placeOf(length, point) * BLOCK);
}

/** The place in a table by how many bytes there are and where the point is. */
export function placeOf(length: u32, point: u32): u32 {
  return (length << LENGTH_SHIFT) | point;
}

/** The bytes of a block, less that of the digit 0. */
export function digitsFrom(place: usize): v128 {
  return v128.sub<u8>(v128.load(place), i8x16.splat(ZERO));
}

/** A bit for each byte that is no digit, the first in the lowest. */
export function othersOf(digits: v128): u32 {
  return u32(v128.bitmask<i8>(v128.add_sat<u8>(digits, i8x16.splat(TO_SIGN))));
}

/** The first `length` bytes without that at `point`, behind zeros. */
export function alignDigits(digits: v128, length: u32, point: u32): v128 {
  return v128.swizzle(digits, v128.load(shuffleAt(length, point)));
}

/** The number that sixteen digits make. */
export function numberOf(digits: v128): u64 {
  const halves = halvesOf(digits);
  return u64(u32(halves)) * u64(EIGHT_DIGITS) + (halves >> 32);
}

/** The numbers that the first eight of sixteen digits make, in the lower half, and the last eight, in the upper. */
export function halvesOf(digits: v128): u64 {
  // Ten times the first of two neighbours and the second, in the upper byte of both; then the same of hundreds, and of ten thousands.
  const tens = v128.mul<u16>(digits, i16x8.splat(2561));
  const pairs = i8x16.shuffle(tens, i8x16.splat(0), 1, 16, 3, 16, 5, 16, 7, 16, 9, 16, 11, 16, 13, 16, 15, 16);
  const fours = v128.dot<i16>(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1));
  const eights = v128.dot<i16>(v128.narrow<i32>(fours, fours), i16x8(10_000, 1, 10_000, 1, 10_000, 1, 10_000, 1));
  return u64(v128.extract_lane<i64>(eights, 0));
}
