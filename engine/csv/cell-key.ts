// A cell's text as two integers: short decimals are told apart by them alone, any other text by a hash and its characters.

/** `meta` of a text that is no short decimal; its `low` is then a 32-bit hash. */
const TEXT = -1;

const MINUS = 45;
const PLUS = 43;
const POINT = 46;
const ZERO = 48;
/** Digits of a short decimal: integers and powers of ten up to these are exact in a double. */
const MOST_DIGITS = 15;
/** With a sign and a point: as many as the kernel looks at together. */
const MOST_DECIMAL_BYTES = 16;
/** Nine digits are in `low`; those in front of them are in `meta`. */
const LOW_UNIT = 1e9;
/** Bits of `meta`, from the lowest: sign, digits, one more than the digits behind the point or 0 without one, what does not fit `low`. */
const DIGITS_SHIFT = 2;
const FRACTION_SHIFT = 6;
const HIGH_SHIFT = 11;
const POWERS_OF_TEN = Float64Array.from({ length: MOST_DIGITS + 1 }, (_, power) => Number(`1e${power}`));

/**
 * The key of a trimmed text in UTF-8. A short decimal is a sign or none, then up to 15 digits with a point or none before,
 * between or behind them, 16 characters in all; no two have the same key. `meta` is `TEXT` for all other texts.
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
    if (readDecimalKey(SHORT, length, key)) return;
  }
  key.meta = TEXT;
  key.low = textHash(text);
}

const SHORT = new Uint8Array(MOST_DECIMAL_BYTES);

/** The key of a short decimal; false, with `key` as it was, where the bytes are none. */
function readDecimalKey(bytes: Uint8Array, length: number, key: CellKey): boolean {
  const first = bytes[0]!;
  const sign = first === MINUS ? 1 : first === PLUS ? 2 : 0;
  let low = 0;
  let high = 0;
  let digitCount = 0;
  let pointAt = -1;
  for (let at = sign === 0 ? 0 : 1; at < length; at++) {
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
  const fractionCode = pointAt < 0 ? 0 : length - pointAt;
  key.meta = sign | (digitCount << DIGITS_SHIFT) | (fractionCode << FRACTION_SHIFT) | (high << HIGH_SHIFT);
  return true;
}

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

function mayBeDecimal(first: number): boolean {
  return first >= PLUS && first <= ZERO + 9;
}

/** MurmurHash3 (Appleby), of UTF-8 by words of four bytes, with another end. */
function textHash(text: string): number {
  const length = text.length;
  let hash = 0;
  let word = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) return bytesHash(new TextEncoder().encode(text));
    word |= code << ((at & 3) << 3);
    if ((at & 3) < 3) continue;
    hash = withWord(hash, word);
    word = 0;
  }
  return finishHash(hash ^ scrambled(word) ^ length);
}

function bytesHash(bytes: Uint8Array): number {
  let hash = 0;
  let word = 0;
  for (let at = 0; at < bytes.length; at++) {
    word |= bytes[at]! << ((at & 3) << 3);
    if ((at & 3) < 3) continue;
    hash = withWord(hash, word);
    word = 0;
  }
  return finishHash(hash ^ scrambled(word) ^ bytes.length);
}

function withWord(hash: number, word: number): number {
  const mixed = hash ^ scrambled(word);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function scrambled(word: number): number {
  const product = Math.imul(word, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}

/** Leaves no bit of the hash a matter of a few bits of the key (Ettinger, Wellons: "lowbias32"). */
function finishHash(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}
