// Dividing rows by a split: one store a row and no branch on data, and rows stay in ascending or descending order.
import { rowOf } from "./item.ts";
import { at, put } from "./memory.ts";

/** The bit of a stored threshold that sends missing cells to the right. */
export const MISSING_RIGHT: i32 = 0x8000;

/**
 * -1 where a code goes right, else 0: the sign of a difference. With
 * `missingRight` 1 instead of 0, code 0 wraps to the largest.
 */
function rightMask(code: i32, limit: i32, missingRight: i32): i32 {
  return (limit - ((code - missingRight) & 0xffff)) >> 31;
}

/**
 * Writes the rows `[from, to)` of `source` to the same places of `target`, left ones from the front and right ones from
 * the back; returns where the right ones begin. A `Row` is an i32 index or an item.
 */
export function divideRows<Code, Row>(
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
    const row = at<Row>(source, index);
    const code = load<Code>(codes + indexOf<Row>(row) * sizeof<Code>());
    const goesRight = rightMask(i32(code), limit, missingRight);
    put<Row>(target, left + ((right - left) & goesRight), row);
    left += 1 + goesRight;
    right += goesRight;
  }
  return left;
}

/** An item holds the row's index in its lower half. */
function indexOf<Row>(row: Row): usize {
  return sizeof<Row>() === sizeof<u64>() ? rowOf(u64(row)) : usize(row);
}
