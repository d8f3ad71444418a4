// Scoring a whole CSV file in two passes: the first sees that all of it can be read, and how it writes its numbers.

import { readCsv } from "../csv/read.ts";
import type { ChunkTaker, CsvHeader } from "../csv/types.ts";
import type { ModelFile } from "../model/model-file.ts";
import { fileChanged } from "../reading/table-filler.ts";
import type { Warning } from "../warning.ts";
import type { FileDialect } from "./file-dialect.ts";
import { ResultCsv, type ResultOptions } from "./result-csv.ts";
import { ResultFile } from "./result-file.ts";

export interface ScoredCsv {
  result: ResultCsv;
  warnings: Warning[];
}

/**
 * `openChunks`: as `readCsv` has it. `write`: takes the result piece by piece, and nothing before the first pass is over; the
 * bytes are good until it returns.
 *
 * @throws InputError where the file cannot be read, lacks a column that the model needs (ColumnMismatch), has one of which nearly
 * no value can be read (UNREADABLE_COLUMN), or changes under way (FILE_CHANGED)
 */
export function scoreCsv(
  model: ModelFile,
  openChunks: (taker: ChunkTaker) => Iterable<Uint8Array>,
  options: ResultOptions,
  write: (bytes: Uint8Array) => void,
): ScoredCsv {
  const { hasHeader } = options;
  let dialect: FileDialect | null = null;
  const startDialect = (header: CsvHeader) => {
    // What reasons need is not made twice.
    dialect = new ResultCsv(model, header, { ...options, reasonCount: 0 }).scorer.newDialect(header.delimiter);
    return dialect;
  };
  const first = readCsv(openChunks, startDialect, hasHeader);
  (dialect as FileDialect | null)!.giveBackKernel();
  let scored: { result: ResultCsv; sink: ResultFile } | null = null;
  const start = (header: CsvHeader) => {
    // The reader tries others before it settles on the one that it found the first time.
    if (!isSameHeader(header, first.header)) return () => undefined;
    const result = new ResultCsv(model, header, options);
    result.scorer.readAs(dialect!);
    write(new TextEncoder().encode(result.headerLine));
    const sink = new ResultFile(result, write);
    scored = { result, sink };
    return sink;
  };
  const report = readCsv(openChunks, start, hasHeader);
  const found = scored as { result: ResultCsv; sink: ResultFile } | null;
  if (found === null) throw fileChanged();
  found.sink.end();
  return { result: found.result, warnings: [...report.warnings, ...found.result.warnings()] };
}

function isSameHeader(a: CsvHeader, b: CsvHeader): boolean {
  return a.encoding === b.encoding && a.cells.length === b.cells.length;
}
