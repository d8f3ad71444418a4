// A worker's units of a training: an attempt, a stack, a library baseline, a fit or a model file.

import { type EffectCurves, effectCurves } from "../engine/explain/effect-curves.ts";
import type { BaseModel } from "../engine/families/base-algorithms.ts";
import { fitLibraryBaseline } from "../engine/families/library-baselines.ts";
import { countClasses } from "../engine/fitting/class-counts.ts";
import { calibrationBins, judge } from "../engine/judging/metrics.ts";
import { positiveClassOf } from "../engine/judging/positive-class.ts";
import { thresholdCurve, thresholdOfWeights } from "../engine/judging/thresholds.ts";
import { modelFeatures, modelTexts } from "../engine/model/model-features.ts";
import { packModel } from "../engine/model/model-file.ts";
import { rowsUpTo } from "../engine/row-lists.ts";
import { joinAttempt } from "../engine/search/attempt-pieces.ts";
import { type AttemptUnit, makeUnit, type UnitMade } from "../engine/search/attempt-units.ts";
import {
  type Decider,
  decidedAnew,
  fitDecider,
  isMostProbable,
  judgeDecided,
  scoreOf,
} from "../engine/search/decider.ts";
import { findEarlyEnd } from "../engine/search/early-end.ts";
import { fitInputOf } from "../engine/search/fold-fits.ts";
import { type GrowthTask, growBase, qualifyGrown } from "../engine/search/grow.ts";
import { firstFoldTask, qualify } from "../engine/search/qualify.ts";
import { chooseMembers, fitStack, qualifyStack } from "../engine/search/qualify-stack.ts";
import { assemble, type BaseFound, fitFound } from "../engine/search/refit.ts";
import { keepVotes, type StackBase } from "../engine/search/stack-votes.ts";
import type { BaseSpec, Qualification, TrainingTask } from "../engine/search/training-task.ts";
import { unseenReliability } from "../engine/search/unseen-reliability.ts";
import { splitByPart } from "../engine/splits/holdout.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { labelledRows } from "../engine/table/table.ts";
import { joinForests } from "../engine/trees/forest-ranges.ts";
import { countTable } from "../engine/watch/count-table.ts";
import type {
  AttemptAnswer,
  AttemptRequest,
  BaselineAnswer,
  BaselineRequest,
  EffectsRequest,
  FirstFoldRequest,
  FitRequest,
  GrowAnswer,
  JudgeGrownRequest,
  PackAnswer,
  PackRequest,
  StackFitRequest,
  StackRequest,
} from "./messages.ts";
import { onSharedMemory } from "./shared-arrays.ts";

/** Most holdout rows that a library baseline is judged on: some of the packages score slowly. */
const MOST_BASELINE_JUDGING_ROWS = 2_000;

export function runAttemptUnit(
  task: TrainingTask,
  { spec, unit }: { spec: BaseSpec; unit: AttemptUnit },
  stop: StopSignal,
): UnitMade & { seconds: number } {
  return timed(() => onSharedMemory(makeUnit(task, spec, unit, stop)));
}

export function judgeFirstFold(task: TrainingTask, { spec, scores, others }: FirstFoldRequest, stop: StopSignal) {
  return { earlyEnd: findEarlyEnd(task, spec.settings, scores, others, stop) };
}

export function runAttempt(
  task: TrainingTask,
  { spec, others, pieces }: AttemptRequest,
  stop: StopSignal,
): AttemptAnswer {
  return timed(() => {
    const found = pieces === undefined ? qualify(task, spec, stop, others) : joinAttempt(task, spec, pieces, stop);
    const { earlyEnd } = found;
    if (earlyEnd !== undefined) return { ...answerOf(firstFoldTask(task), found), earlyEnd };
    // Now, since the answer tempers these probabilities in place.
    const votes = keepVotes(task, found);
    return { ...answerOf(task, found), votes };
  });
}

export function runStackMembers(task: TrainingTask, { bases }: { bases: readonly StackBase[] }, stop: StopSignal) {
  return timed(() => ({ members: chooseMembers(task, bases, stop) }));
}

export function runStackFit(task: TrainingTask, { members, withMains, rows }: StackFitRequest, stop: StopSignal) {
  return timed(() => onSharedMemory(fitStack(task, members, withMains, rows, stop)));
}

/** Judges a stack whose fits are made. */
export function runStack(
  task: TrainingTask,
  { withMains, members, fits }: StackRequest,
  stop: StopSignal,
): AttemptAnswer {
  return timed(() => {
    const found = qualifyStack(task, members, withMains, fits, stop);
    const { mains, betterMember } = found;
    const answer = { ...answerOf(task, found), mains, confirming: fits.confirming };
    return betterMember === undefined ? answer : { ...answer, betterMember };
  });
}

/** The answer of an attempt without votes for stacks and without tables on top. Tempers its probabilities in place. */
function answerOf(task: TrainingTask, qualified: Qualification): Omit<AttemptAnswer, "seconds"> {
  const { outOfFold, training, holdoutProbabilities: tempered } = qualified;
  const heldOut = labelledRows(task.table, task.split.judging);
  const decider = fitDecider(task, qualified);
  const holdout = judgeDecided(decider, tempered, heldOut);
  const { falseDecisions, accuracy, logLoss, decisions } = holdout;
  const calibration = calibrationBins(tempered, heldOut, decisions);
  const judgements = isMostProbable(decider) ? { outOfFold, training } : decidedAnew(task, qualified, decider);
  const reliability = unseenReliability(task, qualified, decider, { outOfFold: judgements.outOfFold, holdout });
  return {
    settings: qualified.settings,
    ...(task.isSample && { learnedRows: task.split.learning.length }),
    reliability,
    outOfFoldAccuracy: judgements.outOfFold.accuracy,
    outOfFoldLogLoss: outOfFold.logLoss,
    trainingAccuracy: judgements.training.accuracy,
    votes: null,
    mains: null,
    decider,
    holdout: {
      falseDecisions,
      accuracy,
      logLoss,
      decisions,
      calibration,
      score: scoreOf(decider, decisions, heldOut),
      rarestRowCount: Math.min(...countClasses(heldOut).filter((count) => count > 0)),
      thresholds: heldOut.classCount === 2 ? thresholdCurve(tempered, heldOut, knownThresholds(decider)) : null,
    },
  };
}

/** Half, and where the decider decides: these are points of a curve in any case. */
function knownThresholds({ classWeights }: Decider): number[] {
  return [0.5, thresholdOfWeights(classWeights, 1)];
}

/** Fits a baseline on its bounded sample of the learning rows. */
export function runBaseline(task: TrainingTask, { which, seed }: BaselineRequest, stop: StopSignal): BaselineAnswer {
  return timed(() => {
    const input = fitInputOf(task, { buckets: "fine", seed }, task.split.learning, stop);
    const baseline = fitLibraryBaseline(which, input);
    const judging = task.split.judging.subarray(0, MOST_BASELINE_JUDGING_ROWS);
    const probabilities = new Float64Array(judging.length * input.classCount);
    baseline.score(input.view, judging, probabilities);
    const { falseDecisions, accuracy, logLoss } = judge(probabilities, { ...input, rows: judging });
    const { sampleRowCount } = baseline;
    return { sampleRowCount, judgedRowCount: judging.length, falseDecisions, accuracy, logLoss };
  });
}

/** Fits one base model on the learning rows of a split, or on all rows, and returns it in shared memory. */
export function runFit(
  task: TrainingTask,
  { base, judgingPart, trees, grown }: FitRequest,
  stop: StopSignal,
): BaseModel {
  if (grown !== undefined) return onSharedMemory(joinForests(grown));
  return onSharedMemory(fitFound(task, rowsBut(task, judgingPart), base, stop, trees));
}

/** Fits a base on more rows of a large table, and returns it in shared memory. */
export function runGrow(
  task: GrowthTask,
  { base, rowCount }: { base: BaseFound; rowCount: number },
  stop: StopSignal,
): GrowAnswer {
  return timed(() => onSharedMemory(growBase(task, base, rowCount, stop)));
}

/** How a version whose members have grown does on the rows that judge all attempts. */
export function runJudgeGrown(
  task: GrowthTask,
  { found, members }: JudgeGrownRequest,
  stop: StopSignal,
): AttemptAnswer {
  const learnedRows = Math.max(...members.map(({ grown }) => grown.rowCount));
  return timed(() => ({ ...answerOf(task, qualifyGrown(task, found, members, stop)), learnedRows }));
}

/** The bytes of a version's model file. */
export function runPack(task: TrainingTask, request: PackRequest): PackAnswer {
  const { table } = task;
  const { model, bucketing } = assembleFinal(task, request);
  const texts = modelTexts(table);
  const reference = countTable(table, rowsUpTo(table.rowCount));
  const file = { ...request.about, features: modelFeatures(table, bucketing), model, reference };
  const bytes = packModel(texts === undefined ? file : { ...file, texts });
  return { bytes: bytes as Uint8Array<ArrayBuffer> };
}

/** Some curves of what the version learned of its columns. */
export function runEffects(task: TrainingTask, request: EffectsRequest, stop: StopSignal): EffectCurves[] {
  const { found, about, byImportance, curves } = request;
  const { table } = task;
  const { model, bucketing } = assembleFinal(task, request);
  const positiveClass = positiveClassOf(table.labels, about.positiveLabel);
  const { temperature = 1 } = about;
  const learned = { table, model, bucketing, temperature, byImportance, positiveClass, seed: found.seed };
  return effectCurves(learned, stop, curves);
}

/**
 * The version of its last fits: of all rows, or of a large table of those that
 * it grew on, with the buckets of the search's rows.
 */
function assembleFinal(task: TrainingTask, { found, bases }: PackRequest) {
  const bucketedBy = "pool" in task ? task.split.learning : rowsUpTo(task.table.rowCount);
  return assemble(task, bucketedBy, found, bases);
}

function rowsBut({ table, parts }: TrainingTask, judgingPart: number | null): Uint32Array {
  if (judgingPart !== null) return splitByPart(parts, judgingPart).learning;
  return rowsUpTo(table.rowCount);
}

/** The answer, and how long it took to make. */
function timed<T extends object>(make: () => T): T & { seconds: number } {
  const start = performance.now();
  const answer = make();
  return { ...answer, seconds: (performance.now() - start) / 1000 };
}
