// Gradient boosting: one fit with a known number of rounds, and the search for that number by folds in lock-step.
import type { CodedView } from "../buckets.ts";
import type { FitInput } from "../families/family.ts";
import { outputCountOf } from "../families/score-tables.ts";
import { deriveSeed } from "../random.ts";
import { placeRows, placesOf } from "../row-lists.ts";
import type { Split } from "../splits/holdout.ts";
import type { BoostedTrees } from "./boosted-trees.ts";
import { BoostingGrower, probabilitiesOf } from "./boosting-growth.ts";
import { BoostingKernel } from "./boosting-kernel.ts";
import type { BoostingSettings } from "./boosting-settings.ts";

/** Rounds without a better log-loss before the search ends. */
export const PATIENCE = 60;

/** Rows in folds, each coded by a bucketing of its own. */
export interface FoldedInput extends Pick<FitInput, "classes" | "classCount" | "seed" | "stop"> {
  /** The rows that the folds judge, each once, in ascending order. */
  rows: Uint32Array;
  folds: readonly Split[];
  /**
   * The codes of all rows under a bucketing fitted on the `learning` rows alone.
   * Called once for each fold; the view is not kept.
   */
  viewOf(learning: Uint32Array): CodedView;
}

/** The result of the folds. */
export interface BoostingOutOfFold {
  /** The number of rounds with the least log-loss; 0 if the class frequencies alone do best. */
  roundCount: number;
  /** Class probabilities of `input.rows` after so many rounds, each row by the fold that did not learn from it. */
  probabilities: Float64Array;
}

/** Fits `settings.roundCount` rounds on `input.rows`; when time is up, those finished. Throws `Cancelled`. */
export function fitBoosting(input: FitInput, settings: BoostingSettings): BoostedTrees {
  const grower = new BoostingGrower(input, settings);
  while (grower.roundCount < settings.roundCount && grower.addRound());
  return grower.trees();
}

/**
 * A fit judged on other rows checks, after so many rounds, whether they
 * lowered those rows' log-loss by at least this share.
 */
const ROUNDS_BETWEEN_LOOKS = 30;
const LEAST_GAIN = 2e-4;
/** Factor on `settings.roundCount`, which fewer rows had found: more rows may need more rounds. */
const MOST_ROUND_GROWTH = 1.5;

/**
 * Fits on `input.rows` until rounds hardly lower the log-loss of the `judging` rows of the view, or
 * time is up; keeps the rounds with the least. Throws `Cancelled`.
 */
export function fitBoostingBeside(input: FitInput, settings: BoostingSettings, judging: Uint32Array): BoostedTrees {
  const grower = new BoostingGrower(input, settings, judging);
  const mostRounds = Math.ceil(MOST_ROUND_GROWTH * settings.roundCount) + ROUNDS_BETWEEN_LOOKS;
  let best = { round: 0, loss: grower.judgedLoss() };
  let lastLook = best.loss;
  while (grower.roundCount < mostRounds && grower.addRound()) {
    const loss = grower.judgedLoss();
    if (loss < best.loss) best = { round: grower.roundCount, loss };
    if (grower.roundCount % ROUNDS_BETWEEN_LOOKS !== 0) continue;
    if (best.loss > lastLook * (1 - LEAST_GAIN)) break;
    lastLook = best.loss;
  }
  return grower.trees(best.round);
}

/**
 * Adds one round to each fold in turn. Ends when the log-loss of the judged rows has not fallen for 60 rounds, at the
 * settings' number of rounds, or when time is up; the best rounds so far count. Throws `Cancelled`. Holds one byte a
 * cell and fold (two above 256 codes), 8 bytes a row, class and fold.
 */
export function boostingOutOfFold(input: FoldedInput, settings: BoostingSettings): BoostingOutOfFold {
  const { rows, folds, classes, classCount, stop } = input;
  const outputCount = outputCountOf(classCount);
  const kernel = new BoostingKernel(
    Math.max(...folds.map(({ learning, judging }) => learning.length + judging.length)),
  );
  const growers = folds.map(({ learning, judging }, fold) => {
    const seed = deriveSeed(input.seed, fold);
    const view = input.viewOf(learning);
    return new BoostingGrower({ view, rows: learning, classes, classCount, seed, stop }, settings, judging, kernel);
  });
  const best = folds.map(({ judging }) => new Float64Array(judging.length * outputCount));
  let bestLoss = Number.POSITIVE_INFINITY;
  let bestRound = 0;
  for (let round = 0; ; round++) {
    const loss = growers.reduce((sum, grower) => sum + grower.judgedLoss(), 0);
    if (loss < bestLoss) {
      bestLoss = loss;
      bestRound = round;
      for (const [fold, grower] of growers.entries()) grower.copyJudgedScores(best[fold]!);
    }
    if (round === settings.roundCount || round - bestRound >= PATIENCE) break;
    if (!growers.every((grower) => grower.addRound())) break;
  }
  return { roundCount: bestRound, probabilities: joinFolds(rows, folds, best, classCount) };
}

/** Probabilities from the judged scores of all folds, in the order of `rows`. */
function joinFolds(
  rows: Uint32Array,
  folds: readonly Split[],
  scores: readonly Float64Array[],
  classCount: number,
): Float64Array {
  const outputCount = outputCountOf(classCount);
  const places = placesOf(rows);
  const probabilities = new Float64Array(rows.length * classCount);
  for (const [fold, { judging }] of folds.entries()) {
    const judged = probabilitiesOf(scores[fold]!, outputCount, judging.length);
    const own = judging.map((row) => places[row]!);
    placeRows(judged, probabilities, own, classCount);
  }
  return probabilities;
}
