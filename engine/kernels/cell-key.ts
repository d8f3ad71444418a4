// The keys of cells' texts and the hashes of these: engine/csv/cell-key.ts.

/** A cell: u32 where its text starts and ends, then `low` and `meta` of its key, four bytes each. */
export const CELL_BYTES: usize = 16;
/** `meta` of a text that is no short decimal. */
export const TEXT: i32 = -1;
export const MOST_DIGITS: u32 = 15;
/** Digits that `low` holds. */
export const LOW_DIGITS: u32 = 9;
export const LOW_UNIT: u64 = 1_000_000_000;
/** Where in `meta` the sign ends and the digits, those behind the point, and those that do not fit `low` begin. */
export const DIGITS_SHIFT: u32 = 2;
export const FRACTION_SHIFT: u32 = 6;
export const HIGH_SHIFT: u32 = 11;
const LOW_FACTOR: u32 = 0x9e37_79b1;
const META_FACTOR: u32 = 0x85eb_ca6b;
const FIRST_FACTOR: u32 = 0x21f0_aaad;
const SECOND_FACTOR: u32 = 0x735a_2d97;
/** Of a second hash. */
export const SECOND_MASK: u32 = 0x1f_ffff;

/** Two hashes of a short decimal. */
export function hashOf(low: i32, meta: i32): u32 {
  return finishHash((u32(low) * LOW_FACTOR) ^ (u32(meta) * META_FACTOR));
}

export function secondHashOf(low: i32, meta: i32): u32 {
  return finishHash((u32(low) ^ 0x2545_f491) * 0xc2b2_ae35 + u32(meta) * 0x27d4_eb2f) & SECOND_MASK;
}

/** The first of these of any text, given its key. */
export function hashOfKey(low: i32, meta: i32): u32 {
  return meta < 0 ? u32(low) : hashOf(low, meta);
}

/** Of a text that is no short decimal. Three bytes behind it may be read. */
export function hashOfBytes(start: usize, end: usize): u32 {
  const length = u32(end - start);
  const whole = end - ((end - start) % 4);
  let hash: u32 = 0;
  for (let next = start; next < whole; next += 4) {
    hash = rotl<u32>(hash ^ scrambled(load<u32>(next)), 13) * 5 + 0xe654_6b64;
  }
  const rest = (length & 3) << 3;
  return finishHash(hash ^ scrambled(load<u32>(whole) & ((1 << rest) - 1)) ^ length);
}

function scrambled(word: u32): u32 {
  return rotl<u32>(word * 0xcc9e_2d51, 15) * 0x1b87_3593;
}

function finishHash(hash: u32): u32 {
  let mixed = (hash ^ (hash >> 16)) * FIRST_FACTOR;
  mixed = (mixed ^ (mixed >> 15)) * SECOND_FACTOR;
  return mixed ^ (mixed >> 15);
}

/** `hashOf` of four cells. */
export function hashesOf(low: v128, meta: v128): v128 {
  const hash = v128.xor(i32x4.mul(low, i32x4.splat(LOW_FACTOR)), i32x4.mul(meta, i32x4.splat(META_FACTOR)));
  let mixed = i32x4.mul(v128.xor(hash, i32x4.shr_u(hash, 16)), i32x4.splat(FIRST_FACTOR));
  mixed = i32x4.mul(v128.xor(mixed, i32x4.shr_u(mixed, 15)), i32x4.splat(SECOND_FACTOR));
  return v128.xor(mixed, i32x4.shr_u(mixed, 15));
}
