// Histograms of a node: for each feature and code, the sums of its rows' gradients and weights, side by side.
import type { CodeArray } from "../buckets.ts";
import type { Marks } from "./additive-marks.ts";

/** Memory that the histograms of open nodes may take together. */
const POOL_BYTES = 2 ** 26;

/** Where the features of one tree lie in a histogram. */
export interface HistogramLayout {
  /** Ascending indexes of the features in use, `count` of them. */
  features: Int32Array;
  /** Where each one's cells begin; two cells for each code. */
  starts: Int32Array;
  count: number;
  /** Cells of all features in use. */
  cellCount: number;
}

/**
 * Histograms that are lent to open nodes. All sums are exact, so a node's histogram is the same whether its rows were added,
 * or another's taken off its parent's; where the pool is empty, a node does without.
 */
export class HistogramPool {
  private readonly maxBytes: number;
  private readonly histograms: Float64Array[] = [];
  private readonly free: number[] = [];
  private cellCount = 0;
  private limit = 0;
  private lent = 0;

  constructor(maxBytes: number = POOL_BYTES) {
    this.maxBytes = maxBytes;
  }

  /** Takes all histograms back, and from now on lends such of `cellCount` cells. */
  reset(cellCount: number): void {
    this.cellCount = cellCount;
    this.limit = Math.floor(this.maxBytes / (Math.max(1, cellCount) * Float64Array.BYTES_PER_ELEMENT));
    if (this.histograms.length > this.limit) this.histograms.length = this.limit;
    this.free.length = 0;
    this.lent = 0;
  }

  /** The number of a histogram that is all zero, or -1 where there is none left. */
  take(): number {
    if (this.free.length === 0 && this.lent === this.limit) return -1;
    const slot = this.free.pop() ?? this.lent++;
    const held = this.histograms[slot];
    if (held !== undefined && held.length >= this.cellCount) held.fill(0, 0, this.cellCount);
    else this.histograms[slot] = new Float64Array(this.cellCount);
    return slot;
  }

  giveBack(slot: number): void {
    if (slot >= 0) this.free.push(slot);
  }

  cellsOf(slot: number): Float64Array {
    return this.histograms[slot]!;
  }
}

/** Copies the marks of `rows[from .. to)` to the same places, times `sign`, so that the passes over features stream. */
export function gatherMarks(marks: Marks, rows: Int32Array, from: number, to: number, sign: number, into: Marks): void {
  const { gradients, weights } = marks;
  const toGradients = into.gradients;
  const toWeights = into.weights;
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    toGradients[at] = sign * gradients[row]!;
    toWeights[at] = sign * weights[row]!;
  }
}

/**
 * Adds gathered marks to the cells of four features. Four at once load rows and marks once, and the sums of one need not
 * wait for each other: a fifth to a half faster than one by one, and no slower than reading the codes row by row.
 */
export function addFourFeatures(
  codes: CodeArray,
  rowCount: number,
  { features, starts }: HistogramLayout,
  first: number,
  rows: Int32Array,
  from: number,
  to: number,
  { gradients, weights }: Marks,
  cells: Float64Array,
): void {
  const baseA = features[first]! * rowCount;
  const baseB = features[first + 1]! * rowCount;
  const baseC = features[first + 2]! * rowCount;
  const baseD = features[first + 3]! * rowCount;
  const startA = starts[first]!;
  const startB = starts[first + 1]!;
  const startC = starts[first + 2]!;
  const startD = starts[first + 3]!;
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    const gradient = gradients[at]!;
    const weight = weights[at]!;
    const a = (startA + (codes[baseA + row]! << 1)) | 0;
    const b = (startB + (codes[baseB + row]! << 1)) | 0;
    const c = (startC + (codes[baseC + row]! << 1)) | 0;
    const d = (startD + (codes[baseD + row]! << 1)) | 0;
    cells[a] = cells[a]! + gradient;
    cells[(a + 1) | 0] = cells[(a + 1) | 0]! + weight;
    cells[b] = cells[b]! + gradient;
    cells[(b + 1) | 0] = cells[(b + 1) | 0]! + weight;
    cells[c] = cells[c]! + gradient;
    cells[(c + 1) | 0] = cells[(c + 1) | 0]! + weight;
    cells[d] = cells[d]! + gradient;
    cells[(d + 1) | 0] = cells[(d + 1) | 0]! + weight;
  }
}

/** The same for one feature. */
export function addFeature(
  codes: CodeArray,
  rowCount: number,
  { features, starts }: HistogramLayout,
  index: number,
  rows: Int32Array,
  from: number,
  to: number,
  { gradients, weights }: Marks,
  cells: Float64Array,
): void {
  const base = features[index]! * rowCount;
  const start = starts[index]!;
  for (let at = from; at < to; at++) {
    const cell = start + (codes[base + rows[at]!]! << 1);
    cells[cell] = cells[cell]! + gradients[at]!;
    cells[cell + 1] = cells[cell + 1]! + weights[at]!;
  }
}

/** Takes one child's histogram off its parent's, which becomes the other child's. */
export function subtractHistogram(cells: Float64Array, child: Float64Array, cellCount: number): void {
  for (let cell = 0; cell < cellCount; cell++) cells[cell] = cells[cell]! - child[cell]!;
}
