// Counts distinct texts of one column by their hashes: engine/columns/distinct-counter.ts, of which this is the same table.
import { hashOf, SECOND_MASK, secondHashOf } from "./cell-key.ts";
import { filterWordOf, holdsDecimal } from "./dictionary.ts";
import { allocateArray, at, put } from "./memory.ts";

/** Texts whose memory is fetched together. */
const FETCHED: i32 = 64;
/** Texts that may wait to be counted. */
const MOST_PENDING: i32 = 1024;

/** Fields of a column's record. */
const SLOTS: i32 = 0;
const MASK: i32 = 1;
const SIZE: i32 = 2;
const MOST_HASH: i32 = 3;
const MOST: i32 = 4;

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
  static mostHash: u32 = 0;
  static most: i32 = 0;
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
  Distinct.mostHash = at<u32>(record, MOST_HASH);
  Distinct.most = at<i32>(record, MOST);
}

/** Counts what waits, and gives the counter back. */
export function closeDistinct(record: usize): void {
  seekPending();
  addPending();
  put<i32>(record, SIZE, Distinct.size);
  put<u32>(record, MOST_HASH, Distinct.mostHash);
}

/** Texts of hashes up to this one are counted. */
export function countedUpTo(): u32 {
  return Distinct.mostHash;
}

/** Takes in a text that is counted by its two hashes. */
export function addHashes(hash: u32, second: u32): void {
  const key = (u64(second) << 32) | u64(hash);
  // 0 marks a free slot.
  put<u64>(pending, pendingCount++, key === 0 ? 1 : key);
  if (pendingCount === MOST_PENDING) addPending();
}

/** Takes in a short decimal which is counted where the dictionary at hand does not hold it. `key`: `low` and, above it, `meta`. */
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
  if (u32(key) > Distinct.mostHash || !occupy(f64(i64(key)), u32(key))) return;
  Distinct.size++;
  while (Distinct.size > Distinct.most) halve();
}

/** Leaves out the upper half of the hashes. */
function halve(): void {
  const mask = Distinct.mask;
  Distinct.mostHash >>= 1;
  let first: u32 = 0;
  while (load<f64>(addressOf(first)) !== 0) first++;
  Distinct.size = 0;
  // Begun behind a free slot, every key finds room where it was or before.
  for (let step: u32 = 1; step <= mask + 1; step++) {
    const address = addressOf(first + step);
    const key = load<f64>(address);
    if (key === 0) continue;
    store<f64>(address, 0);
    const hash = u32(i64(key));
    if (hash > Distinct.mostHash) continue;
    occupy(key, hash);
    Distinct.size++;
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
