// Rows of the first pass that are plain numbers which the dictionary does not hold, listed, while evidence is settled.
import { hashOf, secondHashOf } from "./cell-key.ts";
import {
  addRange,
  addSettled,
  bodiesSoFar,
  hasNeedlessZero,
  lengthOf,
  longShape,
  sampledUpTo,
  sampleSettled,
  shapeAt,
} from "./column-evidence.ts";
import { BLOCK, cellAt, endOf, holdsDecimal, holdsText, startOf } from "./dictionary.ts";
import { addHashes, addUnsought, isSketched, secondHashOfText, sketchHash, sketchHashes } from "./distinct.ts";
import { allocateArray, at, put } from "./memory.ts";
import { decimalValue, LongNumber, readLongNumber } from "./plain-numbers.ts";
import { numberAt, putValue, Rows } from "./rows.ts";

/** u32 of each listed row: the hash of its text. */
let hashes: usize = 0;

export function prepareNumberRows(): void {
  hashes = allocateArray<u32>(BLOCK);
}

/**
 * Takes in the listed rows `[from, to)` up to the first whose text the dictionary holds, where that is not known (`isAsked`), or that
 * is no plain number with a point or a short decimal without needless zeros, or would tell more than settled evidence takes: returns
 * its place in the list. With `skipsNumbers` short decimals are not looked for.
 */
export function noteNumbers(from: i32, to: i32, skipsNumbers: bool, isAsked: bool): i32 {
  if (load<i32>(cellAt(at<i32>(Rows.others, from)), 12) < 0) fetchTexts(from, to);
  const asksNumbers = isAsked && !skipsNumbers;
  const bodies = bodiesSoFar();
  let lengths: u32 = 0;
  let shapes: u32 = 0;
  let lowest = Infinity;
  let highest = -Infinity;
  let place = from;
  for (; place < to; place++) {
    const row = at<i32>(Rows.others, place);
    const cell = cellAt(row);
    const low = load<i32>(cell, 8);
    const meta = load<i32>(cell, 12);
    let shape = shapeAt(meta);
    let hash = u32(low);
    let value: f64 = 0;
    if (meta >= 0) {
      if (hasNeedlessZero(shape, low, meta) || (asksNumbers && holdsDecimal(low, meta))) break;
      hash = hashOf(low, meta);
      value = decimalValue(low, meta);
    } else {
      if (isAsked && holdsText(cell, hash)) break;
      const start = startOf(cell);
      const end = endOf(cell);
      if (!readLongNumber(start, end) || !LongNumber.hasPoint) break;
      shape = longShape(u32(end - start));
      value = LongNumber.value;
    }
    if ((shape & bodies) !== bodies) break;
    put<u32>(hashes, place - from, hash);
    putValue(row, value);
    lengths += lengthOf(shape);
    shapes |= shape;
    lowest = min(lowest, value);
    highest = max(highest, value);
  }
  if (place === from) return from;
  addSettled(at<i32>(Rows.others, from), place - from, lengths, shapes);
  addRange(f64x2.splat(lowest), f64x2.splat(highest));
  sampleListed(from, place);
  if (isSketched()) sketchHashes(hashes, place - from);
  else
    for (let next = from; next < place; next++) {
      countText(cellAt(at<i32>(Rows.others, next)), at<u32>(hashes, next - from), skipsNumbers);
    }
  return place;
}

/** Counts the text of a cell, which the dictionary does not hold or, of a short decimal with `skipsNumbers`, may hold. */
export function countText(cell: usize, hash: u32, skipsNumbers: bool): void {
  const meta = load<i32>(cell, 12);
  if (isSketched()) sketchHash(hash);
  else if (meta < 0) addHashes(hash, secondHashOfText(startOf(cell), endOf(cell)));
  else if (skipsNumbers) addUnsought(load<u64>(cell, 8));
  else addHashes(hash, secondHashOf(load<i32>(cell, 8), meta));
}

/** Adds those of the listed rows that are to be sampled. */
function sampleListed(from: i32, to: i32): void {
  const most = sampledUpTo();
  for (let place = from; place < to; place++) {
    const row = at<i32>(Rows.others, place);
    const rowHash = at<u32>(Rows.hashes, row);
    if (rowHash <= most) sampleSettled(numberAt(row), rowHash, load<i32>(cellAt(row), 12));
  }
}

/** Has the texts of listed rows fetched at once, where one by one would each wait for the one before. */
function fetchTexts(from: i32, to: i32): u32 {
  let sum: u32 = 0;
  for (let place = from; place < to; place++) {
    const cell = cellAt(at<i32>(Rows.others, place));
    sum += u32(load<u8>(startOf(cell))) + u32(load<u8>(endOf(cell)));
  }
  return sum;
}
