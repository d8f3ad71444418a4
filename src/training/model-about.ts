// The description of a version in its model file: lineage, performances, and the columns that scoring needs.

import { algorithmName, familyOf } from "../../engine/families/algorithms.ts";
import type { ConfirmedFigure } from "../../engine/judging/estimate.ts";
import { CONFIDENCE_BINS, confusionMatrix } from "../../engine/judging/metrics.ts";
import type { HeldOutCounts } from "../../engine/model/reference-counts.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import type { ModelAbout } from "../../workers/messages.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import { confirmedDecisions, confirmingRows, type KeptVersion } from "./kept-version.ts";
import { judgeVersion, positiveLabelOf, type RunAccount, verdictOn } from "./run-summary.ts";

/** Everything in a version's model file except its fitted part. */
export function describeModel(
  version: KeptVersion,
  task: TrainingTask,
  account: RunAccount,
  fileName: string,
): ModelAbout {
  const { source, options } = account;
  const { answer } = version.attempt;
  const { labels } = source.table;
  const { temperature, classWeights, costs } = answer.decider;
  return {
    ...(temperature !== 1 && { temperature }),
    ...(classWeights !== null && { classWeights }),
    ...(classWeights === null && costs !== undefined && { costs }),
    lineage: lineageOf(version, task, account, fileName),
    heldOut: heldOutCounts(version, labels.length),
    ...(answer.reliability !== undefined && { reliability: answer.reliability }),
    label: source.label,
    labels,
    positiveLabel: positiveLabelOf(labels, options.positiveLabel ?? null),
    missingMarkers: source.missingMarkers,
    columns: source.columns
      .filter(({ used }) => used)
      .map(({ name, kind, reading, isInteger, missing }) => ({
        ...{ name, kind, reading, missingCount: missing },
        ...(reading.kind === "number" && isInteger && { isWhole: true as const }),
      })),
  };
}

/** Where the version comes from: data, settings and how it was judged. */
function lineageOf(
  version: KeptVersion,
  task: TrainingTask,
  account: RunAccount,
  fileName: string,
): ModelAbout["lineage"] {
  const { source, options } = account;
  const { spec, settings } = version.attempt;
  const { judgedBy, doubts } = verdictOn(version, task, account);
  return {
    cupelVersion: CUPEL_VERSION,
    version: version.version,
    trainedOn: { name: fileName, sha256: source.sha256, sizeBytes: source.sizeBytes },
    rowCount: source.table.rowCount,
    classCounts: source.classCounts,
    seed: options.seed,
    attempt: spec.attempt,
    family: familyOf(settings),
    algorithm: algorithmName(settings),
    buckets: spec.buckets,
    numberOfBuckets: options.numberOfBuckets,
    settings,
    performance: performanceOf(version, task, options.positiveLabel ?? null),
    verdict: {
      judgedBy,
      doubts: doubts.map(({ code, level, message, remedy }) => ({ code, level, message, remedy })),
    },
  };
}

function performanceOf(
  version: KeptVersion,
  task: TrainingTask,
  positiveLabel: string | null,
): ModelAbout["lineage"]["performance"] {
  const { trainingAccuracy, holdout, decider } = version.attempt.answer;
  const { objective, costs } = decider;
  return {
    trainingPerformance: trainingAccuracy,
    testPerformance: holdout.accuracy,
    confirmedPerformance: version.confirmed,
    falseDecisions: holdout.falseDecisions,
    holdoutRowCount: task.split.judging.length,
    logLoss: holdout.logLoss,
    ...(objective !== "accuracy" && {
      optimised: {
        objective,
        score: holdout.score,
        ...(costs !== undefined && { costs }),
        ...confirmedFigure(version, task),
      },
    }),
    ...judgeVersion(version, task, positiveLabel).metrics,
  };
}

function confirmedFigure(kept: KeptVersion, task: TrainingTask): { confirmed?: ConfirmedFigure } {
  if (kept.objectiveConfirmed === null) return {};
  const confusion = confusionMatrix(confirmedDecisions(kept.confirmations), confirmingRows(task));
  return { confirmed: { ...kept.objectiveConfirmed, confusion } };
}

function heldOutCounts({ attempt }: KeptVersion, classCount: number): HeldOutCounts {
  const { decisions, calibration } = attempt.answer.holdout;
  const counts = new Array<number>(classCount).fill(0);
  for (const decided of decisions) counts[decided]!++;
  const confidence = new Array<number>(CONFIDENCE_BINS).fill(0);
  for (const { low, count } of calibration) confidence[Math.round(low * CONFIDENCE_BINS)] = count;
  return { decisions: counts, confidence };
}
