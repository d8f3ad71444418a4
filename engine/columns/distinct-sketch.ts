// How many distinct texts there are, by the hashes of all of them, in a few registers of a byte each.

/**
 * Takes in a hash of 32 bits: a register keeps the most leading zeros that hashes had behind the bits that choose it, and one more
 * (Flajolet, Fusy, Gandouet, Meunier 2007, "HyperLogLog"). What registers hold depends on the set of hashes alone.
 * `registers`: as many as a power of two, 2 to 2^31.
 */
export function sketchHash(registers: Uint8Array, hash: number): void {
  const chosenBy = 31 - Math.clz32(registers.length);
  const place = hash >>> (32 - chosenBy);
  const rank = 1 + Math.clz32((hash << chosenBy) | (1 << (chosenBy - 1)));
  if (rank > registers[place]!) registers[place] = rank;
}

/** Of an estimate, its standard error. */
export function relativeError(registers: Uint8Array): number {
  return 1.04 / Math.sqrt(registers.length);
}

/** How many hashes the registers took in; without bias however few (Ertl 2017, "New cardinality estimation algorithms for HyperLogLog sketches"). */
export function estimateCount(registers: Uint8Array): number {
  const count = registers.length;
  const mostRank = 33 - Math.log2(count);
  const ofRank = new Float64Array(mostRank + 1);
  for (let place = 0; place < count; place++) ofRank[registers[place]!]!++;
  let sum = count * saturated(1 - ofRank[mostRank]! / count);
  for (let rank = mostRank - 1; rank >= 1; rank--) sum = (sum + ofRank[rank]!) / 2;
  sum += count * untouched(ofRank[0]! / count);
  return (count * count) / (2 * Math.LN2 * sum);
}

/** What the share of registers at the highest rank takes from the sum. */
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

/** What the share of registers without a hash adds to it. */
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
