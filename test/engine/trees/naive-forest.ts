// The obvious slow forest: plain objects, every count from scratch, the same
// draws. The fast one must equal it node by node.

import type { FitInput } from "../../../engine/fitting/family.ts";
import { deriveSeed, Random } from "../../../engine/random.ts";
import type { CodedView } from "../../../engine/table/buckets.ts";
import type { Forest, ForestSettings } from "../../../engine/trees/forest.ts";
import { MISSING_RIGHT } from "../../../engine/trees/tree-walk.ts";
import { type Cut, everyCut, isRight, PRESENT_LEFT, presentCode } from "./naive-cuts.ts";

export type NaiveTree =
  | { shares: number[] }
  | { feature: number; threshold: number; missingRight: boolean; left: NaiveTree; right: NaiveTree };

export interface NaiveGrowth {
  tree: NaiveTree;
  /** Rows of the view that the tree saw, and how often. */
  drawn: Draw[];
  /** Rows of the view that the tree did not see. */
  unseen: number[];
}

interface Draw {
  row: number;
  weight: number;
}

/** Tree `index` of a forest; `votingShare` draws that share of the rows, as the trees do that only vote. */
export function growNaively(
  input: FitInput,
  settings: ForestSettings,
  index: number,
  votingShare?: number,
): NaiveGrowth {
  const random = new Random(deriveSeed(input.seed, votingShare === undefined ? 0 : 1, index));
  const rowCount = input.rows.length;
  const limit = Math.min(rowCount, settings.rowsPerTree ?? rowCount);
  const count = votingShare === undefined ? limit : Math.max(1, Math.floor(votingShare * rowCount));
  const weights = settings.variant === "forest" ? bootstrap(rowCount, count, random) : sample(rowCount, count, random);
  const drawn: Draw[] = [];
  const unseen: number[] = [];
  weights.forEach((weight, at) => {
    const row = input.rows[at]!;
    if (weight > 0) drawn.push({ row, weight });
    else unseen.push(row);
  });
  const order = input.view.features.map((_, feature) => feature);
  return { tree: growNode(input, settings, drawn, order, 0, random), drawn, unseen };
}

/** A tree of the fast forest, unfolded. */
export function unfold(forest: Forest, node: number): NaiveTree {
  const child = forest.children[node]!;
  if (child < 0) {
    const start = ~child * forest.classCount;
    return { shares: Array.from(forest.distributions.subarray(start, start + forest.classCount)) };
  }
  const threshold = forest.thresholds[node]!;
  return {
    feature: forest.features[node]!,
    threshold: threshold % MISSING_RIGHT,
    missingRight: threshold >= MISSING_RIGHT,
    left: unfold(forest, child),
    right: unfold(forest, child + 1),
  };
}

/** The class shares of the leaf that a row ends in. */
export function walk(tree: NaiveTree, view: CodedView, row: number): number[] {
  if ("shares" in tree) return tree.shares;
  const goesRight = isRight(view, row, tree.feature, tree.threshold, tree.missingRight);
  return walk(goesRight ? tree.right : tree.left, view, row);
}

/** Gini decrease of a tree's splits by feature, in rows, from the impurities themselves. */
export function gainsOf(tree: NaiveTree, input: FitInput, drawn: readonly Draw[]): number[] {
  const gains = input.view.features.map(() => 0);
  const visit = (node: NaiveTree, here: readonly Draw[]) => {
    if ("shares" in node) return;
    const onRight = ({ row }: Draw) => isRight(input.view, row, node.feature, node.threshold, node.missingRight);
    const right = here.filter(onRight);
    const left = here.filter((draw) => !onRight(draw));
    gains[node.feature]! += impurity(input, here) - impurity(input, left) - impurity(input, right);
    visit(node.left, left);
    visit(node.right, right);
  };
  visit(tree, drawn);
  return gains;
}

/** Weight times Gini impurity: the expected number of rows with another class than a row drawn from the same node. */
function impurity(input: FitInput, drawn: readonly Draw[]): number {
  const counts = countClasses(input, drawn);
  const weight = sum(counts);
  return counts.reduce((total, count) => total + (count * (weight - count)) / weight, 0);
}

function bootstrap(rowCount: number, count: number, random: Random): number[] {
  const weights = new Array<number>(rowCount).fill(0);
  for (let draw = 0; draw < count; draw++) {
    const row = random.nextBelow(rowCount);
    weights[row] = weights[row]! + 1;
  }
  return weights;
}

function sample(rowCount: number, count: number, random: Random): number[] {
  if (count === rowCount) return new Array<number>(rowCount).fill(1);
  let needed = count;
  return Array.from({ length: rowCount }, (_, row) => {
    if (random.nextBelow(rowCount - row) >= needed) return 0;
    needed--;
    return 1;
  });
}

function growNode(
  input: FitInput,
  settings: ForestSettings,
  drawn: Draw[],
  order: number[],
  depth: number,
  random: Random,
): NaiveTree {
  const totals = countClasses(input, drawn);
  const weight = sum(totals);
  const leaf = { shares: totals.map((total) => Math.fround(total / weight)) };
  const mixed = totals.filter((total) => total > 0).length > 1;
  if (!mixed || depth === settings.maxDepth || weight < 2 * settings.minLeafRows) return leaf;
  const cut = bestCut(input, settings, drawn, order, random);
  if (cut === null) return leaf;
  const right = drawn.filter(({ row }) => isRight(input.view, row, cut.feature, cut.threshold, cut.missingRight));
  const left = drawn.filter((draw) => !right.includes(draw));
  const grow = (part: Draw[]) => growNode(input, settings, part, order, depth + 1, random);
  const node = { feature: cut.feature, threshold: cut.threshold, missingRight: cut.missingRight };
  if (left.length <= right.length) {
    const grown = grow(left);
    return { ...node, left: grown, right: grow(right) };
  }
  const grown = grow(right);
  return { ...node, left: grow(left), right: grown };
}

function bestCut(
  input: FitInput,
  settings: ForestSettings,
  drawn: Draw[],
  order: number[],
  random: Random,
): Cut | null {
  const totals = countClasses(input, drawn);
  let best: Cut | null = null;
  let tried = 0;
  let drawnCount = 0;
  for (let place = 0; place < order.length && tried < settings.featuresPerSplit; place++) {
    if (place === drawnCount) {
      // As many as are tried whatever they hold, before a cut of any is drawn.
      drawnCount = Math.min(order.length, place + settings.featuresPerSplit - tried);
      for (let next = place; next < drawnCount; next++) drawInto(order, next, random);
    }
    const feature = order[place]!;
    const values = new Set(drawn.map(({ row }) => presentCode(input.view, row, feature)));
    if (values.size < 2) continue;
    tried++;
    const hasMissing = values.delete(null);
    const codes = [...values].filter((code) => code !== null).sort((a, b) => a - b);
    const cuts = settings.variant === "forest" ? everyCut(codes, hasMissing) : [drawCut(codes, hasMissing, random)];
    for (const { threshold, missingRight } of cuts) {
      const onRight = drawn.filter(({ row }) => isRight(input.view, row, feature, threshold, missingRight));
      const right = countClasses(input, onRight);
      const left = totals.map((total, k) => total - right[k]!);
      if (sum(left) < settings.minLeafRows || sum(right) < settings.minLeafRows) continue;
      const score = scoreOf(left, right);
      if (score <= (best?.score ?? leastScore(totals))) continue;
      best = { score, feature, threshold, missingRight: hasMissing ? missingRight : sum(left) < sum(right) };
    }
  }
  return best;
}

/** One step of a Fisher-Yates shuffle. */
function drawInto(order: number[], place: number, random: Random): void {
  const other = place + random.nextBelow(order.length - place);
  [order[place], order[other]] = [order[other]!, order[place]!];
}

function drawCut(codes: number[], hasMissing: boolean, random: Random): { threshold: number; missingRight: boolean } {
  const smallest = codes[0]!;
  const largest = codes.at(-1)!;
  if (smallest === largest) return { threshold: PRESENT_LEFT, missingRight: true };
  const threshold = smallest + random.nextBelow(largest - smallest);
  return { threshold, missingRight: hasMissing ? random.nextBelow(2) === 1 : true };
}

function scoreOf(left: number[], right: number[]): number {
  const leftWeight = sum(left);
  const rightWeight = sum(right);
  if (left.length === 2) {
    const change = left[1]! * (leftWeight + rightWeight) - (left[1]! + right[1]!) * leftWeight;
    return change ** 2 / (leftWeight * rightWeight);
  }
  return sumOfSquares(left) / leftWeight + sumOfSquares(right) / rightWeight;
}

function leastScore(totals: number[]): number {
  return totals.length === 2 ? 0 : (sumOfSquares(totals) / sum(totals)) * (1 + 1e-12);
}

function countClasses(input: FitInput, drawn: readonly Draw[]): number[] {
  const counts = new Array<number>(input.classCount).fill(0);
  for (const { row, weight } of drawn) counts[input.classes[row]!] = counts[input.classes[row]!]! + weight;
  return counts;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function sumOfSquares(values: number[]): number {
  return values.reduce((total, value) => total + value * value, 0);
}
