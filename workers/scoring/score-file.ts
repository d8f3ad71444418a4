// Scores a CSV file with a model, streaming from disk to disk in constant memory.
import { closeSync, openSync } from "node:fs";
import { unpackModel } from "../../engine/model/model-file.ts";
import { thresholdOf } from "../../engine/model/model-threshold.ts";
import { scoreCsv } from "../../engine/scoring/score-csv.ts";
import { type StopSignal, throwIfCancelled } from "../../engine/stop-signal.ts";
import type { ScoreFileAnswer, ScoreFileRequest } from "../messages.ts";
import { fileChunks, readWhole, writeAll } from "../reading/file-chunks.ts";

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
