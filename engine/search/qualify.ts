// One attempt from settings to scores: out-of-fold inside the learning rows, where it qualifies, and on the holdout.

import { boostFolds } from "../boosting/boosted-fold.ts";
import { GRADIENT_BOOSTING } from "../boosting/boosting-settings.ts";
import { type BaseModel, type BaseSettings, fitBase } from "../families/base-algorithms.ts";
import { judge } from "../judging/metrics.ts";
import { placeRows, placesOf } from "../row-lists.ts";
import { type StopSignal, throwIfOutOfTime } from "../stop-signal.ts";
import { labelledRows } from "../table/table.ts";
import { foldInput } from "./attempt-units.ts";
import { chooseByHalving } from "./choose-settings.ts";
import { findEarlyEnd } from "./early-end.ts";
import { fitFold, fitInputOf, judgeModel, viewOf } from "./fold-fits.ts";
import { qualifyForest } from "./qualify-forest.ts";
import { type FoldScores, improve } from "./regularisation-search.ts";
import type { StackBase } from "./stack-votes.ts";
import type { BaseSpec, EarlyEnd, Qualification, TrainingTask } from "./training-task.ts";

/**
 * Runs an attempt. Below the target it goes on improving (more trees, finer ridge or smoothing) while its out-of-fold
 * log-loss still falls. The holdout takes no part in any choice. An attempt that is scored fold by fold may end after
 * the first fold, judged by the predictions of `others` for its rows (early-end.ts).
 *
 * @throws Cancelled; OutOfTime if time was up before every fit was complete, since the model on the holdout would not
 *   be the one that was scored out of fold. Only a forest is scored with the trees it has by then, at least 20 (D71)
 */
export function qualify(
  task: TrainingTask,
  spec: BaseSpec,
  stop: StopSignal,
  others: readonly StackBase[] = [],
): Qualification<BaseSettings> {
  const { settings } = spec;
  if (settings.algorithm === "forest" && task.clusters === null) return qualifyForest(task, spec, settings, stop);
  if (settings.algorithm === GRADIENT_BOOSTING) return qualifyBoosting(task, spec, stop);
  return qualifyByFolds(task, spec, others, stop);
}

/** The folds find the number of rounds together. */
function qualifyBoosting(task: TrainingTask, spec: BaseSpec, stop: StopSignal): Qualification<BaseSettings> {
  const settings = chooseByHalving(task, spec, stop);
  if (settings.algorithm !== GRADIENT_BOOSTING) throw new Error(`rivals of another algorithm`);
  const inputs = task.folds.map((_, fold) => foldInput(task, spec, fold, stop));
  const { roundCount, scores } = boostFolds(inputs, settings, (rows) => viewOf(task, spec, rows));
  return judgeFound(task, spec, scoreFolds(task, spec, { ...settings, roundCount }, scores, stop), stop);
}

function qualifyByFolds(
  task: TrainingTask,
  spec: BaseSpec,
  others: readonly StackBase[],
  stop: StopSignal,
): Qualification<BaseSettings> {
  const first = chooseByHalving(task, spec, stop);
  const firstFold = fitFold(task, spec, first, task.folds[0]!, stop);
  const earlyEnd = findEarlyEnd(task, first, firstFold.scores, others, stop);
  if (earlyEnd !== null) return endEarly(task, first, firstFold, earlyEnd);
  const scoreOf = (settings: BaseSettings) =>
    scoreFolds(task, spec, settings, settings === first ? [firstFold.scores] : [], stop);
  return judgeFound(task, spec, improve(first, task.target, scoreOf, stop), stop);
}

/** Judges found settings by a model of all learning rows, which is fitted unless it is given. */
export function judgeFound(
  task: TrainingTask,
  spec: BaseSpec,
  foldScores: FoldScores,
  stop: StopSignal,
  fittedModel: BaseModel | null = null,
): Qualification<BaseSettings> {
  const input = fitInputOf(task, spec, task.split.learning, stop);
  const model = fittedModel ?? fitBase(foldScores.settings, input);
  throwIfOutOfTime(stop);
  return { ...foldScores, ...judgeModel(task, model, input.view) };
}

/** The first fold's model and scores stand for the attempt. */
export function endEarly(
  task: TrainingTask,
  settings: BaseSettings,
  { model, view, scores }: ReturnType<typeof fitFold>,
  earlyEnd: EarlyEnd,
): Qualification<BaseSettings> {
  const firstFold = firstFoldTask(task);
  const outOfFold = judge(scores, labelledRows(firstFold.table, firstFold.judgedRows));
  return { settings, outOfFold, outOfFoldProbabilities: scores, ...judgeModel(firstFold, model, view), earlyEnd };
}

/** The task of an attempt that ended early: its rows are those of the first fold, and the holdout. */
export function firstFoldTask(task: TrainingTask): TrainingTask {
  const { learning, judging } = task.folds[0]!;
  return { ...task, split: { ...task.split, learning }, judgedRows: judging };
}

/** `knownScores`: those of the first folds, which are not fitted again. */
export function scoreFolds(
  task: TrainingTask,
  spec: BaseSpec,
  settings: BaseSettings,
  knownScores: readonly Float64Array[],
  stop: StopSignal,
): FoldScores {
  const { table, judgedRows } = task;
  const classCount = table.labels.length;
  const outOfFoldProbabilities = new Float64Array(judgedRows.length * classCount);
  const places = placesOf(judgedRows);
  for (const [index, fold] of task.folds.entries()) {
    const scores = knownScores[index] ?? fitFold(task, spec, settings, fold, stop).scores;
    const judged = fold.judging.map((row) => places[row]!);
    placeRows(scores, outOfFoldProbabilities, judged, classCount);
  }
  const outOfFold = judge(outOfFoldProbabilities, labelledRows(table, judgedRows));
  return { settings, outOfFold, outOfFoldProbabilities };
}
