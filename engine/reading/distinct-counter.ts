// Counts the distinct texts that a full dictionary does not hold: exactly up
// to a bound on memory, then by a close estimate.
import {
  COUNTER_FIELDS,
  IS_SKETCHED,
  KEY_COUNT,
  KEY_SLOTS,
  KEYS,
  REGISTER_BITS,
  REGISTERS,
} from "../kernels/reading/layout.ts";
import type { TextDictionary } from "./text-dictionary.ts";

const MOST_REGISTERS = 2 ** 14;
/** Standard errors by which the upper bound exceeds an estimate. */
const DOUBT = 4;

/** The counting is in kernels/reading/distinct.ts. */
export class DistinctCounter {
  private fields = new Int32Array(0);
  private registers = new Uint8Array(0);
  private readonly dictionary: TextDictionary;

  /**
   * Starts to count the dictionary's further texts. `slotCount`: a power of two,
   * 8 bytes each; seven tenths of them are filled.
   */
  constructor(dictionary: TextDictionary, slotCount: number) {
    const { kernel } = dictionary;
    const registerCount = Math.min(slotCount, MOST_REGISTERS);
    const keysAt = kernel.place(Float64Array, slotCount, () => undefined);
    const registersAt = kernel.place(Uint8Array, registerCount, (view) => {
      this.registers = view;
    });
    const at = kernel.place(Int32Array, COUNTER_FIELDS, (view) => {
      this.fields = view;
    });
    this.fields[KEYS] = keysAt;
    this.fields[KEY_SLOTS] = slotCount;
    this.fields[REGISTERS] = registersAt;
    this.fields[REGISTER_BITS] = Math.log2(registerCount);
    this.dictionary = dictionary;
    dictionary.countFurther(at);
  }

  get isEmpty(): boolean {
    return this.fields[KEY_COUNT] === 0;
  }

  get isEstimate(): boolean {
    return this.fields[IS_SKETCHED] === 1;
  }

  /** Returns how many distinct values there are. `listed`: those in the dictionary. */
  total(listed: number): number {
    if (!this.isEstimate) return listed + this.fields[KEY_COUNT]!;
    const others = this.dictionary.size - listed;
    return Math.max(listed, Math.round(estimateCount(this.registers)) - others);
  }

  /** Returns an upper bound for a `total`: above it where that is an estimate. */
  mostOf(total: number): number {
    const relativeError = 1.04 / Math.sqrt(this.registers.length);
    return total * (this.isEstimate ? 1 + DOUBT * relativeError : 1);
  }
}

/**
 * Estimates how many hashes the registers took in, without bias for small counts (Ertl 2017, "New cardinality
 * estimation algorithms for HyperLogLog sketches").
 */
export function estimateCount(registers: Uint8Array): number {
  const count = registers.length;
  const mostRank = 33 - Math.log2(count);
  const ofRank = tallyRanks(registers, mostRank);
  let sum = count * saturated(1 - ofRank[mostRank]! / count);
  for (let rank = mostRank - 1; rank >= 1; rank--) sum = (sum + ofRank[rank]!) / 2;
  sum += count * untouched(ofRank[0]! / count);
  return (count * count) / (2 * Math.LN2 * sum);
}

/** A function of its own, because compiling the loop with all else took longer than running it. */
function tallyRanks(registers: Uint8Array, mostRank: number): Float64Array {
  const ofRank = new Float64Array(mostRank + 1);
  for (let place = 0; place < registers.length; place++) ofRank[registers[place]!]!++;
  return ofRank;
}

/** Ertl's tau: the correction for the share of registers at the highest rank. */
function saturated(share: number): number {
  if (share === 0 || share === 1) return 0;
  let root = share;
  let weight = 1;
  let sum = 1 - share;
  for (let before = Number.NaN; sum !== before; ) {
    before = sum;
    root = Math.sqrt(root);
    weight /= 2;
    sum -= (1 - root) ** 2 * weight;
  }
  return sum / 3;
}

/** Ertl's sigma: the correction for the share of registers without a hash. */
function untouched(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let power = share;
  let weight = 1;
  let sum = share;
  for (let before = Number.NaN; sum !== before; ) {
    before = sum;
    power *= power;
    sum += power * weight;
    weight *= 2;
  }
  return sum;
}
