// The target that a set of columns reached: the accuracy to ask of trainings on it.

import { wilsonInterval } from "../../engine/judging/metrics.ts";
import type { BlindScore } from "../../engine/refinement/blind-score.ts";
import { accuracyOf, type RowScores } from "../../engine/refinement/cross-validation.ts";
import { PART_COUNT } from "../../engine/splits/holdout.ts";
import type { Table } from "../../engine/table/table.ts";
import { judgeMajority } from "../work/majority.ts";

/** For the lower end of the best row's 80% interval: the best of several models is partly luck. */
const BEST_ROW_Z = 1.282;
/** For the lower quartile of a training's accuracy, which is judged on a fifth of TRAIN. */
const TRAINING_Z = 0.674;
/** Targets are rounded down to this many steps. */
const STEPS = 10_000;

/**
 * The accuracy that trainings on the columns reach nine times in ten: the lower of the cross-validated accuracy and a
 * lower bound of the best row, less a margin for chance on a training's own holdout. If guessing reaches that, it is
 * the least step above `guess`, or null if even that step is out of reach without the margin (D73).
 */
export function reachedTarget(
  best: BlindScore,
  scores: RowScores,
  { trainRowCount, guess }: { trainRowCount: number; guess: number },
): number | null {
  const { falseDecisions, rowCount } = best;
  const { low } = wilsonInterval(rowCount - falseDecisions, rowCount, BEST_ROW_Z);
  const reachable = Math.min(accuracyOf(scores), low);
  const chance = TRAINING_Z * Math.sqrt((reachable * (1 - reachable)) / (trainRowCount / PART_COUNT));
  const target = Math.floor((reachable - chance) * STEPS) / STEPS;
  if (target > guess) return target;
  const least = (Math.floor(guess * STEPS) + 1) / STEPS;
  return least <= reachable ? least : null;
}

/**
 * Returns a function that finds the target which results reach; null before there are any, or if guessing is as good.
 * `blindGuess`: the accuracy of guessing on the blind test.
 */
export function targetsAbove(blindGuess: number, table: Pick<Table, "classes" | "labels">, train: Uint32Array) {
  const guess = Math.max(blindGuess, guessOnFifth(table, train));
  const trainRowCount = train.length;
  return (results: readonly { score: BlindScore }[], scores: RowScores | null): number | null => {
    const [best] = results;
    if (best === undefined || scores === null) return null;
    return reachedTarget(best.score, scores, { trainRowCount, guess });
  };
}

/** The highest accuracy of always answering one class on a held-out fifth of the rows: dealing may add a row. */
export function guessOnFifth({ classes, labels }: Pick<Table, "classes" | "labels">, rows: Uint32Array): number {
  return judgeMajority(classes, labels.length, rows, rows).accuracy + PART_COUNT / rows.length;
}
