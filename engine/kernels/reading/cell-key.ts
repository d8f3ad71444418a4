// Keys of texts, computed while lines are cut: `low` and `meta`, four bytes each.

/**
 * A short decimal has an optional sign, 1 to 15 digits and an optional point, 16 characters in all. No other
 * text has its key: `low` is the number that the last nine digits make; `meta` holds, from the lowest bit on,
 * the sign (1 minus, 2 plus), the count of digits, one more than the digits after the point (0 without a
 * point), and the number that the digits before the last nine make.
 */
export const MOST_DIGITS: u32 = 15;
export const LOW_DIGITS: u32 = 9;
export const LOW_UNIT: u64 = 1_000_000_000;
export const DIGITS_SHIFT: u32 = 2;
export const POINT_SHIFT: u32 = 6;
export const HIGH_SHIFT: u32 = 11;
/** `meta` without its digits. */
export const FORM_MASK: i32 = 0x7ff;
/** `meta` of any other text, whose `low` is a hash. */
export const TEXT: i32 = -1;

/** Returns a 32-bit hash of any text, given its key. */
export function hashOfKey(low: i32, meta: i32): u32 {
  return meta < 0 ? u32(low) : mixed((u32(low) * 0x9e37_79b1) ^ (u32(meta) * 0x85eb_ca6b));
}

/** MurmurHash3 (Appleby) with another finish. May read three bytes after the text. */
export function hashOfBytes(start: usize, end: usize): u32 {
  const length = u32(end - start);
  const whole = end - ((end - start) % 4);
  let hash: u32 = 0;
  for (let next = start; next < whole; next += 4) {
    hash = rotl<u32>(hash ^ scrambled(load<u32>(next)), 13) * 5 + 0xe654_6b64;
  }
  const rest = (length & 3) << 3;
  return mixed(hash ^ scrambled(load<u32>(whole) & ((1 << rest) - 1)) ^ length);
}

/** Returns another hash of the same bytes. */
export function secondHashOfBytes(start: usize, end: usize): u32 {
  let hash: u32 = 0x2545_f491;
  for (let next = start; next < end; next++) hash = ((hash + load<u8>(next)) * 0x9e37_79b1) ^ (hash >> 13);
  return mixed(hash);
}

function scrambled(word: u32): u32 {
  return rotl<u32>(word * 0xcc9e_2d51, 15) * 0x1b87_3593;
}

/** Mixes, so that every bit of the hash depends on all bits of the key (Ettinger, Wellons: "lowbias32"). */
export function mixed(hash: u32): u32 {
  let state = (hash ^ (hash >> 16)) * 0x21f0_aaad;
  state = (state ^ (state >> 15)) * 0x735a_2d97;
  return state ^ (state >> 15);
}
