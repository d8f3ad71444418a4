// Counts distinct texts of one column by their hashes: engine/columns/distinct-counter.ts, of which this is the same table.
import { hashOf, hashOfKey, SECOND_MASK, secondHashOf } from "./cell-key.ts";
import { Dictionary, filterWordOf, holdsDecimal } from "./dictionary.ts";
import { allocateArray, at, put } from "./memory.ts";

/** Texts whose memory is fetched together. */
const FETCHED: i32 = 64;
/** Texts that may wait to be counted. */
const MOST_PENDING: i32 = 1024;

/** Fields of a column's record. */
const SLOTS: i32 = 0;
const MASK: i32 = 1;
const SIZE: i32 = 2;
const MOST: i32 = 3;
const REGISTERS: i32 = 4;
const CHOSEN_BY: i32 = 24;
const IS_SKETCHED: i32 = 25;

/** u64: keys of texts that wait to be counted. */
let pending: usize = 0;
let pendingCount: i32 = 0;
/** The same of short decimals that wait to be looked for, as cells have them: those that the dictionary holds are not counted. */
let unsought: usize = 0;
let unsoughtCount: i32 = 0;

class Distinct {
  /** f64 keys, 0 where free. */
  static slots: usize = 0;
  static mask: u32 = 0;
  static size: i32 = 0;
  static most: i32 = 0;
  /** u8 registers of the sketch, and how many bits of a hash choose one. */
  static registers: usize = 0;
  static chosenBy: u32 = 0;
  static isSketched: bool = false;
}

export function prepareDistinct(): void {
  pending = allocateArray<u64>(MOST_PENDING);
  unsought = allocateArray<u64>(MOST_PENDING);
}

/** Takes over the counter of a column. */
export function openDistinct(record: usize): void {
  Distinct.slots = at<u32>(record, SLOTS);
  Distinct.mask = at<u32>(record, MASK);
  Distinct.size = at<i32>(record, SIZE);
  Distinct.most = at<i32>(record, MOST);
  Distinct.registers = at<u32>(record, REGISTERS);
  Distinct.chosenBy = at<u32>(record, CHOSEN_BY);
  Distinct.isSketched = at<i32>(record, IS_SKETCHED) !== 0;
}

/** Counts what waits, and gives the counter back. */
export function closeDistinct(record: usize): void {
  seekPending();
  addPending();
  put<i32>(record, SIZE, Distinct.size);
  put<i32>(record, IS_SKETCHED, i32(Distinct.isSketched));
}

/** Texts are too many to be told apart: only `sketchHash` takes them in, whether or not the dictionary holds them. */
export function isSketched(): bool {
  return Distinct.isSketched;
}

export function sketchHash(hash: u32): void {
  sketch(hash, Distinct.registers, Distinct.chosenBy);
}

/** The same of many. */
export function sketchHashes(hashes: usize, count: i32): void {
  const registers = Distinct.registers;
  const chosenBy = Distinct.chosenBy;
  const end = hashes + (usize(count) << 2);
  for (let next = hashes; next < end; next += 4) sketch(load<u32>(next), registers, chosenBy);
}

function sketch(hash: u32, registers: usize, chosenBy: u32): void {
  const register = registers + usize(hash >> (32 - chosenBy));
  const rank = clz<u32>((hash << chosenBy) | (1 << (chosenBy - 1))) + 1;
  if (rank > u32(load<u8>(register))) store<u8>(register, u8(rank));
}

/** Takes in a text by its two hashes. */
export function addHashes(hash: u32, second: u32): void {
  const key = (u64(second) << 32) | u64(hash);
  // 0 marks a free slot.
  put<u64>(pending, pendingCount++, key === 0 ? 1 : key);
  if (pendingCount === MOST_PENDING) addPending();
}

/** Takes in a short decimal, to be counted where the dictionary at hand does not hold it. `key`: `low` and, above it, `meta`. */
export function addUnsought(key: u64): void {
  put<u64>(unsought, unsoughtCount++, key);
  if (unsoughtCount === MOST_PENDING) seekPending();
}

function seekPending(): void {
  const count = unsoughtCount;
  unsoughtCount = 0;
  fetchFilter(count);
  for (let place = 0; place < count; place++) {
    const key = at<u64>(unsought, place);
    const low = i32(key);
    const meta = i32(key >> 32);
    if (!holdsDecimal(low, meta)) addHashes(hashOf(low, meta), secondHashOf(low, meta));
  }
}

/** Has the parts of the filter that tell of the first short decimals fetched all at once. */
function fetchFilter(count: i32): u32 {
  let sum: u32 = 0;
  for (let place = 0; place < count; place++) {
    const key = at<u64>(unsought, place);
    sum += filterWordOf(hashOf(i32(key), i32(key >> 32)));
  }
  return sum;
}

function addPending(): void {
  const count = pendingCount;
  pendingCount = 0;
  for (let from = 0; from < count; from += FETCHED) {
    const to = min(from + FETCHED, count);
    touchSlots(from, to);
    for (let place = from; place < to; place++) addKey(at<u64>(pending, place));
  }
}

/** Has the memory of some slots fetched all at once, where one by one would each wait for the one before. */
function touchSlots(from: i32, to: i32): f64 {
  let sum: f64 = 0;
  for (let place = from; place < to; place++) sum += load<f64>(addressOf(u32(at<u64>(pending, place))));
  return sum;
}

function addKey(key: u64): void {
  if (Distinct.isSketched) sketchHash(u32(key));
  else if (occupy(f64(i64(key)), u32(key))) {
    Distinct.size++;
    if (Distinct.size > Distinct.most) sketchAll();
  }
}

/** Begins the sketch with all texts of the table and of the dictionary at hand. */
function sketchAll(): void {
  Distinct.isSketched = true;
  for (let slot: u32 = 0; slot <= Distinct.mask; slot++) {
    const key = load<f64>(addressOf(slot));
    if (key !== 0) sketchHash(u32(i64(key)));
  }
  for (let id = 0; id < Dictionary.size; id++) {
    sketchHash(hashOfKey(at<i32>(Dictionary.lows, id), at<i32>(Dictionary.metas, id)));
  }
}

/** False where the table held the key already. */
function occupy(key: f64, hash: u32): bool {
  let slot = hash;
  let found = load<f64>(addressOf(slot));
  while (found !== 0) {
    if (found === key) return false;
    found = load<f64>(addressOf(++slot));
  }
  store<f64>(addressOf(slot), key);
  return true;
}

function addressOf(slot: u32): usize {
  return Distinct.slots + (usize(slot & Distinct.mask) << 3);
}

/** The second hash of any other text. */
export function secondHashOfText(start: usize, end: usize): u32 {
  let hash: u32 = 0x2545_f491;
  for (let next = start; next < end; next++) hash = ((hash + load<u8>(next)) * 0x9e37_79b1) ^ (hash >> 13);
  hash = (hash ^ (hash >> 16)) * 0x85eb_ca6b;
  return (hash ^ (hash >> 13)) & SECOND_MASK;
}
