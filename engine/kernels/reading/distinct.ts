// Counts the distinct texts that a full dictionary does not hold: by their keys while these fit, then by a sketch.

import { at, put } from "../memory.ts";
import { hashOfKey, secondHashOfBytes } from "./cell-key.ts";
import { Dictionary, findId, hashOfId } from "./dictionary.ts";
import { CELL_BYTES, IS_SKETCHED, KEY_COUNT, KEY_SLOTS, KEYS, REGISTER_BITS, REGISTERS } from "./layout.ts";

/** Keys for each slot at most. */
const LOAD: f64 = 0.7;
/** Bit 63 of a key marks texts. Keys of short decimals are those of their cells, without it. */
const IS_TEXT: u32 = 0x8000_0000;

/** The current counter, from its record. Its content depends on the set of texts alone. */
class Counter {
  static record: usize = 0;
  static keys: usize = 0;
  static mask: u32 = 0;
  static count: u32 = 0;
  static registers: usize = 0;
  static registerBits: u32 = 0;
  static isSketched: bool = false;
}

export function openCounter(record: usize): void {
  Counter.record = record;
  Counter.keys = at<u32>(record, KEYS);
  Counter.mask = at<u32>(record, KEY_SLOTS) - 1;
  Counter.count = at<u32>(record, KEY_COUNT);
  Counter.registers = at<u32>(record, REGISTERS);
  Counter.registerBits = at<u32>(record, REGISTER_BITS);
  Counter.isSketched = at<u32>(record, IS_SKETCHED) !== 0;
}

export function closeCounter(): void {
  put<u32>(Counter.record, KEY_COUNT, Counter.count);
  put<u32>(Counter.record, IS_SKETCHED, u32(Counter.isSketched));
}

/**
 * Counts the text of a cell unless it was counted before or the current dictionary holds
 * it. The sketch takes in those of the dictionary too.
 */
export function countOne(cell: usize): void {
  const hash = hashOfKey(load<i32>(cell, 8), load<i32>(cell, 12));
  if (Counter.isSketched) sketch(hash, Counter.registers, Counter.registerBits);
  else countKey(cell, hash);
}

/** Counts the texts of `count` cells, except those whose shape is 0. */
export function countAll(cells: usize, shapes: usize, count: i32): void {
  let place = 0;
  for (; place < count && !Counter.isSketched; place++) {
    if (at<u16>(shapes, place) !== 0) countOne(cells + usize(place) * usize(CELL_BYTES));
  }
  const registers = Counter.registers;
  const bits = Counter.registerBits;
  for (; place < count; place++) {
    const cell = cells + usize(place) * usize(CELL_BYTES);
    if (at<u16>(shapes, place) !== 0) sketch(hashOfKey(load<i32>(cell, 8), load<i32>(cell, 12)), registers, bits);
  }
}

function countKey(cell: usize, hash: u32): void {
  let key = load<u64>(cell, 8);
  if (i64(key) < 0) {
    const second = secondHashOfBytes(load<u32>(cell), load<u32>(cell, 4)) | IS_TEXT;
    key = (u64(second) << 32) | u64(hash);
  }
  let slot = hash & Counter.mask;
  let found = at<u64>(Counter.keys, i32(slot));
  while (found !== 0) {
    if (found === key) return;
    slot = (slot + 1) & Counter.mask;
    found = at<u64>(Counter.keys, i32(slot));
  }
  if (findId(cell, hash) >= 0) return;
  // No key is 0.
  put<u64>(Counter.keys, i32(slot), key);
  Counter.count++;
  if (f64(Counter.count) > Math.floor(f64(Counter.mask + 1) * LOAD)) sketchAll();
}

/**
 * Takes a hash into the sketch. Its first bits choose a register, which keeps the most leading zeros that the other
 * bits had, plus one (Flajolet, Fusy, Gandouet, Meunier 2007, "HyperLogLog").
 */
function sketch(hash: u32, registers: usize, bits: u32): void {
  const register = registers + usize(hash >> (32 - bits));
  const rank = clz<u32>((hash << bits) | (1 << (bits - 1))) + 1;
  if (rank > u32(load<u8>(register))) store<u8>(register, u8(rank));
}

function sketchAll(): void {
  const registers = Counter.registers;
  const bits = Counter.registerBits;
  Counter.isSketched = true;
  for (let slot: u32 = 0; slot <= Counter.mask; slot++) {
    const key = at<u64>(Counter.keys, i32(slot));
    if (key !== 0) sketch(hashOfKey(i32(key), i32(key >> 32)), registers, bits);
  }
  for (let id = 0; id < Dictionary.size; id++) sketch(hashOfId(id), registers, bits);
}
