// Numbers of few digits in four bytes each: whole multiples of a negative power of ten.
import { at, put } from "./memory.ts";

/** Multiples are smaller than this, whatever their sign. */
const MOST: f64 = 1_073_741_824;
/** What is no number has the number of its text added to this, -1 for none: below all multiples. As in engine/columns/value-finder.ts. */
const FIRST_TEXT: i32 = -2_147_483_647;

const LANES: i32 = 4;

/**
 * Writes what multiple of 1 / `power` each of `count` values is; false where one is none. A value that is a NaN tells the number of
 * a text in its lower half.
 */
export function packDecimals(values: usize, count: i32, power: f64, packed: usize): bool {
  const powers = f64x2.splat(power);
  const most = f64x2.splat(MOST);
  const behindFours = count & -LANES;
  for (let place = 0; place < behindFours; place += LANES) {
    const from = values + (usize(place) << 3);
    const first = v128.load(from);
    const second = v128.load(from, 16);
    const firstMultiple = f64x2.nearest(f64x2.mul(first, powers));
    const secondMultiple = f64x2.nearest(f64x2.mul(second, powers));
    const areSame = v128.and(
      f64x2.eq(f64x2.div(firstMultiple, powers), first),
      f64x2.eq(f64x2.div(secondMultiple, powers), second),
    );
    const highest = f64x2.max(f64x2.abs(firstMultiple), f64x2.abs(secondMultiple));
    if (v128.bitmask<i64>(v128.and(areSame, f64x2.lt(highest, most))) !== 3) {
      if (!packSome(values, place, place + LANES, power, packed)) return false;
      continue;
    }
    const lower = i32x4.trunc_sat_f64x2_s_zero(firstMultiple);
    const upper = i32x4.trunc_sat_f64x2_s_zero(secondMultiple);
    v128.store(packed + (usize(place) << 2), i32x4.shuffle(lower, upper, 0, 1, 4, 5));
  }
  return packSome(values, behindFours, count, power, packed);
}

/** The same of the places `[from, to)`, one by one. */
function packSome(values: usize, from: i32, to: i32, power: f64, packed: usize): bool {
  for (let place = from; place < to; place++) {
    const value = at<f64>(values, place);
    const multiple = nearest<f64>(value * power);
    if (multiple / power === value && abs<f64>(multiple) < MOST) put<i32>(packed, place, i32(multiple));
    else if (Number.isNaN(value)) put<i32>(packed, place, FIRST_TEXT + i32(reinterpret<u64>(value)));
    else return false;
  }
  return true;
}

/** The values again, but that NaN tells no text: up to three behind them are written, too. */
export function unpackDecimals(packed: usize, count: i32, power: f64, values: usize): void {
  const powers = f64x2.splat(power);
  const least = i32x4.splat(-i32(MOST));
  for (let place = 0; place < count; place += LANES) {
    const multiples = v128.load(packed + (usize(place) << 2));
    const areTexts = i32x4.le_s(multiples, least);
    const lower = f64x2.div(f64x2.convert_low_i32x4_s(multiples), powers);
    const upper = f64x2.div(f64x2.convert_low_i32x4_s(i32x4.shuffle(multiples, multiples, 2, 3, 2, 3)), powers);
    const to = values + (usize(place) << 3);
    // A number all of whose bits are 1 is a NaN.
    v128.store(to, v128.or(lower, i64x2.extend_low_i32x4_s(areTexts)));
    v128.store(to, v128.or(upper, i64x2.extend_high_i32x4_s(areTexts)), 16);
  }
}
