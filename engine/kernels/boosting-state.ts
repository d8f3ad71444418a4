// The data of a growing boosted tree: gradient pairs, rows, the features in use, and the leaves so far.
import { allocateArray } from "./memory.ts";

/**
 * How the current tree is grown, and the units of its pairs: see
 * boosting-settings.ts and gradients.ts in engine/boosting.
 */
export class Growth {
  static maxDepth: i32 = 0;
  static maxLeaves: i32 = 0;
  static minLeafRows: i32 = 0;
  /** Whether the largest gain is split first: if depth alone bounds the tree, the order does not matter. */
  static isBestFirst: bool = false;
  static l2: f64 = 0;
  /** The share of a Newton step that a leaf takes. */
  static stepShare: f64 = 0;
  static countSpan: f64 = 0;
  static hessianUnit: f64 = 0;
  static gradientUnit: f64 = 0;
  /** `l2` in units of the hessians. */
  static unitL2: f64 = 0;
}

/**
 * Features in use: i32 indexes, and where each one's cells begin in a histogram. `cellCount`: cells of 16 bytes each.
 */
export class Layout {
  static features: usize = 0;
  static starts: usize = 0;
  static count: i32 = 0;
  static cellCount: i32 = 0;
}

/** Scratch memory for all trees on as many rows. */
export class Scratch {
  /** f64 gradients and hessians, each at its row's place. */
  static gradients: usize = 0;
  static hessians: usize = 0;
  /** Pairs of gradient and hessian in the order of a node's rows. */
  static gathered: usize = 0;
  /**
   * i32 rows to learn from and other rows; each node is a range, at even depth
   * of the first array, at odd depth of the second.
   */
  static rows0: usize = 0;
  static rows1: usize = 0;
  static others0: usize = 0;
  static others1: usize = 0;
}

/** A leaf of the current tree, with its best split. */
@unmanaged
export class Leaf {
  node: i32;
  depth: i32;
  /** Its rows to learn from, and its other rows. */
  from: i32;
  to: i32;
  otherFrom: i32;
  otherTo: i32;
  /** Its histogram, or -1. */
  slot: i32;
  feature: i32;
  threshold: i32;
  /** Sums over its rows. */
  gradient: f64;
  hessian: f64;
  /** 0 where it is not to be split. */
  gain: f64;
  /** Sums over the left side of the split. */
  leftGradient: f64;
  leftHessian: f64;
}

let leaves: usize = 0;
let leafCapacity: i32 = 0;

export function prepareScratch(rowCount: i32): void {
  Scratch.gradients = allocateArray<f64>(rowCount);
  Scratch.hessians = allocateArray<f64>(rowCount);
  Scratch.gathered = allocateArray<v128>(rowCount);
  Scratch.rows0 = allocateArray<i32>(rowCount);
  Scratch.rows1 = allocateArray<i32>(rowCount);
  Scratch.others0 = allocateArray<i32>(rowCount);
  Scratch.others1 = allocateArray<i32>(rowCount);
}

/** Enlarges the buffer to `count` leaves. */
export function reserveLeaves(count: i32): void {
  if (count <= leafCapacity) return;
  leafCapacity = count;
  leaves = allocateArray<u8>(count * i32(offsetof<Leaf>()));
}

export function leafAt(index: i32): Leaf {
  return changetype<Leaf>(leaves + usize(index) * offsetof<Leaf>());
}

export function rowsOf(depth: i32): usize {
  return (depth & 1) === 0 ? Scratch.rows0 : Scratch.rows1;
}

export function othersOf(depth: i32): usize {
  return (depth & 1) === 0 ? Scratch.others0 : Scratch.others1;
}
