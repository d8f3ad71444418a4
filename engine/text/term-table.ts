// Terms by their hash: an open-addressing table that gives each term a number.

const FIRST_SLOTS = 1024;

/** Numbers terms in the order in which they come. */
export class TermTable {
  size = 0;
  /** Low and high half of each term's hash, by number: side by side, since each look-up waits for them. */
  keys: Int32Array;
  private slots: Int32Array;

  /** `expected`: terms that it has room for at first. */
  constructor(expected = FIRST_SLOTS / 2) {
    const slotCount = Math.max(FIRST_SLOTS, 2 ** Math.ceil(Math.log2(2 * expected)));
    this.slots = new Int32Array(slotCount).fill(-1);
    this.keys = new Int32Array(slotCount);
  }

  /** A table of known terms, numbered in this order. `keys`: low and high half of each. */
  static of(keys: Int32Array): TermTable {
    const table = new TermTable(keys.length / 2);
    for (let at = 0; at < keys.length; at += 2) table.numberOf(keys[at]!, keys[at + 1]!);
    return table;
  }

  /** The number of a term, or -1. */
  find(low: number, high: number): number {
    const { slots, keys } = this;
    const mask = slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]!;
      if (number < 0 || (keys[2 * number] === low && keys[2 * number + 1] === high)) return number;
    }
  }

  /** The number of a term, which it gets now if it is new. */
  numberOf(low: number, high: number): number {
    const { slots, keys } = this;
    const mask = slots.length - 1;
    let slot = low & mask;
    for (; slots[slot]! >= 0; slot = (slot + 1) & mask) {
      const number = slots[slot]!;
      if (keys[2 * number] === low && keys[2 * number + 1] === high) return number;
    }
    if (2 * this.size === keys.length) {
      this.grow();
      return this.numberOf(low, high);
    }
    slots[slot] = this.size;
    keys[2 * this.size] = low;
    keys[2 * this.size + 1] = high;
    return this.size++;
  }

  /** Half of the slots stay empty. */
  private grow(): void {
    const larger = new TermTable(this.keys.length);
    for (let at = 0; at < this.keys.length; at += 2) larger.numberOf(this.keys[at]!, this.keys[at + 1]!);
    this.slots = larger.slots;
    this.keys = larger.keys;
  }
}
