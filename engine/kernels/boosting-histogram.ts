// Histograms of a node: for each feature and code a cell, the sums of its rows' gradients and hessians side by side.
import { Layout, Leaf, rowsOf, Scratch } from "./boosting-state.ts";
import { codesOf } from "./matrix.ts";
import { allocateArray, at } from "./memory.ts";

/** Bytes of a cell: two f64, added as one vector. */
export const CELL_BYTES: usize = 16;
const NONE: i32 = -1;

/** Histograms lent to open nodes; a node does without if none is left. */
let pool: usize = 0;
let poolBytes: usize = 0;
/** i32 numbers of histograms that were given back. */
let free: usize = 0;
let freeCapacity: i32 = 0;
let freeCount: i32 = 0;
let lent: i32 = 0;
let limit: i32 = 0;

/** Enlarges the pool to `byteCount` bytes of histograms, of which at most `slotCount` are lent at once. */
export function reservePool(byteCount: usize, slotCount: i32): void {
  if (byteCount > poolBytes) {
    pool = allocateArray<u8>(byteCount);
    poolBytes = byteCount;
  }
  if (slotCount > freeCapacity) {
    free = allocateArray<i32>(slotCount);
    freeCapacity = slotCount;
  }
}

/** Takes all histograms back; from now on they have the layout's size. */
export function resetPool(): void {
  freeCount = 0;
  lent = 0;
  limit = min(freeCapacity, i32(poolBytes / (usize(max(1, Layout.cellCount)) * CELL_BYTES)));
}

/** The number of a histogram that is all zero, or -1 where there is none left. */
export function takeHistogram(): i32 {
  if (freeCount === 0 && lent === limit) return NONE;
  let slot = lent;
  if (freeCount > 0) slot = at<i32>(free, --freeCount);
  else lent++;
  memory.fill(cellsOf(slot), 0, usize(Layout.cellCount) * CELL_BYTES);
  return slot;
}

export function giveBack(slot: i32): void {
  if (slot >= 0) store<i32>(free + (usize(freeCount++) << 2), slot);
}

export function cellsOf(slot: i32): usize {
  return pool + usize(slot) * usize(Layout.cellCount) * CELL_BYTES;
}

/**
 * Copies the pairs of a leaf's rows to their places in its order, times
 * `sign`, so that the passes over features stream.
 */
export function gatherPairs(leaf: Leaf, sign: f64): void {
  const rows = rowsOf(leaf.depth);
  for (let index = leaf.from; index < leaf.to; index++) {
    const row = at<i32>(rows, index);
    const target = Scratch.gathered + usize(index) * CELL_BYTES;
    store<f64>(target, sign * at<f64>(Scratch.gradients, row));
    store<f64>(target, sign * at<f64>(Scratch.hessians, row), 8);
  }
}

/** Adds the gathered pairs of a leaf to the cells of one feature in use. */
export function addFeature<Code>(leaf: Leaf, index: i32, cells: usize): void {
  const codes = codesOf<Code>(at<i32>(Layout.features, index));
  const histogram = cells + usize(at<i32>(Layout.starts, index)) * CELL_BYTES;
  const rows = rowsOf(leaf.depth);
  for (let place = leaf.from; place < leaf.to; place++) {
    const row = usize(at<i32>(rows, place));
    addPair<Code>(histogram, codes, row, v128.load(Scratch.gathered + usize(place) * CELL_BYTES));
  }
}

/**
 * Adds the pairs for four features from `first` on: rows and pairs are
 * loaded once, and sums do not wait for each other.
 */
export function addFourFeatures<Code>(leaf: Leaf, first: i32, cells: usize): void {
  const features = Layout.features;
  const starts = Layout.starts;
  const codes0 = codesOf<Code>(at<i32>(features, first));
  const codes1 = codesOf<Code>(at<i32>(features, first + 1));
  const codes2 = codesOf<Code>(at<i32>(features, first + 2));
  const codes3 = codesOf<Code>(at<i32>(features, first + 3));
  const histogram0 = cells + usize(at<i32>(starts, first)) * CELL_BYTES;
  const histogram1 = cells + usize(at<i32>(starts, first + 1)) * CELL_BYTES;
  const histogram2 = cells + usize(at<i32>(starts, first + 2)) * CELL_BYTES;
  const histogram3 = cells + usize(at<i32>(starts, first + 3)) * CELL_BYTES;
  const rows = rowsOf(leaf.depth);
  const to = leaf.to;
  for (let place = leaf.from; place < to; place++) {
    const row = usize(at<i32>(rows, place));
    const pair = v128.load(Scratch.gathered + usize(place) * CELL_BYTES);
    addPair<Code>(histogram0, codes0, row, pair);
    addPair<Code>(histogram1, codes1, row, pair);
    addPair<Code>(histogram2, codes2, row, pair);
    addPair<Code>(histogram3, codes3, row, pair);
  }
}

/** Subtracts one child's histogram from its parent's, which becomes the other child's. */
export function subtractHistogram(cells: usize, child: usize): void {
  const end = cells + usize(Layout.cellCount) * CELL_BYTES;
  for (let cell = cells; cell < end; cell += CELL_BYTES) {
    v128.store(cell, f64x2.sub(v128.load(cell), v128.load(child)));
    child += CELL_BYTES;
  }
}

function addPair<Code>(histogram: usize, codes: usize, row: usize, pair: v128): void {
  const cell = histogram + usize(load<Code>(codes + row * sizeof<Code>())) * CELL_BYTES;
  v128.store(cell, f64x2.add(v128.load(cell), pair));
}
