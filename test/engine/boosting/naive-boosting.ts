// The obvious slow gradient boosting: plain objects, every sum from scratch. The fast one must equal it node by node.

import type { BoostedTrees } from "../../../engine/boosting/boosted-trees.ts";
import type { BoostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { deriveSeed, Random } from "../../../engine/random.ts";
import type { CodedView } from "../../../engine/table/buckets.ts";
import { MISSING_RIGHT } from "../../../engine/trees/tree-walk.ts";
import { type Cut, everyCut, isRight, presentCode } from "../trees/naive-cuts.ts";

/** A node; a leaf has no split. */
export interface NaiveNode {
  value: number;
  split?: { feature: number; threshold: number; missingRight: boolean; left: NaiveNode; right: NaiveNode };
}

export interface NaiveModel {
  /** Round by round, a tree for each output. */
  rounds: NaiveNode[][];
  /** For each row of the view: its scores, one for each output. */
  scores: number[][];
}

interface Mark {
  row: number;
  gradient: number;
  /** The hessian in units of `span`, plus 1 for the row itself. */
  weight: number;
}

interface OpenLeaf {
  node: NaiveNode;
  pairs: Mark[];
  depth: number;
  cut: Cut | null;
  gain: number;
}

/** What a tree is grown with. */
interface Growing {
  input: FitInput;
  settings: BoostingSettings;
  features: number[];
  weightUnit: number;
}

const GRADIENT_UNIT = 2 ** -30;

/** All rounds of the settings, with the same draws as the fast one. */
export function fitNaively(input: FitInput, settings: BoostingSettings): NaiveModel {
  const { view, classes, classCount, rows, seed } = input;
  const start = startingScores(input);
  const scores = Array.from({ length: view.rowCount }, () => [...start]);
  const varying = view.features.flatMap((_, feature) =>
    new Set(Array.from(rows, (row) => presentCode(view, row, feature))).size > 1 ? [feature] : [],
  );
  const rounds: NaiveNode[][] = [];
  for (let round = 0; round < settings.roundCount; round++) {
    const drawn = sample([...rows], settings.rowShare, new Random(deriveSeed(seed, 0, round)));
    const before = scores.map((own) => [...own]);
    rounds.push(
      start.map((_, output) => {
        const features = sample(varying, settings.featureShare, new Random(deriveSeed(seed, 1, round, output)));
        const target = classCount === 2 ? 1 : output;
        const probabilities = drawn.map((row) => probabilityOf(before[row]!, output));
        const { pairs, weightUnit } = computePairs(drawn, probabilities, (row) => classes[row] === target);
        const tree = growTree({ input, settings, features, weightUnit }, pairs);
        scores.forEach((own, row) => {
          own[output]! += walk(tree, view, row);
        });
        return tree;
      }),
    );
  }
  return { rounds, scores };
}

/** A tree of the fast model, unfolded. */
export function unfold(model: BoostedTrees, node: number): NaiveNode {
  const value = model.values[node]!;
  const child = model.children[node]!;
  if (child < 0) return { value };
  const threshold = model.thresholds[node]!;
  return {
    value,
    split: {
      feature: model.features[node]!,
      threshold: threshold % MISSING_RIGHT,
      missingRight: threshold >= MISSING_RIGHT,
      left: unfold(model, child),
      right: unfold(model, child + 1),
    },
  };
}

function startingScores({ rows, classes, classCount }: FitInput): number[] {
  const logCounts = Array.from({ length: classCount }, (_, k) =>
    Math.log(1 + rows.filter((row) => classes[row] === k).length),
  );
  if (classCount === 2) return [logCounts[1]! - logCounts[0]!];
  const mean = logCounts.reduce((sum, value) => sum + value, 0) / classCount;
  return logCounts.map((value) => value - mean);
}

function sample<T>(all: T[], share: number, random: Random): T[] {
  let needed = Math.max(1, Math.round(share * all.length));
  if (needed >= all.length) return all;
  return all.filter((_, index) => {
    if (random.nextBelow(all.length - index) >= needed) return false;
    needed--;
    return true;
  });
}

function probabilityOf(scores: number[], output: number): number {
  if (scores.length === 1) return 1 / (1 + Math.exp(-scores[0]!));
  const highest = Math.max(...scores);
  const logSum = highest + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - highest), 0));
  return Math.exp(scores[output]! - logSum);
}

function computePairs(
  rows: number[],
  probabilities: number[],
  isTarget: (row: number) => boolean,
): { pairs: Mark[]; weightUnit: number } {
  const hessians = probabilities.map((p) => Math.max(0, p * (1 - p)));
  const total = hessians.reduce((sum, hessian) => sum + hessian, 0);
  let span = 2;
  while (span <= rows.length) span *= 2;
  let unit = 2 ** -70;
  while (total > unit * (Math.min(2 ** 53 / span, 2 ** 40) - rows.length)) unit *= 2;
  const pairs = rows.map((row, i) => ({
    row,
    gradient: roundToEven((probabilities[i]! - (isTarget(row) ? 1 : 0)) / GRADIENT_UNIT),
    weight: roundToEven(hessians[i]! / unit) * span + 1,
  }));
  return { pairs, weightUnit: unit / span };
}

function roundToEven(value: number): number {
  const low = Math.floor(value);
  if (value - low === 0.5) return low % 2 === 0 ? low : low + 1;
  return Math.round(value);
}

/** Best-first: of all leaves that can be split, the one with the largest gain. */
function growTree(growing: Growing, pairs: Mark[]): NaiveNode {
  const { input, settings } = growing;
  const open = (own: Mark[], depth: number): OpenLeaf => {
    const node: NaiveNode = { value: leafValue(growing, own) };
    const cut = depth === settings.maxDepth ? null : bestCut(growing, own);
    return { node, pairs: own, depth, cut, gain: cut === null ? 0 : cut.score - nodeScore(growing, own) };
  };
  const root = open(pairs, 0);
  const leaves = [root];
  while (leaves.length < settings.maxLeaves) {
    const gain = Math.max(...leaves.map((leaf) => leaf.gain));
    const index = leaves.findIndex((leaf) => leaf.cut !== null && leaf.gain === gain);
    if (index < 0) break;
    const leaf = leaves[index]!;
    const { feature, threshold, missingRight } = leaf.cut!;
    const onRight = ({ row }: Mark) => isRight(input.view, row, feature, threshold, missingRight);
    const left = open(
      leaf.pairs.filter((pair) => !onRight(pair)),
      leaf.depth + 1,
    );
    const right = open(leaf.pairs.filter(onRight), leaf.depth + 1);
    leaf.node.split = { feature, threshold, missingRight, left: left.node, right: right.node };
    leaves[index] = left;
    leaves.push(right);
  }
  return root.node;
}

function bestCut(growing: Growing, pairs: Mark[]): Cut | null {
  const { input, settings, features } = growing;
  let best: Cut | null = null;
  for (const feature of features) {
    const values = new Set(pairs.map(({ row }) => presentCode(input.view, row, feature)));
    const hasMissing = values.delete(null);
    const codes = [...values].filter((code) => code !== null).sort((a, b) => a - b);
    for (const { threshold, missingRight } of everyCut(codes, hasMissing)) {
      const onRight = ({ row }: Mark) => isRight(input.view, row, feature, threshold, missingRight);
      const right = pairs.filter(onRight);
      const left = pairs.filter((pair) => !onRight(pair));
      if (left.length < settings.minLeafRows || right.length < settings.minLeafRows) continue;
      const score = cutScore(growing, left, right);
      if (score <= (best?.score ?? nodeScore(growing, pairs) * (1 + 1e-12))) continue;
      best = { score, feature, threshold, missingRight: hasMissing ? missingRight : left.length < right.length };
    }
  }
  return best;
}

function cutScore({ settings, weightUnit }: Growing, left: Mark[], right: Mark[]): number {
  const a = sumOf(left, "gradient");
  const b = sumOf(right, "gradient");
  const l2 = settings.l2 / weightUnit;
  const leftWeight = sumOf(left, "weight");
  const whole = leftWeight + sumOf(right, "weight") + l2;
  // The fast one takes the left side off the whole: the same to the last bit only if this one does so too.
  const aSide = leftWeight + l2;
  const bSide = whole - leftWeight;
  return (a * a * bSide + b * b * aSide) / (aSide * bSide);
}

function nodeScore({ settings, weightUnit }: Growing, pairs: Mark[]): number {
  return sumOf(pairs, "gradient") ** 2 / (sumOf(pairs, "weight") + settings.l2 / weightUnit);
}

function leafValue({ input, settings, weightUnit }: Growing, pairs: Mark[]): number {
  const { classCount } = input;
  const share = settings.learningRate * (classCount === 2 ? 1 : (classCount - 1) / classCount);
  const gradient = sumOf(pairs, "gradient");
  return Math.fround((-share * gradient * GRADIENT_UNIT) / (sumOf(pairs, "weight") * weightUnit + settings.l2));
}

function walk(node: NaiveNode, view: CodedView, row: number): number {
  if (node.split === undefined) return node.value;
  const { feature, threshold, missingRight, left, right } = node.split;
  return walk(isRight(view, row, feature, threshold, missingRight) ? right : left, view, row);
}

function sumOf(pairs: Mark[], what: "gradient" | "weight"): number {
  return pairs.reduce((sum, pair) => sum + pair[what], 0);
}
