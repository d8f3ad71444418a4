// The nearest level of very many values: a grid over the midpoints leaves a few of them to compare.

const BINS_PER_MIDPOINT = 2;

/** Bins of equal width over a column's midpoints, ascending. */
export interface LevelGrid {
  midpoints: Float64Array;
  lowest: number;
  /** Bins per unit; 0 where one bin holds all. */
  scale: number;
  /** How many midpoints lie in earlier bins; one more than there are bins. */
  before: Uint16Array;
}

/** `midpoints`: at most 65,535. O(midpoints). */
export function createGrid(midpoints: Float64Array): LevelGrid {
  const lowest = midpoints[0] ?? 0;
  const range = (midpoints.at(-1) ?? 0) - lowest;
  const wanted = (midpoints.length * BINS_PER_MIDPOINT) / range;
  // Where numbers are too far apart or too close for a width, all are in one bin.
  const scale = wanted > 0 && Number.isFinite(wanted) && Number.isFinite(range) ? wanted : 0;
  const binCount = scale === 0 ? 1 : mostBins(midpoints.length);
  const before = new Uint16Array(binCount + 1);
  const grid = { midpoints, lowest, scale, before };
  for (let at = 0; at < midpoints.length; at++) before[binOf(grid, midpoints[at]!) + 1]!++;
  for (let bin = 0; bin < binCount; bin++) before[bin + 1]! += before[bin]!;
  return grid;
}

/** Bins of a grid, if not one. */
export function mostBins(midpointCount: number): number {
  return midpointCount * BINS_PER_MIDPOINT + 1;
}

/** `nearestIndex` of the grid's midpoints, for a value that is a number. */
export function nearestInGrid(grid: LevelGrid, value: number): number {
  const { midpoints, before } = grid;
  // Bins ascend with values, so midpoints of other bins stand on their side of the value.
  const bin = binOf(grid, value);
  let low = before[bin]!;
  let high = before[bin + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (midpoints[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function binOf({ lowest, scale, before }: LevelGrid, value: number): number {
  const bin = (value - lowest) * scale;
  const last = before.length - 2;
  return bin > 0 ? (bin < last ? bin | 0 : last) : 0;
}
