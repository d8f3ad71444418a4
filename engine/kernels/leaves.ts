// Class shares of leaves, each distinct vector stored once.
import { secondOf } from "./item.ts";
import { Matrix } from "./matrix.ts";
import { allocateArray, at, put } from "./memory.ts";
import { Node } from "./node.ts";

const FIRST_CAPACITY: i32 = 256;

/** f32 shares, class after class: half as many vectors as the table has places. */
let shares: usize = 0;
let held: i32 = 0;
/** i32 vector index + 1 by hash, or 0 where free; at most half full. */
let table: usize = 0;
let capacity: i32 = 0;

export function prepareLeaves(): void {
  held = 0;
  capacity = FIRST_CAPACITY;
  table = allocateArray<i32>(capacity);
  shares = allocateArray<f32>(roomFor(capacity));
}

export function leafCount(): i32 {
  return held;
}

/** The address of the shares so far. */
export function leafSharesAt(): usize {
  return shares;
}

/** The index of the current node's class shares, rounded to single precision. */
export function leafOfNode(): i32 {
  const classCount = Matrix.classCount;
  if ((held + 1) * 2 > capacity) enlarge();
  const start = held * classCount;
  if (classCount === 2) {
    const second = i32(secondOf(Node.counts));
    put<f32>(shares, start, f32(f64(Node.weight - second) / f64(Node.weight)));
    put<f32>(shares, start + 1, f32(f64(second) / f64(Node.weight)));
  } else {
    for (let k = 0; k < classCount; k++) {
      put<f32>(shares, start + k, f32(at<f64>(Node.totals, k) / f64(Node.weight)));
    }
  }
  const mask = capacity - 1;
  let slot = hash(start) & mask;
  while (true) {
    const entry = at<i32>(table, slot);
    if (entry === 0) break;
    if (isEqual((entry - 1) * classCount, start)) return entry - 1;
    slot = (slot + 1) & mask;
  }
  held++;
  put<i32>(table, slot, held);
  return held - 1;
}

/** Drops all vectors from `count` on. */
export function dropLeavesFrom(count: i32): void {
  if (count === held) return;
  held = count;
  memory.fill(table, 0, usize(capacity) * sizeof<i32>());
  fillTable();
}

function roomFor(places: i32): i32 {
  return (places / 2) * Matrix.classCount;
}

function hash(start: i32): i32 {
  let state: i32 = 0x9e3779b9;
  for (let k = 0; k < Matrix.classCount; k++) {
    state = (state ^ at<i32>(shares, start + k)) * 0x85ebca6b;
    state ^= state >>> 15;
  }
  return state;
}

function isEqual(one: i32, other: i32): bool {
  for (let k = 0; k < Matrix.classCount; k++) {
    if (at<i32>(shares, one + k) !== at<i32>(shares, other + k)) return false;
  }
  return true;
}

function enlarge(): void {
  const old = shares;
  const size = roomFor(capacity);
  capacity *= 2;
  table = allocateArray<i32>(capacity);
  shares = allocateArray<f32>(roomFor(capacity));
  memory.copy(shares, old, usize(size) * sizeof<f32>());
  fillTable();
}

function fillTable(): void {
  const mask = capacity - 1;
  for (let index = 0; index < held; index++) {
    let slot = hash(index * Matrix.classCount) & mask;
    while (at<i32>(table, slot) !== 0) slot = (slot + 1) & mask;
    put<i32>(table, slot, index + 1);
  }
}
