// Distances between rows by the ranks of their cells, for nearest neighbours and for clusters of near-twins.
import { type StopSignal, throwIfStopped } from "../stop-signal.ts";
import { FIRST_LEVEL, type Table } from "../table/table.ts";

/** Features that distances look at, at most: more say little else and cost as much again. */
const MOST_FEATURES = 60;

/** Ranks in [0, 1], row after row; a missing cell is in the middle. */
export interface RankedRows {
  rowCount: number;
  featureCount: number;
  ranks: Float32Array;
  /** The feature of the table of each place. */
  features: readonly number[];
}

/** By all features, or as many that are spread over the table. */
export function rankRows(table: Table, features: readonly number[] = spreadFeatures(table)): RankedRows {
  const { rowCount } = table;
  const featureCount = features.length;
  const ranks = new Float32Array(rowCount * featureCount);
  for (const [place, feature] of features.entries()) {
    const levels = table.levels[feature]!;
    let highest = FIRST_LEVEL;
    for (let row = 0; row < rowCount; row++) highest = Math.max(highest, levels[row]!);
    const counts = new Uint32Array(highest + 1);
    for (let row = 0; row < rowCount; row++) counts[levels[row]!]!++;
    let before = 0;
    const rankOf = new Float32Array(highest + 1).fill(0.5);
    for (let level = FIRST_LEVEL; level <= highest; level++) {
      rankOf[level] = (before + counts[level]! / 2) / rowCount;
      before += counts[level]!;
    }
    for (let row = 0; row < rowCount; row++) ranks[row * featureCount + place] = rankOf[levels[row]!]!;
  }
  return { rowCount, featureCount, ranks, features };
}

function spreadFeatures({ features }: Table): number[] {
  const step = Math.max(1, Math.floor(features.length / MOST_FEATURES));
  return [...features.keys()].filter((feature) => feature % step === 0).slice(0, MOST_FEATURES);
}

export interface Nearest {
  row: number;
  /** The nearest first. The arrays are filled anew for the next row. */
  rows: Int32Array;
  distances: Float64Array;
}

/** The nearest other rows of some rows. @throws OutOfTime or Cancelled */
export function* nearestOf(
  { rowCount, featureCount, ranks }: RankedRows,
  queryRows: Uint32Array,
  count: number,
  stop: StopSignal,
): Generator<Nearest> {
  const rows = new Int32Array(count);
  const distances = new Float64Array(count);
  for (const row of queryRows) {
    throwIfStopped(stop);
    distances.fill(Number.POSITIVE_INFINITY);
    for (let other = 0; other < rowCount; other++) {
      let distance = 0;
      // A distance that is too large already need not be known exactly.
      for (let place = 0; place < featureCount && distance < distances[count - 1]!; place++) {
        distance += (ranks[row * featureCount + place]! - ranks[other * featureCount + place]!) ** 2;
      }
      if (distance >= distances[count - 1]! || other === row) continue;
      let at = count - 1;
      for (; at > 0 && distances[at - 1]! > distance; at--) {
        distances[at] = distances[at - 1]!;
        rows[at] = rows[at - 1]!;
      }
      distances[at] = distance;
      rows[at] = other;
    }
    yield { row, rows, distances };
  }
}
