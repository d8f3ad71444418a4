// Up to sixteen digits at a time: brought to the end of a block, with a
// point left out, then added up in pairs of pairs.
import { allocateArray } from "../memory.ts";

/** Bytes of a block. */
export const BLOCK: u32 = 16;
const LENGTH_SHIFT: u32 = 5;
/** One more than the largest result of `placeOf`. */
const PLACE_COUNT: usize = usize((BLOCK + 1) << LENGTH_SHIFT);
export const PLACE_BITS: u32 = LENGTH_SHIFT + 5;
/** The weight of a digit in front of the last eight. */
export const EIGHT_DIGITS: u32 = 100_000_000;
const ZERO: i8 = 48;
/** Added to a digit this stays below 128; all other bytes reach the upper bit. */
const TO_SIGN: i8 = 118;
/** This byte of a shuffle yields a zero. */
const NOTHING: u8 = 0xff;

/**
 * Shuffles of sixteen bytes, by the count of bytes and the place of the point, which is that count where there is none.
 */
let shuffles: usize = 0;

export function prepareDigits(): void {
  shuffles = allocateArray<u8>(PLACE_COUNT * usize(BLOCK));
  for (let length: u32 = 0; length <= BLOCK; length++) {
    for (let point: u32 = 0; point <= length; point++) writeShuffle(shuffleAt(length, point), 0, length, point);
  }
}

/**
 * Writes the shuffle that moves the bytes `[first, length)` of a block, without the
 * one at `point`, to the block's end, after zeros.
 */
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

/** Returns the place in a table for a count of bytes and a place of the point. */
export function placeOf(length: u32, point: u32): u32 {
  return (length << LENGTH_SHIFT) | point;
}

/** Loads a block and takes the code of the digit 0 from each byte. */
export function digitsFrom(place: usize): v128 {
  return v128.sub<u8>(v128.load(place), i8x16.splat(ZERO));
}

/** Returns a bit for each byte that is no digit, the first byte's in the lowest. */
export function othersOf(digits: v128): u32 {
  return u32(v128.bitmask<i8>(v128.add_sat<u8>(digits, i8x16.splat(TO_SIGN))));
}

/** Moves the first `length` bytes, without the one at `point`, to the end, after zeros. */
export function alignDigits(digits: v128, length: u32, point: u32): v128 {
  return v128.swizzle(digits, v128.load(shuffleAt(length, point)));
}

/** Returns the number that sixteen digits make. */
export function numberOf(digits: v128): u64 {
  const halves = halvesOf(digits);
  return u64(u32(halves)) * u64(EIGHT_DIGITS) + (halves >> 32);
}

/**
 * Returns the number that the first eight of sixteen digits make in the lower
 * half, and that of the last eight in the upper.
 */
export function halvesOf(digits: v128): u64 {
  // Joins neighbours into numbers of two digits, in the upper bytes; then these into four, then eight digits.
  const tens = v128.mul<u16>(digits, i16x8.splat(2561));
  const pairs = v128.shr<u16>(tens, 8);
  const fours = v128.dot<i16>(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1));
  const eights = v128.dot<i16>(v128.narrow<i32>(fours, fours), i16x8(10_000, 1, 10_000, 1, 10_000, 1, 10_000, 1));
  return u64(v128.extract_lane<i64>(eights, 0));
}
