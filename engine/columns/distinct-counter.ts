// How many distinct texts there are among very many: exact up to a bound on memory, a close estimate beyond it.

import { type CellKey, hashOfKey, readTextKey, secondHashOfKey } from "../csv/cell-key.ts";

/** Keys per slot at most. */
const LOAD = 0.7;
const HASHES = 2 ** 32;
/** Of an estimate: its standard error times the root of the keys it rests on, and how many such errors it may be off. */
const SPREAD = 1.2;
const DOUBT = 4;

const KEY: CellKey = { low: 0, meta: 0 };

/**
 * Counts distinct texts by 53-bit hashes in an open-addressed table: all of them while they have room, then those alone whose
 * hash is below a bound, which is halved whenever there is no room. Each stands for as many as the bound leaves out (adaptive
 * sampling: Wegman; Flajolet 1990, "On adaptive sampling"): a relative error of about 1.2 / sqrt(keys). What it holds depends
 * on the set of texts alone.
 */
export class DistinctCounter {
  /** Keys, 0 where free: second hash above hash. The reading kernel fills them too. */
  slots: Float64Array;
  /** Keys in the slots. */
  size = 0;
  /** Hashes up to here are counted. */
  mostHash = HASHES - 1;

  /** `slotCount`: a power of two, 8 bytes each, taken at once: tables that grow leave several times their size to be collected. */
  constructor(slotCount: number) {
    this.slots = new Float64Array(slotCount);
  }

  /** `hash` is the text's `hashText`. */
  add(text: string, hash: number): void {
    if (hash > this.mostHash) return;
    readTextKey(text, KEY);
    this.addKey(hash, KEY.meta < 0 ? secondHash(text) & 0x1fffff : secondHashOfKey(KEY.low, KEY.meta));
  }

  /** The same of a short decimal, given its key. */
  addDecimal(low: number, meta: number): void {
    const hash = hashOfKey(low, meta);
    if (hash <= this.mostHash) this.addKey(hash, secondHashOfKey(low, meta));
  }

  /** Keys that the table may hold. */
  get mostKeys(): number {
    return Math.floor(this.slots.length * LOAD);
  }

  get isEstimate(): boolean {
    return this.mostHash < HASHES - 1;
  }

  get count(): number {
    return Math.round((this.size * HASHES) / (this.mostHash + 1));
  }

  /** What hardly ever is exceeded. */
  get mostCount(): number {
    return this.isEstimate ? this.count * (1 + (DOUBT * SPREAD) / Math.sqrt(this.size)) : this.count;
  }

  private addKey(hash: number, second: number): void {
    // 0 marks a free slot.
    const low = hash === 0 && second === 0 ? 1 : hash;
    if (!occupy(this.slots, second * HASHES + low, low)) return;
    this.size++;
    while (this.size > this.mostKeys) this.halve();
  }

  /** Leaves out the upper half of the hashes. */
  private halve(): void {
    const { slots } = this;
    this.mostHash = (this.mostHash + 1) / 2 - 1;
    // Begun behind a free slot, every key finds room where it was or before.
    const first = slots.indexOf(0);
    this.size = 0;
    for (let step = 1; step <= slots.length; step++) {
      const slot = (first + step) & (slots.length - 1);
      const key = slots[slot]!;
      slots[slot] = 0;
      if (key === 0 || key % HASHES > this.mostHash) continue;
      occupy(slots, key, key % HASHES);
      this.size++;
    }
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
