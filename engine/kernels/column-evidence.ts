// Evidence and sample of a column's plain numbers: what engine/columns/decimal-evidence.ts and number-sample.ts note of them.
import { allocateArray, at, put } from "./memory.ts";
import { LongNumber } from "./plain-numbers.ts";

const FIRST_YEAR: f64 = 1800;
const LAST_YEAR: f64 = 2100;
const YEAR_LENGTH: u32 = 4;
const FITS_PLAIN: i32 = 1;
const FITS_DECIMAL_COMMA: i32 = 2;
const FITS_COMMA_GROUPS: i32 = 4;
const FITS_POINT_GROUPS: i32 = 8;
const FITS_ALL: u32 = 15;
const HAS_SEPARATOR: i32 = 32;
const LOW_UNIT: i64 = 1_000_000_000;
const DIGIT_COUNTS: i32 = 16;

/** `meta` of a key without the digits that do not fit `low`. */
export const SHAPE_MASK: i32 = 0x7ff;
/** Of a shape, beside the `FITS_` bits: whether the text has a point, may have a needless zero, may be a group of thousands. */
const HAS_POINT: u32 = 16;
export const MAY_HAVE_ZERO: u32 = 32;
const MAY_BE_GROUP: u32 = 64;
export const LENGTH_SHIFT: u32 = 8;

/** Fields of a column's record; the last two count in eight bytes, the others in four. */
const SAMPLE_HASHES: i32 = 5;
const SAMPLE_VALUES: i32 = 6;
const SAMPLE_READINGS: i32 = 7;
const SAMPLE_SIZE: i32 = 8;
const SAMPLE_DEPTH: i32 = 9;
const SAMPLE_MOST: i32 = 10;
const BODIES: i32 = 11;
const SEPARATORS: i32 = 12;
const CELL_COUNT: i32 = 13;
const CHAR_COUNT: i32 = 14;
const ALL_INTEGERS: i32 = 15;
const ALL_YEARS: i32 = 16;
const HEX_DIGITS: i32 = 17;
const FIRST_ROW: i32 = 18;
const LOWEST: i32 = 10;
const HIGHEST: i32 = 11;

/** i64: powers of ten. */
let powers: usize = 0;
/** u32 for each shape of a short decimal. */
let shapes: usize = 0;

/** As in engine/columns/evidence.ts; counts are those since it was opened. */
class Evidence {
  static bodies: i32 = 0;
  static separators: i32 = 0;
  static cellCount: i32 = 0;
  static charCount: u32 = 0;
  static allIntegers: bool = false;
  static allYears: bool = false;
  static hexDigits: i32 = 0;
  /** The row of the first cell noted. */
  static firstRow: i32 = 0;
  static lowest: f64 = 0;
  static highest: f64 = 0;
}

/** As in engine/columns/number-sample.ts. */
class Sample {
  static hashes: usize = 0;
  static values: usize = 0;
  static readings: usize = 0;
  static size: i32 = 0;
  static depth: i32 = 0;
  static most: i32 = 0;
}

export function prepareEvidence(): void {
  powers = allocateArray<i64>(DIGIT_COUNTS);
  let power: i64 = 1;
  for (let exponent = 0; exponent < DIGIT_COUNTS; exponent++) {
    put<i64>(powers, exponent, power);
    power *= 10;
  }
  shapes = allocateArray<u32>(SHAPE_MASK + 1);
  for (let meta = 0; meta <= SHAPE_MASK; meta++) put<u32>(shapes, meta, shapeOf(meta));
}

export function openEvidence(record: usize): void {
  Sample.hashes = at<u32>(record, SAMPLE_HASHES);
  Sample.values = at<u32>(record, SAMPLE_VALUES);
  Sample.readings = at<u32>(record, SAMPLE_READINGS);
  Sample.size = at<i32>(record, SAMPLE_SIZE);
  Sample.depth = at<i32>(record, SAMPLE_DEPTH);
  Sample.most = at<i32>(record, SAMPLE_MOST);
  Evidence.bodies = at<i32>(record, BODIES);
  Evidence.separators = at<i32>(record, SEPARATORS);
  Evidence.cellCount = 0;
  Evidence.charCount = 0;
  Evidence.allIntegers = at<i32>(record, ALL_INTEGERS) !== 0;
  Evidence.allYears = at<i32>(record, ALL_YEARS) !== 0;
  Evidence.hexDigits = at<i32>(record, HEX_DIGITS);
  Evidence.lowest = at<f64>(record, LOWEST);
  Evidence.highest = at<f64>(record, HIGHEST);
}

export function closeEvidence(record: usize): void {
  put<i32>(record, SAMPLE_SIZE, Sample.size);
  put<i32>(record, SAMPLE_DEPTH, Sample.depth);
  put<i32>(record, BODIES, Evidence.bodies);
  put<i32>(record, SEPARATORS, Evidence.separators);
  put<i32>(record, CELL_COUNT, Evidence.cellCount);
  put<u32>(record, CHAR_COUNT, Evidence.charCount);
  put<i32>(record, ALL_INTEGERS, i32(Evidence.allIntegers));
  put<i32>(record, ALL_YEARS, i32(Evidence.allYears));
  put<i32>(record, HEX_DIGITS, Evidence.hexDigits);
  put<i32>(record, FIRST_ROW, Evidence.firstRow);
  put<f64>(record, LOWEST, Evidence.lowest);
  put<f64>(record, HIGHEST, Evidence.highest);
}

/** What a short decimal's `meta` tells of its text. */
export function shapeAt(meta: i32): u32 {
  return at<u32>(shapes, meta & SHAPE_MASK);
}

/** True where a digit follows a leading zero, as in `007`. */
export function hasNeedlessZero(shape: u32, low: i32, meta: i32): bool {
  return (shape & MAY_HAVE_ZERO) !== 0 && startsWithZero(low, meta);
}

/** Notes a short decimal without a needless zero; returns how its sample is marked. */
export function noteShort(shape: u32, low: i32, meta: i32, value: f64): i32 {
  Evidence.charCount += shape >> LENGTH_SHIFT;
  if ((shape & HAS_POINT) === 0) noteInteger(shape, meta, value);
  else noteFraction();
  if (Evidence.bodies <= FITS_PLAIN) return FITS_PLAIN;
  let fits = i32(shape & FITS_ALL);
  if ((shape & MAY_BE_GROUP) !== 0 && !startsWithZero(low, meta)) fits |= FITS_POINT_GROUPS;
  const hasPoint = (shape & HAS_POINT) !== 0;
  const reading = noteBodies(fits, hasPoint);
  // Whatever fits groups of points with a point shows one: its three digits.
  if (hasPoint) Evidence.separators |= Evidence.bodies & FITS_POINT_GROUPS;
  return reading;
}

/** The same of the long number at hand, which has a point or an exponent. */
export function noteLong(length: u32): i32 {
  Evidence.charCount += length;
  noteFraction();
  if (Evidence.bodies <= FITS_PLAIN) return FITS_PLAIN;
  return noteBodies(i32(longFits()), LongNumber.hasPoint);
}

/** The ways of writing digits that the long number at hand fits. */
function longFits(): u32 {
  let fits = u32(FITS_PLAIN);
  if (LongNumber.hasExponent) {
    if (!LongNumber.hasPoint) fits |= FITS_DECIMAL_COMMA;
  } else if (LongNumber.wholeDigits >= 1 && LongNumber.wholeDigits <= 3) fits |= FITS_COMMA_GROUPS;
  return fits;
}

function noteFraction(): void {
  Evidence.allIntegers = false;
  Evidence.allYears = false;
  Evidence.hexDigits = -1;
}

function noteInteger(shape: u32, meta: i32, value: f64): void {
  if (Evidence.allYears) {
    Evidence.allYears = shape >> LENGTH_SHIFT === YEAR_LENGTH && value >= FIRST_YEAR && value <= LAST_YEAR;
  }
  if (Evidence.hexDigits < 0) return;
  const digitCount = (meta >> 2) & 15;
  const isHex = (meta & 3) === 0 && (Evidence.hexDigits === 0 || Evidence.hexDigits === digitCount);
  Evidence.hexDigits = isHex ? digitCount : -1;
}

function noteBodies(fits: i32, hasPoint: bool): i32 {
  Evidence.bodies &= fits;
  if (Evidence.bodies <= FITS_PLAIN) return FITS_PLAIN;
  return (fits & (Evidence.bodies | FITS_PLAIN)) | (hasPoint ? HAS_SEPARATOR : 0);
}

/** Notes what all numbers have in common: the value, and where its row is sampled how it may be read. */
export function noteValue(value: f64, row: i32, rowHash: u32, reading: i32): void {
  if (Evidence.cellCount === 0) Evidence.firstRow = row;
  Evidence.cellCount++;
  if (value < Evidence.lowest) Evidence.lowest = value;
  if (value > Evidence.highest) Evidence.highest = value;
  if (isSampled(rowHash)) addToSample(value, rowHash, reading);
}

/** The same of a number of settled evidence whose row is sampled, by its key. */
export function sampleSettled(value: f64, rowHash: u32, meta: i32): void {
  const hasPoint = meta < 0 || ((meta >> 6) & 31) > 0;
  const reading = Evidence.bodies | FITS_PLAIN | (hasPoint ? HAS_SEPARATOR : 0);
  addToSample(value, rowHash, Evidence.bodies <= FITS_PLAIN ? FITS_PLAIN : reading);
}

function addToSample(value: f64, rowHash: u32, reading: i32): void {
  // Halving may leave this row out, as one before may have since it was found to be sampled.
  while (Sample.size === Sample.most && isSampled(rowHash)) halveSample();
  if (!isSampled(rowHash)) return;
  const place = Sample.size++;
  put<u32>(Sample.hashes, place, rowHash);
  put<f64>(Sample.values, place, value);
  put<u8>(Sample.readings, place, u8(reading));
}

/** Whether the highest `depth` of 32 bits are 0. */
function isSampled(rowHash: u32): bool {
  return rowHash <= sampledUpTo();
}

/** The largest hash of a row that is sampled. */
export function sampledUpTo(): u32 {
  return u32(u64(0xffff_ffff) >> u64(Sample.depth));
}

/** Whether a further number that fits `bodiesSoFar` can only tell its value, its length, and whether it is an integer. */
export function isSettled(): bool {
  return (Evidence.bodies & FITS_POINT_GROUPS) === 0 && !Evidence.allYears && Evidence.hexDigits < 0;
}

/** Bits of every shape that leaves the ways of writing digits as they are. */
export function bodiesSoFar(): u32 {
  return u32(Evidence.bodies);
}

/** The shape of the long number at hand. */
export function longShape(length: u32): u32 {
  return longFits() | HAS_POINT | (length << LENGTH_SHIFT);
}

/** Characters of a number of this shape. */
export function lengthOf(shape: u32): u32 {
  return shape >> LENGTH_SHIFT;
}

/** Notes many numbers of settled evidence, but for their values. `allShapes`: all their bits. */
export function addSettled(firstRow: i32, count: i32, lengths: u32, allShapes: u32): void {
  if (Evidence.cellCount === 0) Evidence.firstRow = firstRow;
  Evidence.cellCount += count;
  Evidence.charCount += lengths;
  if ((allShapes & HAS_POINT) !== 0) Evidence.allIntegers = false;
}

/** Values as large as these are among the column's. */
export function addRange(lowest: v128, highest: v128): void {
  const low = Math.min(v128.extract_lane<f64>(lowest, 0), v128.extract_lane<f64>(lowest, 1));
  const high = Math.max(v128.extract_lane<f64>(highest, 0), v128.extract_lane<f64>(highest, 1));
  if (low < Evidence.lowest) Evidence.lowest = low;
  if (high > Evidence.highest) Evidence.highest = high;
}

function halveSample(): void {
  Sample.depth++;
  const size = Sample.size;
  const most = sampledUpTo();
  let kept = 0;
  for (let place = 0; place < size; place++) {
    const rowHash = at<u32>(Sample.hashes, place);
    // What is not kept is written over.
    put<u32>(Sample.hashes, kept, rowHash);
    put<f64>(Sample.values, kept, at<f64>(Sample.values, place));
    put<u8>(Sample.readings, kept, at<u8>(Sample.readings, place));
    kept += i32(rowHash <= most);
  }
  Sample.size = kept;
}

/** The length of the text above its `FITS_` bits, as far as these do not hang on the first digit, and what it has or may have. */
function shapeOf(meta: i32): u32 {
  const fractionCode = (meta >> 6) & 31;
  const digitCount = (meta >> 2) & 15;
  const wholeDigits = digitCount - max(0, fractionCode - 1);
  const length = digitCount + i32((meta & 3) !== 0) + i32(fractionCode > 0);
  const isShort = wholeDigits >= 1 && wholeDigits <= 3;
  let shape = u32(FITS_PLAIN | (length << LENGTH_SHIFT));
  if (isShort) shape |= FITS_COMMA_GROUPS;
  if (fractionCode > 0) shape |= HAS_POINT;
  else shape |= isShort ? FITS_DECIMAL_COMMA | FITS_POINT_GROUPS : FITS_DECIMAL_COMMA;
  if (wholeDigits >= 2) shape |= MAY_HAVE_ZERO;
  if (isShort && fractionCode === 4) shape |= MAY_BE_GROUP;
  return shape;
}

function startsWithZero(low: i32, meta: i32): bool {
  return i64(meta >> 11) * LOW_UNIT + i64(low) < at<i64>(powers, ((meta >> 2) & 15) - 1);
}
