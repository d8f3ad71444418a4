// Training work: an attempt, a library baseline, a confirmation or a refit, on the shared table of an arena.
import { codeTable } from "../engine/buckets.ts";
import { fitLibraryBaseline, type LibraryBaseline } from "../engine/families/library-baselines.ts";
import { splitByPart } from "../engine/holdout.ts";
import { calibrationBins, judge } from "../engine/metrics.ts";
import { modelFeatures } from "../engine/model-features.ts";
import { packModel } from "../engine/model-file.ts";
import { type Arena, type BaseSpec, fitBucketing, type Qualification, qualify } from "../engine/qualify.ts";
import { keepVotes, qualifyStack, type StackBase } from "../engine/qualify-stack.ts";
import { type Confirmation, confirm, type FoundSettings, refit } from "../engine/refit.ts";
import { OutOfTime, type StopSignal } from "../engine/stop-signal.ts";
import type { AttemptAnswer, BaselineAnswer, ModelAbout } from "./messages.ts";

/** Rows of the holdout that a library baseline is judged on at most: some of the packages score slowly. */
const MOST_BASELINE_JUDGING_ROWS = 2_000;

export function runAttempt(arena: Arena, spec: BaseSpec, stop: StopSignal): AttemptAnswer {
  const start = performance.now();
  const found = qualify(arena, spec, stop);
  const votes = keepVotes(arena, found.outOfFoldProbabilities, found.holdoutProbabilities);
  return { ...answerOf(arena, found), votes, mains: null, seconds: secondsSince(start) };
}

/** Weighs the attempts so far into one. */
export function runStack(
  arena: Arena,
  { withMains, bases }: { withMains: boolean; bases: readonly StackBase[] },
  stop: StopSignal,
): AttemptAnswer {
  const start = performance.now();
  const found = qualifyStack(arena, bases, withMains, stop);
  return { ...answerOf(arena, found), votes: null, mains: found.mains, seconds: secondsSince(start) };
}

function answerOf({ table, split }: Arena, { settings, outOfFold, training, holdout, ...rest }: Qualification) {
  const { falseDecisions, accuracy, logLoss, decisions } = holdout;
  const calibration = calibrationBins(rest.holdoutProbabilities, split.judging, table.classes, table.labels.length);
  return {
    settings,
    outOfFoldAccuracy: outOfFold.accuracy,
    outOfFoldLogLoss: outOfFold.logLoss,
    trainingAccuracy: training.accuracy,
    holdout: { falseDecisions, accuracy, logLoss, decisions, calibration },
  };
}

/** Fits a baseline on its bounded sample of the learning rows. */
export function runBaseline(arena: Arena, which: LibraryBaseline, seed: number, stop: StopSignal): BaselineAnswer {
  const start = performance.now();
  const { table, split, numberOfBuckets } = arena;
  const classCount = table.labels.length;
  const view = codeTable(table, fitBucketing(table, split.learning, "fine", numberOfBuckets));
  const baseline = fitLibraryBaseline(which, {
    view,
    rows: split.learning,
    classes: table.classes,
    classCount,
    seed,
    stop,
  });
  const judging = split.judging.subarray(0, MOST_BASELINE_JUDGING_ROWS);
  const probabilities = new Float64Array(judging.length * classCount);
  baseline.score(view, judging, probabilities);
  const { falseDecisions, accuracy, logLoss } = judge(probabilities, judging, table.classes, classCount);
  const { sampleRowCount } = baseline;
  return {
    sampleRowCount,
    judgedRowCount: judging.length,
    falseDecisions,
    accuracy,
    logLoss,
    seconds: secondsSince(start),
  };
}

export function runConfirm(arena: Arena, found: FoundSettings, judgingPart: number, stop: StopSignal): Confirmation {
  return confirm(arena.table, splitByPart(arena.parts, judgingPart), found, arena.numberOfBuckets, stop);
}

export function runRefit(arena: Arena, found: FoundSettings, about: ModelAbout, stop: StopSignal) {
  const { model, bucketing } = refit(arena.table, found, arena.numberOfBuckets, stop);
  // A model that was cut short is not the one that was chosen.
  if (stop.timeIsUp()) throw new OutOfTime();
  const bytes = packModel({ ...about, features: modelFeatures(arena.table, bucketing), model });
  return { bytes: bytes as Uint8Array<ArrayBuffer> };
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}
