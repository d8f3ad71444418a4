// The target that a set of columns reached: the accuracy that trainings on it can be asked for.

import { wilsonInterval } from "../../engine/judging/metrics.ts";
import type { BlindScore } from "../../engine/refinement/blind-score.ts";
import { accuracyOf, type RowScores } from "../../engine/refinement/cross-validation.ts";
import { PART_COUNT } from "../../engine/splits/holdout.ts";
import type { Table } from "../../engine/table.ts";
import { judgeMajority } from "../training/majority.ts";

/** The lower end of the best row's 80% interval: the best of several models is partly luck. */
const BEST_ROW_Z = 1.282;
/** A training is judged on a fifth of TRAIN, where chance may be against it: its lower quartile. */
const TRAINING_Z = 0.674;
/** Targets are rounded down to this many steps. */
const STEPS = 10_000;

/**
 * What trainings on the columns reach nine times in ten: no more than cross-validation, nor than a lower bound of the best
 * row, less what chance may take on a training's own holdout. Where guessing reaches that too, the least step above `guess`,
 * an accuracy; null where guessing reaches even what chance takes nothing from (D73).
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

/** What always answering one class reaches at most on the fifth of some rows that a training holds out: dealing may add a row. */
export function guessOnFifth({ classes, labels }: Pick<Table, "classes" | "labels">, rows: Uint32Array): number {
  return judgeMajority(classes, labels.length, rows, rows).accuracy + PART_COUNT / rows.length;
}
