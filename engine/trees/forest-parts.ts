// A forest in parts of some trees each, which threads grow side by side, and the whole of them.
import { concatenate } from "../concatenate.ts";
import type { FitInput, LabelledRows } from "../families/family.ts";
import type { Forest, ForestSettings } from "./forest.ts";
import { ForestGrower, meanVotes, type Votes } from "./forest-growth.ts";
import { MANY_ROWS } from "./forest-size.ts";

/** Trees of a part: even numbers, since every other tree may have one beside it that only votes. */
export const TREES_PER_PART = 60;
const LONG_TREES_PER_PART = 20;
/**
 * On many rows a tree takes some milliseconds: then parts have fewer, unless their votes are more than so many cells.
 */
const MOST_VOTES = 500_000;

/** The trees from `firstTree` up to `endTree`. */
export interface TreeRange {
  firstTree: number;
  endTree: number;
}

/** The parts of the trees from `firstTree` on, of a forest that learns from so many rows. */
export function treeRanges(treeCount: number, rowCount: number, classCount: number, firstTree = 0): TreeRange[] {
  const isLong = rowCount > MANY_ROWS && rowCount * classCount <= MOST_VOTES;
  const size = isLong ? LONG_TREES_PER_PART : TREES_PER_PART;
  const ranges: TreeRange[] = [];
  for (let from = firstTree; from < treeCount; from += size) {
    ranges.push({ firstTree: from, endTree: Math.min(treeCount, from + size) });
  }
  return ranges;
}

export interface ForestPart {
  forest: Forest;
  votes: Votes;
}

/** Grows some trees; when time is up fewer, but `leastTrees`. Throws `Cancelled`. */
export function growPart(
  input: FitInput,
  settings: ForestSettings,
  { firstTree, endTree }: TreeRange,
  leastTrees: number,
): ForestPart {
  const grower = new ForestGrower(input, settings, "votes", firstTree);
  grower.growTo(endTree - firstTree, leastTrees);
  const part = { votes: grower.outOfBagVotes(), forest: grower.forest() };
  grower.release();
  return part;
}

/** Grows some trees without votes; when time is up fewer. Throws `Cancelled`. */
export function growTrees(input: FitInput, settings: ForestSettings, { firstTree, endTree }: TreeRange): Forest {
  const grower = new ForestGrower(input, settings, "no votes", firstTree);
  grower.growTo(endTree - firstTree);
  const forest = grower.forest();
  grower.release();
  return forest;
}

/** Out-of-bag probabilities: votes are added part by part, so these depend on where the forest was cut. */
export function joinVotes(rows: LabelledRows, parts: readonly { votes: Votes }[]): Float64Array {
  const [first] = parts;
  const sums = new Float64Array(first!.votes.sums.length);
  const counts = new Uint32Array(first!.votes.counts.length);
  for (const { votes } of parts) {
    for (let cell = 0; cell < sums.length; cell++) sums[cell] = sums[cell]! + votes.sums[cell]!;
    for (let row = 0; row < counts.length; row++) counts[row] = counts[row]! + votes.counts[row]!;
  }
  return meanVotes(rows, { sums, counts });
}

/** The whole forest. Scores as its parts do in a row; class shares that several of them hold stand more than once. */
export function joinForests(forests: readonly Forest[]): Forest {
  const { kind, classCount, featureCount } = forests[0]!;
  const roots: Uint32Array[] = [];
  const children: Int32Array[] = [];
  let [firstNode, firstShare] = [0, 0];
  for (const forest of forests) {
    const [node, share] = [firstNode, firstShare];
    roots.push(forest.roots.map((root) => root + node));
    children.push(forest.children.map((child) => (child < 0 ? child - share : child + node)));
    firstNode += forest.children.length;
    firstShare += forest.distributions.length / classCount;
  }
  return {
    ...{ kind, classCount, featureCount },
    roots: concatenate(Uint32Array, roots),
    features: concatenate(
      Uint16Array,
      forests.map(({ features }) => features),
    ),
    thresholds: concatenate(
      Uint16Array,
      forests.map(({ thresholds }) => thresholds),
    ),
    children: concatenate(Int32Array, children),
    distributions: concatenate(
      Float32Array,
      forests.map(({ distributions }) => distributions),
    ),
  };
}
