// Numbers of few digits in four bytes each: whole multiples of a negative power of ten.
import { at, put } from "./memory.ts";

/** Multiples are smaller than this, whatever their sign. */
export const MOST: i32 = 1_073_741_824;
/** What is no number has the number of its text added to this, -1 for none: below all multiples. As in engine/columns/value-finder.ts. */
const FIRST_TEXT: i32 = -2_147_483_647;

export const LANES: i32 = 4;

/**
 * Writes what multiple of 1 / `power` each of `count` values is; false where one is none. A value that is a NaN tells the number of
 * a text in its lower half.
 */
export function packDecimals(values: usize, count: i32, power: f64, packed: usize): bool {
  const powers = f64x2.splat(power);
  const most = f64x2.splat(f64(MOST));
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
    if (multiple / power === value && abs<f64>(multiple) < f64(MOST)) put<i32>(packed, place, i32(multiple));
    else if (Number.isNaN(value)) put<i32>(packed, place, FIRST_TEXT + i32(reinterpret<u64>(value)));
    else return false;
  }
  return true;
}
