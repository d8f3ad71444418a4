// A prediction's way from its file to the result CSV: scored by the version of the model that it was made with.

import { findDataset } from "../../data/datasets.ts";
import { placeWhole } from "../../data/file-store.ts";
import { findModelVersion } from "../../data/models.ts";
import { completePrediction, failPrediction, type Prediction } from "../../data/predictions.ts";
import { statePaths } from "../../data/state-folder.ts";
import { OutOfTime } from "../../engine/stop-signal.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { type JobRun, type JobServices, withinSeconds } from "./job-run.ts";
import { reasonOf } from "./reason.ts";
import { runUnit } from "./units.ts";

/** Works on a prediction that was claimed. Rejects only where the database does not work. */
export async function runPrediction(prediction: Prediction, run: JobRun, services: JobServices): Promise<void> {
  const { key } = prediction;
  const { database, predictionSeconds } = services;
  try {
    const result = await withinSeconds(run, predictionSeconds, () => score(prediction, run, services));
    completePrediction(database, key, result, new Date());
  } catch (error) {
    if (run.isSuspended) return;
    if (error instanceof OutOfTime) {
      const reason = `The prediction was not done within the time limit of ${predictionSeconds} s. Split the file.`;
      failPrediction(database, key, "TIMEOUT", reason, new Date());
    } else failPrediction(database, key, "FAILED", reasonOf(error, `prediction ${key}`, services), new Date());
  }
}

/** The result is at its place, whole, when this resolves. */
async function score(prediction: Prediction, { pool, control }: JobRun, { database, state }: JobServices) {
  const { key, modelKey, version, datasetKey, filterColumns } = prediction;
  const model = findModelVersion(database, modelKey, version);
  if (model === null) throw new Error(`model ${modelKey} has no version ${version}`);
  const resultPath = statePaths.result(key);
  const { rowCount, warnings } = await placeWhole(state.locate(resultPath), (outputPath) => {
    const request = {
      modelPath: state.locate(model.filePath),
      inputPath: state.locate(prediction.inputPath),
      outputPath,
      likeInput: false,
      spreadsheetSafe: false,
      originalColumns: filterColumns ? (findDataset(database, datasetKey)?.originalColumns ?? null) : null,
    };
    return runUnit(pool, "scoreFile", request, untilCancelled(control.attemptsFlag));
  });
  return { resultPath, rowCount, warnings };
}
