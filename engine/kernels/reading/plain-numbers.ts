// Reads plain numbers that are no short decimals from their bytes.
import { allocateArray, at, put } from "../memory.ts";
import { alignDigits, BLOCK, digitsFrom, numberOf, othersOf } from "./sixteen-digits.ts";

const POINT: u32 = 46;
const MINUS: u32 = 45;
const PLUS: u32 = 43;
const ZERO: u32 = 48;
const LOWER_E: u32 = 101;
/** Sets a letter to lower case. */
const CASE_BIT: u32 = 0x20;

const EXACT_POWERS: i32 = 22;
const MOST_EXACT: u64 = 1 << 53;
/** Any number of this many digits fits 64 bits. */
const MOST_DIGITS: i32 = 19;
/** Characters of a number that is read in blocks, without its sign. */
const MOST_LENGTH: u32 = 30;
/** The powers of ten that have a mantissa in the table: from -128 to 127. */
const MOST_POWERS: i32 = 128;
const DOUBLE_BIAS: i32 = 1023;
const INFINITE_EXPONENT: u64 = 0x7ff;

/** f64: the powers of ten that doubles hold exactly. */
let exactPowers: usize = 0;
/** u64: powers of ten up to that of a block of digits. */
let wholePowers: usize = 0;
/** u64, two for each power: the lower and the upper half of its first 128 bits, truncated. Written from outside. */
let powerMantissas: usize = 0;

/** The result of `readLongNumber`. */
export class LongNumber {
  static value: f64 = 0;
  static hasPoint: bool = false;
  static hasExponent: bool = false;
  static wholeDigits: i32 = 0;
}

export function prepareNumbers(): void {
  exactPowers = allocateArray<f64>(EXACT_POWERS + 1);
  let power: f64 = 1;
  for (let exponent = 0; exponent <= EXACT_POWERS; exponent++) {
    put<f64>(exactPowers, exponent, power);
    power *= 10;
  }
  wholePowers = allocateArray<u64>(BLOCK + 1);
  let wholePower: u64 = 1;
  for (let exponent: u32 = 0; exponent <= BLOCK; exponent++) {
    put<u64>(wholePowers, exponent, wholePower);
    wholePower *= 10;
  }
  powerMantissas = allocateArray<u64>(4 * MOST_POWERS);
}

export function powerMantissasAt(): usize {
  return powerMantissas;
}

/** `exponent`: from 0 to 22. */
export function powerOfTen(exponent: i32): f64 {
  return at<f64>(exactPowers, exponent);
}

/**
 * Reads a plain number with a point, or with a signed exponent of one or two digits. False for
 * every other text, for needless leading zeros, more than 19 digits after the leading zeros, and
 * the few numbers that take more than 128 bits to be rounded.
 */
export function readLongNumber(start: usize, end: usize): bool {
  if (start === end) return false;
  const sign = u32(load<u8>(start));
  const wholeFrom = start + usize(sign === MINUS || sign === PLUS);
  if (readFraction(wholeFrom, end, sign === MINUS)) return true;
  Cursor.next = wholeFrom;
  Cursor.end = end;
  Cursor.mantissa = 0;
  readDigits();
  const wholeDigits = i32(Cursor.next - wholeFrom);
  if (wholeDigits > 1 && load<u8>(wholeFrom) === ZERO) return false;
  let digitCount = Cursor.mantissa === 0 ? 0 : wholeDigits;
  let fractionDigits: i32 = 0;
  const hasPoint = codeHere() === POINT;
  if (hasPoint) {
    const fractionFrom = ++Cursor.next;
    if (Cursor.mantissa === 0) while (codeHere() === ZERO) Cursor.next++;
    const countedFrom = Cursor.next;
    readDigits();
    fractionDigits = i32(Cursor.next - fractionFrom);
    digitCount += i32(Cursor.next - countedFrom);
  }
  if (digitCount > MOST_DIGITS || wholeDigits + fractionDigits === 0) return false;
  const hasExponent = Cursor.next < end;
  if (hasExponent ? !readExponent(hasPoint) : !hasPoint) return false;
  const exponent = hasExponent ? Cursor.exponent : 0;
  if (!scale(Cursor.mantissa, exponent - fractionDigits)) return false;
  LongNumber.value = select(0 - LongNumber.value, LongNumber.value, sign === MINUS);
  LongNumber.hasPoint = hasPoint;
  LongNumber.hasExponent = hasExponent;
  LongNumber.wholeDigits = wholeDigits;
  return true;
}

/**
 * Reads the most frequent ones, digits, a point, digits, without a branch on data. False
 * for all others, and where only the slow way can tell.
 */
function readFraction(from: usize, end: usize, isNegative: bool): bool {
  const length = u32(end - from);
  const first = digitsFrom(from);
  const others = othersOf(first);
  const wholeDigits = ctz<u32>(others | (1 << (BLOCK - 1)));
  const fractionDigits = length - wholeDigits - 1;
  if (length > MOST_LENGTH || wholeDigits >= length || load<u8>(from + usize(wholeDigits)) !== POINT) return false;
  const isZero = load<u8>(from) === ZERO;
  if (wholeDigits > 1 && isZero) return false;
  if (fractionDigits + select<u32>(0, wholeDigits, isZero) > u32(MOST_DIGITS)) return false;
  // Up to sixteen digits at the end, and all before them, the point included.
  const lastDigits = min(fractionDigits, BLOCK);
  const upperLength = length - lastDigits;
  const last = alignDigits(digitsFrom(end - usize(lastDigits)), lastDigits, lastDigits);
  const upperOthers = others & ((1 << upperLength) - 1);
  if (upperOthers !== 1 << wholeDigits || othersOf(last) !== 0 || length === 1) return false;
  const upper = numberOf(alignDigits(first, upperLength, wholeDigits));
  if (!scale(upper * at<u64>(wholePowers, lastDigits) + numberOf(last), -i32(fractionDigits))) return false;
  LongNumber.value = select(0 - LongNumber.value, LongNumber.value, isNegative);
  LongNumber.hasPoint = true;
  LongNumber.hasExponent = false;
  LongNumber.wholeDigits = i32(wholeDigits);
  return true;
}

/** The place in the text that is read. */
class Cursor {
  static next: usize = 0;
  static end: usize = 0;
  /** The number that all digits so far make. */
  static mantissa: u64 = 0;
  static exponent: i32 = 0;
}

/** Returns the byte at the cursor, 0 at the end. */
function codeHere(): u32 {
  return Cursor.next < Cursor.end ? u32(load<u8>(Cursor.next)) : 0;
}

function readDigits(): void {
  const end = Cursor.end;
  let next = Cursor.next;
  let mantissa = Cursor.mantissa;
  while (next < end) {
    const digit = u32(load<u8>(next)) - ZERO;
    if (digit > 9) break;
    mantissa = mantissa * 10 + digit;
    next++;
  }
  Cursor.next = next;
  Cursor.mantissa = mantissa;
}

/** Reads an exponent, from `e` to the end; false where there is none that this kernel reads. */
function readExponent(hasPoint: bool): bool {
  if ((codeHere() | CASE_BIT) !== LOWER_E) return false;
  Cursor.next++;
  const sign = codeHere();
  if (sign === MINUS || sign === PLUS) Cursor.next++;
  else if (!hasPoint) return false;
  const digitCount = i32(Cursor.end - Cursor.next);
  if (digitCount < 1 || digitCount > 2) return false;
  let exponent: i32 = 0;
  for (; Cursor.next < Cursor.end; Cursor.next++) {
    const digit = u32(load<u8>(Cursor.next)) - ZERO;
    if (digit > 9) return false;
    exponent = exponent * 10 + i32(digit);
  }
  Cursor.exponent = sign === MINUS ? -exponent : exponent;
  return true;
}

/**
 * Finds the double nearest to a mantissa times a power of ten: by 128 bits of the product (Lemire 2021,
 * "Number parsing at a gigabyte per second"), or from both numbers where doubles hold them exactly
 * (Clinger 1990). False where neither tells which way to round.
 */
function scale(mantissa: u64, power: i32): bool {
  if (mantissa === 0) {
    LongNumber.value = 0;
    return true;
  }
  // The product comes first because it mostly tells, whatever the mantissa.
  if (power >= -MOST_POWERS && power < MOST_POWERS && scaleByProduct(mantissa, power)) return true;
  if (mantissa > MOST_EXACT || power < -EXACT_POWERS || power > EXACT_POWERS) return false;
  const number = f64(i64(mantissa));
  LongNumber.value = power < 0 ? number / at<f64>(exactPowers, -power) : number * at<f64>(exactPowers, power);
  return true;
}

function scaleByProduct(mantissa: u64, power: i32): bool {
  const zeros = clz<u64>(mantissa);
  const scaled = mantissa << zeros;
  const place = 2 * (power + MOST_POWERS);
  const upper = at<u64>(powerMantissas, place + 1);
  let high = upperProduct(scaled, upper);
  let low = scaled * upper;
  if ((high & 0x1ff) === 0x1ff && low + scaled < scaled) {
    const lower = at<u64>(powerMantissas, place);
    const carried = low + upperProduct(scaled, lower);
    if (carried < low) high++;
    if ((high & 0x1ff) === 0x1ff && carried === u64.MAX_VALUE && scaled * lower + scaled < scaled) return false;
    low = carried;
  }
  const top = high >> 63;
  let bits = high >> (top + 9);
  // 217706 / 2^16 is the binary logarithm of ten.
  const binary: i32 = ((217706 * power) >> 16) + 64 + DOUBLE_BIAS;
  let exponent = u64(binary) - zeros - (1 ^ top);
  if (low === 0 && (high & 0x1ff) === 0 && (bits & 3) === 1) return false;
  bits = (bits + (bits & 1)) >> 1;
  if (bits >> 53 > 0) {
    bits >>= 1;
    exponent++;
  }
  if (exponent - 1 >= INFINITE_EXPONENT - 1) return false;
  LongNumber.value = reinterpret<f64>((exponent << 52) | (bits & 0xf_ffff_ffff_ffff));
  return true;
}

/** The upper 64 bits of a product of 128. */
function upperProduct(a: u64, b: u64): u64 {
  const aLow = a & 0xffff_ffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffff_ffff;
  const bHigh = b >> 32;
  const middle = aHigh * bLow + ((aLow * bLow) >> 32);
  const other = aLow * bHigh + (middle & 0xffff_ffff);
  return aHigh * bHigh + (middle >> 32) + (other >> 32);
}
