// Rows in the first pass, side by side, that are plain numbers of any length which the dictionary does not hold.

import { hashOf, secondHashOf } from "./cell-key.ts";
import { addRange, addSettled, bodiesSoFar, hasNeedlessZero, lengthOf, longShape, shapeAt } from "./column-evidence.ts";
import { BLOCK, cellAt, endOf, holdsDecimal, holdsText, startOf } from "./dictionary.ts";
import { addHashes, addUnsought, isSketched, secondHashOfText, sketchHashes } from "./distinct.ts";
import { allocateArray, at, put } from "./memory.ts";
import { decimalValue, LongNumber, readLongNumber } from "./plain-numbers.ts";
import { putValue } from "./rows.ts";
import { sampleRows } from "./short-rows.ts";

/** u32 of each row of a block: the hash of its text. */
let hashes: usize = 0;

export function prepareNumberRows(): void {
  hashes = allocateArray<u32>(BLOCK);
}

/**
 * Takes in the rows `[from, to)`, `BLOCK` at most, up to the first whose text the dictionary holds, or that is no plain number with a
 * point or a short decimal without needless zeros, or would tell more than settled evidence takes: returns that row. With
 * `skipsNumbers` short decimals are not looked for.
 */
export function noteNumbers(from: i32, to: i32, skipsNumbers: bool): i32 {
  if (load<i32>(cellAt(from), 12) < 0) fetchTexts(from, to);
  const bodies = bodiesSoFar();
  let lengths: u32 = 0;
  let shapes: u32 = 0;
  let lowest = Infinity;
  let highest = -Infinity;
  let row = from;
  for (; row < to; row++) {
    const cell = cellAt(row);
    const low = load<i32>(cell, 8);
    const meta = load<i32>(cell, 12);
    let shape = shapeAt(meta);
    let hash = u32(low);
    let value: f64 = 0;
    if (meta >= 0) {
      if (hasNeedlessZero(shape, low, meta) || (!skipsNumbers && holdsDecimal(low, meta))) break;
      hash = hashOf(low, meta);
      value = decimalValue(low, meta);
    } else {
      const start = startOf(cell);
      const end = endOf(cell);
      if (holdsText(cell, hash) || !readLongNumber(start, end) || !LongNumber.hasPoint) break;
      shape = longShape(u32(end - start));
      value = LongNumber.value;
    }
    if ((shape & bodies) !== bodies) break;
    put<u32>(hashes, row - from, hash);
    putValue(row, value);
    lengths += lengthOf(shape);
    shapes |= shape;
    lowest = min(lowest, value);
    highest = max(highest, value);
  }
  if (row === from) return from;
  addSettled(from, row - from, lengths, shapes);
  addRange(f64x2.splat(lowest), f64x2.splat(highest));
  sampleRows(from, row);
  if (isSketched()) sketchHashes(hashes, row - from);
  else countTexts(from, row, skipsNumbers);
  return row;
}

/** Counts the texts of rows while these are told apart. */
function countTexts(from: i32, to: i32, skipsNumbers: bool): void {
  for (let row = from; row < to; row++) {
    const cell = cellAt(row);
    const meta = load<i32>(cell, 12);
    const hash = at<u32>(hashes, row - from);
    if (meta < 0) addHashes(hash, secondHashOfText(startOf(cell), endOf(cell)));
    else if (skipsNumbers) addUnsought(load<u64>(cell, 8));
    else addHashes(hash, secondHashOf(load<i32>(cell, 8), meta));
  }
}

/** Has the texts of rows fetched at once, where one by one would each wait for the one before. */
function fetchTexts(from: i32, to: i32): u32 {
  let sum: u32 = 0;
  for (let row = from; row < to; row++) sum += u32(load<u8>(startOf(cellAt(row)))) + u32(load<u8>(endOf(cellAt(row))));
  return sum;
}
