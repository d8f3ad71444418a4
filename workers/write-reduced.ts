// Writes the kept columns of a CSV file, the label last, from disk to disk in constant memory; every cell keeps its text.
import { closeSync, ftruncateSync, openSync } from "node:fs";
import { matchColumns, requireAll } from "../engine/columns/match-columns.ts";
import { GUESSED_DELIMITERS } from "../engine/csv/delimiter.ts";
import { readCsv } from "../engine/csv/read.ts";
import { type CsvDialect, formatRecord } from "../engine/csv/write.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { fileChunks, writeAt } from "./file-chunks.ts";

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
 * Writes UTF-8 with LF to `outputPath`, which the caller moves into place once it is whole. Keeps the input's delimiter where a reader can
 * guess it, because with commas as the delimiter no comma would be read as a decimal one.
 *
 * @throws InputError COLUMN_MISMATCH where the file lacks one of the columns, and what `readCsv` throws
 */
export function writeReduced(request: WriteReducedRequest, stop: StopSignal): WriteReducedAnswer {
  const { inputPath, outputPath, keptColumns, label, hasHeader } = request;
  const columns = [...keptColumns, label];
  const output = openSync(outputPath, "w");
  try {
    let match = matchColumns(columns, columns);
    let written = new HashedOutput(output);
    const { recordCount } = readCsv(
      (tally) => fileChunks(inputPath, stop, tally),
      ({ names, delimiter }) => {
        match = matchColumns(columns, names);
        const { positions, lacking } = match;
        // The reader may still try another header.
        if (lacking.length > 0) return () => undefined;
        ftruncateSync(output, 0);
        written = new HashedOutput(output);
        const isGuessed = columns.length > 1 && GUESSED_DELIMITERS.includes(delimiter);
        const dialect: CsvDialect = { delimiter: isGuessed ? delimiter : ",", lineEnding: "\n" };
        written.write(headerLine(columns, dialect));
        return ({ records }) => {
          const lines = records.map((record) =>
            formatRecord(
              positions.map((position) => record[position]!),
              dialect,
            ),
          );
          written.write(lines.join(""));
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

/**
 * Quotes all names where one holds another delimiter, which a reader might guess: under that one, text would follow a closing quote, so the
 * guess fails.
 */
function headerLine(names: readonly string[], dialect: CsvDialect): string {
  const rivals = GUESSED_DELIMITERS.filter((rival) => rival !== dialect.delimiter);
  if (!names.some((name) => rivals.some((rival) => name.includes(rival)))) return formatRecord(names, dialect);
  return `${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(dialect.delimiter)}\n`;
}

/** Writes text to a file from its start, and keeps its size and hash. */
class HashedOutput {
  sizeBytes = 0;
  private readonly file: number;
  private readonly hash = new Bun.CryptoHasher("sha256");

  constructor(file: number) {
    this.file = file;
  }

  write(text: string): void {
    const bytes = new TextEncoder().encode(text);
    writeAt(this.file, bytes, this.sizeBytes);
    this.hash.update(bytes);
    this.sizeBytes += bytes.length;
  }

  /** Returns the hash in hexadecimal. Write nothing afterwards. */
  sha256(): string {
    return this.hash.digest("hex");
  }
}
