// Scoring a whole CSV file with a model: streamed from disk to disk in constant memory.
import { closeSync, ftruncateSync, openSync } from "node:fs";
import { readCsv } from "../engine/csv/read.ts";
import { unpackModel } from "../engine/model-file.ts";
import { ResultCsv } from "../engine/result-csv.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { fileChunks, readWhole, writeAt } from "./file-chunks.ts";
import type { ScoreFileAnswer, ScoreFileRequest } from "./messages.ts";

/** Writes the result to `outputPath`, which the caller moves into place once it is whole. Throws InputError. */
export function scoreFile(request: ScoreFileRequest, stop: StopSignal): ScoreFileAnswer {
  const model = unpackModel(readWhole(request.modelPath));
  const output = openSync(request.outputPath, "w");
  try {
    let result: ResultCsv | null = null;
    const report = readCsv(
      (tally) => fileChunks(request.inputPath, stop, tally),
      (header) => {
        const fresh = new ResultCsv(model, header, request);
        result = fresh;
        ftruncateSync(output, 0);
        let position = writeText(output, fresh.headerLine, 0);
        return ({ records }) => {
          position = writeText(output, fresh.lines(records), position);
        };
      },
    );
    const scored = result! as ResultCsv;
    const { rowCount, decisionCounts, confidenceCounts } = scored;
    const warnings = [...report.warnings, ...scored.warnings()];
    return { rowCount, decisionCounts, confidenceCounts, labels: model.labels, warnings };
  } finally {
    closeSync(output);
  }
}

function writeText(file: number, text: string, position: number): number {
  const bytes = new TextEncoder().encode(text);
  writeAt(file, bytes, position);
  return position + bytes.length;
}
