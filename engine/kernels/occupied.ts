// The codes that the few rows of a node hold: one bit each in words of 64, all 0 between searches.

import { allocateArray, at, put } from "./memory.ts";

const WORD_SHIFT: i32 = 6;
const WORD_MASK: i32 = 63;

/** A buffer with a bit for each of `codeCount` codes; returns its address. */
export function allocateOccupied(codeCount: i32): usize {
  return allocateArray<u64>(occupiedWordCount(codeCount));
}

export function occupiedWordCount(codeCount: i32): i32 {
  return (codeCount + WORD_MASK) >> WORD_SHIFT;
}

export function markOccupied(words: usize, code: i32): void {
  const word = code >> WORD_SHIFT;
  put<u64>(words, word, at<u64>(words, word) | (u64(1) << u64(code & WORD_MASK)));
}

/** Returns a word of bits and clears it. */
export function takeOccupied(words: usize, word: i32): u64 {
  const bits = at<u64>(words, word);
  put<u64>(words, word, 0);
  return bits;
}

/** The lowest code of a word that is not 0. */
export function lowestCode(word: i32, bits: u64): i32 {
  return (word << WORD_SHIFT) | i32(ctz<u64>(bits));
}
