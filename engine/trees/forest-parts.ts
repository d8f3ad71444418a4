// A forest in parts of some trees each, which threads grow side by side, and the whole of them.
import { concatenate } from "../concatenate.ts";
import type { FitInput, LabelledRows } from "../families/family.ts";
import type { Forest, ForestSettings } from "./forest.ts";
import { ForestGrower, meanVotes, type Votes } from "./forest-growth.ts";

/** Trees of a part: an even number, since every other tree may have one beside it that only votes. */
export const TREES_PER_PART = 60;

export interface ForestPart {
  forest: Forest;
  votes: Votes;
}

/**
 * Grows the trees from `firstTree` up to `endTree`; when time is up fewer, but `leastTrees`. Throws `Cancelled`.
 */
export function growPart(
  input: FitInput,
  settings: ForestSettings,
  firstTree: number,
  endTree: number,
  leastTrees: number,
): ForestPart {
  const grower = new ForestGrower(input, settings, "votes", firstTree);
  grower.growTo(endTree - firstTree, leastTrees);
  const part = { votes: grower.outOfBagVotes(), forest: grower.forest() };
  grower.release();
  return part;
}

/** The whole forest, and its out-of-bag probabilities: votes are added part by part, so these depend on where it was cut. */
export function joinParts(
  rows: LabelledRows,
  parts: readonly ForestPart[],
): { forest: Forest; probabilities: Float64Array } {
  const [first] = parts;
  const sums = new Float64Array(first!.votes.sums.length);
  const counts = new Uint32Array(first!.votes.counts.length);
  for (const { votes } of parts) {
    for (let cell = 0; cell < sums.length; cell++) sums[cell] = sums[cell]! + votes.sums[cell]!;
    for (let row = 0; row < counts.length; row++) counts[row] = counts[row]! + votes.counts[row]!;
  }
  return { forest: joinForests(parts.map(({ forest }) => forest)), probabilities: meanVotes(rows, { sums, counts }) };
}

/** Scores as the forests do in a row; class shares that several of them hold stand more than once. */
function joinForests(forests: readonly Forest[]): Forest {
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
