// The first pass over a column whose dictionary takes no further text: counts what it holds, and takes evidence of other numbers.
import { secondHashOf } from "./cell-key.ts";
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
  cellAt,
  countId,
  endOf,
  fetchIds,
  findId,
  hashAt,
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
} from "./distinct.ts";
import { at, put } from "./memory.ts";
import { noteNumbers, prepareNumberRows } from "./number-rows.ts";
import { decimalValue, LongNumber, readLongNumber } from "./plain-numbers.ts";
import { prepareRows, putText, putValue, Rows, stopPacking } from "./rows.ts";
import { LANES } from "./short-numbers.ts";
import {
  mayBeShort,
  noteAmongTexts,
  noteShortNumbers,
  openShortRows,
  packShortNumbers,
  prepareShortRows,
  SHORT_BLOCK,
} from "./short-rows.ts";

/** With more rows than this, most of a table is needed. */
const MANY_ROWS: i32 = 4096;
/** Of the record. */
const SKIPS_NUMBERS: i32 = 19;
/** Digits behind the point to pack numbers with, or -1; -1 afterwards where values were found instead. */
const PACKED_DIGITS: i32 = 26;

/** Short decimals without needless zeros are looked for in the dictionary only where they are counted. */
let skipsNumbers: bool = false;

export function prepareOverflow(): void {
  prepareRows();
  prepareDistinct();
  prepareEvidence();
  prepareShortRows();
  prepareNumberRows();
}

/**
 * Takes in the rows `[from, to)` of a column as far as it can: to the first cell that is neither in the dictionary nor a plain
 * number without needless zeros. Returns how far that was. `record`: where all but the dictionary of the column lies, see
 * engine/columns/frozen-column.ts; `sampling`: u32 of each row, by which it is sampled; `found`: f64 of each row, to which its value
 * is written, or as a NaN the number of its text; `packed`: i32 of each row and three more, to which all are written instead where
 * the record says so and all are numbers that can be packed.
 */
export function scan(
  record: usize,
  dictionary: usize,
  cells: usize,
  bytes: usize,
  sampling: usize,
  found: usize,
  packed: usize,
  from: i32,
  to: i32,
): i32 {
  openDictionary(dictionary, cells, bytes);
  skipsNumbers = at<i32>(record, SKIPS_NUMBERS) !== 0;
  if (to - from > MANY_ROWS) touchFilter();
  openDistinct(record);
  openEvidence(record);
  Rows.hashes = sampling;
  Rows.found = found;
  Rows.packed = packed;
  Rows.digits = at<i32>(record, PACKED_DIGITS);
  Rows.isPacking = Rows.digits >= 0;
  openShortRows();
  let row = from;
  for (let end = from; row === end && end < to; ) {
    const isSimple = skipsNumbers && isSettled() && mayBeShort(row);
    end = min(row + (isSimple ? SHORT_BLOCK : BLOCK), to);
    let noted = row;
    if (Rows.isPacking && isSimple && packShortNumbers(row, end)) noted = end;
    else if (Rows.isPacking) stopPacking(from, row);
    if (noted === row && isSimple) noted = noteSimple(row, end);
    if (noted > row) {
      row = noted;
      end = noted;
      continue;
    }
    if (isSettled()) row = noteNumbers(row, end, skipsNumbers);
    if (row < end) row = scanBlock(row, end);
  }
  closeDistinct(record);
  closeEvidence(record);
  if (!Rows.isPacking) put<i32>(record, PACKED_DIGITS, -1);
  return row;
}

/** The rows `[from, to)`, `SHORT_BLOCK` at most, as far as they are short decimals, or these among texts: returns how far that is. */
function noteSimple(from: i32, to: i32): i32 {
  const behindFours = from + ((to - from) & -LANES);
  if (noteShortNumbers(from, behindFours)) return behindFours;
  return noteAmongTexts(from, to) ? to : from;
}

/** The rows `[from, to)`, `BLOCK` at most; returns the first one that is not taken in. */
function scanBlock(from: i32, to: i32): i32 {
  const candidateCount = skipsNumbers
    ? listTexts(from, to, Rows.candidates)
    : listCandidates(from, to, Rows.candidates);
  fetchIds(Rows.candidates, candidateCount);
  const otherCount = dealRows(candidateCount, from, to);
  let other = 0;
  while (other < otherCount) {
    if (isSettled()) other = noteSettled(other, otherCount);
    if (other === otherCount || !noteCell(at<i32>(Rows.others, other))) break;
    other++;
  }
  const end = other < otherCount ? at<i32>(Rows.others, other) : to;
  countListed(candidateCount, end);
  return end;
}

/** Finds the texts of the candidates, and lists all rows whose texts the dictionary does not hold: returns how many they are. */
function dealRows(candidateCount: i32, from: i32, to: i32): i32 {
  const list = Rows.others;
  let count = 0;
  let row = from;
  for (let place = 0; place <= candidateCount; place++) {
    const next = place < candidateCount ? at<i32>(Rows.candidates, place) : to;
    while (row < next) put<i32>(list, count++, row++);
    if (next === to) break;
    const id = findId(next);
    put<i32>(Rows.ids, place, id);
    // One that is in the dictionary is written over.
    put<i32>(list, count, row++);
    count += i32(id < 0);
  }
  return count;
}

/** Counts the candidates in rows before `end` that the dictionary holds. */
function countListed(candidateCount: i32, end: i32): void {
  for (let place = 0; place < candidateCount; place++) {
    if (at<i32>(Rows.candidates, place) >= end) return;
    const id = at<i32>(Rows.ids, place);
    if (id < 0) continue;
    countId(id);
    putText(at<i32>(Rows.candidates, place), id);
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
  put<f64>(Rows.values, end, at<f64>(Rows.values, end - 1));
  for (let other = from; other < end; other += 2) {
    const pair = v128.load(Rows.values + (usize(other) << 3));
    lowest = f64x2.pmin(lowest, pair);
    highest = f64x2.pmax(highest, pair);
  }
  addRange(lowest, highest);
  sampleValues(from, end);
  for (let other = from; other < end; other++) countCell(at<i32>(Rows.others, other));
  return end;
}

/** The values of listed rows, and what their texts tell, up to the first that `noteSettled` does not take in. */
function readValues(from: i32, to: i32): i32 {
  if (load<i32>(cellAt(at<i32>(Rows.others, from)), 12) < 0) fetchTexts(from, to);
  const bodies = bodiesSoFar();
  let lengths: u32 = 0;
  let shapes: u32 = 0;
  let other = from;
  for (; other < to; other++) {
    const row = at<i32>(Rows.others, other);
    const cell = cellAt(row);
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
    put<f64>(Rows.values, other, value);
    putValue(row, value);
  }
  if (other > from) addSettled(at<i32>(Rows.others, from), other - from, lengths, shapes);
  return other;
}

/** Has the texts of listed rows fetched at once, where one by one would each wait for the one before. */
function fetchTexts(from: i32, to: i32): u32 {
  let sum: u32 = 0;
  for (let other = from; other < to; other++) {
    const cell = cellAt(at<i32>(Rows.others, other));
    sum += u32(load<u8>(startOf(cell))) + u32(load<u8>(endOf(cell)));
  }
  return sum;
}

/** Adds the values that are to be sampled. */
function sampleValues(from: i32, to: i32): void {
  const sampling = Rows.hashes;
  const most = sampledUpTo();
  for (let other = from; other < to; other++) {
    const row = at<i32>(Rows.others, other);
    const rowHash = at<u32>(sampling, row);
    if (rowHash <= most) sampleSettled(at<f64>(Rows.values, other), rowHash, load<i32>(cellAt(row), 12));
  }
}

/** Takes in any plain number without needless zeros; false where the cell is none. */
function noteCell(row: i32): bool {
  const cell = cellAt(row);
  const low = load<i32>(cell, 8);
  const meta = load<i32>(cell, 12);
  const rowHash = at<u32>(Rows.hashes, row);
  if (meta >= 0) {
    const shape = shapeAt(meta);
    if (hasNeedlessZero(shape, low, meta)) return false;
    const value = decimalValue(low, meta);
    putValue(row, value);
    noteValue(value, row, rowHash, noteShort(shape, low, meta, value));
  } else {
    const start = startOf(cell);
    const end = endOf(cell);
    if (!readLongNumber(start, end)) return false;
    putValue(row, LongNumber.value);
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
