// What a model file made for tests and benches says of itself: its table and
// settings as they are, its performance made up.

import { algorithmName, type ModelSettings } from "../../engine/families/algorithms.ts";
import type { BucketChoice } from "../../engine/table/buckets.ts";
import type { ModelAbout } from "../../workers/messages.ts";
import type { readTable } from "../../workers/reading/read-table.ts";

export function aboutModel(
  source: ReturnType<typeof readTable>,
  settings: ModelSettings,
  buckets: BucketChoice,
): ModelAbout {
  const { table, columns } = source;
  return {
    lineage: {
      cupelVersion: "0.1.0",
      version: 1,
      trainedOn: { name: "fixture", sha256: source.sha256, sizeBytes: source.sizeBytes },
      rowCount: table.rowCount,
      classCounts: source.classCounts,
      seed: 1,
      attempt: 1,
      family: settings.algorithm,
      algorithm: algorithmName(settings),
      buckets,
      numberOfBuckets: 20,
      settings,
      performance: {
        trainingPerformance: 1,
        testPerformance: 1,
        confirmedPerformance: null,
        falseDecisions: 0,
        holdoutRowCount: 1,
        logLoss: 0,
        precision: null,
        recall: null,
        f1Score: null,
      },
    },
    label: source.label,
    labels: table.labels,
    positiveLabel: null,
    missingMarkers: source.missingMarkers,
    columns: columns
      .filter(({ used }) => used)
      .map(({ name, kind, reading, missing }) => ({ name, kind, reading, missingCount: missing })),
  };
}
