// The inputs of a job by its key: for an estimate of its memory before it is claimed.
import { eq } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { predictions, refinements, trainingJobs } from "../database/schema.ts";
import { findDataset } from "../datasets.ts";
import { findModelVersion } from "../models.ts";
import { listRefinementFiles } from "../refinements/refinement-files.ts";

/** Null for an unknown key. */
export function findTrainingInput(database: Database, key: string) {
  const { datasetKey, scalingFactor, targetPerformance, groupColumn, timeColumn } = trainingJobs;
  const asked = database.orm
    .select({ datasetKey, scalingFactor, targetPerformance, groupColumn, timeColumn })
    .from(trainingJobs)
    .where(eq(trainingJobs.key, key))
    .get();
  const dataset = asked === undefined ? null : findDataset(database, asked.datasetKey);
  return asked === undefined || dataset === null ? null : { ...asked, dataset };
}

/** Null for an unknown key. */
export function findRefinementInput(database: Database, key: string) {
  const { labelColumn, numberOfBuckets } = refinements;
  const asked = database.orm
    .select({ labelColumn, numberOfBuckets })
    .from(refinements)
    .where(eq(refinements.key, key))
    .get();
  if (asked === undefined) return null;
  return { ...asked, files: listRefinementFiles(database, key).filter(({ purpose }) => purpose === "UPLOAD") };
}

/** Null for an unknown key, or a model that is gone. */
export function findPredictionInput(database: Database, key: string) {
  const { modelKey, version, inputBytes, reasonCount } = predictions;
  const asked = database.orm
    .select({ modelKey, version, inputBytes, reasonCount })
    .from(predictions)
    .where(eq(predictions.key, key))
    .get();
  const model = asked === undefined ? null : findModelVersion(database, asked.modelKey, asked.version);
  return asked === undefined || model === null
    ? null
    : { modelPath: model.filePath, inputBytes: asked.inputBytes ?? 0, reasonCount: asked.reasonCount };
}
