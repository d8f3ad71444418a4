// Counts distinct texts of one column by their hashes: engine/columns/distinct-counter.ts, of which these are the same tables.
import { allocateArray, at, put, touch } from "./memory.ts";

/** Texts whose memory is fetched together. */
const FETCHED: i32 = 64;
/** Texts that may wait to be counted. */
const MOST_PENDING: i32 = 1024;
const SECOND_MASK: u32 = 0x1f_ffff;
/** Bounds the rank of a key that is 0 behind its register. */
const RANK_END: u64 = 1 << 53;

/** Fields of a column's record. */
const SLOTS: i32 = 9;
const MASK: i32 = 10;
const SIZE: i32 = 11;
const IS_SKETCH: i32 = 12;
const MOST: i32 = 13;
const REGISTERS: i32 = 14;

/** u64: keys of texts that wait to be counted. */
let pending: usize = 0;
let pendingCount: i32 = 0;

class Distinct {
  static isSketch: bool = false;
  static registerBits: u32 = 0;
  /** f64 keys, 0 where free. */
  static slots: usize = 0;
  static mask: u32 = 0;
  static size: i32 = 0;
  static most: i32 = 0;
  /** u8, two for each slot. */
  static registers: usize = 0;
}

export function prepareDistinct(): void {
  pending = allocateArray<u64>(MOST_PENDING);
}

/** Takes over the counter of a column; `isMany`: most of its registers will be needed. */
export function openDistinct(record: usize, isMany: bool): void {
  Distinct.slots = at<u32>(record, SLOTS);
  Distinct.mask = at<u32>(record, MASK);
  Distinct.size = at<i32>(record, SIZE);
  Distinct.isSketch = at<i32>(record, IS_SKETCH) !== 0;
  Distinct.most = at<i32>(record, MOST);
  Distinct.registers = at<u32>(record, REGISTERS);
  Distinct.registerBits = 33 - clz<u32>(Distinct.mask);
  if (isMany && Distinct.isSketch) touch(Distinct.registers, usize(Distinct.mask + 1) << 1);
}

/** Counts what waits, and gives the counter back. */
export function closeDistinct(record: usize): void {
  addPending();
  put<i32>(record, SIZE, Distinct.size);
  put<i32>(record, IS_SKETCH, i32(Distinct.isSketch));
}

/** Whether the second hash of a text can matter. */
export function needsSecond(hash: u32): bool {
  return !Distinct.isSketch || hash >> Distinct.registerBits === 0;
}

/** Takes in a text by its two hashes. */
export function addHashes(hash: u32, second: u32): void {
  const key = (u64(second) << 32) | u64(hash);
  // 0 marks a free slot.
  const marked: u64 = key === 0 ? 1 : key;
  if (Distinct.isSketch) {
    addToSketch(marked);
    return;
  }
  put<u64>(pending, pendingCount++, marked);
  if (pendingCount === MOST_PENDING) addPending();
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
  for (let place = from; place < to; place++) {
    sum += load<f64>(Distinct.slots + (usize(u32(at<u64>(pending, place)) & Distinct.mask) << 3));
  }
  return sum;
}

function addKey(key: u64): void {
  if (Distinct.isSketch) {
    addToSketch(key);
    return;
  }
  const number = f64(i64(key));
  let slot = u32(key) & Distinct.mask;
  let found = load<f64>(Distinct.slots + (usize(slot) << 3));
  while (found !== 0) {
    if (found === number) return;
    slot = (slot + 1) & Distinct.mask;
    found = load<f64>(Distinct.slots + (usize(slot) << 3));
  }
  store<f64>(Distinct.slots + (usize(slot) << 3), number);
  Distinct.size++;
  if (Distinct.size > Distinct.most) sketch();
}

/** Has the registers stand for the keys of the table. */
function sketch(): void {
  Distinct.isSketch = true;
  for (let slot: u32 = 0; slot <= Distinct.mask; slot++) {
    const key = load<f64>(Distinct.slots + (usize(slot) << 3));
    if (key !== 0) addToSketch(u64(i64(key)));
  }
}

function addToSketch(key: u64): void {
  const bits = u64(Distinct.registerBits);
  const register = Distinct.registers + usize(key & ((u64(1) << bits) - 1));
  const rank = u32(ctz<u64>((key | RANK_END) >> bits)) + 1;
  if (rank > load<u8>(register)) store<u8>(register, u8(rank));
}

/** The hashes of a short decimal's key: engine/csv/cell-key.ts. */
export function hashOf(low: i32, meta: i32): u32 {
  return finishHash((u32(low) * 0x9e37_79b1) ^ (u32(meta) * 0x85eb_ca6b));
}

export function secondHashOf(low: i32, meta: i32): u32 {
  return finishHash((u32(low) ^ 0x2545_f491) * 0xc2b2_ae35 + u32(meta) * 0x27d4_eb2f) & SECOND_MASK;
}

function finishHash(hash: u32): u32 {
  let mixed = (hash ^ (hash >> 16)) * 0x21f0_aaad;
  mixed = (mixed ^ (mixed >> 15)) * 0x735a_2d97;
  return mixed ^ (mixed >> 15);
}

/** The second hash of any other text. */
export function secondHashOfText(start: usize, end: usize): u32 {
  let hash: u32 = 0x2545_f491;
  for (let next = start; next < end; next++) hash = ((hash + load<u8>(next)) * 0x9e37_79b1) ^ (hash >> 13);
  hash = (hash ^ (hash >> 16)) * 0x85eb_ca6b;
  return (hash ^ (hash >> 13)) & SECOND_MASK;
}
