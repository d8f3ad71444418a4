// One attempt from settings to scores: out-of-fold inside the learning rows, where it qualifies, and on the holdout.

import { boostFolds } from "../boosting/boosted-fold.ts";
import { GRADIENT_BOOSTING } from "../boosting/boosting-settings.ts";
import type { CodedView } from "../buckets.ts";
import type { BaseModel, BaseSettings } from "../families/base-algorithms.ts";
import { judge } from "../judging/metrics.ts";
import { placeRows, placesOf } from "../row-lists.ts";
import { type StopSignal, throwIfOutOfTime } from "../stop-signal.ts";
import type { AttemptParts, EarlyEnd } from "./attempt-parts.ts";
import { foldInput } from "./attempt-units.ts";
import { chooseByHalving } from "./choose-settings.ts";
import { fitFold, fitOn, judgeModel, judgeScores, viewOf } from "./fold-fits.ts";
import { joinForest, qualifyForest } from "./qualify-forest.ts";
import { type FoldScores, improve } from "./regularisation-search.ts";
import type { BaseSpec, Qualification, TrainingTask } from "./training-task.ts";

/** Looks at the probabilities of the first fold's rows; null where all folds are to follow. */
export type FirstFoldJudge = (settings: BaseSettings, probabilities: Float64Array) => EarlyEnd | null;

/**
 * Runs an attempt, or what `parts` have left of it. Below the target it goes on improving (more trees, finer ridge or
 * smoothing) while its out-of-fold log-loss still falls. The holdout takes no part in any choice. Given a judge of the
 * first fold, an attempt that is scored fold by fold may end there.
 *
 * @throws Cancelled; OutOfTime where time was up before every fit had come to its own end, since what is then scored on
 *   the holdout is not what was scored out of fold. A forest alone is scored with the trees it has by then, 20 at least
 *   (D71)
 */
export function qualify(
  task: TrainingTask,
  spec: BaseSpec,
  stop: StopSignal,
  judgeFirstFold: FirstFoldJudge | null = null,
  parts: AttemptParts = {},
): Qualification<BaseSettings> {
  const { settings } = spec;
  if (parts.forestParts !== undefined) return joinForest(task, parts);
  if (settings.algorithm === "forest" && task.clusters === null) return qualifyForest(task, spec, settings, stop);
  if (settings.algorithm === GRADIENT_BOOSTING && parts.foldScores === undefined) {
    return qualifyBoosting(task, spec, stop);
  }
  return qualifyByFolds(task, spec, judgeFirstFold, stop, parts);
}

/** The folds find the number of rounds together. */
function qualifyBoosting(task: TrainingTask, spec: BaseSpec, stop: StopSignal): Qualification<BaseSettings> {
  const settings = chooseByHalving(task, spec, stop);
  if (settings.algorithm !== GRADIENT_BOOSTING) throw new Error(`rivals of another algorithm`);
  const inputs = task.folds.map((_, fold) => foldInput(task, spec, fold, stop));
  const { roundCount, scores } = boostFolds(inputs, settings, (rows) => viewOf(task, spec, rows));
  return qualifyByFolds(task, spec, null, stop, { settings: { ...settings, roundCount }, foldScores: scores });
}

/** All parts may be missing: what is not there is fitted here. */
function qualifyByFolds(
  task: TrainingTask,
  spec: BaseSpec,
  judgeFirstFold: FirstFoldJudge | null,
  stop: StopSignal,
  { settings: known, foldScores = [], firstModel, earlyEnd, model: made, modelScores = [] }: AttemptParts,
): Qualification<BaseSettings> {
  const { table, split, folds } = task;
  const first = known ?? chooseByHalving(task, spec, stop);
  const firstFold = foldScores.length > 0 ? null : fitFold(task, spec, first, folds[0]!, stop);
  const knownScores = firstFold === null ? foldScores : [firstFold.scores];
  const end = earlyEnd ?? judgeFirstFold?.(first, knownScores[0]!) ?? null;
  if (end !== null) {
    const view = firstFold?.view ?? viewOf(task, spec, folds[0]!.learning);
    return endEarly(task, first, knownScores[0]!, firstFold?.model ?? firstModel!, view, end);
  }
  const scoreOf = (settings: BaseSettings) =>
    scoreFolds(task, spec, settings, settings === first ? knownScores : [], stop);
  const { settings, outOfFold, probabilities } = improve(first, task.target, scoreOf, stop);
  const found = { settings, outOfFold, outOfFoldProbabilities: probabilities };
  if (modelScores.length > 0) return { ...found, ...judgeScores(task, modelScores) };
  const view = viewOf(task, spec, split.learning);
  const fitted = settings === first ? made : undefined;
  const model = fitted ?? fitOn(table, view, split.learning, settings, spec.seed, stop);
  throwIfOutOfTime(stop);
  return { ...found, ...judgeModel(task, model, view) };
}

/** The first fold's model and scores stand for the attempt. */
function endEarly(
  task: TrainingTask,
  settings: BaseSettings,
  scores: Float64Array,
  model: BaseModel,
  view: CodedView,
  earlyEnd: EarlyEnd,
): Qualification<BaseSettings> {
  const { table, split, folds } = task;
  const { learning, judging } = folds[0]!;
  return {
    settings,
    outOfFold: judge(scores, judging, table.classes, table.labels.length),
    outOfFoldProbabilities: scores,
    ...judgeModel({ ...task, split: { learning, judging: split.judging } }, model, view),
    earlyEnd,
  };
}

/** `known`: scores of the first folds, which are not fitted again. */
function scoreFolds(
  task: TrainingTask,
  spec: BaseSpec,
  settings: BaseSettings,
  known: readonly Float64Array[],
  stop: StopSignal,
): FoldScores {
  const { table, judgedRows } = task;
  const classCount = table.labels.length;
  const probabilities = new Float64Array(judgedRows.length * classCount);
  const places = placesOf(judgedRows);
  for (const [index, fold] of task.folds.entries()) {
    const scores = known[index] ?? fitFold(task, spec, settings, fold, stop).scores;
    const own = fold.judging.map((row) => places[row]!);
    placeRows(scores, probabilities, own, classCount);
  }
  return { settings, outOfFold: judge(probabilities, judgedRows, table.classes, classCount), probabilities };
}
