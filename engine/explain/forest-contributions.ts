// Splits a forest's class shares for one row into contributions of its features, along the row's way down each tree.

import { InputError } from "../input-error.ts";
import { type Forest, leafWeight } from "../trees/forest.ts";
import { eachStep } from "../trees/tree-walk.ts";
import type { Contributions } from "./log-shares.ts";

/** Nodes × classes of one forest at most: half a gibibyte. */
const MOST_CELLS = 2 ** 27;

/**
 * The mean class shares of the rows at every node, from those of the leaves. At every split on its way the row's shares
 * change from the node's to the child's: the feature of the split is given that change (Saabas 2014). Base and
 * contributions sum to the forest's probabilities. Where features act together it depends on the order of splits.
 */
export class ForestPaths {
  private readonly forest: Forest;
  /** `nodes × classCount`. */
  private readonly shares: Float32Array;

  /**
   * Takes 4 bytes for each node and class.
   *
   * @throws InputError REASONS_TOO_LARGE
   */
  constructor(forest: Forest) {
    const cellCount = forest.children.length * forest.classCount;
    if (cellCount > MOST_CELLS) {
      const mib = Math.ceil(cellCount / 2 ** 18);
      const message = `Reasons of this model's forests would take ${mib} MiB, and may take ${MOST_CELLS / 2 ** 18}. Ask for none.`;
      throw new InputError("REASONS_TOO_LARGE", message);
    }
    this.forest = forest;
    this.shares = nodeShares(forest);
  }

  /** From the codes of one row; `base` and `contributions` are shares, not scores. */
  contributions(codes: ArrayLike<number>): Contributions {
    const { shares } = this;
    const { classCount, featureCount, roots } = this.forest;
    const base = new Float64Array(classCount);
    const contributions = new Float64Array(featureCount * classCount);
    for (const root of roots) {
      for (let k = 0; k < classCount; k++) base[k] = base[k]! + shares[root * classCount + k]!;
      eachStep(this.forest, root, codes, (feature, node, next) => {
        const to = feature * classCount;
        for (let k = 0; k < classCount; k++) {
          const change = shares[next * classCount + k]! - shares[node * classCount + k]!;
          contributions[to + k] = contributions[to + k]! + change;
        }
      });
    }
    const scale = 1 / roots.length;
    return { base: base.map((sum) => sum * scale), contributions: contributions.map((sum) => sum * scale) };
  }
}

/** Children follow their parents, so that one pass from the end meets them first. */
function nodeShares(forest: Forest): Float32Array {
  const { children, distributions, classCount } = forest;
  const weights = new Float64Array(children.length);
  const shares = new Float32Array(children.length * classCount);
  for (let node = children.length - 1; node >= 0; node--) {
    const child = children[node]!;
    const to = node * classCount;
    if (child < 0) {
      // Files of early builds keep no weights: all their leaves count alike.
      weights[node] = leafWeight(forest, node) || 1;
      shares.set(distributions.subarray(~child * classCount, (~child + 1) * classCount), to);
      continue;
    }
    const nodeWeight = weights[child]! + weights[child + 1]!;
    const leftShare = weights[child]! / nodeWeight;
    const from = child * classCount;
    for (let k = 0; k < classCount; k++) {
      shares[to + k] = leftShare * shares[from + k]! + (1 - leftShare) * shares[from + classCount + k]!;
    }
    weights[node] = nodeWeight;
  }
  return shares;
}
