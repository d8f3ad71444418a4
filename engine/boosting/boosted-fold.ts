// The number of rounds of gradient boosting by folds. A fold grows some rounds at a time, so that threads can share the
// folds of an attempt.

import type { FitInput } from "../fitting/family.ts";
import { rowsUpTo } from "../row-lists.ts";
import type { Split } from "../splits/holdout.ts";
import { throwIfOutOfTime } from "../stop-signal.ts";
import type { CodedView } from "../table/buckets.ts";
import { endOfTree } from "../trees/tree-walk.ts";
import { type BoostedTree, type BoostedTrees, joinBoostedTrees, scoreBoostedTrees } from "./boosted-trees.ts";
import { BoostingGrower, type GrowthState } from "./boosting-growth.ts";
import type { BoostingSettings } from "./boosting-settings.ts";

/** Rounds without a better log-loss before the search ends. */
const PATIENCE = 30;

const NO_CENTRES = new Float64Array(0);

/** A fold after some rounds. */
export interface BoostedFold {
  state: GrowthState;
  /** The rounds so far, as the pieces in which they grew. */
  stretches: readonly BoostedTrees[];
  /** Summed log-loss of the judged rows before each round, and after the last. */
  losses: readonly number[];
}

/** The input of a fold without the codes of its rows. A fit on all learning rows judges none. */
export type FoldInput = Pick<FitInput, "classes" | "classCount" | "seed" | "stop"> & { split: Split };

/** The number of rounds, and the probabilities of each fold's judged rows after these rounds. */
export interface BoostedFolds {
  /** 0 if the class frequencies alone do best. */
  roundCount: number;
  scores: readonly Float64Array[];
}

/** Finds the number of rounds with the least log-loss over all folds, on one thread. @throws Cancelled, OutOfTime */
export function boostFolds(
  inputs: readonly FoldInput[],
  settings: BoostingSettings,
  viewOf: (learning: Uint32Array) => CodedView,
): BoostedFolds {
  const search = new RoundSearch(inputs.length, settings.roundCount);
  for (let wanted = search.wanted; wanted !== null; wanted = search.wanted) {
    const roundCount = wanted;
    search.addGrown(search.folds.map((before, fold) => growFold(inputs[fold]!, settings, before, roundCount, viewOf)));
  }
  const { bestRound: roundCount, folds } = search;
  return { roundCount, scores: folds.map((fold, at) => scoreFold(fold!, inputs[at]!.split, roundCount)) };
}

/**
 * Adds rounds until there are `roundCount`: the same bytes in however many calls. `viewOf` is called at the beginning
 * only.
 *
 * @throws Cancelled; OutOfTime before the last round
 */
export function growFold(
  { split, ...input }: FoldInput,
  settings: BoostingSettings,
  before: BoostedFold | null,
  roundCount: number,
  viewOf: (learning: Uint32Array) => CodedView,
): BoostedFold {
  const { learning, judging } = split;
  const view = before === null ? viewOf(learning) : viewOfState(before.state);
  const foldInput = { ...input, view, rows: learning };
  const grower = new BoostingGrower(foldInput, settings, { judging, state: before?.state });
  const losses = [...(before?.losses ?? [grower.judgedLoss()])];
  while (grower.roundCount < roundCount) {
    if (!grower.addRound()) throwIfOutOfTime(input.stop);
    losses.push(grower.judgedLoss());
  }
  return { state: grower.state(), stretches: [...(before?.stretches ?? []), grower.trees()], losses };
}

/** Class probabilities of the judged rows after `roundCount` rounds. */
export function scoreFold(fold: BoostedFold, { learning, judging }: Split, roundCount: number): Float64Array {
  const model = modelOf(fold, roundCount);
  const out = new Float64Array(judging.length * model.classCount);
  const rows = rowsUpTo(judging.length).map((row) => learning.length + row);
  scoreBoostedTrees(model, viewOfState(fold.state), rows, out);
  return out;
}

/** The model of the first rounds. */
export function modelOf({ stretches }: BoostedFold, roundCount: number): BoostedTrees {
  const first = stretches[0]!;
  return joinBoostedTrees(first, stretches.flatMap(treesOf).slice(0, roundCount * first.outputCount));
}

function treesOf(model: BoostedTrees): BoostedTree[] {
  return [...model.roots].map((root, tree) => {
    const end = endOfTree(model, tree);
    return {
      features: model.features.subarray(root, end),
      thresholds: model.thresholds.subarray(root, end),
      children: model.children.slice(root, end).map((child) => (child < 0 ? child : child - root)),
      values: model.values.subarray(root, end),
    };
  });
}

/** The rows to learn from, then the judged rows. */
function viewOfState({ rowCount, codes, codeCounts }: GrowthState): CodedView {
  const features = Array.from(codeCounts, (codeCount, feature) => ({
    kind: "number" as const,
    codes: codes.subarray(feature * rowCount, (feature + 1) * rowCount),
    codeCount,
    centres: NO_CENTRES,
  }));
  return { rowCount, features };
}

/**
 * The search for the number of rounds: it ends when the log-loss of all judged rows has not fallen for 30 rounds, or at
 * the cap. It asks for the earliest rounds at which it may end.
 */
export class RoundSearch {
  /** The folds, each as far as it has grown; null before. */
  folds: readonly (BoostedFold | null)[];
  bestRound = 0;
  private bestLoss = Number.POSITIVE_INFINITY;
  private readonly cap: number;
  private round = -1;

  constructor(foldCount: number, cap: number) {
    this.folds = new Array<null>(foldCount).fill(null);
    this.cap = cap;
  }

  /** Rounds that each fold needs next; null once the number is found. */
  get wanted(): number | null {
    const { cap, bestRound, round } = this;
    if (round === cap || round - bestRound >= PATIENCE) return null;
    return Math.min(cap, bestRound + PATIENCE);
  }

  /** Takes all folds, which have grown as many rounds as were wanted. */
  addGrown(folds: readonly BoostedFold[]): void {
    const wanted = this.wanted!;
    this.folds = folds;
    while (this.round < wanted) {
      const round = ++this.round;
      const loss = folds.reduce((sum, { losses }) => sum + losses[round]!, 0);
      if (loss >= this.bestLoss) continue;
      this.bestLoss = loss;
      this.bestRound = round;
    }
  }
}
