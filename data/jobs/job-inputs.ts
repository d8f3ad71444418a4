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
  const training = database.orm
    .select({ datasetKey, scalingFactor, targetPerformance, groupColumn, timeColumn })
    .from(trainingJobs)
    .where(eq(trainingJobs.key, key))
    .get();
  const dataset = training === undefined ? null : findDataset(database, training.datasetKey);
  return training === undefined || dataset === null ? null : { ...training, dataset };
}

/** Null for an unknown key. */
export function findRefinementInput(database: Database, key: string) {
  const { labelColumn, numberOfBuckets } = refinements;
  const refinement = database.orm
    .select({ labelColumn, numberOfBuckets })
    .from(refinements)
    .where(eq(refinements.key, key))
    .get();
  if (refinement === undefined) return null;
  return { ...refinement, files: listRefinementFiles(database, key).filter(({ purpose }) => purpose === "UPLOAD") };
}

/** Null for an unknown key, or a model that is gone. */
export function findPredictionInput(database: Database, key: string) {
  const { modelKey, version, inputBytes, reasonCount } = predictions;
  const prediction = database.orm
    .select({ modelKey, version, inputBytes, reasonCount })
    .from(predictions)
    .where(eq(predictions.key, key))
    .get();
  const model = prediction === undefined ? null : findModelVersion(database, prediction.modelKey, prediction.version);
  return prediction === undefined || model === null
    ? null
    : { modelPath: model.filePath, inputBytes: prediction.inputBytes ?? 0, reasonCount: prediction.reasonCount };
}
