// How many distinct texts there are among very many: exact up to a bound on memory, a close estimate beyond it.

import { type CellKey, readTextKey, secondHashOfKey } from "../csv/cell-key.ts";

/** Entries per slot above which the sample is halved. */
const LOAD = 0.7;
/** Texts whose slots are fetched together. */
const BLOCK = 64;

const KEY: CellKey = { low: 0, meta: 0 };

/**
 * Counts distinct texts by 53-bit hashes in an open-addressed table. Once that is full it turns to Wegman's adaptive
 * sampling (Flajolet 1990): keep only hashes in half of the range, then a quarter, and so on. The relative error of the
 * estimate is about 1.2 / sqrt(entries). What it holds depends on the set of texts alone, never on their order.
 */
export class DistinctCounter {
  private readonly slots: Float64Array;
  private size = 0;
  /** Only hashes whose highest `depth` of 32 bits are 0 are kept. */
  private depth = 0;

  /** `slotCount`: a power of two, 8 bytes each, taken at once: tables that grow leave several times their size to be collected. */
  constructor(slotCount: number) {
    this.slots = new Float64Array(slotCount);
  }

  /** `hash` is the text's `hashText`. */
  add(text: string, hash: number): void {
    if (this.depth > 0 && hash >>> (32 - this.depth) !== 0) return;
    readTextKey(text, KEY);
    this.addKey(hash, KEY.meta < 0 ? secondHash(text) & 0x1fffff : secondHashOfKey(KEY.low, KEY.meta));
  }

  /** The same of many texts, given `hashText` and another hash of 21 bits of each. */
  addHashes(hashes: Uint32Array, secondHashes: Uint32Array, count: number): void {
    for (let from = 0; from < count; from += BLOCK) {
      const to = Math.min(from + BLOCK, count);
      this.touch(hashes, from, to);
      for (let at = from; at < to; at++) {
        const hash = hashes[at]!;
        if (this.depth > 0 && hash >>> (32 - this.depth) !== 0) continue;
        this.addKey(hash, secondHashes[at]!);
      }
    }
  }

  /** Has the memory of a block's slots fetched all at once, where one by one would each wait for the one before: takes half the time. */
  private touch(hashes: Uint32Array, from: number, to: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let sum = 0;
    for (let at = from; at < to; at++) sum += slots[hashes[at]! & mask]!;
    // Never so; but what is of no use may be left undone.
    if (sum < 0) throw new RangeError("a slot is negative");
  }

  private addKey(hash: number, second: number): void {
    const key = second * 2 ** 32 + hash;
    // 0 marks a free slot.
    if (!(key === 0 ? occupy(this.slots, 1, 1) : occupy(this.slots, key, hash))) return;
    this.size++;
    while (this.size > this.slots.length * LOAD) this.halve();
  }

  get count(): number {
    return this.size * 2 ** this.depth;
  }

  get isEstimate(): boolean {
    return this.depth > 0;
  }

  private halve(): void {
    this.depth++;
    const shift = 32 - this.depth;
    const kept = this.slots.filter((key) => key !== 0 && (key % 2 ** 32) >>> shift === 0);
    this.slots.fill(0);
    for (const key of kept) occupy(this.slots, key, key % 2 ** 32);
    this.size = kept.length;
  }
}

/** False when the table held the key already. `hash`: its low 32 bits, apart because they are slow to take from a large number. */
function occupy(slots: Float64Array, key: number, hash: number): boolean {
  const mask = slots.length - 1;
  let slot = hash & mask;
  for (;;) {
    const found = slots[slot]!;
    if (found === 0) break;
    if (found === key) return false;
    slot = (slot + 1) & mask;
  }
  slots[slot] = key;
  return true;
}

/** Independent of `hashText`: another multiplier and start, and the units enter by addition. */
function secondHash(text: string): number {
  const length = text.length;
  let hash = 0x2545f491;
  for (let at = 0; at < length; at++) hash = Math.imul(hash + text.charCodeAt(at), 0x9e3779b1) ^ (hash >>> 13);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
