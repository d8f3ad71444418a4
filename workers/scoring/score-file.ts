// Scores a CSV file with a model, streaming from disk to disk in constant memory.

import { closeSync, openSync } from "node:fs";
import { unpackModel } from "../../engine/model/model-file.ts";
import { thresholdOf } from "../../engine/model/model-threshold.ts";
import type { ResultOptions } from "../../engine/scoring/result-csv.ts";
import { scoreCsv } from "../../engine/scoring/score-csv.ts";
import { type StopSignal, throwIfCancelled } from "../../engine/stop-signal.ts";
import type { Warning } from "../../engine/warning.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";
import type { WatchReport } from "../../engine/watch/watch-report.ts";
import { fileChunks, readWhole, writeAll } from "../reading/file-chunks.ts";

export interface ScoreFileRequest extends ResultOptions {
  modelPath: string;
  inputPath: string;
  outputPath: string;
  /** Takes the report of rows that could not be read; these are faults where it is null or left out. */
  badRowsPath?: string | null;
}

export interface ScoreFileAnswer {
  /** The model's labels by class code. */
  labels: readonly string[];
  /** With two classes, the probability above which the positive one was decided; null for more classes. */
  threshold: number | null;
  /** The file beside the training rows. */
  watch: WatchReport;
  /** The counts for the watch; rows, decisions and confidences are among them. */
  counts: ScoredCounts;
  warnings: Warning[];
}

/** Writes the result to `outputPath`; the caller moves it into place once it is complete. Throws InputError. */
export function scoreFile(request: ScoreFileRequest, stop: StopSignal): ScoreFileAnswer {
  const model = unpackModel(readWhole(request.modelPath));
  const { badRowsPath = null } = request;
  return withOutput(request.outputPath, (write) => {
    const score = (writeBad: ((text: string) => void) | null) =>
      scoreCsv(
        model,
        (taker) => fileChunks(request.inputPath, stop, taker, model.texts !== undefined),
        request,
        (bytes) => {
          throwIfCancelled(stop);
          write(bytes);
        },
        writeBad,
      );
    const encoder = new TextEncoder();
    const { watch, counts, warnings } =
      badRowsPath === null
        ? score(null)
        : withOutput(badRowsPath, (writeBad) => score((text) => writeBad(encoder.encode(text))));
    return { labels: model.labels, threshold: thresholdOf(model)?.threshold ?? null, watch, counts, warnings };
  });
}

function withOutput<T>(path: string, use: (write: (bytes: Uint8Array) => void) => T): T {
  const output = openSync(path, "w");
  try {
    return use((bytes) => writeAll(output, bytes));
  } finally {
    closeSync(output);
  }
}
