// Fits and scores of an attempt: on a fold's learning rows, or on all of them.

import { concatenate } from "../concatenate.ts";
import { type BaseModel, type BaseSettings, fitBase, scoreBase } from "../families/base-algorithms.ts";
import type { FitInput } from "../fitting/family.ts";
import { judge } from "../judging/metrics.ts";
import type { Split } from "../splits/holdout.ts";
import { type StopSignal, throwIfOutOfTime, throwIfStopped } from "../stop-signal.ts";
import { type CodedView, codeTable } from "../table/buckets.ts";
import { labelledRows } from "../table/table.ts";
import { fitBucketing } from "./bucketing.ts";
import type { BaseSpec, BucketedTable, TrainingTask } from "./training-task.ts";

/** All rows as an attempt sees them that learns from the given ones. */
export function viewOf(
  { table, numberOfBuckets }: BucketedTable,
  { buckets }: Pick<BaseSpec, "buckets">,
  rows: Uint32Array,
): CodedView {
  return codeTable(table, fitBucketing(table, rows, buckets, numberOfBuckets));
}

/** The input of a fit on the given rows. */
export function fitInputOf(
  task: BucketedTable,
  spec: Pick<BaseSpec, "buckets" | "seed">,
  rows: Uint32Array,
  stop: StopSignal,
): FitInput {
  return { ...labelledRows(task.table, rows), view: viewOf(task, spec, rows), seed: spec.seed, stop };
}

/** Learns from a fold's learning rows and scores the others. */
export function fitFold(task: TrainingTask, spec: BaseSpec, settings: BaseSettings, fold: Split, stop: StopSignal) {
  throwIfStopped(stop);
  const input = fitInputOf(task, spec, fold.learning, stop);
  const model = fitBase(settings, input);
  throwIfOutOfTime(stop);
  return { view: input.view, model, scores: scoreBase(model, input.view, fold.judging) };
}

/** Judges a model on the split's rows: those that it learned from, and the others. */
export function judgeModel(task: TrainingTask, model: BaseModel, view: CodedView) {
  const { learning, judging } = task.split;
  return judgeScores(task, [scoreBase(model, view, learning), scoreBase(model, view, judging)]);
}

/** `scores`: of the learning rows, then of the holdout, in any pieces. */
export function judgeScores({ table, split }: TrainingTask, scores: readonly Float64Array[]) {
  const allScores = concatenate(Float64Array, scores);
  const trainingProbabilities = allScores.subarray(0, split.learning.length * table.labels.length);
  const holdoutProbabilities = allScores.subarray(trainingProbabilities.length);
  return {
    holdoutProbabilities,
    holdout: judge(holdoutProbabilities, labelledRows(table, split.judging)),
    trainingProbabilities,
    trainingRows: split.learning,
    training: judge(trainingProbabilities, labelledRows(table, split.learning)),
  };
}
