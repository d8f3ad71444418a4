// A model file that holds one random forest alone, grown on all rows of a table
// until its leaves are pure, as scikit-learn's are.
import { openTraining } from "../../engine/search/open-training.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { readTable } from "../../workers/reading/read-table.ts";
import { runFit, runPack } from "../../workers/train.ts";
import { aboutModel } from "../support/model-about.ts";

const SEED = 1;

/** The bytes of the file. */
export function forestFile(tablePath: string, treeCount: number): Uint8Array {
  const source = readTable({ path: tablePath, label: null, missingMarkers: null }, neverStop);
  const { table } = source;
  const task = openTraining(table, { numberOfBuckets: 20, target: null, seed: SEED });
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
  const bases = [runFit(task, { base, judgingPart: null }, neverStop)];
  const about = aboutModel(source, settings, found.buckets);
  return runPack(task, { found, bases, about }).bytes;
}
