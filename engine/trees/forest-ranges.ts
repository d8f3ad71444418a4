// A forest in ranges of some trees each, which threads grow side by side, and the whole of them.
import { concatenate } from "../concatenate.ts";
import type { FitInput } from "../fitting/family.ts";
import type { LabelledRows } from "../table/table.ts";
import type { Forest, ForestSettings } from "./forest.ts";
import { ForestGrower, meanVotes, type Votes } from "./forest-growth.ts";
import { MANY_ROWS } from "./forest-size.ts";

/** Trees of a range: even numbers, since every other tree may have one beside it that only votes. */
export const TREES_PER_RANGE = 60;
const LONG_TREES_PER_RANGE = 20;
/**
 * On many rows a tree takes some milliseconds: then ranges have fewer trees, unless their votes have more cells.
 */
const MOST_VOTES = 500_000;

/** The trees from `firstTree` up to `endTree`. */
export interface TreeRange {
  firstTree: number;
  endTree: number;
}

/** The trees from `firstTree` on, of a forest that learns from `rowCount` rows. */
export function treeRanges(treeCount: number, rowCount: number, classCount: number, firstTree = 0): TreeRange[] {
  const isLong = rowCount > MANY_ROWS && rowCount * classCount <= MOST_VOTES;
  const size = isLong ? LONG_TREES_PER_RANGE : TREES_PER_RANGE;
  const ranges: TreeRange[] = [];
  for (let from = firstTree; from < treeCount; from += size) {
    ranges.push({ firstTree: from, endTree: Math.min(treeCount, from + size) });
  }
  return ranges;
}

/** `count` ranges of about equally many trees. */
export function evenRanges(treeCount: number, count: number): TreeRange[] {
  const treeAt = (range: number) => Math.floor((treeCount * range) / count);
  return Array.from({ length: count }, (_, range) => ({ firstTree: treeAt(range), endTree: treeAt(range + 1) }));
}

/** The trees of a range, and their votes on rows that they did not see. */
export interface GrownRange {
  forest: Forest;
  votes: Votes;
}

/** Grows some trees; when time is up fewer, but `leastTrees`. Throws `Cancelled`. */
export function growRange(
  input: FitInput,
  settings: ForestSettings,
  { firstTree, endTree }: TreeRange,
  leastTrees: number,
): GrownRange {
  const grower = new ForestGrower(input, settings, "votes", firstTree);
  grower.growTo(endTree - firstTree, leastTrees);
  const grown = { votes: grower.outOfBagVotes(), forest: grower.forest() };
  grower.release();
  return grown;
}

/** Grows some trees without votes; when time is up fewer. Throws `Cancelled`. */
export function growTrees(input: FitInput, settings: ForestSettings, { firstTree, endTree }: TreeRange): Forest {
  const grower = new ForestGrower(input, settings, "no votes", firstTree);
  grower.growTo(endTree - firstTree);
  const forest = grower.forest();
  grower.release();
  return forest;
}

/** Out-of-bag probabilities: votes are added range by range, so these depend on where the forest was cut. */
export function joinVotes(rows: LabelledRows, ranges: readonly { votes: Votes }[]): Float64Array {
  const [first] = ranges;
  const sums = new Float64Array(first!.votes.sums.length);
  const counts = new Uint32Array(first!.votes.counts.length);
  for (const { votes } of ranges) {
    for (let cell = 0; cell < sums.length; cell++) sums[cell] = sums[cell]! + votes.sums[cell]!;
    for (let row = 0; row < counts.length; row++) counts[row] = counts[row]! + votes.counts[row]!;
  }
  return meanVotes(rows, { sums, counts });
}

/** The whole forest: the same bytes as if its trees had grown one after the other. */
export function joinForests(forests: readonly Forest[]): Forest {
  const { kind, classCount, featureCount } = forests[0]!;
  const { distributions, places } = uniteShares(forests, classCount);
  const roots: Uint32Array[] = [];
  const children: Int32Array[] = [];
  let [firstNode, firstShare] = [0, 0];
  for (const forest of forests) {
    const [node, share] = [firstNode, firstShare];
    roots.push(forest.roots.map((root) => root + node));
    children.push(forest.children.map((child) => (child < 0 ? ~places[share + ~child]! : child + node)));
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
    distributions,
  };
}

/**
 * The distinct class shares of all forests, in the order of their first leaves, and where each forest's now stand.
 * Shares are the same if their bits are, as the kernel compares them.
 */
function uniteShares(forests: readonly Forest[], classCount: number) {
  const allShares = concatenate(
    Float32Array,
    forests.map(({ distributions }) => distributions),
  );
  const bits = new Int32Array(allShares.buffer);
  const places = new Int32Array(allShares.length / classCount);
  // Open addressing: a place and 1, or 0 where free; at most half full.
  const table = new Int32Array(2 << Math.ceil(Math.log2(places.length + 1)));
  let distinctCount = 0;
  for (let index = 0; index < places.length; index++) {
    const start = index * classCount;
    let slot = hashOf(bits, start, classCount) & (table.length - 1);
    while (table[slot]! > 0 && !isEqual(bits, (table[slot]! - 1) * classCount, start, classCount)) {
      slot = (slot + 1) & (table.length - 1);
    }
    if (table[slot] === 0) {
      allShares.copyWithin(distinctCount * classCount, start, start + classCount);
      table[slot] = ++distinctCount;
    }
    places[index] = table[slot]! - 1;
  }
  return { distributions: allShares.slice(0, distinctCount * classCount), places };
}

function hashOf(bits: Int32Array, start: number, count: number): number {
  let state = 0;
  for (let at = start; at < start + count; at++) {
    state = Math.imul(state ^ bits[at]!, 0x85ebca6b);
    state ^= state >>> 15;
  }
  return state;
}

function isEqual(bits: Int32Array, one: number, other: number, count: number): boolean {
  for (let at = 0; at < count; at++) if (bits[one + at] !== bits[other + at]) return false;
  return true;
}
