// Sorting many finite numbers: by the digits of their bits, several times as fast as by comparison.

const DIGIT_BITS = 11;
const DIGIT_COUNT = 1 << DIGIT_BITS;
const DIGIT_MASK = DIGIT_COUNT - 1;
/** Fewer than this are sorted by comparison. */
const FEW = 2000;
/** Steps of insertion for each number that are taken before the lower halves of the bits are sorted by as well. */
const MOST_STEPS = 1;

export interface SortedNumbers {
  /** Ascending. */
  values: Float64Array;
  /** Where each of them stood. */
  order: Uint32Array;
}

/** Room for sorting, kept from one column to the next: what a sort leaves behind would take more than the table. */
export class SortRoom {
  private blocks = createBlocks(0);

  /** Arrays for so many numbers; what they hold is void at the next call. */
  blocksOf(count: number): Blocks {
    if (count > this.blocks.values.length) this.blocks = createBlocks(count);
    const { values, plain, keys, spare } = this.blocks;
    return {
      values: values.subarray(0, count),
      plain: plain.subarray(0, count),
      keys: firstKeys(keys, count),
      spare: firstKeys(spare, count),
    };
  }
}

interface Blocks {
  /** In order. */
  values: Float64Array;
  /** As they stood, with 0 in the place of -0. */
  plain: Float64Array;
  keys: Keys;
  spare: Keys;
}

/** What is sorted: one half of each number's bits, so turned that they order as the numbers do, and where the number stood. */
interface Keys {
  halves: Uint32Array;
  order: Uint32Array;
}

/**
 * Finite numbers in ascending order, equal ones (-0 and 0 too) as they stood; both arrays may be part of the room. LSD radix sort, 11
 * bits at a time, over the upper halves of the doubles; what these leave out of order is put in order by insertion where that is little, or
 * else by the lower halves too. O(values).
 */
export function sortNumbers(values: Float64Array, room: SortRoom): SortedNumbers {
  const count = values.length;
  if (count < FEW) {
    const order = Uint32Array.from(values, (_, at) => at).sort((a, b) => values[a]! - values[b]!);
    return { values: Float64Array.from(order, (at) => values[at]!), order };
  }
  const blocks = room.blocksOf(count);
  // Adding 0 makes 0 of -0.
  for (let at = 0; at < count; at++) blocks.plain[at] = values[at]! + 0;
  begin(blocks);
  sortByHalves(blocks, "upper");
  gather(values, blocks);
  if (!insertAll(blocks)) {
    begin(blocks);
    sortByHalves(blocks, "lower");
    sortByHalves(blocks, "upper");
    gather(values, blocks);
  }
  return { values: blocks.values, order: blocks.keys.order };
}

function createBlocks(count: number): Blocks {
  return {
    values: new Float64Array(count),
    plain: new Float64Array(count),
    keys: { halves: new Uint32Array(count), order: new Uint32Array(count) },
    spare: { halves: new Uint32Array(count), order: new Uint32Array(count) },
  };
}

function firstKeys({ halves, order }: Keys, count: number): Keys {
  return { halves: halves.subarray(0, count), order: order.subarray(0, count) };
}

function begin({ keys }: Blocks): void {
  for (let at = 0; at < keys.order.length; at++) keys.order[at] = at;
}

/** Sorts by one half of the bits; those with equal ones stay as they are. */
function sortByHalves(blocks: Blocks, which: "lower" | "upper"): void {
  const { plain, keys } = blocks;
  const { halves, order } = keys;
  const bits = new Uint32Array(plain.buffer, plain.byteOffset, 2 * plain.length);
  const isUpper = which === "upper";
  for (let at = 0; at < order.length; at++) {
    const place = 2 * order[at]!;
    const upper = bits[place + 1]!;
    const half = isUpper ? upper : bits[place]!;
    // Negative numbers are ordered by their bits upside down, and come first.
    if (upper >>> 31 === 1) halves[at] = ~half;
    else halves[at] = isUpper ? half | 0x80000000 : half;
  }
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    if (moveByDigit(blocks.keys, shift, blocks.spare)) [blocks.keys, blocks.spare] = [blocks.spare, blocks.keys];
  }
}

/** Moves all pairs into `target`, in the order of one digit; false where all have the same digit and nothing was moved. */
function moveByDigit({ halves, order }: Keys, shift: number, target: Keys): boolean {
  const count = halves.length;
  const places = new Uint32Array(DIGIT_COUNT);
  for (let at = 0; at < count; at++) places[(halves[at]! >>> shift) & DIGIT_MASK]!++;
  if (places[(halves[0]! >>> shift) & DIGIT_MASK] === count) return false;
  let place = 0;
  for (let digit = 0; digit < DIGIT_COUNT; digit++) {
    const own = places[digit]!;
    places[digit] = place;
    place += own;
  }
  const { halves: nextHalves, order: nextOrder } = target;
  for (let at = 0; at < count; at++) {
    const half = halves[at]!;
    const to = places[(half >>> shift) & DIGIT_MASK]!++;
    nextHalves[to] = half;
    nextOrder[to] = order[at]!;
  }
  return true;
}

function gather(from: Float64Array, { values, keys }: Blocks): void {
  for (let at = 0; at < values.length; at++) values[at] = from[keys.order[at]!]!;
}

/** Sorts by insertion; false, with some numbers still out of order, where that takes too many steps. */
function insertAll({ values, keys: { order } }: Blocks): boolean {
  let stepsLeft = MOST_STEPS * values.length;
  for (let at = 1; at < values.length; at++) {
    const value = values[at]!;
    if (value >= values[at - 1]!) continue;
    const from = order[at]!;
    let to = at;
    do {
      values[to] = values[to - 1]!;
      order[to] = order[to - 1]!;
      to--;
    } while (to > 0 && value < values[to - 1]!);
    values[to] = value;
    order[to] = from;
    stepsLeft -= at - to;
    if (stepsLeft < 0) return false;
  }
  return true;
}
