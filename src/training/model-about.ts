// What a model file says of a version: lineage, performances, and the columns that scoring needs.
import { algorithmName, familyOf } from "../../engine/families/algorithms.ts";
import type { TrainingTask } from "../../engine/search/qualify.ts";
import type { ModelAbout, TableAnswer } from "../../workers/messages.ts";
import { CUPEL_VERSION } from "../version.ts";
import type { TrainOptions } from "./competition-state.ts";
import { judgeVersion, positiveLabelOf } from "./run-summary.ts";
import type { KeptVersion } from "./train.ts";

/** Everything in a version's model file but its fitted part. */
export function describeModel(
  kept: KeptVersion,
  task: TrainingTask,
  source: TableAnswer,
  fileName: string,
  options: TrainOptions,
): ModelAbout {
  const { spec, answer } = kept.attempt;
  const { labels } = source.table;
  const positiveLabel = options.positiveLabel ?? null;
  const { objective, temperature, classWeights } = answer.decider;
  return {
    ...(temperature !== 1 && { temperature }),
    ...(classWeights !== null && { classWeights }),
    lineage: {
      cupelVersion: CUPEL_VERSION,
      version: kept.version,
      trainedOn: { name: fileName, sha256: source.sha256, sizeBytes: source.sizeBytes },
      rowCount: source.table.rowCount,
      classCounts: source.classCounts,
      seed: options.seed,
      attempt: spec.attempt,
      family: familyOf(kept.attempt.settings),
      algorithm: algorithmName(kept.attempt.settings),
      buckets: spec.buckets,
      numberOfBuckets: options.numberOfBuckets,
      settings: kept.attempt.settings,
      performance: {
        trainingPerformance: answer.trainingAccuracy,
        testPerformance: answer.holdout.accuracy,
        confirmedPerformance: kept.confirmed,
        falseDecisions: answer.holdout.falseDecisions,
        holdoutRowCount: task.split.judging.length,
        logLoss: answer.holdout.logLoss,
        ...(objective !== "accuracy" && { optimised: { objective, score: answer.holdout.score } }),
        ...judgeVersion(kept, task, positiveLabel).metrics,
      },
    },
    label: source.label,
    labels,
    positiveLabel: positiveLabelOf(labels, positiveLabel),
    missingMarkers: source.missingMarkers,
    columns: source.columns
      .filter(({ used }) => used)
      .map(({ name, kind, reading, missing }) => ({ name, kind, reading, missingCount: missing })),
  };
}
