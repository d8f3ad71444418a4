// Turns a model's probabilities into published ones: tempered, with decisions that serve the run's objective.

import { type CostMatrix, weightsOfCosts } from "../judging/costs.ts";
import { confusionMatrix, type Judgement, judge } from "../judging/metrics.ts";
import { achieved, decisionWeights, type Objective } from "../judging/objective.ts";
import { applyTemperature, fitTemperature } from "../judging/temperature.ts";
import { type LabelledRows, labelledRows } from "../table/table.ts";
import { keptRows } from "./stack-votes.ts";
import type { Qualification, TrainingTask } from "./training-task.ts";

/** How an attempt turns probabilities into decisions, as found out of fold. */
export interface Decider {
  /** The aim of decisions. */
  objective: Objective;
  /** Divides the log-probabilities; 1 leaves them as they are. */
  temperature: number;
  /** Multiply the probabilities before the largest decides; null for none. */
  classWeights: readonly number[] | null;
  /** Costs of wrong decisions, for the objective "cost"; used where no class weights say the same. */
  costs?: CostMatrix;
}

/**
 * Fits the decider on rows that the attempt's models had not seen; the holdout takes no part. Sums of many terms give
 * probabilities that are too bold or too cautious, and means of many trees mostly too cautious ones, so they are
 * tempered (D124). A stack is not: it is fitted on log-odds of rows that its members had not seen.
 */
export function fitDecider(task: TrainingTask, { settings, outOfFoldProbabilities }: Qualification): Decider {
  const { objective, costs } = task;
  const judged = outOfFoldRows(task, outOfFoldProbabilities);
  const temperature = settings.algorithm === "stack" ? 1 : fitTemperature(outOfFoldProbabilities, judged);
  if (costs !== null) return { objective: "cost", temperature, classWeights: weightsOfCosts(costs), costs };
  if (objective === "accuracy" || objective === "cost") return { objective, temperature, classWeights: null };
  const tempered = outOfFoldProbabilities.slice();
  applyTemperature(tempered, judged.classCount, temperature);
  const weights = decisionWeights(objective, tempered, judged);
  return { objective, temperature, classWeights: weights === null ? null : [...weights] };
}

/**
 * Judges a model's own probabilities, which are tempered in place. The most probable class is decided before that:
 * tempering keeps the order of the classes except for rounding.
 */
export function judgeDecided(decider: Decider, probabilities: Float64Array, judged: LabelledRows): Judgement {
  const plain = isMostProbable(decider) ? judge(probabilities, judged) : null;
  applyTemperature(probabilities, judged.classCount, decider.temperature);
  const tempered = judge(probabilities, judged, decider);
  return plain === null ? tempered : { ...plain, logLoss: tempered.logLoss };
}

/** Whether the most probable class decides. */
export function isMostProbable({ classWeights, costs }: Decider): boolean {
  return classWeights === null && costs === undefined;
}

/**
 * Judges rows of the learning rows again, by the decider's decisions.
 * Tempers the qualification's probabilities in place.
 */
export function decidedAnew(
  task: TrainingTask,
  { outOfFoldProbabilities, trainingProbabilities, trainingRows }: Qualification,
  decider: Decider,
): Pick<Qualification, "outOfFold" | "training"> {
  return {
    outOfFold: judgeDecided(decider, outOfFoldProbabilities, outOfFoldRows(task, outOfFoldProbabilities)),
    training: judgeDecided(decider, trainingProbabilities, labelledRows(task.table, trainingRows)),
  };
}

/** How the objective is met by decisions on some rows. */
export function scoreOf({ objective, costs }: Decider, decisions: Uint8Array, judged: LabelledRows): number {
  return achieved(objective, confusionMatrix(decisions, judged), costs);
}

/** The rows of an attempt's out-of-fold probabilities: where there are very many, a stack keeps only some. */
export function outOfFoldRows(task: TrainingTask, { length }: Float64Array): LabelledRows {
  const { table, judgedRows } = task;
  return labelledRows(table, length === judgedRows.length * table.labels.length ? judgedRows : keptRows(task));
}
