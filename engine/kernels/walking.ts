// Many rows down a tree, and a row down many trees: rows and nodes as
// tree-walk.ts and row-walk.ts in engine/trees lay them out.
import { at, put } from "./memory.ts";

/** Set in a node's upper word: it is a leaf, and leads to itself. */
const LEAF: i32 = 0x8000_0000;

/**
 * Writes the leaf of each row, as a node counted from `root`. `nodes`: eight bytes each; `codes`:
 * u16, `stride` of them for each row. Each step waits for memory, so six rows go down together until
 * all are at their leaves, without a branch for any one of them.
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

/**
 * Writes the leaf of one row in each of `count` trees, a multiple of eight, which go down together for the same reason.
 * `nodes` of all trees and `roots`, u32 byte offsets, are as engine/trees/row-walk.ts lays them out.
 */
export function walkRow(nodes: usize, codes: usize, roots: usize, count: i32, leaves: usize): void {
  for (let tree = 0; tree < count; tree += 8) {
    let a = load<i64>(nodes + usize(at<u32>(roots, tree)));
    let b = load<i64>(nodes + usize(at<u32>(roots, tree + 1)));
    let c = load<i64>(nodes + usize(at<u32>(roots, tree + 2)));
    let d = load<i64>(nodes + usize(at<u32>(roots, tree + 3)));
    let e = load<i64>(nodes + usize(at<u32>(roots, tree + 4)));
    let f = load<i64>(nodes + usize(at<u32>(roots, tree + 5)));
    let g = load<i64>(nodes + usize(at<u32>(roots, tree + 6)));
    let h = load<i64>(nodes + usize(at<u32>(roots, tree + 7)));
    while ((a & b & c & d & e & f & g & h) >= 0) {
      a = nextOrSame(nodes, a, codes);
      b = nextOrSame(nodes, b, codes);
      c = nextOrSame(nodes, c, codes);
      d = nextOrSame(nodes, d, codes);
      e = nextOrSame(nodes, e, codes);
      f = nextOrSame(nodes, f, codes);
      g = nextOrSame(nodes, g, codes);
      h = nextOrSame(nodes, h, codes);
    }
    put<i32>(leaves, tree, i32(a));
    put<i32>(leaves, tree + 1, i32(b));
    put<i32>(leaves, tree + 2, i32(c));
    put<i32>(leaves, tree + 3, i32(d));
    put<i32>(leaves, tree + 4, i32(e));
    put<i32>(leaves, tree + 5, i32(f));
    put<i32>(leaves, tree + 6, i32(g));
    put<i32>(leaves, tree + 7, i32(h));
  }
}

/** The next node, or the same at a leaf: without a branch, a leaf reads the first node for nothing. */
function nextOrSame(nodes: usize, node: i64, row: usize): i64 {
  const isLeaf = node >> 63;
  return select<i64>(node, next(nodes, node & ~isLeaf, row), isLeaf !== 0);
}

/**
 * The left child or, if the code exceeds the threshold, the right one after
 * it: the sign of a difference, without a branch.
 */
function next(nodes: usize, node: i64, row: usize): i64 {
  const split = u32(node);
  const code = i32(load<u16>(row + usize((split >> 15) & 0x1_fffe)));
  const isRight = u32(i32(split & 0xffff) - code) >> 31;
  return load<i64>(nodes + usize(i32(node >> 32) & ~LEAF) + usize(isRight << 3));
}

function placeOf(leaf: i64): i32 {
  return (i32(leaf >> 32) & ~LEAF) >> 3;
}
