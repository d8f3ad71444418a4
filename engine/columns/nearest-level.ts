// The nearest level of very many values: a grid over the midpoints leaves a few of them to compare.

const BINS_PER_MIDPOINT = 2;
/** Bins over a grid are made in the time that so large a share of its midpoints takes to be searched for without. */
const FEW_SHARE = 1 / 8;

/** Midpoints between the levels of a column, ascending, at most 65,535, and bins over them for whoever asks. */
export class LevelGrid {
  readonly midpoints: Float64Array;
  private found: LevelBins | null = null;

  constructor(midpoints: Float64Array) {
    this.midpoints = midpoints;
  }

  /** O(midpoints) when first asked for. */
  get bins(): LevelBins {
    this.found ??= createBins(this.midpoints);
    return this.found;
  }
}

/** Fewer values than this are found sooner by `nearestIndex` than bins are made. */
export function fewFor({ midpoints }: LevelGrid): number {
  return FEW_SHARE * midpoints.length;
}

/** Bins of equal width. */
interface LevelBins {
  lowest: number;
  /** Bins per unit; 0 where one bin holds all. */
  scale: number;
  /** How many midpoints lie in earlier bins; one more than there are bins. */
  before: Uint16Array;
}

function createBins(midpoints: Float64Array): LevelBins {
  const lowest = midpoints[0] ?? 0;
  const range = (midpoints.at(-1) ?? 0) - lowest;
  const wanted = (midpoints.length * BINS_PER_MIDPOINT) / range;
  // Where numbers are too far apart or too close for a width, all are in one bin.
  const scale = wanted > 0 && Number.isFinite(wanted) && Number.isFinite(range) ? wanted : 0;
  const binCount = scale === 0 ? 1 : mostBins(midpoints.length);
  const before = new Uint16Array(binCount + 1);
  const bins = { lowest, scale, before };
  for (let at = 0; at < midpoints.length; at++) before[binOf(bins, midpoints[at]!) + 1]!++;
  for (let bin = 0; bin < binCount; bin++) before[bin + 1]! += before[bin]!;
  return bins;
}

/** Bins of a grid, if not one. */
export function mostBins(midpointCount: number): number {
  return midpointCount * BINS_PER_MIDPOINT + 1;
}

/** `nearestIndex` of the grid's midpoints, for a value that is a number. */
export function nearestInGrid(grid: LevelGrid, value: number): number {
  const { midpoints, bins } = grid;
  const { before } = bins;
  // Bins ascend with values, so midpoints of other bins stand on their side of the value.
  const bin = binOf(bins, value);
  let low = before[bin]!;
  let high = before[bin + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (midpoints[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function binOf({ lowest, scale, before }: LevelBins, value: number): number {
  const bin = (value - lowest) * scale;
  const last = before.length - 2;
  return bin > 0 ? (bin < last ? bin | 0 : last) : 0;
}
