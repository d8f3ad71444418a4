// One attempt from settings to scores: out-of-fold inside the learning rows, where it qualifies, and on the holdout.

import { GRADIENT_BOOSTING } from "../boosting/boosting-settings.ts";
import { boostingOutOfFold } from "../boosting/gradient-boosting.ts";
import { type CodedView, codeTable } from "../buckets.ts";
import type { ModelSettings } from "../families/algorithms.ts";
import { type BaseModel, type BaseSettings, fitBase, scoreBase } from "../families/base-algorithms.ts";
import { sampleRows } from "../families/row-sample.ts";
import type { CostMatrix } from "../judging/costs.ts";
import { type Judgement, judge } from "../judging/metrics.ts";
import type { Objective } from "../judging/objective.ts";
import { pickRows, placeRows, placesOf } from "../row-lists.ts";
import type { RowParts, Split } from "../splits/holdout.ts";
import { type StopSignal, throwIfCancelled, throwIfOutOfTime } from "../stop-signal.ts";
import type { Table } from "../table.ts";
import type { Forest } from "../trees/forest.ts";
import { joinParts } from "../trees/forest-parts.ts";
import { treeLimit } from "../trees/forest-size.ts";
import type { AttemptParts, EarlyEnd } from "./attempt-parts.ts";
import type { AttemptSpec } from "./attempts.ts";
import { fitBucketing } from "./bucketing.ts";
import { chooseForest, FINAL_TREES, type ForestAttempt } from "./choose-forest.ts";
import { type FoldScores, improve, isBelow, LEAST_GAIN } from "./regularisation-search.ts";

/** Trees that a forest below the target adds at a time. */
const TREES_PER_STEP = 100;
/** Trees of a forest that time may not cut short: with fewer, many rows have no vote of a tree that did not see them. */
export const LEAST_TREES = 20;
/** Share of the rows on which rivals of other algorithms are compared first. */
const FIRST_RUNG_SHARE = 0.25;
/** Rounds × learning rate of gradient boosting in that comparison. */
const BRIEF_LEARNING = 6;
/** An attempt that rests on no other. */
export type BaseSpec = AttemptSpec & { settings: BaseSettings };

/** The rows and limits that all attempts of a run share. */
export interface TrainingTask {
  table: Table;
  /** Which rows judge the holdout and the re-splits. */
  parts: RowParts;
  /** The learning rows and the holdout. */
  split: Split;
  /** Folds of the learning rows, the same for every attempt. */
  folds: readonly Split[];
  /** The learning rows that some fold judges: all of them, but for the oldest where folds go forward in time. */
  judgedRows: Uint32Array;
  /**
   * The group, or the stretch of time, of each row: rows of one are not independent of each other. Null where all rows are. Then
   * forests are scored out of bag; else fold by fold, since a tree has seen rows of the groups that it has not drawn all of.
   */
  clusters: Uint32Array | null;
  /** The user's number of buckets. */
  numberOfBuckets: number;
  /** The accuracy to reach, or null: then an attempt is done with its first settings. */
  target: number | null;
  /** The aim of decisions; accuracy where it is left out. */
  objective?: Objective;
  /** Set where the objective is "cost". */
  costs?: CostMatrix | null;
  /** Trees of a forest at most, where memory is short. */
  mostTrees?: number | undefined;
  /** Set where the table is a sample of a large one. */
  isSample?: boolean;
}

/** The result of an attempt. */
export interface Qualification<Settings extends ModelSettings = ModelSettings> {
  /** The settings as found: what a refit uses. */
  settings: Settings;
  outOfFold: Judgement;
  /** Class probabilities of the task's judged rows, each by a model that had not seen it. */
  outOfFoldProbabilities: Float64Array;
  /** Class probabilities of rows that were learned from, by what learned from them; of a stack at most so many as it keeps. */
  trainingProbabilities: Float64Array;
  trainingRows: Uint32Array;
  training: Judgement;
  holdout: Judgement;
  /** Class probabilities of the holdout rows. */
  holdoutProbabilities: Float64Array;
  /** Set where the attempt ended after the first fold: all scores are of that fold's model, those out of fold of its rows alone. */
  earlyEnd?: EarlyEnd;
  /** Set of a stack that is worse than this part of it, on the rows that both were scored on out of fold. */
  betterPart?: { attempt: number; logLoss: number };
}

/** Looks at the probabilities of the first fold's rows; null where all folds are to follow. */
export type FirstFoldJudge = (settings: BaseSettings, probabilities: Float64Array) => EarlyEnd | null;

export function isBase(spec: AttemptSpec): spec is BaseSpec {
  return spec.settings.algorithm !== "stack";
}

/**
 * Runs an attempt. Below the target it goes on improving (more trees, finer ridge or smoothing) while its out-of-fold
 * log-loss still falls. The holdout takes no part in any choice. Given a judge of the
 * first fold, an attempt that is scored fold by fold may end there.
 *
 * @throws Cancelled; OutOfTime where time was up before every fit had come to its own end, since what is then scored on the
 *   holdout is not what was scored out of fold. A forest alone is scored with the trees it has by then, 20 at least (D71)
 */
export function qualify(
  task: TrainingTask,
  spec: BaseSpec,
  stop: StopSignal,
  judgeFirstFold: FirstFoldJudge | null = null,
  parts: AttemptParts = {},
): Qualification<BaseSettings> {
  const { settings } = spec;
  if (parts.forestParts !== undefined) return joinForest(task, spec, parts);
  if (settings.algorithm === "forest" && task.clusters === null) return qualifyForest(task, spec, settings, stop);
  if (settings.algorithm === GRADIENT_BOOSTING && parts.foldScores === undefined) {
    return qualifyBoosting(task, spec, stop);
  }
  return qualifyByFolds(task, spec, judgeFirstFold, stop, parts);
}

function qualifyForest(
  task: TrainingTask,
  spec: BaseSpec,
  settings: ForestAttempt,
  stop: StopSignal,
): Qualification<BaseSettings> {
  const { table, split, target } = task;
  const view = viewOf(task, spec, split.learning);
  const { classes, labels } = table;
  const rivals = spec.rivals.filter((rival) => rival.algorithm === "forest");
  const input = { view, rows: split.learning, classes, classCount: labels.length, seed: spec.seed, stop };
  const grower = chooseForest(input, [settings, ...rivals]);
  const judgeVotes = () => {
    const probabilities = grower.outOfBag();
    return { probabilities, judgement: judge(probabilities, split.learning, table.classes, table.labels.length) };
  };
  grower.growTo(settings.treeCount, LEAST_TREES);
  let votes = judgeVotes();
  const mostTrees = treeLimit(grower.settings, split.learning.length, task.mostTrees);
  while (isBelow(target, votes.judgement) && grower.treeCount < mostTrees && !stop.timeIsUp()) {
    grower.growTo(Math.min(mostTrees, grower.treeCount + TREES_PER_STEP), LEAST_TREES);
    const next = judgeVotes();
    const gained = next.judgement.logLoss < votes.judgement.logLoss * (1 - LEAST_GAIN);
    votes = next;
    if (!gained) break;
  }
  const { treeCount } = grower;
  return judgeForest(
    task,
    { ...grower.settings, algorithm: "forest", treeCount },
    grower.forest(),
    votes.probabilities,
    view,
  );
}

function joinForest(task: TrainingTask, spec: BaseSpec, { settings, forestParts }: AttemptParts) {
  const { table, split } = task;
  const { classes, labels } = table;
  const labelled = { rows: split.learning, classes, classCount: labels.length };
  const { forest, probabilities } = joinParts(labelled, forestParts!);
  const found = { ...(settings as ForestAttempt), treeCount: forest.roots.length };
  return judgeForest(task, found, forest, probabilities, viewOf(task, spec, split.learning));
}

/** `votes`: out-of-bag probabilities of the learning rows, of which those count that other attempts have out of fold. */
function judgeForest(
  task: TrainingTask,
  settings: ForestAttempt,
  forest: Forest,
  votes: Float64Array,
  view: CodedView,
): Qualification<BaseSettings> {
  const { table, split, judgedRows } = task;
  const classCount = table.labels.length;
  const places = placesOf(split.learning);
  const judged = judgedRows.map((row) => places[row]!);
  const own = pickRows(votes, judged, classCount, new Float64Array(judged.length * classCount));
  const outOfFold = judge(own, judgedRows, table.classes, classCount);
  return { settings, outOfFold, outOfFoldProbabilities: own, ...judgeModel(task, forest, view) };
}

/** The folds find the number of rounds together, and leave the probabilities at that number behind. */
function qualifyBoosting(task: TrainingTask, spec: BaseSpec, stop: StopSignal): Qualification<BaseSettings> {
  const settings = chooseByHalving(task, spec, stop);
  if (settings.algorithm !== GRADIENT_BOOSTING) throw new Error(`rivals of another algorithm`);
  const { seed } = spec;
  const { table, split, folds, judgedRows } = task;
  const { classes, labels } = table;
  const classCount = labels.length;
  const own = (rows: Uint32Array) => viewOf(task, spec, rows);
  const folded = { rows: judgedRows, folds, classes, classCount, seed, stop, viewOf: own };
  const { roundCount, probabilities } = boostingOutOfFold(folded, settings);
  throwIfOutOfTime(stop);
  const found = { ...settings, roundCount };
  const view = own(split.learning);
  const model = fitOn(table, view, split.learning, found, seed, stop);
  throwIfOutOfTime(stop);
  return {
    settings: found,
    outOfFold: judge(probabilities, judgedRows, classes, classCount),
    outOfFoldProbabilities: probabilities,
    ...judgeModel(task, model, view),
  };
}

function qualifyByFolds(
  task: TrainingTask,
  spec: BaseSpec,
  judgeFirstFold: FirstFoldJudge | null,
  stop: StopSignal,
  { settings: known, foldScores = [], firstModel, earlyEnd, model: made }: AttemptParts,
): Qualification<BaseSettings> {
  const { table, split, folds } = task;
  const first = known ?? chooseByHalving(task, spec, stop);
  const [scores] = foldScores;
  const firstFold = scores === undefined ? fitFold(task, spec, first, folds[0]!, stop) : { scores };
  const end = earlyEnd ?? judgeFirstFold?.(first, firstFold.scores) ?? null;
  if (end !== null) {
    const { learning, judging } = folds[0]!;
    const view = "view" in firstFold ? firstFold.view : viewOf(task, spec, learning);
    const model = "model" in firstFold ? firstFold.model : firstModel!;
    return {
      settings: first,
      outOfFold: judge(firstFold.scores, judging, table.classes, table.labels.length),
      outOfFoldProbabilities: firstFold.scores,
      ...judgeModel({ ...task, split: { learning, judging: split.judging } }, model, view),
      earlyEnd: end,
    };
  }
  const firstScores = foldScores.length > 0 ? foldScores : [firstFold.scores];
  const scoreOf = (settings: BaseSettings) =>
    scoreFolds(task, spec, settings, settings === first ? firstScores : [], stop);
  const { settings, outOfFold, probabilities } = improve(first, task.target, scoreOf, stop);
  const view = viewOf(task, spec, split.learning);
  const isMade = made !== undefined && settings === first;
  const model = isMade ? made : fitOn(table, view, split.learning, settings, spec.seed, stop);
  throwIfOutOfTime(stop);
  return { settings, outOfFold, outOfFoldProbabilities: probabilities, ...judgeModel(task, model, view) };
}

/** All rows as an attempt sees them that learns from the given ones. */
export function viewOf({ table, numberOfBuckets }: TrainingTask, { buckets }: BaseSpec, rows: Uint32Array): CodedView {
  return codeTable(table, fitBucketing(table, rows, buckets, numberOfBuckets));
}

/**
 * Successive halving (Jamieson & Talwalkar 2016) among the attempt's settings and its rivals: each learns from a quarter of
 * one fold's learning rows, the better half of them from a half of the rows, and so on until one is left.
 */
function chooseByHalving(task: TrainingTask, spec: BaseSpec, stop: StopSignal): BaseSettings {
  const { table, folds, numberOfBuckets } = task;
  const { classes, labels } = table;
  const { learning, judging } = folds[0]!;
  const all = { rows: learning, classes, classCount: labels.length };
  let left: BaseSettings[] = [spec.settings, ...spec.rivals];
  for (let share = FIRST_RUNG_SHARE; left.length > 1 && !stop.timeIsUp(); share = Math.min(1, 2 * share)) {
    const rows = sampleRows(all, Math.ceil(share * learning.length), spec.seed);
    const view = codeTable(table, fitBucketing(table, rows, spec.buckets, numberOfBuckets));
    const scored = left.map((settings) => {
      const model = fitOn(table, view, rows, briefly(settings), spec.seed, stop);
      return { settings, ...judge(scoreBase(model, view, judging), judging, classes, labels.length) };
    });
    scored.sort((a, b) => a.logLoss - b.logLoss);
    left = scored.slice(0, Math.ceil(left.length / 2)).map(({ settings }) => settings);
  }
  return left[0]!;
}

/** Settings for a comparison: as many rounds as tell how a learning rate goes, before their number is known. */
function briefly(settings: BaseSettings): BaseSettings {
  if (settings.algorithm === "forest") return { ...settings, treeCount: Math.min(settings.treeCount, FINAL_TREES) };
  if (settings.algorithm !== GRADIENT_BOOSTING) return settings;
  return { ...settings, roundCount: Math.ceil(BRIEF_LEARNING / settings.learningRate) };
}

/** `known`: scores of the first folds. */
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

/** Learns from a fold's learning rows and scores the others. */
export function fitFold(task: TrainingTask, spec: BaseSpec, settings: BaseSettings, fold: Split, stop: StopSignal) {
  throwIfCancelled(stop);
  throwIfOutOfTime(stop);
  const view = viewOf(task, spec, fold.learning);
  const model = fitOn(task.table, view, fold.learning, settings, spec.seed, stop);
  throwIfOutOfTime(stop);
  return { view, model, scores: scoreBase(model, view, fold.judging) };
}

export function fitOn(
  table: Table,
  view: CodedView,
  rows: Uint32Array,
  settings: BaseSettings,
  seed: number,
  stop: StopSignal,
): BaseModel {
  return fitBase(settings, { view, rows, classes: table.classes, classCount: table.labels.length, seed, stop });
}

function judgeModel(task: TrainingTask, model: BaseModel, view: CodedView) {
  const { table, split } = task;
  const classCount = table.labels.length;
  const holdoutProbabilities = scoreBase(model, view, split.judging);
  const trainingProbabilities = scoreBase(model, view, split.learning);
  return {
    holdoutProbabilities,
    holdout: judge(holdoutProbabilities, split.judging, table.classes, classCount),
    trainingProbabilities,
    trainingRows: split.learning,
    training: judge(trainingProbabilities, split.learning, table.classes, classCount),
  };
}
