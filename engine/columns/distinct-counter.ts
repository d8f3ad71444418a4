// How many distinct texts there are beside those of a full dictionary: exact up to a bound on memory, a close estimate beyond it.

import { type CellKey, hashOfKey, readTextKey, secondHashOfKey } from "../csv/cell-key.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import { estimateCount, relativeError, sketchHash } from "./distinct-sketch.ts";
import type { TextDictionary } from "./text-dictionary.ts";

/** Keys per slot at most. */
const LOAD = 0.7;
const HASHES = 2 ** 32;
const MOST_REGISTERS = 2 ** 14;
/** Standard errors that an estimate may be off. */
const DOUBT = 4;

const KEY: CellKey = { low: 0, meta: 0 };

/**
 * Counts distinct texts by 53-bit hashes in an open-addressed table while they have room there, then by a sketch of their 32-bit
 * hashes, to which those of the dictionary are added. What it holds depends on the set of texts alone.
 */
export class DistinctCounter {
  /** Keys, 0 where free: second hash above hash. The reading kernel fills them too. */
  slots = new Float64Array(0);
  /** Keys in the slots. */
  size = 0;
  /** From now on the sketch takes in every text, and it is no matter whether the dictionary holds it. */
  isEstimate = false;
  /** See `sketchHash`. */
  registers = new Uint8Array(0);
  private readonly dictionary: TextDictionary;
  /** In the memory of a kernel. */
  private places: { slots: number; registers: number } | null = null;

  /**
   * `slotCount`: a power of two, 8 bytes each, taken at once: tables that grow leave several times their size to be collected.
   * `dictionary`: takes no further text; `kernel`: in whose memory all lies, where there is one at hand.
   */
  constructor(slotCount: number, dictionary: TextDictionary, kernel: ReadingKernel | null) {
    this.dictionary = dictionary;
    const registerCount = Math.min(slotCount, MOST_REGISTERS);
    if (kernel === null) {
      this.slots = new Float64Array(slotCount);
      this.registers = new Uint8Array(registerCount);
    } else this.places = this.placeIn(kernel, slotCount, registerCount);
  }

  /** Has all lie in the kernel's memory from now on, and tells where. */
  moveTo(kernel: ReadingKernel): { slots: number; registers: number } {
    this.places ??= this.placeIn(kernel, this.slots.length, this.registers.length);
    return this.places;
  }

  /** A text that the dictionary does not hold. `hash` is the text's `hashText`. */
  add(text: string, hash: number): void {
    if (this.isEstimate) sketchHash(this.registers, hash);
    else {
      readTextKey(text, KEY);
      this.addKey(hash, KEY.meta < 0 ? secondHash(text) & 0x1fffff : secondHashOfKey(KEY.low, KEY.meta));
    }
  }

  /** The same of a short decimal, given its key. */
  addDecimal(low: number, meta: number): void {
    const hash = hashOfKey(low, meta);
    if (this.isEstimate) sketchHash(this.registers, hash);
    else this.addKey(hash, secondHashOfKey(low, meta));
  }

  /** Keys that the table may hold. */
  get mostKeys(): number {
    return Math.floor(this.slots.length * LOAD);
  }

  /** How many there are together with those `listed` texts of the dictionary that are values. */
  total(listed: number): number {
    if (!this.isEstimate) return listed + this.size;
    const others = this.dictionary.size - listed;
    return Math.max(listed, Math.round(estimateCount(this.registers)) - others);
  }

  /** What there are hardly ever more of, given their `total`: more than it where that is an estimate. */
  mostOf(total: number): number {
    return total * (this.isEstimate ? 1 + DOUBT * relativeError(this.registers) : 1);
  }

  private placeIn(kernel: ReadingKernel, slotCount: number, registerCount: number) {
    return {
      slots: kernel.extend(Float64Array, this.slots, slotCount, (own) => {
        this.slots = own;
      }),
      registers: kernel.extend(Uint8Array, this.registers, registerCount, (own) => {
        this.registers = own;
      }),
    };
  }

  private addKey(hash: number, second: number): void {
    // 0 marks a free slot.
    const low = hash === 0 && second === 0 ? 1 : hash;
    if (!occupy(this.slots, second * HASHES + low, low)) return;
    this.size++;
    if (this.size > this.mostKeys) this.sketchAll();
  }

  private sketchAll(): void {
    const { slots, registers } = this;
    for (let slot = 0; slot < slots.length; slot++) {
      if (slots[slot] !== 0) sketchHash(registers, slots[slot]! % HASHES);
    }
    const { size, lows, metas } = this.dictionary;
    for (let id = 0; id < size; id++) sketchHash(registers, hashOfKey(lows[id]!, metas[id]!));
    this.isEstimate = true;
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
