// Numbers of few digits in four bytes each: whole multiples of a negative power of ten.
import { at, put } from "./memory.ts";

/** Multiples are smaller than this, whatever their sign. */
export const MOST: i32 = 1_073_741_824;
/** What is no number has the number of its text added to this, -1 for none: below all multiples. As in engine/columns/value-finder.ts. */
const FIRST_TEXT: i32 = -2_147_483_647;

/**
 * Writes what multiple of 1 / `power` each of `count` values is; false where one is none. A value that is a NaN tells the number of
 * a text in its lower half.
 */
export function packDecimals(values: usize, count: i32, power: f64, packed: usize): bool {
  for (let place = 0; place < count; place++) {
    const value = at<f64>(values, place);
    const multiple = nearest<f64>(value * power);
    if (multiple / power === value && abs<f64>(multiple) < f64(MOST)) put<i32>(packed, place, i32(multiple));
    else if (Number.isNaN(value)) put<i32>(packed, place, FIRST_TEXT + i32(reinterpret<u64>(value)));
    else return false;
  }
  return true;
}
