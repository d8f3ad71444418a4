// The value and the shape of a short decimal, from its key.

import { allocateArray } from "../memory.ts";
import { DIGITS_SHIFT, FORM_MASK, HIGH_SHIFT, MOST_DIGITS, POINT_SHIFT } from "./cell-key.ts";
import { FRACTION_SHIFT, HAS_EXPONENT, HAS_SIGN, STARTS_WITH_ZERO, WHOLE_DIGITS } from "./layout.ts";
import { LongNumber, powerOfTen } from "./plain-numbers.ts";

const RECORD_SHIFT: usize = 5;
/**
 * Fields of a record: the divisor of the digits, negative for a minus; below `LEAST` they
 * start with a zero; the shape without and with that zero.
 */
const DIVISOR: usize = 0;
const LEAST: usize = 8;
const SHAPE: usize = 16;
const ZERO_SHAPE: usize = 20;

/** A record for each `meta` without its upper digits. That of texts that are no short decimals has the shape 0. */
let records: usize = 0;

export function prepareForms(): void {
  records = allocateArray<u8>(usize(FORM_MASK + 1) << RECORD_SHIFT);
  for (let form: u32 = 0; form <= u32(FORM_MASK); form++) {
    const record = recordOf(i32(form));
    const sign = form & 3;
    const digitCount = (form >> DIGITS_SHIFT) & 15;
    const pointCode = (form >> POINT_SHIFT) & 31;
    const fractionDigits = max<u32>(pointCode, 1) - 1;
    const isNumber = sign < 3 && digitCount > 0 && fractionDigits <= digitCount;
    const divisor = powerOfTen(isNumber ? i32(fractionDigits) : 0);
    store<f64>(record, sign === 1 ? -divisor : divisor, DIVISOR);
    if (!isNumber) continue;
    const wholeDigits = digitCount - fractionDigits;
    const shape =
      wholeDigits | (min<u32>(pointCode, MOST_DIGITS) << u32(FRACTION_SHIFT)) | (sign === 0 ? 0 : u32(HAS_SIGN));
    store<f64>(record, powerOfTen(i32(digitCount) - 1), LEAST);
    store<u32>(record, shape, SHAPE);
    // A digit after that zero makes it a code, as in 007.
    store<u32>(record, wholeDigits >= 2 ? 0 : shape | u32(STARTS_WITH_ZERO), ZERO_SHAPE);
  }
}

function recordOf(meta: i32): usize {
  return records + (usize(meta & FORM_MASK) << RECORD_SHIFT);
}

function digitsOf(low: i32, meta: i32): f64 {
  return f64(meta >> HIGH_SHIFT) * 1e9 + f64(low);
}

/** Divides exact integers once, which rounds correctly (Clinger 1990). Of use only where there is a shape. */
export function valueOfKey(low: i32, meta: i32): f64 {
  // Adding 0 turns -0 into 0.
  return digitsOf(low, meta) / load<f64>(recordOf(meta), DIVISOR) + 0;
}

/** Returns 0 for what is no short decimal, and for one whose zeros in front make it a code. */
export function shapeOfKey(low: i32, meta: i32): u32 {
  const record = recordOf(meta);
  const startsWithZero = digitsOf(low, meta) < load<f64>(record, LEAST);
  return select(load<u32>(record, ZERO_SHAPE), load<u32>(record, SHAPE), startsWithZero);
}

/** Returns the shape of the long number that was read last. */
export function shapeOfLong(): u32 {
  const shape = u32(min(LongNumber.wholeDigits, WHOLE_DIGITS)) | (LongNumber.hasExponent ? u32(HAS_EXPONENT) : 0);
  return LongNumber.hasPoint ? shape | (MOST_DIGITS << u32(FRACTION_SHIFT)) : shape;
}
