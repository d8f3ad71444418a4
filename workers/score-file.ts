// Scoring a whole CSV file with a model: streamed from disk to disk in constant memory.
import { closeSync, ftruncateSync, openSync } from "node:fs";
import { readCsv } from "../engine/csv/read.ts";
import { unpackModel } from "../engine/model-file.ts";
import { ResultCsv } from "../engine/result-csv.ts";
import { ResultFile } from "../engine/result-file.ts";
import { type StopSignal, throwIfCancelled } from "../engine/stop-signal.ts";
import { fileChunks, readWhole, writeAt } from "./file-chunks.ts";
import type { ScoreFileAnswer, ScoreFileRequest } from "./messages.ts";

/** Writes the result to `outputPath`, which the caller moves into place once it is whole. Throws InputError. */
export function scoreFile(request: ScoreFileRequest, stop: StopSignal): ScoreFileAnswer {
  const model = unpackModel(readWhole(request.modelPath));
  const output = openSync(request.outputPath, "w");
  try {
    let scored: { result: ResultCsv; sink: ResultFile } | null = null;
    let position = 0;
    const write = (bytes: Uint8Array) => {
      throwIfCancelled(stop);
      writeAt(output, bytes, position);
      position += bytes.length;
    };
    const report = readCsv(
      (tally) => fileChunks(request.inputPath, stop, tally),
      (header) => {
        const result = new ResultCsv(model, header, request);
        const sink = new ResultFile(result, write);
        scored = { result, sink };
        ftruncateSync(output, 0);
        position = 0;
        write(new TextEncoder().encode(result.headerLine));
        return sink;
      },
    );
    const { result, sink } = scored! as { result: ResultCsv; sink: ResultFile };
    sink.end();
    const { rowCount, decisionCounts, confidenceCounts } = result;
    const warnings = [...report.warnings, ...result.warnings()];
    return { rowCount, decisionCounts, confidenceCounts, labels: model.labels, warnings };
  } finally {
    closeSync(output);
  }
}
