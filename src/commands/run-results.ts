// Publishes a run's results in its folder: all models at once, then their predictions.
import { MAX_VERSIONS } from "../../engine/search/ranking.ts";
import type { Warning } from "../../engine/warning.ts";
import type { ProgressView } from "../progress/progress-view.ts";
import { renderReport } from "../report/report.ts";
import type { PredictionSummary, RunSummary } from "../summary/summary.ts";
import { predictionNames } from "../training/predict.ts";
import { ACCOUNT, earlierResults, REPORT, type ResultFolder, SUMMARY } from "../training/result-folder.ts";
import { versionFileName } from "../training/run-summary.ts";

const CHAMPION = versionFileName(1);

export interface Predictions {
  predictions: readonly PredictionSummary[];
  /** Files that could not be scored. */
  failures: readonly Warning[];
}

/** The names of everything that a run may write to the folder or remove from it. */
export function resultNames(folder: string, predictPaths: readonly string[]): string[] {
  const versions = Array.from({ length: MAX_VERSIONS }, (_, index) => versionFileName(index + 1));
  return [...versions, ...predictionNames(predictPaths), SUMMARY, REPORT, ...earlierResults(folder)];
}

/**
 * Publishes the models with their summary, then scores the files and publishes the predictions:
 * Ctrl-C meanwhile leaves the models. Notes which files of an earlier run were removed. A run
 * without a model leaves an earlier run's files as they were.
 */
export async function publishResults(
  folder: ResultFolder,
  predictPaths: readonly string[],
  summarise: (made: Predictions) => RunSummary,
  predict: () => Promise<Predictions>,
  progress: ProgressView,
): Promise<RunSummary> {
  const summary = summarise({ predictions: [], failures: [] });
  if (summary.versions.length === 0 && folder.holds([CHAMPION]).length > 0) {
    const earlierFiles = folder.holds([
      CHAMPION,
      ...folder.earlier.filter((name) => name !== CHAMPION),
      SUMMARY,
      REPORT,
    ]);
    progress.note(
      `This run made no model. ${folder.path} still has the files of an earlier run: ${earlierFiles.join(", ")}.`,
    );
    return summary;
  }
  const replaced = folder.holds([SUMMARY]).length > 0 ? [] : folder.holds([ACCOUNT]);
  const isPredicting = summary.versions.length > 0 && predictPaths.length > 0;
  await account(folder, summary);
  const removed = await folder.publish(isPredicting ? predictionNames(predictPaths) : []);
  if (replaced.length > 0) removed.push(`${REPORT} (the refinement's)`);
  const wholeSummary = isPredicting ? summarise(await predict()) : summary;
  if (isPredicting) {
    await account(folder, wholeSummary);
    removed.push(...(await folder.publish()));
  }
  if (removed.length > 0) progress.note(`Removed files of an earlier run from ${folder.path}: ${removed.join(", ")}.`);
  return wholeSummary;
}

async function account(folder: ResultFolder, summary: RunSummary): Promise<void> {
  await folder.write(REPORT, renderReport(summary));
  await folder.write(SUMMARY, `${JSON.stringify(summary, null, 2)}\n`);
}
