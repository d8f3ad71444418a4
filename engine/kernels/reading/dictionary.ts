// A dictionary of a column's distinct texts, numbered by first occurrence: open addressing over 32-bit hashes.

import { allocateArray, at, put } from "../memory.ts";
import { DIGITS_SHIFT, hashOfKey } from "./cell-key.ts";
import {
  BYTE_CAPACITY,
  COUNTS,
  ENTRIES,
  ENTRY_BYTES,
  IS_FULL,
  MOST_SMALL,
  SIZE,
  SLOT_COUNT,
  SLOTS,
  SMALL_COUNT,
  SMALL_IDS,
  TEXT_CAPACITY,
  TEXT_LIMIT,
  TEXTS,
} from "./layout.ts";
import { shapeOfKey, shapeOfLong, valueOfKey } from "./number-forms.ts";
import { LongNumber, readLongNumber } from "./plain-numbers.ts";

/** The lower half of a slot is one more than the id of its text, the upper half that of the hash. */
const ID_MASK: i32 = 0xffff;
/** Places of an entry's fields in bytes; layout.ts counts fields. */
const KEY: usize = 0;
const VALUE: usize = 8;
const FIRST_LINE: usize = 16;
const START: usize = 20;
const SHAPE: usize = 24;
const BLOCK: usize = 16;

/** The current dictionary, from its record. */
export class Dictionary {
  static record: usize = 0;
  static entries: usize = 0;
  static texts: usize = 0;
  static counts: usize = 0;
  static slots: usize = 0;
  static slotMask: i32 = 0;
  static size: i32 = 0;
  /** u16 for each small whole number: one more than the id of its text in the usual form, or 0. */
  static smallIds: usize = 0;
  static smallMask: i32 = 0;
}

/** u8 for each small whole number: `meta` of its key in the usual form, without sign, point or needless zero. */
let smallMetas: usize = 0;

export function prepareDictionary(): void {
  smallMetas = allocateArray<u8>(MOST_SMALL);
  for (let number: u32 = 0, digitCount: u32 = 1, next: u32 = 10; number < u32(MOST_SMALL); number++) {
    if (number === next) {
      digitCount++;
      next *= 10;
    }
    store<u8>(smallMetas + usize(number), digitCount << DIGITS_SHIFT);
  }
}

export function openDictionary(record: usize): void {
  Dictionary.record = record;
  Dictionary.entries = at<u32>(record, ENTRIES);
  Dictionary.texts = at<u32>(record, TEXTS);
  Dictionary.counts = at<u32>(record, COUNTS);
  Dictionary.slots = at<u32>(record, SLOTS);
  Dictionary.slotMask = at<i32>(record, SLOT_COUNT) - 1;
  Dictionary.size = at<i32>(record, SIZE);
  Dictionary.smallIds = at<u32>(record, SMALL_IDS);
  Dictionary.smallMask = at<i32>(record, SMALL_COUNT) - 1;
}

/**
 * Returns one more than the id of a text that is a small whole number; 0 where
 * it is none, or not listed. Has no branch on data.
 */
export function smallIdOf(cell: usize): u32 {
  const low = load<i32>(cell, 8);
  const small = low & Dictionary.smallMask;
  const isSmall = ((low ^ small) | (load<i32>(cell, 12) ^ i32(at<u8>(smallMetas, small)))) === 0;
  return select<u32>(u32(at<u16>(Dictionary.smallIds, small)), 0, isSmall);
}

/** Returns the slot where the search for a hash begins. */
export function slotOf(hash: u32): usize {
  return Dictionary.slots + (usize(i32(hash) & Dictionary.slotMask) << 2);
}

/** Returns the id of a cell's text, or -1. */
export function findId(cell: usize, hash: u32): i32 {
  const mask = Dictionary.slotMask;
  const key = load<u64>(cell, 8);
  let slot = i32(hash) & mask;
  let entry = at<i32>(Dictionary.slots, slot);
  while (entry !== 0) {
    const id = (entry & ID_MASK) - 1;
    // A negative key is only a hash of its text.
    if (((entry ^ i32(hash)) & ~ID_MASK) === 0 && load<u64>(entryAt(id), KEY) === key) {
      if (i64(key) >= 0 || isText(id, cell)) return id;
    }
    slot = (slot + 1) & mask;
    entry = at<i32>(Dictionary.slots, slot);
  }
  return -1;
}

/** Compares sixteen bytes at a time, so up to fifteen after a text are read. */
function isText(id: i32, cell: usize): bool {
  const start: usize = load<u32>(cell);
  const from: usize = load<u32>(entryAt(id), START);
  const length = usize(load<u32>(entryAt(id + 1), START)) - from;
  if (length !== usize(load<u32>(cell, 4)) - start) return false;
  for (let place: usize = 0; place < length; place += BLOCK) {
    const isSame = v128.eq<i8>(v128.load(start + place), v128.load(Dictionary.texts + from + place));
    const count = min(length - place, BLOCK);
    if ((~v128.bitmask<i8>(isSame) & ((1 << i32(count)) - 1)) !== 0) return false;
  }
  return true;
}

/**
 * Enters the text of a cell that was not found, with count 0, and returns its
 * number; -1 where the dictionary takes none, or none yet.
 */
export function enter(cell: usize, hash: u32, line: u32): i32 {
  const record = Dictionary.record;
  const id = Dictionary.size;
  if (at<i32>(record, IS_FULL) !== 0) return -1;
  const start: usize = load<u32>(cell);
  const length = usize(load<u32>(cell, 4)) - start;
  const from: usize = load<u32>(entryAt(id), START);
  if (id === at<i32>(record, TEXT_LIMIT) || from + length > usize(at<u32>(record, BYTE_CAPACITY))) {
    const waits = id === at<i32>(record, TEXT_LIMIT) && id < at<i32>(record, TEXT_CAPACITY);
    if (!waits) put<i32>(record, IS_FULL, 1);
    return -1;
  }
  if (2 * id > Dictionary.slotMask) growSlots();
  memory.copy(Dictionary.texts + from, start, length);
  const entry = entryAt(id);
  store<u64>(entry, load<u64>(cell, 8), KEY);
  store<u32>(entry, line, FIRST_LINE);
  store<u32>(entryAt(id + 1), u32(from + length), START);
  writeNumber(entry, cell);
  Dictionary.size = id + 1;
  put<i32>(record, SIZE, id + 1);
  occupySlot(hash, id);
  const small = load<i32>(cell, 8) & Dictionary.smallMask;
  if (load<u64>(cell, 8) === ((u64(at<u8>(smallMetas, small)) << 32) | u64(small))) {
    put<u16>(Dictionary.smallIds, small, u16(id + 1));
  }
  return id;
}

function writeNumber(entry: usize, cell: usize): void {
  const low = load<i32>(cell, 8);
  const meta = load<i32>(cell, 12);
  let shape = shapeOfKey(low, meta);
  let value = valueOfKey(low, meta);
  if (meta < 0 && readLongNumber(load<u32>(cell), load<u32>(cell, 4))) {
    shape = shapeOfLong();
    value = LongNumber.value;
  }
  store<u32>(entry, shape, SHAPE);
  store<f64>(entry, value, VALUE);
}

/** Counts a cell of the text of this number. */
export function countId(id: i32): void {
  put<u32>(Dictionary.counts, id, at<u32>(Dictionary.counts, id) + 1);
}

export function hashOfId(id: i32): u32 {
  const entry = entryAt(id);
  return hashOfKey(load<i32>(entry), load<i32>(entry, 4));
}

function entryAt(id: i32): usize {
  return Dictionary.entries + usize(id) * usize(ENTRY_BYTES);
}

/** Uses twice as many slots, so that half are free. Their memory is there. */
function growSlots(): void {
  const count = 2 * (Dictionary.slotMask + 1);
  put<i32>(Dictionary.record, SLOT_COUNT, count);
  Dictionary.slotMask = count - 1;
  memory.fill(Dictionary.slots, 0, usize(count) << 2);
  for (let id = 0; id < Dictionary.size; id++) occupySlot(hashOfId(id), id);
}

function occupySlot(hash: u32, id: i32): void {
  let slot = i32(hash) & Dictionary.slotMask;
  while (at<i32>(Dictionary.slots, slot) !== 0) slot = (slot + 1) & Dictionary.slotMask;
  put<i32>(Dictionary.slots, slot, (i32(hash) & ~ID_MASK) | (id + 1));
}
