// Runs a prediction: scores its file with its version of the model and places the result CSV.
import { stat } from "node:fs/promises";
import { findDataset, keptColumnsOf } from "../../data/datasets.ts";
import { placeWhole } from "../../data/files/file-store.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { findModelVersion } from "../../data/models.ts";
import { completePrediction, failPrediction, type Prediction } from "../../data/predictions.ts";
import { OutOfTime } from "../../engine/stop-signal.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { runUnit } from "../work/units.ts";
import { type JobRun, type JobServices, withinSeconds } from "./job-run.ts";
import { reasonOf } from "./reason.ts";
import { type Held, jobEnd, runToEnd } from "./run-to-end.ts";
import { heldRoom } from "./written.ts";

/** Works on a claimed prediction. */
export function runPrediction(prediction: Prediction, run: JobRun, services: JobServices): Promise<void> {
  const { key } = prediction;
  const { database, timeCaps } = services;
  const { predictionSeconds } = timeCaps;
  const job = `prediction ${key}`;
  return runToEnd(run, services, {
    job,
    work: async (held) => {
      const result = await score(prediction, run, services, held);
      held.files.push(result.resultPath);
      return jobEnd(() => completePrediction(database, key, result, new Date()), [result.resultPath]);
    },
    failed: (error) => {
      const isLate = error instanceof OutOfTime;
      const reason = isLate
        ? `The prediction was not done within the time limit of ${predictionSeconds} s. Split the file.`
        : reasonOf(error, job, services);
      return jobEnd(() => failPrediction(database, key, isLate ? "TIMEOUT" : "FAILED", reason, new Date()));
    },
  });
}

/** Resolves once the whole result is in its place. */
async function score(prediction: Prediction, run: JobRun, services: JobServices, held: Held) {
  run.memory.require();
  const { database, state, quotas, isWatching, timeCaps } = services;
  const { key, userKey, modelKey, version, datasetKey, filterColumns, hasHeader } = prediction;
  const { reasonCount, inputPath, inputBytes } = prediction;
  const model = findModelVersion(database, modelKey, version);
  if (model === null) throw new Error(`model ${modelKey} has no version ${version}`);
  // The result has all of the input's columns and more, so too small a quota is refused before the work.
  quotas.hold(userKey, inputBytes ?? 0)();
  const resultPath = statePaths.result(key);
  const dataset = filterColumns ? findDataset(database, datasetKey) : null;
  return placeWhole(state.locate(resultPath), async (outputPath) => {
    const request = {
      modelPath: state.locate(model.filePath),
      inputPath: state.locate(inputPath!),
      outputPath,
      likeInput: false,
      spreadsheetSafe: false,
      hasHeader,
      reasonCount,
      originalColumns: dataset?.originalColumns ?? null,
      keptColumns: keptColumnsOf(dataset),
    };
    const answer = await withinSeconds(run, timeCaps.predictionSeconds, () =>
      runUnit(run.pool, "scoreFile", request, untilCancelled(run.control.stopFlag)),
    );
    const { labels, threshold, watch, counts, warnings } = answer;
    const { rowCount, decisions, confidence } = counts;
    const { size: resultBytes } = await stat(outputPath);
    held.releases.push(await heldRoom(run, services, { userKey, bytes: resultBytes, isOver: () => run.isDropped }));
    const labelCounts = labels.map((label, code) => ({ label, count: decisions[code]! }));
    const confidenceCounts = confidence.tenths;
    return {
      ...{ resultPath, resultBytes, rowCount, labelCounts, confidenceCounts, threshold, watch, warnings },
      ...(isWatching && { counts }),
    };
  });
}
