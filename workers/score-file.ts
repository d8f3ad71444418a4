// Scores a CSV file with a model, streaming from disk to disk in constant memory.
import { closeSync, openSync } from "node:fs";
import { unpackModel } from "../engine/model/model-file.ts";
import { thresholdOf } from "../engine/model/model-threshold.ts";
import { scoreCsv } from "../engine/scoring/score-csv.ts";
import { type StopSignal, throwIfCancelled } from "../engine/stop-signal.ts";
import { fileChunks, readWhole, writeAt } from "./file-chunks.ts";
import type { ScoreFileAnswer, ScoreFileRequest } from "./messages.ts";

/** Writes the result to `outputPath`; the caller moves it into place once it is complete. Throws InputError. */
export function scoreFile(request: ScoreFileRequest, stop: StopSignal): ScoreFileAnswer {
  const model = unpackModel(readWhole(request.modelPath));
  const output = openSync(request.outputPath, "w");
  try {
    let position = 0;
    const { result, warnings } = scoreCsv(
      model,
      (taker) => fileChunks(request.inputPath, stop, taker, model.texts !== undefined),
      request,
      (bytes) => {
        throwIfCancelled(stop);
        writeAt(output, bytes, position);
        position += bytes.length;
      },
    );
    const { rowCount, decisionCounts, confidenceCounts } = result;
    return {
      rowCount,
      decisionCounts,
      confidenceCounts,
      labels: model.labels,
      threshold: thresholdOf(model)?.threshold ?? null,
      warnings,
    };
  } finally {
    closeSync(output);
  }
}
