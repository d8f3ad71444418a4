// A drawn row in one number, so that the growing of trees moves one array: row, weight and class.

const WEIGHT_SHIFT: u64 = 32;
const WEIGHT_MASK: u64 = 0xff_ffff;
const CLASS_SHIFT: u64 = 56;
const ITEM_SHIFT: usize = 3;

export function itemOf(row: i32, weight: i32, code: u8): u64 {
  return u64(row) | (u64(weight) << WEIGHT_SHIFT) | (u64(code) << CLASS_SHIFT);
}

export function addressOfItem(items: usize, index: i32): usize {
  return items + (usize(index) << ITEM_SHIFT);
}

export function rowOf(item: u64): usize {
  return usize(u32(item));
}

/** How often the row was drawn: below 2^24. */
export function weightOf(item: u64): i32 {
  return i32((item >> WEIGHT_SHIFT) & WEIGHT_MASK);
}

export function classOf(item: u64): i32 {
  return i32(item >> CLASS_SHIFT);
}

/** Two classes: the weight, and in the upper half the weight of class 1, so that one sum counts both. */
export function countsOf(item: u64): i64 {
  const weight = (item >> WEIGHT_SHIFT) & WEIGHT_MASK;
  return i64(weight | ((weight * (item >> CLASS_SHIFT)) << WEIGHT_SHIFT));
}

export function totalOf(counts: i64): i64 {
  return counts & 0xffff_ffff;
}

export function secondOf(counts: i64): i64 {
  return counts >> 32;
}
