// Writing the kept columns of a CSV file with the label last: streamed from disk to disk in constant memory, every cell's text as it was.
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { matchColumns, requireAll } from "../engine/columns/match-columns.ts";
import { readCsv } from "../engine/csv/read.ts";
import { type CsvDialect, formatRecord } from "../engine/csv/write.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { fileChunks } from "./file-chunks.ts";

const DIALECT: CsvDialect = { delimiter: ",", lineEnding: "\n" };
/** Delimiters that a reader may guess beside the comma. */
const RIVALS = /[;\t|]/;

export interface WriteReducedRequest {
  inputPath: string;
  outputPath: string;
  /** Names in the order to write them, without the label. */
  keptColumns: readonly string[];
  label: string;
}

export interface WriteReducedAnswer {
  /** Records, those without a label included. */
  rowCount: number;
  sizeBytes: number;
}

/**
 * Writes UTF-8 with commas and LF to `outputPath`, which the caller moves into place once it is whole.
 *
 * @throws InputError COLUMN_MISMATCH where the file lacks one of the columns, and what `readCsv` throws
 */
export function writeReduced(request: WriteReducedRequest, stop: StopSignal): WriteReducedAnswer {
  const { inputPath, outputPath, keptColumns, label } = request;
  const columns = [...keptColumns, label];
  const output = openSync(outputPath, "w");
  try {
    let match = matchColumns(columns, columns);
    let sizeBytes = 0;
    const { recordCount } = readCsv(
      () => fileChunks(inputPath, stop),
      ({ names }) => {
        match = matchColumns(columns, names);
        const { positions, lacking } = match;
        // The reader may settle on another header yet.
        if (lacking.length > 0) return () => undefined;
        ftruncateSync(output, 0);
        sizeBytes = writeText(output, headerLine(columns), 0);
        return ({ records }) => {
          const lines = records.map((record) =>
            formatRecord(
              positions.map((position) => record[position]!),
              DIALECT,
            ),
          );
          sizeBytes = writeText(output, lines.join(""), sizeBytes);
        };
      },
    );
    requireAll(match, "the reduced file");
    return { rowCount: recordCount, sizeBytes };
  } finally {
    closeSync(output);
  }
}

/**
 * Names that hold another delimiter could make a reader guess that one, so all names are quoted then: under another
 * delimiter, text would follow a closing quote.
 */
function headerLine(names: readonly string[]): string {
  if (!names.some((name) => RIVALS.test(name))) return formatRecord(names, DIALECT);
  return `${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(",")}\n`;
}

/** Writes all of the text and gives the position behind it. */
function writeText(file: number, text: string, position: number): number {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
  }
  return position + bytes.length;
}
