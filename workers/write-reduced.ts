// Writes the kept columns of a CSV file, the label last, from disk to disk
// in constant memory; every cell keeps its text.
import { closeSync, openSync } from "node:fs";
import { matchColumns, requireAll } from "../engine/columns/match-columns.ts";
import { readCsv } from "../engine/csv/read.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { CsvOutput } from "./csv-output.ts";
import { fileChunks } from "./reading/file-chunks.ts";

export interface WriteReducedRequest {
  inputPath: string;
  outputPath: string;
  /** Names in the order to write them, without the label. */
  keptColumns: readonly string[];
  label: string;
  /** False where the input's first record is data; true by default. What is written has a header. */
  hasHeader?: boolean;
}

export interface WriteReducedAnswer {
  /** Records, those without a label included. */
  rowCount: number;
  sizeBytes: number;
  sha256: string;
}

/**
 * Writes to `outputPath`, which the caller moves into place once it is whole.
 *
 * @throws InputError COLUMN_MISMATCH where the file lacks one of the columns, and what `readCsv` throws
 */
export function writeReduced(request: WriteReducedRequest, stop: StopSignal): WriteReducedAnswer {
  const { inputPath, outputPath, keptColumns, label, hasHeader } = request;
  const columns = [...keptColumns, label];
  const output = openSync(outputPath, "w");
  try {
    let match = matchColumns(columns, columns);
    let written = new CsvOutput(output, columns, ",");
    const { recordCount } = readCsv(
      (tally) => fileChunks(inputPath, stop, tally),
      ({ names, delimiter }) => {
        match = matchColumns(columns, names);
        const { positions, lacking } = match;
        // The reader may still try another header.
        if (lacking.length > 0) return () => undefined;
        written = new CsvOutput(output, columns, delimiter);
        return ({ records }) => {
          written.add(records.map((record) => positions.map((position) => record[position]!)));
        };
      },
      hasHeader,
    );
    requireAll(match, "the reduced file");
    return { rowCount: recordCount, sizeBytes: written.sizeBytes, sha256: written.sha256() };
  } finally {
    closeSync(output);
  }
}
