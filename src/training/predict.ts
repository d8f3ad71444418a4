// Scores files with the champion of a run.
import { basename } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import type { ResultOptions } from "../../engine/scoring/result-csv.ts";
import type { Warning } from "../../engine/warning.ts";
import { untilCancelled } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { ProgressView } from "../progress/progress-view.ts";
import type { ClassCount, PredictionSummary } from "../summary/summary.ts";
import type { ResultFolder } from "./result-folder.ts";
import { versionFileName } from "./run-summary.ts";

/** The warning that a file could not be scored. */
export const PREDICTION_FAILED = "PREDICTION_FAILED";

export interface PredictContext {
  pool: WorkerPool;
  progress: ProgressView;
  cancelFlag: Int32Array;
}

/** Scores each file into the folder with the champion published there. A file that cannot be used becomes a warning. */
export async function predictAll(
  inputPaths: readonly string[],
  folder: ResultFolder,
  labels: readonly string[],
  { likeInput, spreadsheetSafe, hasHeader = true }: ResultOptions,
  { pool, progress, cancelFlag }: PredictContext,
): Promise<{ predictions: PredictionSummary[]; failures: Warning[] }> {
  if (inputPaths.length > 0) progress.stage("Predicting", inputPaths.length);
  const modelPath = folder.pathOf(versionFileName(1));
  const names = predictionNames(inputPaths);
  const outcomes = await Promise.all(
    inputPaths.map(async (inputPath, index): Promise<PredictionSummary | Warning> => {
      const file = names[index]!;
      const input = basename(inputPath);
      try {
        const { counts, warnings } = await folder.place(file, (outputPath) => {
          const request = { modelPath, inputPath, outputPath, likeInput, spreadsheetSafe, hasHeader };
          return pool.run("scoreFile", request, untilCancelled(cancelFlag));
        });
        for (const { message } of warnings) progress.note(`warning: ${input}: ${message}`);
        const classes = labels.map((label, code): ClassCount => ({ label, count: counts.decisions[code]! }));
        const { rowCount: rows, confidence } = counts;
        return { input, file, rows, classes, confidenceCounts: confidence.tenths, warnings };
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const message = `${input} was not scored. ${error.message}`;
        progress.note(`error: ${message}`);
        return { code: PREDICTION_FAILED, message, ...(error.line === undefined ? {} : { line: error.line }) };
      } finally {
        progress.advance();
      }
    }),
  );
  const predictions = outcomes.filter((outcome) => "rows" in outcome);
  const failures = outcomes.filter((outcome) => "code" in outcome);
  return { predictions, failures };
}

/** `predictions-<name>.csv` for each input, with a number for a name that occurs again. */
export function predictionNames(paths: readonly string[]): string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const stem = basename(path).replace(/\.(csv|tsv|txt)$/i, "");
    let name = `predictions-${stem}.csv`;
    for (let suffix = 2; taken.has(name); suffix++) name = `predictions-${stem}-${suffix}.csv`;
    taken.add(name);
    return name;
  });
}
