// Blocks of rows in the first pass that are short decimals, or these and texts of the dictionary: four at a time.
import { CELL_BYTES } from "./cell-key.ts";
import { hasNeedlessZero, sampledUpTo, sampleSettled, shapeAt } from "./column-evidence.ts";
import { Column, cellAt, countId, findId, hashCell, keepHash } from "./dictionary.ts";
import { addUnsought, isSketched, sketchHashes } from "./distinct.ts";
import { allocateArray, at, put } from "./memory.ts";
import { foundAt, numberAt, packedAt, putText, putValue, Rows } from "./rows.ts";
import { LANES, prepareShortNumbers, readShortNumbers } from "./short-numbers.ts";

/** Rows of a block. */
export const SHORT_BLOCK: i32 = 128;

/** Cells of a block that are short decimals, and u32 the hashes of these. */
let gathered: usize = 0;
let shortHashes: usize = 0;
/** The block before had texts, or short decimals among them. */
let hadTexts: bool = false;
let hadShort: bool = true;

export function prepareShortRows(): void {
  gathered = allocateArray<v128>(SHORT_BLOCK + LANES);
  shortHashes = allocateArray<u32>(SHORT_BLOCK + LANES);
  prepareShortNumbers();
}

/** Begins a stretch of a column. */
export function openShortRows(): void {
  hadTexts = false;
  hadShort = true;
}

/** Whether to expect short decimals from a row on: there were some, or there is one. */
export function mayBeShort(row: i32): bool {
  return hadShort || load<i32>(cellAt(row), 12) >= 0;
}

/** Takes in the rows `[from, to)`, packed or as values; false, with nothing done, where some cannot be or are left to `noteAmongTexts`. */
export function noteShortNumbers(from: i32, to: i32): bool {
  // Where there were texts, there mostly are some in the next block.
  if (hadTexts) return false;
  const count = to - from;
  const surplus = -count & (LANES - 1);
  let cells = cellAt(from);
  if (surplus > 0) {
    memory.copy(gathered, cells, usize(count) * CELL_BYTES);
    repeatLast(count, surplus);
    cells = gathered;
  }
  const most = count + surplus;
  const isRead = Rows.isPacking
    ? readShortNumbers<i32>(cells, most, surplus, from, packedAt(from), shortHashes, Rows.digits)
    : readShortNumbers<f64>(cells, most, surplus, from, foundAt(from), shortHashes, 0);
  if (!isRead) return false;
  sampleRows(from, to);
  countShort(cells, count);
  return true;
}

/** Behind `count` gathered cells, the last one a few times more. */
function repeatLast(count: i32, surplus: i32): void {
  const last = v128.load(gathered + usize(count - 1) * CELL_BYTES);
  for (let place = count; place < count + surplus; place++) v128.store(gathered + usize(place) * CELL_BYTES, last);
}

/** Adds those of the rows `[from, to)`, all of them numbers, that are to be sampled. Up to three hashes behind them are looked at. */
function sampleRows(from: i32, to: i32): void {
  const sampled = i32x4.splat(i32(sampledUpTo()));
  for (let row = from; row < to; row += LANES) {
    const sampling = v128.load(Rows.hashes + (usize(row) << 2));
    let mask = v128.bitmask<i32>(v128.le<u32>(sampling, sampled));
    for (; mask !== 0; mask &= mask - 1) {
      const own = row + ctz<i32>(mask);
      if (own < to) sampleSettled(numberAt(own), at<u32>(Rows.hashes, own), load<i32>(cellAt(own), 12));
    }
  }
}

/** The same of short decimals among texts that the dictionary holds; false where some row is left to `scanBlock`. */
export function noteAmongTexts(from: i32, to: i32): bool {
  const count = partRows(from, to);
  const textCount = to - from - count;
  hadTexts = textCount > 0;
  hadShort = count > 0;
  if (count === 0) return false;
  for (let place = 0; place < textCount; place++) {
    const row = at<i32>(Rows.candidates, place);
    keepHash(row, hashCell(row));
    const id = findId(row);
    if (id < 0) return false;
    put<i32>(Rows.ids, place, id);
  }
  const surplus = -count & (LANES - 1);
  repeatLast(count, surplus);
  const firstRow = at<i32>(Rows.others, 0);
  if (!readShortNumbers<f64>(gathered, count + surplus, surplus, firstRow, Rows.values, shortHashes, 0)) return false;
  const sampled = sampledUpTo();
  for (let place = 0; place < count; place++) {
    const cell = gathered + usize(place) * CELL_BYTES;
    const row = at<i32>(Rows.others, place);
    const value = at<f64>(Rows.values, place);
    const rowHash = at<u32>(Rows.hashes, row);
    putValue(row, value);
    if (rowHash <= sampled) sampleSettled(value, rowHash, load<i32>(cell, 12));
  }
  countShort(gathered, count);
  for (let place = 0; place < textCount; place++) {
    countId(at<i32>(Rows.ids, place));
    putText(at<i32>(Rows.candidates, place), at<i32>(Rows.ids, place));
  }
  return true;
}

/** Counts the texts of short decimals side by side, which were just read. */
function countShort(cells: usize, count: i32): void {
  if (isSketched()) sketchHashes(shortHashes, count);
  else for (let place = 0; place < count; place++) addUnsought(load<u64>(cells + usize(place) * CELL_BYTES, 8));
}

/** Begins a block: copies short decimals without needless zeros side by side, listed as `others`, and lists the rest: how many they are. */
function partRows(from: i32, to: i32): i32 {
  Column.firstRow = from;
  let count = 0;
  let textCount = 0;
  for (let row = from; row < to; row++) {
    const cell = cellAt(row);
    const low = load<i32>(cell, 8);
    const meta = load<i32>(cell, 12);
    const isNumber = i32(meta >= 0 && !hasNeedlessZero(shapeAt(meta), low, meta));
    v128.store(gathered + usize(count) * CELL_BYTES, v128.load(cell));
    put<i32>(Rows.others, count, row);
    count += isNumber;
    put<i32>(Rows.candidates, textCount, row);
    textCount += isNumber ^ 1;
  }
  return count;
}
