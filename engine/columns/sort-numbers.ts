// Sorting many finite numbers: by the digits of their bits, several times as fast as by comparison.

const DIGIT_BITS = 11;
const DIGIT_COUNT = 1 << DIGIT_BITS;
const DIGIT_MASK = DIGIT_COUNT - 1;
/** Fewer than this are sorted by comparison. */
const FEW = 2000;

export interface SortedNumbers {
  /** Ascending. */
  values: Float64Array;
  /** Where each of them stood; may be part of the room. */
  order: Uint32Array;
}

/** Room for sorting, kept from one column to the next: what a sort leaves behind would take more than the table. */
export class SortRoom {
  private length = 0;
  private blocks: [Keys, Keys] = [createKeys(0), createKeys(0)];

  /** Two blocks of so many pairs; what they hold is void at the next call. */
  blocksOf(count: number): [Keys, Keys] {
    if (count > this.length) {
      this.length = count;
      this.blocks = [createKeys(count), createKeys(count)];
    }
    const [one, other] = this.blocks;
    return [firstKeys(one, count), firstKeys(other, count)];
  }
}

/** A block of pairs to sort: the halves of each number's bits, so turned that they order as the numbers do. */
interface Keys {
  low: Uint32Array;
  high: Uint32Array;
  order: Uint32Array;
}

/** Finite numbers in ascending order, equal ones (-0 and 0 too) as they stood. LSD radix sort over the halves of each double, 11 bits at a time. O(values). */
export function sortNumbers(values: Float64Array, room: SortRoom): SortedNumbers {
  const count = values.length;
  if (count < FEW) {
    const order = Uint32Array.from(values, (_, at) => at).sort((a, b) => values[a]! - values[b]!);
    return { values: Float64Array.from(order, (at) => values[at]!), order };
  }
  const sorted = new Float64Array(count);
  const halves = new Uint32Array(sorted.buffer);
  let [keys, spare] = room.blocksOf(count);
  for (let at = 0; at < count; at++) {
    // Adding 0 makes 0 of -0.
    sorted[at] = values[at]! + 0;
    const bits = halves[2 * at + 1]!;
    // Negative numbers are ordered by their bits upside down, and come first.
    const isNegative = bits >>> 31 === 1;
    keys.low[at] = isNegative ? ~halves[2 * at]! : halves[2 * at]!;
    keys.high[at] = isNegative ? ~bits : bits | 0x80000000;
    keys.order[at] = at;
  }
  for (const half of ["low", "high"] as const) {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      if (moveByDigit(keys[half], shift, keys, spare)) [keys, spare] = [spare, keys];
    }
  }
  const { order } = keys;
  for (let at = 0; at < count; at++) sorted[at] = values[order[at]!]!;
  return { values: sorted, order };
}

function createKeys(count: number): Keys {
  return { low: new Uint32Array(count), high: new Uint32Array(count), order: new Uint32Array(count) };
}

function firstKeys({ low, high, order }: Keys, count: number): Keys {
  return { low: low.subarray(0, count), high: high.subarray(0, count), order: order.subarray(0, count) };
}

/** Moves all pairs into `target`, in the order of one digit of `half`; false where all have the same digit and nothing was moved. */
function moveByDigit(half: Uint32Array, shift: number, { low, high, order }: Keys, target: Keys): boolean {
  const count = half.length;
  const places = new Uint32Array(DIGIT_COUNT);
  for (let at = 0; at < count; at++) places[(half[at]! >>> shift) & DIGIT_MASK]!++;
  if (places[(half[0]! >>> shift) & DIGIT_MASK] === count) return false;
  let place = 0;
  for (let digit = 0; digit < DIGIT_COUNT; digit++) {
    const own = places[digit]!;
    places[digit] = place;
    place += own;
  }
  const { low: nextLow, high: nextHigh, order: nextOrder } = target;
  for (let at = 0; at < count; at++) {
    const to = places[(half[at]! >>> shift) & DIGIT_MASK]!++;
    nextLow[to] = low[at]!;
    nextHigh[to] = high[at]!;
    nextOrder[to] = order[at]!;
  }
  return true;
}
