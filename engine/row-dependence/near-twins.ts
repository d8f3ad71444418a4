// Near-twins: rows that lie so close to a few others that one in the folds
// tells the other, without any order or column.

import { DisjointSets } from "../disjoint-sets.ts";
import { type StopSignal, throwIfStopped } from "../stop-signal.ts";
import type { Table } from "../table/table.ts";
import { type RankedRows, rankRows } from "./distances.ts";

const LEAST_SIZE = 4;
const LARGEST_SHARE = 0.1;
const LEAST_COVERED = 0.75;
/** Rows between looks at the clock, which would take longer than the search of a small table. */
const ROWS_PER_LOOK = 32;

/**
 * The cluster of each row by single linkage, at the distance where most rows lie in clusters of four and more and none
 * holds above a tenth of them; null where fewer than three quarters do. O(rows² × features). @throws OutOfTime or
 * Cancelled
 */
export function findNearTwins(table: Table, stop: StopSignal): Uint32Array | null {
  const ranked = rankRows(table);
  const edges = spanningTree(ranked, stop);
  const { rowCount } = ranked;
  const clusters = new DisjointSets(rowCount);
  let covered = 0;
  let best = { covered: 0, edgeCount: 0 };
  for (let at = 0; at < edges.length; ) {
    const { distance } = edges[at]!;
    let isTooLarge = false;
    for (; at < edges.length && edges[at]!.distance === distance; at++) {
      const { a, b } = edges[at]!;
      const [sizeA, sizeB] = [clusters.sizeOf(a), clusters.sizeOf(b)];
      if (sizeA >= LEAST_SIZE) covered -= sizeA;
      if (sizeB >= LEAST_SIZE) covered -= sizeB;
      const size = clusters.join(a, b);
      if (size >= LEAST_SIZE) covered += size;
      if (size > LARGEST_SHARE * rowCount) isTooLarge = true;
    }
    if (isTooLarge) break;
    if (covered > best.covered) best = { covered, edgeCount: at };
  }
  if (best.covered < LEAST_COVERED * rowCount) return null;
  const chosen = new DisjointSets(rowCount);
  for (const { a, b } of edges.slice(0, best.edgeCount)) chosen.join(a, b);
  return Uint32Array.from({ length: rowCount }, (_, row) => chosen.rootOf(row));
}

interface Edge {
  a: number;
  b: number;
  distance: number;
}

/** The edges of a minimum spanning tree (Prim 1957), shortest first. */
function spanningTree({ rowCount, featureCount, ranks }: RankedRows, stop: StopSignal): Edge[] {
  const least = new Float64Array(rowCount).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(rowCount);
  const isIn = new Uint8Array(rowCount);
  const edges: Edge[] = [];
  let last = 0;
  isIn[0] = 1;
  for (let count = 1; count < rowCount; count++) {
    if (count % ROWS_PER_LOOK === 0) throwIfStopped(stop);
    let next = -1;
    for (let row = 0; row < rowCount; row++) {
      if (isIn[row] === 1) continue;
      let distance = 0;
      // A distance that is too large already need not be known exactly.
      for (let place = 0; place < featureCount && distance < least[row]!; place++) {
        const step = ranks[last * featureCount + place]! - ranks[row * featureCount + place]!;
        distance += step * step;
      }
      if (distance < least[row]!) {
        least[row] = distance;
        from[row] = last;
      }
      if (next < 0 || least[row]! < least[next]!) next = row;
    }
    edges.push({ a: from[next]!, b: next, distance: least[next]! });
    isIn[next] = 1;
    last = next;
  }
  return edges.sort((x, y) => x.distance - y.distance);
}
