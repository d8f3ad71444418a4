// A model file that holds one random forest alone, grown on all rows of a table until its leaves are pure, as scikit-learn's are.
import { neverStop } from "../../engine/stop-signal.ts";
import type { ModelAbout } from "../../workers/messages.ts";
import { readTable } from "../../workers/read-table.ts";
import { runFit, runPack } from "../../workers/train.ts";

const SEED = 1;

/** The bytes of the file. */
export function forestFile(tablePath: string, treeCount: number): Uint8Array {
  const source = readTable({ path: tablePath, label: null, missingMarkers: null }, neverStop);
  const { table, columns } = source;
  const none = new Uint32Array(0);
  const split = { learning: none, judging: none };
  const arena = { table, parts: new Uint8Array(0), split, folds: [], numberOfBuckets: 20, target: null };
  const settings = {
    algorithm: "forest",
    variant: "forest",
    treeCount,
    featuresPerSplit: Math.max(1, Math.floor(Math.sqrt(table.features.length))),
    minLeafRows: 1,
    maxDepth: null,
    rowsPerTree: null,
  } as const;
  const found = { buckets: "fine", settings, seed: SEED, mains: null } as const;
  const base = { buckets: found.buckets, settings, seed: SEED };
  const bases = [runFit(arena, { base, judgingPart: null }, neverStop)];
  const about: ModelAbout = {
    lineage: {
      cupelVersion: "0.1.0",
      version: 1,
      trainedOn: { name: "table", sha256: source.sha256, sizeBytes: source.sizeBytes },
      rowCount: table.rowCount,
      classCounts: source.classCounts,
      seed: SEED,
      attempt: 1,
      family: "random forest",
      algorithm: "random forest",
      buckets: found.buckets,
      numberOfBuckets: arena.numberOfBuckets,
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
  return runPack(arena, { found, bases, about }).bytes;
}
