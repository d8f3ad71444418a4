// Terms by their hash: an open-addressing table that gives each term a number.

const FIRST_SLOTS = 1024;

/** Numbers terms in the order in which they come. */
export class TermTable {
  size = 0;
  /** Halves of each term's hash, by number. */
  low: Int32Array;
  high: Int32Array;
  private slots: Int32Array;

  /** `expected`: terms that it has room for at first. */
  constructor(expected = FIRST_SLOTS / 2) {
    const slotCount = Math.max(FIRST_SLOTS, 2 ** Math.ceil(Math.log2(2 * expected + 1)));
    this.slots = new Int32Array(slotCount).fill(-1);
    this.low = new Int32Array(slotCount / 2);
    this.high = new Int32Array(slotCount / 2);
  }

  /** A table of known terms, numbered in this order. `keys`: low and high half of each. */
  static of(keys: Int32Array): TermTable {
    const table = new TermTable(keys.length / 2);
    for (let at = 0; at < keys.length; at += 2) table.numberOf(keys[at]!, keys[at + 1]!);
    return table;
  }

  /** The number of a term, or -1. */
  find(low: number, high: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]!;
      if (number < 0) return -1;
      if (this.low[number] === low && this.high[number] === high) return number;
    }
  }

  /** The number of a term, which it gets now if it is new. */
  numberOf(low: number, high: number): number {
    const mask = this.slots.length - 1;
    let slot = low & mask;
    for (; this.slots[slot]! >= 0; slot = (slot + 1) & mask) {
      const number = this.slots[slot]!;
      if (this.low[number] === low && this.high[number] === high) return number;
    }
    if (this.size === this.low.length) {
      this.grow();
      return this.numberOf(low, high);
    }
    this.slots[slot] = this.size;
    this.low[this.size] = low;
    this.high[this.size] = high;
    return this.size++;
  }

  private grow(): void {
    const larger = new TermTable(2 * this.low.length);
    for (let number = 0; number < this.size; number++) larger.numberOf(this.low[number]!, this.high[number]!);
    this.slots = larger.slots;
    this.low = larger.low;
    this.high = larger.high;
  }
}
