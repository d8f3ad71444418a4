// The rows of TRAIN: all that checks of columns and rows may look at besides the blind test.
import type { RefinementTask } from "./task.ts";

/** Learning and reserve rows together, ascending: TRAIN in the order of its file. */
export function trainRows({ learning, reserve }: RefinementTask): Uint32Array {
  const rows = new Uint32Array(learning.length + reserve.length);
  rows.set(learning);
  rows.set(reserve, learning.length);
  return rows.sort();
}
