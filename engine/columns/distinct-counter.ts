// How many distinct texts there are among very many: exact up to a bound on memory, a close estimate beyond it.

import { type CellKey, hashOfKey, readTextKey, secondHashOfKey } from "../csv/cell-key.ts";

/** Keys per slot above which the table gives way to the registers. */
const LOAD = 0.7;
const REGISTERS_PER_SLOT = 2;
/** Different hashes, and the share of them that is as good as all. */
const HASHES = 2 ** 32;
const MOST_HASHED = 0.99;
const SECOND_BITS = 21;
const KEY_BITS = 32 + SECOND_BITS;

const KEY: CellKey = { low: 0, meta: 0 };

/**
 * Counts distinct texts by 53-bit hashes: one by one in an open-addressed table while that has room, then by HyperLogLog
 * (Flajolet and others 2007) with the estimator of Ertl (2017, "New cardinality estimation algorithms for HyperLogLog
 * sketches"), whose relative error is about 0.73 / sqrt(slots). What it holds depends on the set of texts alone.
 */
export class DistinctCounter {
  /** Keys, 0 where free: second hash above hash. The reading kernel fills them and the registers too. */
  slots: Float64Array;
  size = 0;
  /** Of each register, which the lowest bits of a key choose: the largest number of the bit where its others begin to be 1. */
  registers: Uint8Array;
  /** The registers count, and the table is of no use any more. */
  isEstimate = false;

  /** `slotCount`: a power of two, 10 bytes each, taken at once: tables that grow leave several times their size to be collected. */
  constructor(slotCount: number) {
    this.slots = new Float64Array(slotCount);
    this.registers = new Uint8Array(REGISTERS_PER_SLOT * slotCount);
  }

  /** `hash` is the text's `hashText`. */
  add(text: string, hash: number): void {
    readTextKey(text, KEY);
    this.addKey(hash, KEY.meta < 0 ? secondHash(text) & 0x1fffff : secondHashOfKey(KEY.low, KEY.meta));
  }

  /** The same of a short decimal, given its key. */
  addDecimal(low: number, meta: number): void {
    this.addKey(hashOfKey(low, meta), secondHashOfKey(low, meta));
  }

  /** Keys that the table may hold. */
  get mostKeys(): number {
    return Math.floor(this.slots.length * LOAD);
  }

  get count(): number {
    if (!this.isEstimate) return this.size;
    const estimate = estimateDistinct(this.registers);
    // Of so many texts some have the same hash, and the second one is seldom asked.
    return Math.round(-HASHES * Math.log1p(-Math.min(estimate / HASHES, MOST_HASHED)));
  }

  private addKey(hash: number, second: number): void {
    // 0 marks a free slot.
    const low = hash === 0 && second === 0 ? 1 : hash;
    if (this.isEstimate) this.addToSketch(low, second);
    else if (occupy(this.slots, second * 2 ** 32 + low, low) && ++this.size > this.mostKeys) this.sketch();
  }

  private sketch(): void {
    this.isEstimate = true;
    for (const key of this.slots) {
      if (key !== 0) this.addToSketch(key % 2 ** 32, Math.floor(key / 2 ** 32));
    }
  }

  private addToSketch(hash: number, second: number): void {
    const { registers } = this;
    const bits = 31 - Math.clz32(registers.length);
    const rest = hash >>> bits;
    const rank = 1 + (rest === 0 ? 32 - bits + trailingZeros(second, SECOND_BITS) : trailingZeros(rest, 32));
    const register = hash & (registers.length - 1);
    if (rank > registers[register]!) registers[register] = rank;
  }
}

function trailingZeros(value: number, ofNone: number): number {
  return value === 0 ? ofNone : 31 - Math.clz32(value & -value);
}

/** How many distinct keys the registers have seen: Ertl's algorithm 6. */
function estimateDistinct(registers: Uint8Array): number {
  const counts = new Uint32Array(KEY_BITS + 2);
  for (const rank of registers) counts[rank]!++;
  const most = KEY_BITS - Math.log2(registers.length);
  const registerCount = registers.length;
  let sum = registerCount * tau(1 - counts[most + 1]! / registerCount);
  for (let rank = most; rank >= 1; rank--) sum = 0.5 * (sum + counts[rank]!);
  sum += registerCount * sigma(counts[0]! / registerCount);
  return registerCount ** 2 / (2 * Math.LN2 * sum);
}

function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let sum = share;
  let before = -1;
  for (let power = share ** 2, weight = 1; sum !== before; power *= power, weight *= 2) {
    before = sum;
    sum += power * weight;
  }
  return sum;
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let sum = 1 - share;
  let before = -1;
  for (let root = Math.sqrt(share), weight = 0.5; sum !== before; root = Math.sqrt(root), weight *= 0.5) {
    before = sum;
    sum -= (1 - root) ** 2 * weight;
  }
  return sum / 3;
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
