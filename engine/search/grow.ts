// A model that was found on a sample of a large table, learned again from more of its rows.

import type { BoostedTrees } from "../boosting/boosted-trees.ts";
import { GRADIENT_BOOSTING } from "../boosting/boosting-settings.ts";
import { fitBoostingBeside } from "../boosting/gradient-boosting.ts";
import { concatenate } from "../concatenate.ts";
import { scoreModel } from "../families/algorithms.ts";
import { type BaseModel, type BaseSettings, fitBase, scoreBase } from "../families/base-algorithms.ts";
import { applyStacking, fitStacking, stackInputOf } from "../families/stacking.ts";
import { gatherClasses } from "../fitting/class-counts.ts";
import { judge } from "../judging/metrics.ts";
import { evenlySpaced, rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfOutOfTime } from "../stop-signal.ts";
import { codeRows } from "../table/buckets.ts";
import { labelledRows } from "../table/table.ts";
import { fitBucketing } from "./bucketing.ts";
import { stackSettings } from "./qualify-stack.ts";
import { assemble, type BaseFound, type FoundSettings } from "./refit.ts";
import type { Qualification, TrainingTask } from "./training-task.ts";

/**
 * The whole table. `split` has the learning rows of the search's sample, whose buckets all grown models share, and its
 * held-out rows; `judgedRows` are put aside: no model learns from them.
 */
export interface GrowthTask extends TrainingTask {
  /** Rows to learn from, as many of the first as wanted: those of the sample come first. */
  pool: Uint32Array;
}

/** A model of some rows, and what it says of the rows put aside. */
export interface GrownBase {
  model: BaseModel;
  settings: BaseSettings;
  rowCount: number;
  logLoss: number;
  asideProbabilities: Float32Array;
}

/** A base of a version that is published, with the model that it grew to. */
export interface GrownMember {
  found: BaseFound;
  attempt: number;
  grown: GrownBase;
}

/** A member of a grown stack that weighs less is left out. */
const LEAST_WEIGHT = 0.02;
/** Learned rows on which a grown model's own accuracy is measured. */
const MOST_TRAINING_ROWS = 50_000;

/**
 * Fits a base on the first `rowCount` rows of the pool. Boosting ends by the rows put aside,
 * or when time is up; any other algorithm ends by itself.
 *
 * @throws OutOfTime
 */
export function growBase(task: GrowthTask, found: BaseFound, rowCount: number, stop: StopSignal): GrownBase {
  const { table, pool, judgedRows: aside } = task;
  const { settings, buckets, seed } = found;
  const classCount = table.labels.length;
  throwIfOutOfTime(stop);
  const learningRows = pool.slice(0, rowCount).sort();
  const codedRows = concatenate(Uint32Array, [learningRows, aside]);
  const view = codeRows(table, fitBucketing(table, task.split.learning, buckets, task.numberOfBuckets), codedRows);
  const classes = gatherClasses(table.classes, codedRows);
  const positions = rowsUpTo(codedRows.length);
  const rows = positions.subarray(0, learningRows.length);
  const judgedPositions = positions.subarray(learningRows.length);
  const input = { view, rows, classes, classCount, seed, stop };
  const isBoosting = settings.algorithm === GRADIENT_BOOSTING;
  const model = isBoosting ? fitBoostingBeside(input, settings, judgedPositions) : fitBase(settings, input);
  if (!isBoosting) throwIfOutOfTime(stop);
  const probabilities = scoreBase(model, view, judgedPositions);
  const { logLoss } = judge(probabilities, { ...input, rows: judgedPositions });
  const grownSettings = isBoosting ? { ...settings, roundCount: roundsOf(model as BoostedTrees) } : settings;
  return {
    model,
    settings: grownSettings,
    rowCount: learningRows.length,
    logLoss,
    asideProbabilities: Float32Array.from(probabilities),
  };
}

function roundsOf({ roots, outputCount }: BoostedTrees): number {
  return roots.length / outputCount;
}

/** A grown version, and how it did: on rows put aside, which weighed its members, and on the held-out rows. */
export function qualifyGrown(
  task: GrowthTask,
  version: FoundSettings,
  grown: readonly GrownMember[],
  stop: StopSignal,
): Qualification {
  const { table, judgedRows: aside, split } = task;
  const isStack = version.settings.algorithm === "stack";
  const inputOf = (chosen: readonly GrownMember[]) => {
    const votes = chosen.map((member) => member.grown.asideProbabilities);
    return stackInputOf(votes, labelledRows(table, aside));
  };
  const members = isStack ? weighingMembers(grown, fitStacking(inputOf(grown), stop).weights) : grown;
  const input = inputOf(members);
  const weighed = isStack ? fitStacking(input, stop) : null;
  const grownBases = members.map(({ attempt, found, grown }) => ({ attempt, ...found, settings: grown.settings }));
  const settings = weighed === null ? grownBases[0]!.settings : stackSettings(grownBases, false, weighed, weighed);
  const found = { ...version, settings, mains: null };
  const bases = members.map(({ grown }) => grown.model);
  const fitted = assemble(task, split.learning, found, bases);
  const score = (rows: Uint32Array) =>
    scoreModel(fitted.model, codeRows(table, fitted.bucketing, rows), rowsUpTo(rows.length));
  const outOfFoldProbabilities =
    weighed === null
      ? Float64Array.from(members[0]!.grown.asideProbabilities)
      : applyStacking(weighed, input.logOdds, aside.length);
  const holdoutProbabilities = score(split.judging);
  const trainingRows = evenlySpaced(split.learning.length, MOST_TRAINING_ROWS).map((index) => split.learning[index]!);
  const trainingProbabilities = score(trainingRows);
  return {
    settings,
    outOfFold: judge(outOfFoldProbabilities, labelledRows(table, aside)),
    outOfFoldProbabilities,
    trainingProbabilities,
    trainingRows,
    training: judge(trainingProbabilities, labelledRows(table, trainingRows)),
    holdout: judge(holdoutProbabilities, labelledRows(table, split.judging)),
    holdoutProbabilities,
  };
}

/**
 * On many rows a member may be worth its time though a search on few would leave it out: only those without weight go.
 */
function weighingMembers(grown: readonly GrownMember[], weights: Float64Array): readonly GrownMember[] {
  const weighing = grown.filter((_, at) => weights[at]! >= LEAST_WEIGHT);
  return weighing.length === 0 ? grown : weighing;
}
