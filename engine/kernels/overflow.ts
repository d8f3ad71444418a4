// The first pass over a column whose dictionary takes no further text: counts what it holds, and takes evidence of other numbers.
import {
  closeEvidence,
  hasNeedlessZero,
  isSettled,
  noteLong,
  noteShort,
  noteValue,
  openEvidence,
  prepareEvidence,
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
import { closeDistinct, openDistinct, prepareDistinct } from "./distinct.ts";
import { at, put } from "./memory.ts";
import { countText, noteNumbers, prepareNumberRows } from "./number-rows.ts";
import { decimalValue, LongNumber, readLongNumber } from "./plain-numbers.ts";
import { prepareRows, putText, putValue, Rows, stopPacking } from "./rows.ts";
import {
  mayBeShort,
  noteAmongTexts,
  noteShortNumbers,
  openShortRows,
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
 * engine/columns/frozen-column.ts; `sampling`: u32 of each row, by which it is sampled; `found`: f64 of each row and three more, to which its value
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
    let isNoted = isSimple && noteShortNumbers(row, end);
    if (!isNoted && Rows.isPacking) {
      stopPacking(from, row);
      isNoted = isSimple && noteShortNumbers(row, end);
    }
    if (isNoted || (isSimple && noteAmongTexts(row, end))) {
      row = end;
      continue;
    }
    if (isSettled()) row = noteUnlisted(row, end);
    if (row < end) row = scanBlock(row, end);
  }
  closeDistinct(record);
  closeEvidence(record);
  if (!Rows.isPacking) put<i32>(record, PACKED_DIGITS, -1);
  return row;
}

/** The rows `[from, to)`, `BLOCK` at most, up to the first that has to be looked at by itself: returns that row. */
function noteUnlisted(from: i32, to: i32): i32 {
  for (let row = from; row < to; row++) put<i32>(Rows.others, row - from, row);
  return from + noteNumbers(0, to - from, skipsNumbers, true);
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
    if (isSettled()) other = noteNumbers(other, otherCount, skipsNumbers, false);
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
  countText(cell, hashAt(row), skipsNumbers);
  return true;
}
