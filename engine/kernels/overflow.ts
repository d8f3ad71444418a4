// The first pass over a column whose dictionary takes no further text: counts what it holds, and takes evidence of other numbers.
import { CELL_BYTES, secondHashOf } from "./cell-key.ts";
import {
  addRange,
  addSettled,
  bodiesSoFar,
  closeEvidence,
  hasNeedlessZero,
  isSettled,
  lengthOf,
  longShape,
  noteLong,
  noteShort,
  noteValue,
  openEvidence,
  prepareEvidence,
  sampledUpTo,
  sampleSettled,
  shapeAt,
} from "./column-evidence.ts";
import {
  BLOCK,
  Column,
  cellAt,
  countId,
  endOf,
  fetchIds,
  findId,
  hashAt,
  hashCell,
  keepHash,
  listCandidates,
  listTexts,
  openDictionary,
  startOf,
  touchFilter,
} from "./dictionary.ts";
import {
  addHashes,
  addUnsought,
  closeDistinct,
  isSketched,
  openDistinct,
  prepareDistinct,
  secondHashOfText,
  sketchHash,
  sketchHashes,
} from "./distinct.ts";
import { allocateArray, at, put } from "./memory.ts";
import { decimalValue, LongNumber, readLongNumber } from "./plain-numbers.ts";
import { LANES, prepareShortNumbers, readShortNumbers } from "./short-numbers.ts";

/** With more rows than this, most of a table is needed. */
const MANY_ROWS: i32 = 4096;
/** Rows of a block where short decimals are not looked for. */
const SHORT_BLOCK: i32 = 128;
/** Of the record. */
const SKIPS_NUMBERS: i32 = 19;

/** u32 of each row, for the sample. */
let rowHashes: usize = 0;
/** Short decimals without needless zeros are looked for in the dictionary only where they are counted. */
let skipsNumbers: bool = false;
/** The block before had texts. */
let hadTexts: bool = false;

// Of a block:
/** i32: rows whose texts the dictionary may hold, and the numbers of these texts or -1. */
let candidates: usize = 0;
let ids: usize = 0;
/** i32: rows whose texts it does not hold; f64: their values. */
let others: usize = 0;
let values: usize = 0;
/** Cells that are short decimals, and u32 the hashes of these. */
let gathered: usize = 0;
let shortHashes: usize = 0;

export function prepareOverflow(): void {
  candidates = allocateArray<i32>(BLOCK + 1);
  ids = allocateArray<i32>(BLOCK + 1);
  others = allocateArray<i32>(BLOCK + 1);
  values = allocateArray<f64>(BLOCK + 1);
  gathered = allocateArray<v128>(SHORT_BLOCK + LANES);
  shortHashes = allocateArray<u32>(SHORT_BLOCK + LANES);
  prepareDistinct();
  prepareEvidence();
  prepareShortNumbers();
}

/**
 * Takes in the rows `[from, to)` of a column as far as it can: to the first cell that is neither in the dictionary nor a plain
 * number without needless zeros. Returns how far that was. `record`: where all but the dictionary of the column lies, see
 * engine/columns/frozen-column.ts; `sampling`: u32 of each row, by which it is sampled.
 */
export function scan(
  record: usize,
  dictionary: usize,
  cells: usize,
  bytes: usize,
  sampling: usize,
  from: i32,
  to: i32,
): i32 {
  openDictionary(dictionary, cells, bytes);
  skipsNumbers = at<i32>(record, SKIPS_NUMBERS) !== 0;
  if (to - from > MANY_ROWS && !skipsNumbers) touchFilter();
  openDistinct(record);
  openEvidence(record);
  rowHashes = sampling;
  hadTexts = false;
  let row = from;
  for (let end = from; row === end && end < to; ) {
    end = min(row + (skipsNumbers ? SHORT_BLOCK : BLOCK), to);
    const behindFours = row + ((end - row) & -LANES);
    const isSimple = skipsNumbers && isSettled();
    // Where there were texts, there mostly are some in the next block.
    if (isSimple && !hadTexts && noteShortNumbers(row, behindFours)) end = behindFours;
    else if (!isSimple || !noteAmongTexts(row, end)) {
      row = scanBlock(row, end);
      continue;
    }
    row = end;
  }
  closeDistinct(record);
  closeEvidence(record);
  return row;
}

/** Takes in the rows `[from, to)`, a multiple of four; false, with nothing done, where some are left to `noteAmongTexts`. */
function noteShortNumbers(from: i32, to: i32): bool {
  if (from === to || !readShortNumbers(cellAt(from), to - from, 0, from, values, shortHashes)) return false;
  const sampled = i32x4.splat(i32(sampledUpTo()));
  for (let row = from; row < to; row += LANES) {
    const sampling = v128.load(rowHashes + (usize(row) << 2));
    let mask = v128.bitmask<i32>(v128.le<u32>(sampling, sampled));
    for (; mask !== 0; mask &= mask - 1) {
      const own = row + ctz<i32>(mask);
      sampleSettled(at<f64>(values, own - from), at<u32>(rowHashes, own), load<i32>(cellAt(own), 12));
    }
  }
  countShort(cellAt(from), to - from);
  return true;
}

/** The same of short decimals among texts that the dictionary holds; false where some row is left to `scanBlock`. */
function noteAmongTexts(from: i32, to: i32): bool {
  const count = partRows(from, to);
  const textCount = to - from - count;
  hadTexts = textCount > 0;
  if (count === 0) return false;
  for (let place = 0; place < textCount; place++) {
    const row = at<i32>(candidates, place);
    keepHash(row, hashCell(row));
    const id = findId(row);
    if (id < 0) return false;
    put<i32>(ids, place, id);
  }
  const surplus = -count & (LANES - 1);
  const last = v128.load(gathered + usize(count - 1) * CELL_BYTES);
  for (let place = count; place < count + surplus; place++) v128.store(gathered + usize(place) * CELL_BYTES, last);
  if (!readShortNumbers(gathered, count + surplus, surplus, at<i32>(others, 0), values, shortHashes)) return false;
  const sampled = sampledUpTo();
  for (let place = 0; place < count; place++) {
    const cell = gathered + usize(place) * CELL_BYTES;
    const rowHash = at<u32>(rowHashes, at<i32>(others, place));
    if (rowHash <= sampled) sampleSettled(at<f64>(values, place), rowHash, load<i32>(cell, 12));
  }
  countShort(gathered, count);
  for (let place = 0; place < textCount; place++) countId(at<i32>(ids, place));
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
    put<i32>(others, count, row);
    count += isNumber;
    put<i32>(candidates, textCount, row);
    textCount += isNumber ^ 1;
  }
  return count;
}

/** The rows `[from, to)`, `BLOCK` at most; returns the first one that is not taken in. */
function scanBlock(from: i32, to: i32): i32 {
  const candidateCount = skipsNumbers ? listTexts(from, to, candidates) : listCandidates(from, to, candidates);
  fetchIds(candidates, candidateCount);
  const otherCount = dealRows(candidateCount, from, to);
  let other = 0;
  while (other < otherCount) {
    if (isSettled()) other = noteSettled(other, otherCount);
    if (other === otherCount || !noteCell(at<i32>(others, other))) break;
    other++;
  }
  const end = other < otherCount ? at<i32>(others, other) : to;
  countListed(candidateCount, end);
  return end;
}

/** Finds the texts of the candidates, and lists all rows whose texts the dictionary does not hold: returns how many they are. */
function dealRows(candidateCount: i32, from: i32, to: i32): i32 {
  const list = others;
  let count = 0;
  let row = from;
  for (let place = 0; place <= candidateCount; place++) {
    const next = place < candidateCount ? at<i32>(candidates, place) : to;
    while (row < next) put<i32>(list, count++, row++);
    if (next === to) break;
    const id = findId(next);
    put<i32>(ids, place, id);
    // One that is in the dictionary is written over.
    put<i32>(list, count, row++);
    count += i32(id < 0);
  }
  return count;
}

/** Counts the candidates in rows before `end` that the dictionary holds. */
function countListed(candidateCount: i32, end: i32): void {
  for (let place = 0; place < candidateCount; place++) {
    if (at<i32>(candidates, place) >= end) return;
    const id = at<i32>(ids, place);
    if (id >= 0) countId(id);
  }
}

/**
 * Takes in the listed rows `[from, to)` up to the first that is no plain number, has a needless zero, or would tell more than
 * settled evidence takes. Loop by loop: the texts of long numbers are fetched ahead, and the range is taken two values at a time.
 */
function noteSettled(from: i32, to: i32): i32 {
  const end = readValues(from, to);
  if (end === from) return from;
  let lowest = f64x2.splat(Infinity);
  let highest = f64x2.splat(-Infinity);
  // Two at a time; with an odd number of them, the last twice.
  put<f64>(values, end, at<f64>(values, end - 1));
  for (let other = from; other < end; other += 2) {
    const pair = v128.load(values + (usize(other) << 3));
    lowest = f64x2.pmin(lowest, pair);
    highest = f64x2.pmax(highest, pair);
  }
  addRange(lowest, highest);
  sampleValues(from, end);
  for (let other = from; other < end; other++) countCell(at<i32>(others, other));
  return end;
}

/** The values of listed rows, and what their texts tell, up to the first that `noteSettled` does not take in. */
function readValues(from: i32, to: i32): i32 {
  if (load<i32>(cellAt(at<i32>(others, from)), 12) < 0) fetchTexts(from, to);
  const bodies = bodiesSoFar();
  let lengths: u32 = 0;
  let shapes: u32 = 0;
  let other = from;
  for (; other < to; other++) {
    const cell = cellAt(at<i32>(others, other));
    const low = load<i32>(cell, 8);
    const meta = load<i32>(cell, 12);
    let shape = shapeAt(meta);
    let value: f64 = 0;
    if (meta >= 0) {
      if (hasNeedlessZero(shape, low, meta)) break;
      value = decimalValue(low, meta);
    } else {
      const start = startOf(cell);
      const end = endOf(cell);
      if (!readLongNumber(start, end) || !LongNumber.hasPoint) break;
      shape = longShape(u32(end - start));
      value = LongNumber.value;
    }
    if ((shape & bodies) !== bodies) break;
    lengths += lengthOf(shape);
    shapes |= shape;
    put<f64>(values, other, value);
  }
  if (other > from) addSettled(at<i32>(others, from), other - from, lengths, shapes);
  return other;
}

/** Has the texts of listed rows fetched at once, where one by one would each wait for the one before. */
function fetchTexts(from: i32, to: i32): u32 {
  let sum: u32 = 0;
  for (let other = from; other < to; other++) {
    const cell = cellAt(at<i32>(others, other));
    sum += u32(load<u8>(startOf(cell))) + u32(load<u8>(endOf(cell)));
  }
  return sum;
}

/** Adds the values that are to be sampled. */
function sampleValues(from: i32, to: i32): void {
  const sampling = rowHashes;
  const most = sampledUpTo();
  for (let other = from; other < to; other++) {
    const row = at<i32>(others, other);
    const rowHash = at<u32>(sampling, row);
    if (rowHash <= most) sampleSettled(at<f64>(values, other), rowHash, load<i32>(cellAt(row), 12));
  }
}

/** Takes in any plain number without needless zeros; false where the cell is none. */
function noteCell(row: i32): bool {
  const cell = cellAt(row);
  const low = load<i32>(cell, 8);
  const meta = load<i32>(cell, 12);
  const rowHash = at<u32>(rowHashes, row);
  if (meta >= 0) {
    const shape = shapeAt(meta);
    if (hasNeedlessZero(shape, low, meta)) return false;
    const value = decimalValue(low, meta);
    noteValue(value, row, rowHash, noteShort(shape, low, meta, value));
  } else {
    const start = startOf(cell);
    const end = endOf(cell);
    if (!readLongNumber(start, end)) return false;
    noteValue(LongNumber.value, row, rowHash, noteLong(u32(end - start)));
  }
  countCell(row);
  return true;
}

/** Counts the text of a row of the block at hand. */
function countCell(row: i32): void {
  if (isSketched()) {
    sketchHash(hashAt(row));
    return;
  }
  const cell = cellAt(row);
  const low = load<i32>(cell, 8);
  const meta = load<i32>(cell, 12);
  if (meta < 0) addHashes(hashAt(row), secondHashOfText(startOf(cell), endOf(cell)));
  else if (skipsNumbers) addUnsought(load<u64>(cell, 8));
  else addHashes(hashAt(row), secondHashOf(low, meta));
}
