// An attempt that threads make in pieces: what units have made of it, and the whole of that. It is the same to the last
// bit as in one piece; only the votes of a forest differ, by rounding.
import type { BaseModel, BaseSettings } from "../families/base-algorithms.ts";
import type { StopSignal } from "../stop-signal.ts";
import { labelledRows } from "../table/table.ts";
import { type GrownRange, joinVotes } from "../trees/forest-ranges.ts";
import type { ForestAttempt } from "./choose-forest.ts";
import { judgeScores, viewOf } from "./fold-fits.ts";
import { endEarly, judgeFound, scoreFolds } from "./qualify.ts";
import { judgeForest } from "./qualify-forest.ts";
import type { BaseSpec, EarlyEnd, Qualification, TrainingTask } from "./training-task.ts";

/**
 * `modelScores`: class probabilities of the learning rows and then of the holdout, by the model of all learning rows,
 * some in each; none where scoring is quick, which is then done here.
 */
export type AttemptPieces =
  /** The attempt ends early: the first fold's model, and what it says of the rows that the fold judges. */
  | { kind: "first fold"; model: BaseModel; scores: Float64Array; earlyEnd: EarlyEnd }
  | {
      kind: "folds";
      /** As found, where the attempt had something to choose. */
      settings: BaseSettings;
      /** Class probabilities of each fold's judging rows, by a model that learned from its learning rows. */
      foldScores: readonly Float64Array[];
      /** Fitted on all learning rows. */
      model: BaseModel;
      modelScores: readonly Float64Array[];
    }
  | {
      kind: "trees";
      settings: ForestAttempt;
      ranges: readonly GrownRange[];
      modelScores: readonly Float64Array[];
    };

/** @throws Cancelled; OutOfTime where the model is still to score rows */
export function joinAttempt(
  task: TrainingTask,
  spec: BaseSpec,
  pieces: AttemptPieces,
  stop: StopSignal,
): Qualification<BaseSettings> {
  if (pieces.kind === "trees") {
    const { settings, ranges, modelScores } = pieces;
    const votes = joinVotes(labelledRows(task.table, task.split.learning), ranges);
    const treeCount = ranges.reduce((sum, { forest }) => sum + forest.roots.length, 0);
    return judgeForest(task, { ...settings, treeCount }, votes, judgeScores(task, modelScores));
  }
  if (pieces.kind === "first fold") {
    const { model, scores, earlyEnd } = pieces;
    const view = viewOf(task, spec, task.folds[0]!.learning);
    return endEarly(task, spec.settings, { model, view, scores }, earlyEnd);
  }
  const { settings, foldScores, model, modelScores } = pieces;
  const found = scoreFolds(task, spec, settings, foldScores, stop);
  if (modelScores.length === 0) return judgeFound(task, spec, found, stop, model);
  return { ...found, ...judgeScores(task, modelScores) };
}
