// The rows of a column in the first pass once its dictionary takes no further text, and what was found in each of them.

import { BLOCK } from "./dictionary.ts";
import { allocateArray, at, put } from "./memory.ts";
import { powerOfTen } from "./plain-numbers.ts";

/** A cell that is no value is a NaN, whose lower half is the number of its text in the dictionary. */
const NO_VALUE: u64 = 0x7ff8_0000_0000_0000;

export class Rows {
  /** u32 of each row, for the sample. */
  static hashes: usize = 0;
  /** f64 of each row that was taken in, and up to three more. */
  static found: usize = 0;
  /** While `isPacking` i32 of each instead, as kernels/decimals.ts packs numbers: with so many digits behind the point. */
  static packed: usize = 0;
  static digits: i32 = 0;
  static isPacking: bool = false;

  // Of a block:
  /** i32: rows whose texts the dictionary may hold, and the numbers of these texts or -1. */
  static candidates: usize = 0;
  static ids: usize = 0;
  /** i32: rows whose texts it does not hold; f64: their values. */
  static others: usize = 0;
  static values: usize = 0;
}

export function prepareRows(): void {
  Rows.candidates = allocateArray<i32>(BLOCK + 1);
  Rows.ids = allocateArray<i32>(BLOCK + 1);
  Rows.others = allocateArray<i32>(BLOCK + 1);
  Rows.values = allocateArray<f64>(BLOCK + 1);
}

export function foundAt(row: i32): usize {
  return Rows.found + (usize(row) << 3);
}

export function packedAt(row: i32): usize {
  return Rows.packed + (usize(row) << 2);
}

/** Of a row that is a number. */
export function numberAt(row: i32): f64 {
  if (!Rows.isPacking) return at<f64>(Rows.found, row);
  return f64(at<i32>(Rows.packed, row)) / powerOfTen(Rows.digits);
}

export function putValue(row: i32, value: f64): void {
  put<f64>(Rows.found, row, value);
}

/** From now on values are found, in the packed rows `[from, to)` too. */
export function stopPacking(from: i32, to: i32): void {
  for (let row = from; row < to; row++) putValue(row, numberAt(row));
  Rows.isPacking = false;
}

/** `id`: of the row's text in the dictionary. */
export function putText(row: i32, id: i32): void {
  put<u64>(Rows.found, row, NO_VALUE | u64(u32(id)));
}
