// Stops, where cells of plain lines may end: delimiters, line ends, quotes and
// NULs, found sixteen bytes at a time, ahead of use.
import { allocateArray } from "../memory.ts";
import { BLOCK } from "./sixteen-digits.ts";

export const LF: u32 = 10;
export const CR: u32 = 13;
export const QUOTE: u32 = 34;

/** Four blocks, whose stops are the bits of one word. */
const STRIDE: usize = 64;
/** Bytes whose stops are listed at a time. */
const WINDOW: usize = 4096;
/** Stops that are written at once, even if there are fewer. */
const WRITTEN: usize = 8;

/** u32 addresses of the stops of a window, in order. */
let list: usize = 0;
/** Addresses in the list: of the next stop, and one past the last. */
let next: usize = 0;
let listEnd: usize = 0;
/** The first byte that is not listed yet. */
let window: usize = 0;
/** All bytes of the windows so far, combined by OR: shows whether one is not ASCII. */
let seen: v128 = i8x16.splat(0);
/** u8 for each low half of a byte: the stop with that half, or a byte with another half if there is none. */
let stopOfHalf: usize = 0;

export function prepareStops(): void {
  list = allocateArray<u32>(WINDOW + STRIDE + WRITTEN);
  stopOfHalf = allocateArray<u8>(usize(BLOCK));
}

/**
 * Sets a table's stops. No two have the same low half: the delimiter's is 9,
 * 11 or 12. With delimiter 0 only NULs are stops.
 */
export function setStops(delimiter: u32): void {
  for (let half: u32 = 0; half < BLOCK; half++) store<u8>(stopOfHalf + usize(half), half ^ 1);
  setStop(0);
  if (delimiter === 0) return;
  setStop(LF);
  setStop(CR);
  setStop(QUOTE);
  setStop(delimiter);
}

function setStop(byte: u32): void {
  store<u8>(stopOfHalf + usize(byte & 15), byte);
}

/** Starts at a byte. Reads up to a window of bytes past the last stop that is asked for. */
export function openStops(start: usize): void {
  window = start;
  next = list;
  listEnd = list;
  seen = i8x16.splat(0);
}

/** Returns the address of the next stop; there must be one. */
export function nextStop(): usize {
  while (next === listEnd) listWindow();
  const stop = load<u32>(next);
  next += 4;
  return stop;
}

/** True if some byte since the start may not be ASCII: up to the last stop, or a little after it. */
export function mayBeWide(): bool {
  return v128.bitmask<i8>(seen) !== 0;
}

/** Lists the stops of the next window, which may have none. */
function listWindow(): void {
  const stops = v128.load(stopOfHalf);
  const end = window + WINDOW;
  let all = seen;
  let out = list;
  for (; window < end; window += STRIDE) {
    const first = v128.load(window);
    const second = v128.load(window, 16);
    const third = v128.load(window, 32);
    const fourth = v128.load(window, 48);
    all = v128.or(all, v128.or(v128.or(first, second), v128.or(third, fourth)));
    const lower = stopsOf(stops, first) | (stopsOf(stops, second) << 16);
    let mask = lower | (stopsOf(stops, third) << 32) | (stopsOf(stops, fourth) << 48);
    const last = out + (usize(popcnt<u64>(mask)) << 2);
    // A fixed number covers most cases without a branch on the count.
    do {
      for (let written: usize = 0; written < WRITTEN; written++) {
        store<u32>(out + (written << 2), u32(window) + u32(ctz<u64>(mask)));
        mask &= mask - 1;
      }
      out += WRITTEN << 2;
    } while (out < last);
    out = last;
  }
  seen = all;
  next = list;
  listEnd = out;
}

/** Returns a bit for each of sixteen bytes that is a stop, the first byte's in the lowest. */
function stopsOf(stops: v128, block: v128): u64 {
  const expected = v128.swizzle(stops, v128.and(block, i8x16.splat(15)));
  return u64(u32(v128.bitmask<i8>(v128.eq<i8>(block, expected))));
}
