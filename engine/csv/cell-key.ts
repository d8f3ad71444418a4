// A cell's text as two integers: short decimals are told apart by them alone, any other text by a hash and its characters.

/** `meta` of a text that is no short decimal; its `low` is then a 32-bit hash. */
export const TEXT = -1;

const MINUS = 45;
const PLUS = 43;
const POINT = 46;
const ZERO = 48;
/** Digits of a short decimal: integers and powers of ten up to these are exact in a double. */
const MOST_DIGITS = 15;
/** With a sign and a point. */
export const MOST_DECIMAL_BYTES = MOST_DIGITS + 2;
/** Digits that `low` holds; those in front of them are in `meta`. */
const LOW_DIGITS = 9;
const LOW_UNIT = 1e9;
/** Bits of `meta`, from the lowest: sign, digits, digits behind the point, digits of the mantissa that do not fit `low`. */
const DIGITS_SHIFT = 2;
const FRACTION_SHIFT = 6;
const HIGH_SHIFT = 11;
const POWERS_OF_TEN = Float64Array.from({ length: MOST_DIGITS + 1 }, (_, power) => Number(`1e${power}`));

/** Start of FNV-1a, and its multiplier. */
export const HASH_START = 0x811c9dc5 | 0;
export const HASH_FACTOR = 0x01000193;

/**
 * The key of a trimmed text in UTF-8. A short decimal is a sign or none, then up to 15 digits with a point or none before,
 * between or behind them; no two have the same key. `meta` is `TEXT` for all other texts.
 */
export interface CellKey {
  low: number;
  /** Not negative for a short decimal. */
  meta: number;
}

/** Writes the key of a trimmed text into `key`. */
export function readTextKey(text: string, key: CellKey): void {
  const length = text.length;
  if (length > 0 && length <= MOST_DECIMAL_BYTES && mayBeDecimal(text.charCodeAt(0))) {
    for (let at = 0; at < length; at++) SHORT[at] = text.charCodeAt(at) & 0xff80 ? 0 : text.charCodeAt(at);
    if (readDecimalKey(SHORT, 0, length, key)) return;
  }
  key.meta = TEXT;
  key.low = textHash(text);
}

const SHORT = new Uint8Array(MOST_DECIMAL_BYTES);

/** The same of bytes of UTF-8. */
export function readBytesKey(bytes: Uint8Array, start: number, end: number, key: CellKey): void {
  const isShort = start < end && end - start <= MOST_DECIMAL_BYTES;
  if (isShort && mayBeDecimal(bytes[start]!) && readDecimalKey(bytes, start, end, key)) return;
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, HASH_FACTOR);
  key.meta = TEXT;
  key.low = finishHash(hash);
}

/** The key of a short decimal; false, with `key` as it was, where the bytes are none. */
function readDecimalKey(bytes: Uint8Array, start: number, end: number, key: CellKey): boolean {
  const first = bytes[start]!;
  const sign = first === MINUS ? 1 : first === PLUS ? 2 : 0;
  let low = 0;
  let high = 0;
  let digitCount = 0;
  let pointAt = -1;
  for (let at = sign === 0 ? start : start + 1; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit >= 0 && digit <= 9) {
      // The first digits of more than nine are the high part.
      if (++digitCount > MOST_DIGITS) return false;
      const carried = low * 10 + digit;
      const over = Math.floor(carried / LOW_UNIT);
      high = high * 10 + over;
      low = carried - over * LOW_UNIT;
    } else if (digit === POINT - ZERO && pointAt < 0) {
      pointAt = at;
    } else return false;
  }
  if (digitCount === 0) return false;
  key.low = low;
  key.meta = decimalMeta(sign, digitCount, pointAt < 0 ? 0 : end - pointAt) | (high << HIGH_SHIFT);
  return true;
}

/** `fractionCode`: one more than the digits behind the point, 0 without a point. For at most nine digits, or all but the high part. */
export function decimalMeta(sign: number, digitCount: number, fractionCode: number): number {
  return sign | (digitCount << DIGITS_SHIFT) | (fractionCode << FRACTION_SHIFT);
}

/** Most digits whose mantissa fits `low`, so that `decimalMeta` is all of `meta`. */
export const MOST_LOW_DIGITS = LOW_DIGITS;

/** The value of a short decimal, as `parsePlainNumber` gives it: one division of exact integers (Clinger 1990). */
export function decimalValue(low: number, meta: number): number {
  const high = meta >> HIGH_SHIFT;
  const mantissa = high === 0 ? low : high * LOW_UNIT + low;
  const fractionCode = (meta >> FRACTION_SHIFT) & 31;
  const value = fractionCode < 2 ? mantissa : mantissa / POWERS_OF_TEN[fractionCode - 1]!;
  return (meta & 1) === 1 && value !== 0 ? -value : value;
}

/** 0 for none, 1 for minus, 2 for plus. */
export function signOf(meta: number): number {
  return meta & 3;
}

export function digitCountOf(meta: number): number {
  return (meta >> DIGITS_SHIFT) & 15;
}

/** Digits behind the point, -1 where there is no point. */
export function fractionDigitsOf(meta: number): number {
  return ((meta >> FRACTION_SHIFT) & 31) - 1;
}

/** True where the first digit of a short decimal is 0. */
export function startsWithZero(low: number, meta: number): boolean {
  return (meta >> HIGH_SHIFT) * LOW_UNIT + low < POWERS_OF_TEN[digitCountOf(meta) - 1]!;
}

/** True where a digit follows a leading zero, as in `007` or `00.5`. */
export function hasNeedlessZero(low: number, meta: number): boolean {
  return digitCountOf(meta) - Math.max(0, fractionDigitsOf(meta)) >= 2 && startsWithZero(low, meta);
}

/** An unsigned 32-bit hash of any key, low and high bits both usable. */
export function hashOfKey(low: number, meta: number): number {
  if (meta < 0) return low >>> 0;
  return finishHash(Math.imul(low, 0x9e3779b1) ^ Math.imul(meta, 0x85ebca6b)) >>> 0;
}

/** 21 bits of another hash of a short decimal. */
export function secondHashOfKey(low: number, meta: number): number {
  return finishHash(Math.imul(low ^ 0x2545f491, 0xc2b2ae35) + Math.imul(meta, 0x27d4eb2f)) & 0x1fffff;
}

/** FNV-1a leaves the high bits of short texts alike. */
export function finishHash(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}

function mayBeDecimal(first: number): boolean {
  return first >= PLUS && first <= ZERO + 9;
}

function textHash(text: string): number {
  const length = text.length;
  let hash = HASH_START;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) return wideHash(text);
    hash = Math.imul(hash ^ code, HASH_FACTOR);
  }
  return finishHash(hash);
}

function wideHash(text: string): number {
  const bytes = new TextEncoder().encode(text);
  let hash = HASH_START;
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ bytes[at]!, HASH_FACTOR);
  return finishHash(hash);
}
