// Dividing rows by a split: one store a row and no branch on data, and rows stay in ascending or descending order.
import { at, put } from "./memory.ts";

/** The bit of a stored threshold that sends missing cells to the right. */
export const MISSING_RIGHT: i32 = 0x8000;

/** -1 where a code goes right, else 0: the sign of a difference. `missingRight` is 1 or 0; by 1, code 0 wraps to the largest. */
export function rightMask(code: i32, limit: i32, missingRight: i32): i32 {
  return (limit - ((code - missingRight) & 0xffff)) >> 31;
}

/**
 * Writes the rows between two places of `source` to the same places of `target`, left ones from the front and right ones
 * from the back; returns where the right ones begin.
 */
export function divideRows<Code>(
  codes: usize,
  threshold: i32,
  missingRight: i32,
  source: usize,
  target: usize,
  from: i32,
  to: i32,
): i32 {
  const limit = threshold - missingRight;
  let left = from;
  let right = to - 1;
  for (let index = from; index < to; index++) {
    const row = at<i32>(source, index);
    const goesRight = rightMask(i32(load<Code>(codes + usize(row) * sizeof<Code>())), limit, missingRight);
    put<i32>(target, left + ((right - left) & goesRight), row);
    left += 1 + goesRight;
    right += goesRight;
  }
  return left;
}
