// Seeded randomness: one small generator and the derivation of independent
// seeds. Nothing in the engine draws from elsewhere.

/**
 * xoshiro128** by Blackman and Vigna (2018): 128 bits of state, period 2^128 - 1.
 * The state is filled from a 32-bit seed by SplitMix32, so near seeds give unrelated streams.
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  constructor(seed: number) {
    this.a = mix(seed + 0x9e3779b9);
    this.b = mix(seed + 0x3c6ef372);
    this.c = mix(seed + 0xdaa66d2b);
    this.d = mix(seed + 0x78dde6e4) | 1;
  }

  /** The state that a kernel needs to go on from here, as unsigned or signed integers. */
  state(): [number, number, number, number] {
    return [this.a, this.b, this.c, this.d];
  }

  /** A uniform integer in [0, 2^32). */
  nextUint32(): number {
    const b = this.b;
    const scaled = Math.imul(b, 5);
    const result = Math.imul((scaled << 7) | (scaled >>> 25), 9);
    const c = this.c ^ this.a;
    const d = this.d ^ b;
    this.b = b ^ c;
    this.a ^= d;
    this.c = c ^ (b << 9);
    this.d = (d << 11) | (d >>> 21);
    return result >>> 0;
  }

  /** A uniform integer in [0, bound), for a bound up to 2^32, by Lemire's multiplication (bias below bound / 2^32). */
  nextBelow(bound: number): number {
    return Math.floor(this.nextUint32() * 2 ** -32 * bound);
  }

  /** A uniform number in [0, 1). */
  nextFloat(): number {
    return this.nextUint32() * 2 ** -32;
  }
}

/** A 32-bit seed that depends on every part and on their order: `deriveSeed(run, attempt, tree)`. */
export function deriveSeed(seed: number, ...parts: readonly number[]): number {
  let state = mix(seed);
  for (const part of parts) state = mix((state ^ Math.imul(part | 0, 0x85ebca6b)) + 0x9e3779b9);
  return state >>> 0;
}

/** Shuffles in place (Fisher-Yates). */
export function shuffle(values: Uint32Array, random: Random): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = random.nextBelow(last + 1);
    const kept = values[last]!;
    values[last] = values[other]!;
    values[other] = kept;
  }
}

/** The values in a drawn order. */
export function shuffled(values: Iterable<number>, random: Random): Uint32Array {
  const order = Uint32Array.from(values);
  shuffle(order, random);
  return order;
}

/** The finaliser of SplitMix32: a bijection of 32-bit integers whose output bits each depend on every input bit. */
function mix(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return z ^ (z >>> 15);
}
