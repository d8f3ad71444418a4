// Rows of one thing that was measured again and again, with noise: near each other in the columns that tell most of the
// label, as visits of a patient are, but not apart from all others, as near-twins are.
//
// The nearest neighbours of a row that are of the same thing have its label. Where the label follows the columns
// smoothly, further neighbours have it nearly as often. Where it goes with the thing, they have it no oftener than any
// row as soon as the thing's own rows are used up. This fall tells.

import { DisjointSets } from "../disjoint-sets.ts";
import { countClasses } from "../fitting/class-counts.ts";
import { mapped } from "../mapped.ts";
import { Random } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { simpsonIndex } from "../statistics/simpson-index.ts";
import type { StopSignal } from "../stop-signal.ts";
import { meanOf } from "../sums.ts";
import { everyRowOf, levelCount, type Table } from "../table/table.ts";
import { nearestOf, type RankedRows, rankRows } from "./distances.ts";

/** Features that distances go by: so many, of the largest gains. In fewer, most rows lie near others by chance. */
const FEATURE_COUNTS = [4, 7, 10, 15] as const;
/** A number with fewer levels is no measurement. */
const LEAST_LEVELS = 50;
/** Neighbours by place: those that would be of the same thing, which has few rows or some, and those that would not. */
const SPANS = [
  { near: [0, 1], far: [8, 16], groupRows: 10 },
  { near: [1, 4], far: [16, 32], groupRows: 24 },
] as const;
const NEIGHBOURS = 32;
/** A label of fewer rows has no far neighbours. */
const LEAST_LABEL_ROWS = 4 * NEIGHBOURS;
/**
 * How much less often far neighbours have the row's label than near ones: of what those say beyond chance. With five
 * noisy rows of each thing 0.88 and more; of 29 public tables four differ by 15 points at all, and lose at most 0.61.
 */
const LEAST_FALL = 0.85;
const LEAST_DIFFERENCE = 0.15;
/** Rows whose neighbours are looked at first. */
const ASKED_ROWS = 300;

export interface NoisyRepeats {
  /** The features in which rows of one thing are near, by number. */
  features: readonly number[];
  /** The group of each row. */
  groups: Uint32Array;
}

/**
 * Null where neighbours show no sign of things that rows repeat. `gains`: what a forest gained by each feature, asked
 * for where there are enough numbers. Takes the distances of 300 rows to all others, and of all rows where there is a
 * sign. @throws OutOfTime or Cancelled
 */
export function findNoisyRepeats(
  table: Table,
  gains: () => Float64Array,
  seed: number,
  stop: StopSignal,
): NoisyRepeats | null {
  const queryRows = drawAsked(table, seed);
  const numbers = [...table.features.keys()].filter((feature) => isMeasured(table, feature));
  if (queryRows.length === 0 || numbers.length < FEATURE_COUNTS[0]) return null;
  const gained = gains();
  const ordered = numbers.sort((a, b) => gained[b]! - gained[a]!);
  const falls = FEATURE_COUNTS.filter((count) => count <= ordered.length).flatMap((count) =>
    fallsOf(table, ordered.slice(0, count), queryRows, stop),
  );
  const [best] = falls.sort((a, b) => b.near - a.near);
  if (best === undefined) return null;
  return { features: best.features, groups: joinNearest(rankRows(table, best.features), best.groupRows, stop) };
}

/** Some rows of labels that are not rare. */
function drawAsked(table: Table, seed: number): Uint32Array {
  const { classes, rowCount } = table;
  const random = new Random(seed);
  const counts = countClasses(everyRowOf(table));
  return mapped(Uint32Array, { length: Math.min(ASKED_ROWS, rowCount) }, () => random.nextBelow(rowCount)).filter(
    (row) => counts[classes[row]!]! >= LEAST_LABEL_ROWS,
  );
}

interface Fall {
  /** How often near neighbours have the label. */
  near: number;
  features: readonly number[];
  groupRows: number;
}

/** The spans over which the label is lost, by distances in these features. */
function fallsOf(table: Table, features: readonly number[], queryRows: Uint32Array, stop: StopSignal): Fall[] {
  const sameLabelShares = labelsOfNeighbours(table, rankRows(table, features), queryRows, stop);
  const chance = chanceOfLabel(table);
  return SPANS.flatMap((span) => {
    const [near, far] = [meanOf(sameLabelShares.subarray(...span.near)), meanOf(sameLabelShares.subarray(...span.far))];
    const isFall = near - far >= Math.max(LEAST_DIFFERENCE, LEAST_FALL * (near - chance));
    return isFall ? [{ near, features, groupRows: span.groupRows }] : [];
  });
}

function isMeasured({ features }: Table, feature: number): boolean {
  return features[feature]!.kind === "number" && levelCount(features[feature]!) >= LEAST_LEVELS;
}

/** The chance that two rows have the same label. */
export function chanceOfLabel(table: Table): number {
  return simpsonIndex(countClasses(everyRowOf(table)));
}

/** How often the nearest neighbour has the label of the row, the second, …; rows with a copy are other questions'. */
function labelsOfNeighbours(
  { classes }: Table,
  ranked: RankedRows,
  queryRows: Uint32Array,
  stop: StopSignal,
): Float64Array {
  const sameLabelCounts = new Float64Array(NEIGHBOURS);
  let rowCount = 0;
  for (const { row, rows, distances } of nearestOf(ranked, queryRows, NEIGHBOURS, stop)) {
    if (distances[0] === 0) continue;
    for (const [place, other] of rows.entries()) sameLabelCounts[place]! += classes[other] === classes[row] ? 1 : 0;
    rowCount++;
  }
  return rowCount < queryRows.length / 2 ? sameLabelCounts.fill(0) : sameLabelCounts.map((count) => count / rowCount);
}

/** Groups of so many rows at most that lie nearest: the shortest distances first. */
function joinNearest(ranked: RankedRows, mostRows: number, stop: StopSignal): Uint32Array {
  const everyRow = rowsUpTo(ranked.rowCount);
  const pairs = nearestOf(ranked, everyRow, mostRows, stop)
    .flatMap(({ row, rows, distances }) => [...rows].map((other, at) => ({ row, other, distance: distances[at]! })))
    .toArray()
    .sort((a, b) => a.distance - b.distance);
  const groups = new DisjointSets(ranked.rowCount);
  for (const { row, other } of pairs) {
    if (groups.rootOf(row) === groups.rootOf(other)) continue;
    if (groups.sizeOf(row) + groups.sizeOf(other) <= mostRows) groups.join(row, other);
  }
  return mapped(Uint32Array, everyRow, (row) => groups.rootOf(row));
}
