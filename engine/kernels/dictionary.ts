// The dictionary of a column's texts: engine/columns/text-dictionary.ts, of which these are the tables.
import { CELL_BYTES, DIGITS_SHIFT, hashOf, hashOfKey } from "./cell-key.ts";
import { hasNeedlessZero, shapeAt } from "./column-evidence.ts";
import { allocateArray, at, put, touch } from "./memory.ts";

/** Rows whose places in the dictionary are fetched together. */
export const BLOCK: i32 = 512;
const ID_MASK: i32 = 0xffff;
/** From here on a byte is no ASCII. */
const WIDE: u16 = 0x80;
const LANES: usize = 8;
const SIZE: i32 = 10;
const IS_FULL: i32 = 13;
/** Whole numbers below this may have a place of their own: as in engine/columns/kernel-dictionary.ts. */
const MOST_SMALL: u32 = 16_384;

/** What the record of a dictionary tells, in this order: engine/columns/kernel-dictionary.ts. */
export class Dictionary {
  static slots: usize = 0;
  static slotMask: i32 = 0;
  static lows: usize = 0;
  static metas: usize = 0;
  static counts: usize = 0;
  static filter: usize = 0;
  static filterMask: u32 = 0;
  static offsets: usize = 0;
  static chars: usize = 0;
  static firstLines: usize = 0;
  static size: i32 = 0;
  static limit: i32 = 0;
  static maxChars: u32 = 0;
  static isFull: bool = false;
  /** u16 for each small whole number as it is mostly written: one more than the number of its text, 0 until the kernel entered that. */
  static smallIds: usize = 0;
  static smallMask: i32 = 0;
}

/** The cells of the column at hand, and the bytes that they count from. */
export class Column {
  static cells: usize = 0;
  static bytes: usize = 0;
  /** Of the block. */
  static firstRow: i32 = 0;
}

/** u32 of each row of a block: the hash of its text. */
let hashes: usize = 0;
/** u8 for each whole number that `smallIds` may be for: `meta` of its key, without sign, point or needless zero. */
let smallMetas: usize = 0;

export function prepareDictionary(): void {
  hashes = allocateArray<u32>(BLOCK);
  smallMetas = allocateArray<u8>(MOST_SMALL);
  for (let number: u32 = 0, digitCount: u32 = 1, next: u32 = 10; number < MOST_SMALL; number++) {
    if (number === next) {
      digitCount++;
      next *= 10;
    }
    store<u8>(smallMetas + usize(number), digitCount << DIGITS_SHIFT);
  }
}

export function openDictionary(record: usize, cells: usize, bytes: usize): void {
  Column.cells = cells;
  Column.bytes = bytes;
  Dictionary.slots = at<u32>(record, 0);
  Dictionary.slotMask = at<i32>(record, 1);
  Dictionary.lows = at<u32>(record, 2);
  Dictionary.metas = at<u32>(record, 3);
  Dictionary.counts = at<u32>(record, 4);
  Dictionary.filter = at<u32>(record, 5);
  Dictionary.filterMask = at<u32>(record, 6);
  Dictionary.offsets = at<u32>(record, 7);
  Dictionary.chars = at<u32>(record, 8);
  Dictionary.firstLines = at<u32>(record, 9);
  Dictionary.size = at<i32>(record, SIZE);
  Dictionary.limit = at<i32>(record, 11);
  Dictionary.maxChars = at<u32>(record, 12);
  Dictionary.isFull = at<i32>(record, IS_FULL) !== 0;
  Dictionary.smallIds = at<u32>(record, 14);
  Dictionary.smallMask = at<i32>(record, 15);
}

export function hashCell(row: i32): u32 {
  const cell = cellAt(row);
  return hashOfKey(load<i32>(cell, 8), load<i32>(cell, 12));
}

/** Gives the dictionary back. */
export function closeDictionary(record: usize): void {
  put<i32>(record, SIZE, Dictionary.size);
  put<i32>(record, IS_FULL, i32(Dictionary.isFull));
}

/** Begins a block: lists the rows whose texts the dictionary may hold, and returns how many they are. */
export function listCandidates(from: i32, to: i32, list: usize): i32 {
  Column.firstRow = from;
  let count = 0;
  for (let row = from; row < to; row++) {
    const hash = hashCell(row);
    put<u32>(hashes, row - from, hash);
    put<i32>(list, count, row);
    count += i32(mayHold(hash));
  }
  return count;
}

/** The same of the rows whose texts are no short decimals without needless zeros, the only ones that are looked for. */
export function listTexts(from: i32, to: i32, list: usize): i32 {
  Column.firstRow = from;
  let count = 0;
  for (let row = from; row < to; row++) {
    const hash = hashCell(row);
    put<u32>(hashes, row - from, hash);
    const low = load<i32>(cellAt(row), 8);
    const meta = load<i32>(cellAt(row), 12);
    put<i32>(list, count, row);
    count += i32((meta < 0 || hasNeedlessZero(shapeAt(meta), low, meta)) && mayHold(hash));
  }
  return count;
}

/** Has the filter at hand, where most of it is needed. */
export function touchFilter(): void {
  touch(Dictionary.filter, usize(Dictionary.filterMask + 1) << 2);
}

/** False where no text of the dictionary has this hash. */
function mayHold(hash: u32): bool {
  const bits = (u32(1) << (hash & 31)) | (u32(1) << ((hash >> 5) & 31));
  return (bits & ~filterWordOf(hash)) === 0;
}

/** The part of the filter that tells of a hash. */
export function filterWordOf(hash: u32): u32 {
  return load<u32>(Dictionary.filter + (usize((hash >> 10) & Dictionary.filterMask) << 2));
}

/** Whether the dictionary holds a short decimal. */
export function holdsDecimal(low: i32, meta: i32): bool {
  const hash = hashOf(low, meta);
  return mayHold(hash) && idOfDecimal(low, meta, i32(hash)) >= 0;
}

/** Whether it holds the text of a cell that is no short decimal. */
export function holdsText(cell: usize, hash: u32): bool {
  return mayHold(hash) && idOfText(cell, i32(hash)) >= 0;
}

/** Has the memory of what the texts of rows may be found by fetched at once. */
export function fetchIds(rows: usize, count: i32): i32 {
  let sum = 0;
  for (let place = 0; place < count; place++) {
    sum += at<i32>(Dictionary.slots, i32(hashAt(at<i32>(rows, place))) & Dictionary.slotMask);
  }
  for (let place = 0; place < count; place++) {
    const hash = i32(hashAt(at<i32>(rows, place)));
    const entry = at<i32>(Dictionary.slots, hash & Dictionary.slotMask);
    if (entry === 0 || ((entry ^ hash) & ~ID_MASK) !== 0) continue;
    const id = (entry & ID_MASK) - 1;
    sum += at<i32>(Dictionary.lows, id) + at<i32>(Dictionary.metas, id) + at<i32>(Dictionary.counts, id);
  }
  return sum;
}

/** The number of the text of a row of the block, or -1: texts that are not all ASCII are not found. */
export function findId(row: i32): i32 {
  const cell = cellAt(row);
  const meta = load<i32>(cell, 12);
  const hash = i32(hashAt(row));
  return meta < 0 ? idOfText(cell, hash) : idOfDecimal(load<i32>(cell, 8), meta, hash);
}

function idOfDecimal(low: i32, meta: i32, hash: i32): i32 {
  const mask = Dictionary.slotMask;
  let slot = hash & mask;
  let entry = at<i32>(Dictionary.slots, slot);
  while (entry !== 0) {
    const id = (entry & ID_MASK) - 1;
    const isSame = ((entry ^ hash) & ~ID_MASK) === 0;
    if (isSame && at<i32>(Dictionary.lows, id) === low && at<i32>(Dictionary.metas, id) === meta) return id;
    slot = (slot + 1) & mask;
    entry = at<i32>(Dictionary.slots, slot);
  }
  return -1;
}

function idOfText(cell: usize, hash: i32): i32 {
  const mask = Dictionary.slotMask;
  let slot = hash & mask;
  let entry = at<i32>(Dictionary.slots, slot);
  while (entry !== 0) {
    const id = (entry & ID_MASK) - 1;
    if (((entry ^ hash) & ~ID_MASK) === 0 && isText(id, cell)) return id;
    slot = (slot + 1) & mask;
    entry = at<i32>(Dictionary.slots, slot);
  }
  return -1;
}

/** Eight characters at a time: up to seven bytes behind a text, and as many characters behind one of the dictionary, are read. */
function isText(id: i32, cell: usize): bool {
  const start = startOf(cell);
  const from = at<u32>(Dictionary.offsets, id);
  const length: usize = at<u32>(Dictionary.offsets, id + 1) - from;
  if (length !== endOf(cell) - start) return false;
  const chars = Dictionary.chars + (usize(from) << 1);
  for (let place: usize = 0; place < length; place += LANES) {
    const bytes = v128.load_ext<u8>(start + place);
    const isSame = i16x8.eq(bytes, v128.load(chars + (place << 1)));
    const others = ~i16x8.bitmask(v128.andnot(isSame, i16x8.ge_u(bytes, i16x8.splat(WIDE))));
    const count = min(length - place, LANES);
    if ((others & ((1 << i32(count)) - 1)) !== 0) return false;
  }
  return true;
}

/** Enters the text of a row that was not found, with count 0; -1 where it or its slot does not fit or it is not all ASCII. */
export function enter(row: i32, line: i32): i32 {
  const id = Dictionary.size;
  if (Dictionary.isFull || id >= Dictionary.limit || 2 * id > Dictionary.slotMask) return -1;
  const cell = cellAt(row);
  const start = startOf(cell);
  const length = u32(endOf(cell) - start);
  const from = at<u32>(Dictionary.offsets, id);
  let seen: u32 = 0;
  for (let place: u32 = 0; place < length; place++) seen |= load<u8>(start + usize(place));
  if (seen >= WIDE) return -1;
  if (from + length > Dictionary.maxChars) {
    Dictionary.isFull = true;
    return -1;
  }
  for (let place: u32 = 0; place < length; place++) {
    store<u16>(Dictionary.chars + (usize(from + place) << 1), u16(load<u8>(start + usize(place))));
  }
  put<u32>(Dictionary.offsets, id + 1, from + length);
  put<i32>(Dictionary.lows, id, load<i32>(cell, 8));
  put<i32>(Dictionary.metas, id, load<i32>(cell, 12));
  put<i32>(Dictionary.firstLines, id, line);
  const low = load<i32>(cell, 8);
  const small = low & Dictionary.smallMask;
  if (low === small && load<i32>(cell, 12) === smallMeta(small)) put<u16>(Dictionary.smallIds, small, u16(id + 1));
  Dictionary.size = id + 1;
  const hash = i32(hashAt(row));
  let slot = hash & Dictionary.slotMask;
  while (at<i32>(Dictionary.slots, slot) !== 0) slot = (slot + 1) & Dictionary.slotMask;
  put<i32>(Dictionary.slots, slot, (hash & ~ID_MASK) | (id + 1));
  return id;
}

/** Counts a cell of the text of this number. */
export function countId(id: i32): void {
  put<i32>(Dictionary.counts, id, at<i32>(Dictionary.counts, id) + 1);
}

export function cellAt(row: i32): usize {
  return Column.cells + usize(row) * CELL_BYTES;
}

/** Where the text of a cell starts and ends. */
export function startOf(cell: usize): usize {
  return Column.bytes + load<u32>(cell);
}

export function endOf(cell: usize): usize {
  return Column.bytes + load<u32>(cell, 4);
}

export function keepHash(row: i32, hash: u32): void {
  put<u32>(hashes, row - Column.firstRow, hash);
}

/** `meta` of the key of a whole number that may have a place of its own, as it is mostly written. */
export function smallMeta(number: i32): i32 {
  return i32(at<u8>(smallMetas, number));
}

/** Of a row of the block at hand. */
export function hashAt(row: i32): u32 {
  return at<u32>(hashes, row - Column.firstRow);
}
