// Many rows down a tree: rows and nodes as engine/families/tree-walk.ts lays them out.
import { put } from "./memory.ts";

/** Of a node, in its upper word: it is a leaf, and leads to itself. */
const LEAF: i32 = 0x8000_0000;

/**
 * Writes the leaf of each row, as a node counted from `root`. `nodes`: eight bytes each; `codes`: u16, `stride` of them for each row.
 * Each step waits for memory, so six rows go down together until all are at their leaves, without a branch for any one of them.
 */
export function walk(nodes: usize, codes: usize, stride: i32, count: i32, root: i32, leaves: usize): void {
  const rowBytes = usize(stride) << 1;
  const first = load<i64>(nodes);
  let start = codes;
  let row = 0;
  for (; row + 5 < count; row += 6) {
    const startB = start + rowBytes;
    const startC = startB + rowBytes;
    const startD = startC + rowBytes;
    const startE = startD + rowBytes;
    const startF = startE + rowBytes;
    let a = first;
    let b = first;
    let c = first;
    let d = first;
    let e = first;
    let f = first;
    while ((a & b & c & d & e & f) >= 0) {
      a = next(nodes, a, start);
      b = next(nodes, b, startB);
      c = next(nodes, c, startC);
      d = next(nodes, d, startD);
      e = next(nodes, e, startE);
      f = next(nodes, f, startF);
    }
    put<i32>(leaves, row, root + placeOf(a));
    put<i32>(leaves, row + 1, root + placeOf(b));
    put<i32>(leaves, row + 2, root + placeOf(c));
    put<i32>(leaves, row + 3, root + placeOf(d));
    put<i32>(leaves, row + 4, root + placeOf(e));
    put<i32>(leaves, row + 5, root + placeOf(f));
    start = startF + rowBytes;
  }
  for (; row < count; row++, start += rowBytes) {
    let node = first;
    while (node >= 0) node = next(nodes, node, start);
    put<i32>(leaves, row, root + placeOf(node));
  }
}

/** The left child or, where the code exceeds the threshold, the right one behind it: the sign of a difference, without a branch. */
function next(nodes: usize, node: i64, row: usize): i64 {
  const split = u32(node);
  const code = i32(load<u16>(row + usize((split >> 15) & 0x1_fffe)));
  const isRight = u32(i32(split & 0xffff) - code) >> 31;
  return load<i64>(nodes + usize(i32(node >> 32) & ~LEAF) + usize(isRight << 3));
}

function placeOf(leaf: i64): i32 {
  return (i32(leaf >> 32) & ~LEAF) >> 3;
}
