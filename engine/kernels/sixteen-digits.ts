// Up to sixteen digits at a time: brought to the end of a block, with a point left out, then added up in pairs of pairs.
import { allocateArray } from "./memory.ts";

/** Bytes of a block. */
export const BLOCK: u32 = 16;
const ZERO: i8 = 48;
/** A byte of a shuffle that brings a zero. */
const NOTHING: u8 = 0xff;

/** Shuffles of sixteen bytes, by how many bytes there are and where the point is; without one, that is their number. */
let shuffles: usize = 0;

export function prepareDigits(): void {
  shuffles = allocateArray<u8>(usize((BLOCK + 1) * (BLOCK + 1) * BLOCK));
  for (let length: u32 = 0; length <= BLOCK; length++) {
    for (let point: u32 = 0; point <= length; point++) writeShuffle(length, point);
  }
}

function writeShuffle(length: u32, point: u32): void {
  const digitCount = length - u32(point < length);
  for (let place: u32 = 0; place < BLOCK; place++) {
    const digit = place + digitCount - BLOCK;
    const isDigit = place + digitCount >= BLOCK;
    store<u8>(shuffleAt(length, point) + usize(place), isDigit ? u8(digit + u32(digit >= point)) : NOTHING);
  }
}

function shuffleAt(length: u32, point: u32): usize {
  return shuffles + usize((length * (BLOCK + 1) + point) * BLOCK);
}

/** The bytes of a block, less that of the digit 0. */
export function digitsFrom(place: usize): v128 {
  return v128.sub<u8>(v128.load(place), i8x16.splat(ZERO));
}

/** A bit for each byte that is no digit, the first in the lowest. */
export function othersOf(digits: v128): u32 {
  return u32(v128.bitmask<u8>(v128.gt<u8>(digits, i8x16.splat(9))));
}

/** The first `length` bytes without that at `point`, behind zeros. */
export function alignDigits(digits: v128, length: u32, point: u32): v128 {
  return v128.swizzle(digits, v128.load(shuffleAt(length, point)));
}

/** The number that sixteen digits make. */
export function numberOf(digits: v128): u64 {
  // Ten times the first of two neighbours and the second, then the same of hundreds, and of ten thousands.
  const pairs = v128.shr<u16>(v128.mul<u16>(digits, i16x8.splat(2561)), 8);
  const fours = v128.dot<i16>(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1));
  const eights = v128.dot<i16>(v128.narrow<i32>(fours, fours), i16x8(10_000, 1, 10_000, 1, 10_000, 1, 10_000, 1));
  return u64(u32(v128.extract_lane<i32>(eights, 0))) * 100_000_000 + u64(u32(v128.extract_lane<i32>(eights, 1)));
}
