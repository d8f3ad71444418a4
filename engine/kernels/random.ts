// The generator of engine/random.ts, continued where TypeScript left it.

let a: u32 = 0;
let b: u32 = 0;
let c: u32 = 0;
let d: u32 = 0;

const SCALE: f64 = 1.0 / 4_294_967_296.0;

/** Takes over a generator's state. */
export function setRandom(first: u32, second: u32, third: u32, fourth: u32): void {
  a = first;
  b = second;
  c = third;
  d = fourth;
}

/** xoshiro128** (Blackman and Vigna 2018). */
function nextUint32(): u32 {
  const result = rotl<u32>(b * 5, 7) * 9;
  const shifted = b << 9;
  const mixedC = c ^ a;
  const mixedD = d ^ b;
  b ^= mixedC;
  a ^= mixedD;
  c = mixedC ^ shifted;
  d = rotl<u32>(mixedD, 11);
  return result;
}

/** A uniform integer in [0, bound), in the arithmetic of the TypeScript version, whose rounding it shares. */
export function nextBelow(bound: i32): i32 {
  return i32(f64(nextUint32()) * SCALE * f64(bound));
}
