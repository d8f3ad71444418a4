// The units of an attempt: fits that threads make side by side, and how an attempt is put together of them (D133).

import { type BoostedFold, type FoldInput, growFold, modelOf, scoreFold } from "../boosting/boosted-fold.ts";
import type { BoostingSettings } from "../boosting/boosting-settings.ts";
import { concatenate } from "../concatenate.ts";
import { type BaseModel, type BaseSettings, baseEntryOf, fitBase, scoreBase } from "../families/base-algorithms.ts";
import type { CutBy } from "../fitting/algorithm-entry.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import { brierScores } from "../judging/metrics.ts";
import { deriveSeed } from "../random.ts";
import { NO_ROWS } from "../row-lists.ts";
import { type StopSignal, throwIfOutOfTime } from "../stop-signal.ts";
import { meanOf, sumOf } from "../sums.ts";
import { scoreRanges } from "../trees/forest.ts";
import { meanVotes } from "../trees/forest-growth.ts";
import { type GrownRange, growRange, type TreeRange } from "../trees/forest-ranges.ts";
import { type ForestAttempt, tryForest } from "./choose-forest.ts";
import { fitFold, fitInputOf, viewOf } from "./fold-fits.ts";
import { LEAST_TREES } from "./qualify-forest.ts";
import type { BaseSpec, TrainingTask } from "./training-task.ts";

/** The kinds of units, with the request (`ask`) and the result (`made`) of each. */
interface Units {
  /** Learns from the first fold's learning rows and scores the others: a weak attempt ends there. */
  "first fold": { ask: object; made: { scores: Float64Array; model: BaseModel } };
  /** Learns from a fold's learning rows and scores the others; nobody needs its model. */
  fold: { ask: { fold: number }; made: { scores: Float64Array } };
  /** Learns from all learning rows. */
  learning: { ask: { settings: BaseSettings }; made: { model: BaseModel } };
  /** Continues a fold of gradient boosting, or its fit on all learning rows (null), up to a number of rounds. */
  rounds: { ask: RoundsAsked; made: { grown: BoostedFold } };
  /** Continues the fit on all learning rows through its last rounds, and makes its model. */
  boosted: { ask: { before: BoostedFold; roundCount: number }; made: { model: BaseModel } };
  /** Scores a fold of gradient boosting after `roundCount` rounds. */
  score: { ask: { fold: number; grown: BoostedFold; roundCount: number }; made: { scores: Float64Array } };
  /** Grows the first trees of a forest that is one of several candidates: their Brier scores. */
  trial: { ask: { settings: ForestAttempt; rung: "first" | "final" }; made: { loss: number } };
  /** Grows some trees of a forest. */
  trees: { ask: { settings: ForestAttempt } & TreeRange; made: { range: GrownRange; loss: number } };
  /** Scores some of the learning rows and the holdout; several models are ranges of one forest. */
  "model scores": { ask: { models: readonly BaseModel[]; from: number; to: number }; made: { scores: Float64Array } };
}
type UnitKind = keyof Units;

interface RoundsAsked {
  fold: number | null;
  before: BoostedFold | null;
  roundCount: number;
}

/** A piece of an attempt. */
export type AttemptUnit<K extends UnitKind = UnitKind> = { [Kind in K]: { kind: Kind } & Units[Kind]["ask"] }[K];
export type UnitMade<K extends UnitKind = UnitKind> = Units[K]["made"];

/**
 * From this many cells (learning rows × features × classes above two) on, sharing saves more than its messages cost.
 */
const LEAST_CELLS = 20_000;

/** Rows × trees of a unit that scores: about a tenth of a second. */
const WALKS_PER_UNIT = 2_500_000;
const MOST_SCORE_UNITS = 8;

/**
 * How an attempt is cut, or null where it runs in one piece: below a target it goes on by
 * what it has found, among rivals it chooses first, and on a small table most fits take a
 * few milliseconds. Forests alone are cut with rivals too.
 */
export function cutOf(task: TrainingTask, { settings, rivals }: BaseSpec): CutBy | null {
  const { target, clusters, split, table } = task;
  const { cutBy, isLong = false } = baseEntryOf(settings);
  const cut = cutBy === "trees" && clusters !== null ? "folds" : cutBy;
  if (target !== null || (rivals.length > 0 && cut !== "trees")) return null;
  return isLong || paysToShare(split.learning.length, table.features.length, table.labels.length) ? cut : null;
}

/** Whether a fit takes so long that threads should share it. */
export function paysToShare(rowCount: number, featureCount: number, classCount: number): boolean {
  return rowCount * featureCount * outputCountOf(classCount) >= LEAST_CELLS;
}

/** @throws Cancelled; OutOfTime rather than return less than was asked for, except for the trees of forests (D71) */
export function makeUnit<K extends UnitKind>(
  task: TrainingTask,
  spec: BaseSpec,
  unit: AttemptUnit<K>,
  stop: StopSignal,
): UnitMade<K> {
  const make = MAKERS[unit.kind as K] as Maker<K>;
  return make(task, spec, unit, stop);
}

type Maker<K extends UnitKind> = (
  task: TrainingTask,
  spec: BaseSpec,
  unit: AttemptUnit<K>,
  stop: StopSignal,
) => UnitMade<K>;

const MAKERS: { [K in UnitKind]: Maker<K> } = {
  "first fold": (task, spec, _, stop) => {
    const { scores, model } = fitFold(task, spec, spec.settings, task.folds[0]!, stop);
    return { scores, model };
  },
  fold: (task, spec, { fold }, stop) => ({
    scores: fitFold(task, spec, spec.settings, task.folds[fold]!, stop).scores,
  }),
  learning: (task, spec, { settings }, stop) => {
    throwIfOutOfTime(stop);
    const model = fitBase(settings, fitInputOf(task, spec, task.split.learning, stop));
    throwIfOutOfTime(stop);
    return { model };
  },
  rounds: (task, spec, asked, stop) => ({ grown: addRounds(task, spec, asked, stop) }),
  boosted: (task, spec, { before, roundCount }, stop) => ({
    model: modelOf(addRounds(task, spec, { fold: null, before, roundCount }, stop), roundCount),
  }),
  score: (task, _, { fold, grown, roundCount }, stop) => {
    throwIfOutOfTime(stop);
    return { scores: scoreFold(grown, task.folds[fold]!, roundCount) };
  },
  trial: (task, spec, { settings, rung }, stop) => {
    return { loss: tryForest(fitInputOf(task, spec, task.split.learning, stop), settings, rung) };
  },
  trees: (task, spec, { settings, ...trees }, stop) => {
    const input = fitInputOf(task, spec, task.split.learning, stop);
    const range = growRange(input, settings, trees, trees.firstTree === 0 ? LEAST_TREES : 1);
    return { range, loss: meanOf(brierScores(meanVotes(input, range.votes), input)) };
  },
  "model scores": (task, spec, unit) => ({ scores: scoreSome(task, spec, unit) }),
};

/**
 * The units that score a model after its fit: none where that is quick. Forests are scored by
 * at least one, since they need not be put together then.
 */
export function scoreUnits({ split }: TrainingTask, models: readonly BaseModel[]): AttemptUnit<"model scores">[] {
  const treeCounts = models.map((model) => ("roots" in model ? model.roots.length : 0));
  const rowCount = split.learning.length + split.judging.length;
  const walkCount = rowCount * sumOf(treeCounts);
  const isForest = models[0]!.kind === "forest";
  const unitCount = Math.min(MOST_SCORE_UNITS, Math.floor(walkCount / WALKS_PER_UNIT) + (isForest ? 1 : 0));
  return Array.from({ length: unitCount }, (_, unit) => ({
    kind: "model scores",
    models,
    from: Math.floor((rowCount * unit) / unitCount),
    to: Math.floor((rowCount * (unit + 1)) / unitCount),
  }));
}

function scoreSome(
  task: TrainingTask,
  spec: BaseSpec,
  { models, from, to }: AttemptUnit<"model scores">,
): Float64Array {
  const { learning, judging } = task.split;
  const rows = concatenate(Uint32Array, [learning, judging]).subarray(from, to);
  const view = viewOf(task, spec, learning);
  const forests = models.filter((model) => model.kind === "forest");
  return forests.length > 0 ? scoreRanges(forests, view, rows) : scoreBase(models[0]!, view, rows);
}

function addRounds(task: TrainingTask, spec: BaseSpec, asked: RoundsAsked, stop: StopSignal): BoostedFold {
  throwIfOutOfTime(stop);
  const { fold, before, roundCount } = asked;
  const viewOfRows = (learning: Uint32Array) => viewOf(task, spec, learning);
  return growFold(foldInput(task, spec, fold, stop), spec.settings as BoostingSettings, before, roundCount, viewOfRows);
}

/** The input of gradient boosting on a fold, or on all learning rows (null). */
export function foldInput(task: TrainingTask, { seed }: BaseSpec, fold: number | null, stop: StopSignal): FoldInput {
  const { classes, labels } = task.table;
  const input = { classes, classCount: labels.length, stop };
  if (fold === null) return { ...input, seed, split: { learning: task.split.learning, judging: NO_ROWS } };
  return { ...input, seed: deriveSeed(seed, fold), split: task.folds[fold]! };
}
