// Refined forests: the leaves of a grown forest weighed anew, all together, by
// logistic regression (Ren, Cao, Wei and Sun 2015).

import { gatherClasses } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { outputCountOf, type ScoreTables } from "../fitting/score-tables.ts";
import { LogisticProblem, MAX_PARAMETERS } from "../logistic/logistic-regression.ts";
import { rowsUpTo } from "../row-lists.ts";
import type { Forest, ForestSettings } from "../trees/forest.ts";
import { ForestGrower } from "../trees/forest-growth.ts";
import { type LeafColumns, leafColumns, MAX_LEAVES } from "../trees/forest-leaves.ts";
import { endOfTree } from "../trees/tree-walk.ts";
import { BOOSTED_TREES_KIND, type BoostedTrees } from "./boosted-trees.ts";

export interface RefinedForestSettings {
  /** Few rows: 300 trees of depth 8 and 3 rows a leaf. Any number: 200 of free depth and 5 rows a leaf. */
  forest: ForestSettings;
  /**
   * Ridge on the leaves: 100; 10 on a few hundred rows. At depth 8 four tables of five had a lower log-loss with 100
   * than with 10, by 4 to 17 hundredths of it; the fifth, of 378 rows, a higher one.
   */
  l2: number;
  /** Stopping early is part of the regularisation: 60. */
  maxIterations: number;
}

/** Rows × trees at most: one or two bytes each, and two more in the solver's copy. */
export const MAX_ROW_TREES = 2 ** 26;

/**
 * Grows a forest and weighs its leaves, from weights of 0. When the time is up it returns the best model so far, at the
 * least the class frequencies. Throws `Cancelled`.
 */
export function fitRefinedForest(input: FitInput, settings: RefinedForestSettings): BoostedTrees {
  const { rows, classes } = input;
  const forest = growForest(input, settings.forest);
  const columns = leafColumns(forest, input);
  const places = rowsUpTo(rows.length);
  const leaves = { ...input, view: columns.view, rows: places, classes: gatherClasses(classes, rows) };
  const solved = new LogisticProblem(leaves, "one-hot").solve(settings.l2, settings.maxIterations);
  return toTrees(forest, columns, solved);
}

/** Grows as many trees as the settings say, or fewer if the solver could not hold all their leaves. */
function growForest(input: FitInput, settings: ForestSettings): Forest {
  const rowCount = input.rows.length;
  const outputCount = outputCountOf(input.classCount);
  const drawn = Math.min(rowCount, settings.rowsPerTree ?? rowCount);
  const minLeafRows = Math.max(settings.minLeafRows, Math.ceil(drawn / MAX_LEAVES));
  const grower = new ForestGrower(input, { ...settings, minLeafRows }, "no votes");
  const wanted = Math.max(1, Math.min(settings.treeCount, Math.floor(MAX_ROW_TREES / rowCount)));
  grower.growTo(1);
  const leafCount = (grower.forest().children.length + 1) / 2;
  const affordable = Math.floor(MAX_PARAMETERS / (leafCount * outputCount));
  grower.growTo(Math.min(wanted, affordable));
  return grower.forest();
}

/** The trees one after the other, each once for every output, with that output's weights at its leaves. */
function toTrees(forest: Forest, columns: LeafColumns, solved: ScoreTables): BoostedTrees {
  const { roots, featureCount } = forest;
  const { classCount, outputCount, intercepts } = solved;
  const sizeOf = (tree: number) => endOfTree(forest, tree) - roots[tree]!;
  // Trees of one leaf, and those that the solver could not hold, have no table: they add nothing.
  const keptTrees = [...roots.keys()].filter((tree) => solved.tables[tree] !== null);
  const nodeCount = outputCount * keptTrees.reduce((sum, tree) => sum + sizeOf(tree), 0);
  const trees: BoostedTrees = {
    kind: BOOSTED_TREES_KIND,
    classCount,
    featureCount,
    outputCount,
    intercepts,
    roots: new Uint32Array(keptTrees.length * outputCount),
    features: new Uint16Array(nodeCount),
    thresholds: new Uint16Array(nodeCount),
    children: new Int32Array(nodeCount),
    values: new Float32Array(nodeCount),
  };
  const rowCounts = countRows(forest, columns);
  let root = 0;
  for (const [place, tree] of keptTrees.entries()) {
    const from = roots[tree]!;
    const to = from + sizeOf(tree);
    for (let output = 0; output < outputCount; output++, root += to - from) {
      trees.roots[place * outputCount + output] = root;
      copyNodes(forest, from, to, trees, root);
      const table = solved.tables[tree]!;
      writeValues(trees, root, columns.codeOfNode, rowCounts.subarray(from, to), from, table, output);
    }
  }
  return trees;
}

/** The fit rows at every node. */
function countRows(forest: Forest, { codeOfNode, view }: LeafColumns): Float64Array {
  const { roots, children } = forest;
  const counts = new Float64Array(children.length);
  for (const [tree, root] of roots.entries()) {
    const { codes, codeCount } = view.features[tree]!;
    const rowsOfCode = new Float64Array(codeCount);
    for (const code of codes) rowsOfCode[code] = rowsOfCode[code]! + 1;
    for (let node = endOfTree(forest, tree) - 1; node >= root; node--) {
      const child = children[node]!;
      counts[node] = child < 0 ? rowsOfCode[codeOfNode[node]!]! : counts[child]! + counts[child + 1]!;
    }
  }
  return counts;
}

function copyNodes(forest: Forest, from: number, to: number, trees: BoostedTrees, root: number): void {
  for (let node = from; node < to; node++) {
    const child = forest.children[node]!;
    const target = root + node - from;
    trees.children[target] = child < 0 ? -1 : root + child - from;
    if (child < 0) continue;
    trees.features[target] = forest.features[node]!;
    trees.thresholds[target] = forest.thresholds[node]!;
  }
}

/**
 * Writes the weights of a tree's leaves, and at splits the mean of what the fit rows there get: contributions need it.
 */
function writeValues(
  { children, values, outputCount }: BoostedTrees,
  root: number,
  codeOfNode: Uint16Array,
  rowCounts: Float64Array,
  from: number,
  table: Float64Array,
  output: number,
): void {
  for (let node = rowCounts.length - 1; node >= 0; node--) {
    const child = children[root + node]!;
    if (child < 0) {
      values[root + node] = table[codeOfNode[from + node]! * outputCount + output]!;
      continue;
    }
    const [left, right] = [rowCounts[child - root]!, rowCounts[child - root + 1]!];
    const sum = values[child]! * left + values[child + 1]! * right;
    values[root + node] = left + right === 0 ? 0 : sum / (left + right);
  }
}
