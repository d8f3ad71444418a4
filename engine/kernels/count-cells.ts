// Many cells in the dictionary of their column: counted, with new texts entered, or found.
import {
  BLOCK,
  Column,
  cellAt,
  closeDictionary,
  countId,
  Dictionary,
  enter,
  findId,
  hashCell,
  keepHash,
  openDictionary,
  smallMeta,
} from "./dictionary.ts";
import { allocateArray, at, put } from "./memory.ts";

/** i32: rows of a block whose texts are looked for; the others, and the numbers of their texts. */
let listed: usize = 0;
let smallRows: usize = 0;
let found: usize = 0;
/** u16 of each row: where `countCells` writes the number of its text. */
let numbers: usize = 0;

export function prepareCounting(): void {
  listed = allocateArray<i32>(BLOCK + 1);
  smallRows = allocateArray<i32>(BLOCK + 1);
  found = allocateArray<i32>(BLOCK + 1);
}

/**
 * Counts the cells of the rows `[from, to)` in their column's dictionary, and enters texts that are new to it: up to the first
 * that does not fit, or is new and not all ASCII. Returns how far that was; half of the slots may then be taken, and more texts
 * would fit in more of them. `firstLine`: of row 0; `ids`: u16 of each row, to which the numbers of the counted texts are written.
 */
export function countCells(
  record: usize,
  cells: usize,
  bytes: usize,
  from: i32,
  to: i32,
  firstLine: i32,
  ids: usize,
): i32 {
  openDictionary(record, cells, bytes);
  numbers = ids;
  let row = from;
  for (let end = from; row === end && end < to; ) {
    end = min(row + BLOCK, to);
    row = countBlock(row, end, firstLine);
  }
  closeDictionary(record);
  return row;
}

function countBlock(from: i32, to: i32, firstLine: i32): i32 {
  const count = findSmall(from, to);
  hashListed(count);
  let end = to;
  for (let place = 0; place < count; place++) {
    const row = at<i32>(listed, place);
    let id = findId(row);
    if (id < 0) id = enter(row, firstLine + row);
    if (id < 0) {
      end = row;
      break;
    }
    countAt(row, id);
  }
  const smallCount = to - from - count;
  for (let place = 0; place < smallCount; place++) {
    const row = at<i32>(smallRows, place);
    if (row >= end) break;
    countAt(row, at<i32>(found, place));
  }
  return end;
}

function countAt(row: i32, id: i32): void {
  countId(id);
  put<u16>(numbers, row, u16(id));
}

/** Writes the number of each of the first `count` cells' text, -1 where the dictionary does not hold it or it is not all ASCII. */
export function findIds(record: usize, cells: usize, bytes: usize, count: i32, ids: usize): void {
  openDictionary(record, cells, bytes);
  for (let from = 0; from < count; from += BLOCK) {
    const to = min(from + BLOCK, count);
    const listedCount = findSmall(from, to);
    hashListed(listedCount);
    for (let place = 0; place < listedCount; place++) {
      const row = at<i32>(listed, place);
      put<i32>(ids, row, findId(row));
    }
    const smallCount = to - from - listedCount;
    for (let place = 0; place < smallCount; place++) put<i32>(ids, at<i32>(smallRows, place), at<i32>(found, place));
  }
}

/**
 * Begins a block: finds the texts of small whole numbers that have a place of their own, with their rows, and lists all other rows:
 * returns how many these are.
 */
function findSmall(from: i32, to: i32): i32 {
  Column.firstRow = from;
  const smallIds = Dictionary.smallIds;
  const smallMask = Dictionary.smallMask;
  let count = 0;
  let smallCount = 0;
  for (let row = from; row < to; row++) {
    const cell = cellAt(row);
    const low = load<i32>(cell, 8);
    const small = low & smallMask;
    const id = i32(at<u16>(smallIds, small));
    // No branch on data.
    const difference = (low ^ small) | (load<i32>(cell, 12) ^ smallMeta(small));
    const isFound = i32(difference === 0) & i32(id !== 0);
    put<i32>(found, smallCount, id - 1);
    put<i32>(smallRows, smallCount, row);
    smallCount += isFound;
    put<i32>(listed, count, row);
    count += isFound ^ 1;
  }
  return count;
}

/** Hashes the texts of the listed rows, and has their slots fetched at once, where one by one would each wait for the one before. */
function hashListed(count: i32): i32 {
  const slots = Dictionary.slots;
  const mask = Dictionary.slotMask;
  let sum = 0;
  for (let place = 0; place < count; place++) {
    const row = at<i32>(listed, place);
    const hash = hashCell(row);
    keepHash(row, hash);
    sum += at<i32>(slots, i32(hash) & mask);
  }
  return sum;
}
