// Numbers from cells: short decimals from their keys (engine/csv/cell-key.ts), longer ones from their bytes.
import { allocateArray, at, put } from "./memory.ts";

const POINT: u32 = 46;
const MINUS: u32 = 45;
const PLUS: u32 = 43;
const ZERO: u32 = 48;
const LOWER_E: u32 = 101;
/** 0x20 makes a small letter of a large one. */
const CASE_BIT: u32 = 0x20;

const EIGHT_ZEROS: u64 = (0x3030_3030 << 32) | 0x3030_3030;
const EIGHT_SIXES: u64 = (0x0606_0606 << 32) | 0x0606_0606;
const UPPER_HALVES: u64 = (0xf0f0_f0f0 << 32) | 0xf0f0_f0f0;

const HIGH_SHIFT: i32 = 11;
const LOW_UNIT: f64 = 1e9;
const EXACT_POWERS: i32 = 22;
const MOST_EXACT: u64 = 1 << 53;
/** Digits that fit 64 bits whatever they are. */
const MOST_DIGITS: i32 = 19;
/** The powers of ten that have a mantissa in the table: from -128 to 127. */
const MOST_POWERS: i32 = 128;
const DOUBLE_BIAS: i32 = 1023;
const INFINITE_EXPONENT: u64 = 0x7ff;

/** f64: powers of ten that a double holds exactly. */
let exactPowers: usize = 0;
/** u64, two for each power: the lower and the upper half of its first 128 bits, truncated. Written from outside. */
let powerMantissas: usize = 0;

/** What `readLongNumber` found. */
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
  powerMantissas = allocateArray<u64>(4 * MOST_POWERS);
}

export function powerMantissasAt(): usize {
  return powerMantissas;
}

/** `decimalValue` of engine/csv/cell-key.ts. */
export function decimalValue(low: i32, meta: i32): f64 {
  const mantissa = f64(meta >> HIGH_SHIFT) * LOW_UNIT + f64(low);
  const fractionCode = (meta >> 6) & 31;
  const value = fractionCode < 2 ? mantissa : mantissa / at<f64>(exactPowers, fractionCode - 1);
  // No branch on data, and 0 whatever its sign.
  return select(0 - value, value, (meta & 1) === 1);
}

/**
 * Reads a plain number with a point, or with a signed exponent of one or two digits. False for every other text, for needless
 * leading zeros, more than 19 digits behind the leading zeros, and the few numbers that take more than 128 bits to be rounded.
 */
export function readLongNumber(start: usize, end: usize): bool {
  if (start === end) return false;
  const sign = u32(load<u8>(start));
  const wholeFrom = sign === MINUS || sign === PLUS ? start + 1 : start;
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
  if (sign === MINUS && LongNumber.value !== 0) LongNumber.value = -LongNumber.value;
  LongNumber.hasPoint = hasPoint;
  LongNumber.hasExponent = hasExponent;
  LongNumber.wholeDigits = wholeDigits;
  return true;
}

/** Where a text is being read. */
class Cursor {
  static next: usize = 0;
  static end: usize = 0;
  /** Of all digits so far. */
  static mantissa: u64 = 0;
  static exponent: i32 = 0;
}

/** 0 at the end. */
function codeHere(): u32 {
  return Cursor.next < Cursor.end ? u32(load<u8>(Cursor.next)) : 0;
}

function readDigits(): void {
  const end = Cursor.end;
  let next = Cursor.next;
  let mantissa = Cursor.mantissa;
  while (next + 8 <= end) {
    const digits = load<u64>(next) ^ EIGHT_ZEROS;
    // Neither a digit above 9 nor a byte that is none leaves the upper half of its byte 0.
    if (((digits | (digits + EIGHT_SIXES)) & UPPER_HALVES) !== 0) break;
    mantissa = mantissa * 100_000_000 + eightDigits(digits);
    next += 8;
  }
  while (next < end) {
    const digit = u32(load<u8>(next)) - ZERO;
    if (digit > 9) break;
    mantissa = mantissa * 10 + digit;
    next++;
  }
  Cursor.next = next;
  Cursor.mantissa = mantissa;
}

/** The number that digits make, the first in the lowest byte: neighbours, then neighbours of these, and of those. */
function eightDigits(digits: u64): u64 {
  const pairs = digits * 10 + (digits >> 8);
  const hundreds = (pairs & 0xff_0000_00ff) * 0xf_4240_0000_0064;
  return (hundreds + ((pairs >> 16) & 0xff_0000_00ff) * 0x2710_0000_0001) >> 32;
}

/** From an `e` to the end; false where there is none, or one that is not for here. */
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
 * The double nearest to a mantissa times a power of ten: exact numbers where both are (Clinger 1990), else 128 bits of the
 * product (Lemire 2021, "Number parsing at a gigabyte per second"). False where these do not tell which way to round.
 */
function scale(mantissa: u64, power: i32): bool {
  if (mantissa <= MOST_EXACT && power >= -EXACT_POWERS && power <= EXACT_POWERS) {
    const number = f64(i64(mantissa));
    LongNumber.value = power < 0 ? number / at<f64>(exactPowers, -power) : number * at<f64>(exactPowers, power);
    return true;
  }
  if (mantissa === 0) {
    LongNumber.value = 0;
    return true;
  }
  if (power < -MOST_POWERS || power >= MOST_POWERS) return false;
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
