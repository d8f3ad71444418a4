// Scoring a whole CSV file in two passes: the first sees that all of it can be read, and how it writes
// its numbers and dates.

import { readGivenHeader } from "../csv/given-header.ts";
import { readCsv } from "../csv/read.ts";
import type { ChunkTaker, CsvHeader, GivenHeader } from "../csv/types.ts";
import { fileChanged } from "../filling/table-filler.ts";
import type { ModelFile } from "../model/model-file.ts";
import type { Warning } from "../warning.ts";
import type { ScoredCounts } from "../watch/scored-counts.ts";
import { shiftWarnings, type WatchReport, watchReport } from "../watch/watch-report.ts";
import { BadRows } from "./bad-rows.ts";
import type { FileDialect } from "./file-dialect.ts";
import { namingHeaderLine } from "./header-line.ts";
import { ResultCsv, type ResultOptions } from "./result-csv.ts";
import { ResultFile } from "./result-file.ts";

export interface ScoredCsv {
  result: ResultCsv;
  /** The file beside the training rows. */
  watch: WatchReport;
  /** The counts for the watch; rows, decisions and confidences are among them. */
  counts: ScoredCounts;
  warnings: Warning[];
}

/**
 * `openChunks`: as `readCsv` has it. `write`: takes the result piece by piece, and nothing before
 * the first pass is over; the bytes are valid until it returns. `writeBad`: takes the report of
 * bad rows (see `BadRows`), which are faults where it is null.
 *
 * @throws InputError where the file cannot be read, lacks a column that the model needs (ColumnMismatch), has one of
 * which nearly no value can be read (UNREADABLE_COLUMN), or changes under way (FILE_CHANGED)
 */
export function scoreCsv(
  model: ModelFile,
  openChunks: (taker: ChunkTaker) => Iterable<Uint8Array>,
  options: ResultOptions,
  write: (bytes: Uint8Array) => void,
  writeBad: ((text: string) => void) | null = null,
): ScoredCsv {
  const { hasHeader, asTrained } = options;
  const rowOptions = { given: givenHeaderOf(model, options), skipsBad: writeBad !== null };
  let dialect = null as FileDialect | null;
  const startDialect = (header: CsvHeader) => {
    // This look needs no reasons, so neither their parts nor their columns are made.
    const { scorer } = new ResultCsv(model, header, { ...options, reasonCount: 0, only: null });
    dialect = scorer.newDialect(header.delimiter, asTrained);
    return dialect;
  };
  const first = namingHeaderLine(openChunks, hasHeader ?? true, () =>
    readCsv(openChunks, startDialect, hasHeader, rowOptions),
  );
  dialect!.giveBackKernel();
  let scored = null as { result: ResultCsv; sink: ResultFile; bad: BadRows | null } | null;
  const start = (header: CsvHeader) => {
    // The reader tries others before it settles on the one that it found the first time.
    if (!isSameHeader(header, first.header)) return () => undefined;
    const result = new ResultCsv(model, header, { ...options, countedRows: first.recordCount });
    result.scorer.readAs(dialect!);
    write(new TextEncoder().encode(result.headerLine));
    const bad = writeBad === null ? null : new BadRows(writeBad);
    const sink = new ResultFile(result, write, bad);
    scored = { result, sink, bad };
    return sink;
  };
  const report = readCsv(openChunks, start, hasHeader, rowOptions);
  if (scored === null) throw fileChanged();
  const { result, sink, bad } = scored;
  sink.end();
  const fileCounts = result.scorer.counts!;
  const counts = fileCounts.scored();
  const watch = watchReport(model, counts, fileCounts);
  const warnings = [...(bad?.warnings() ?? []), ...result.warnings(), ...shiftWarnings(watch)];
  return { result, watch, counts, warnings: [...report.warnings, ...warnings] };
}

/** @throws InputError BAD_HEADER */
export function givenHeaderOf({ columns }: ModelFile, { inputHeader = null }: ResultOptions): GivenHeader | null {
  if (inputHeader === null) return null;
  return readGivenHeader(
    inputHeader,
    columns.map(({ name }) => name),
  );
}

function isSameHeader(a: CsvHeader, b: CsvHeader): boolean {
  return a.encoding === b.encoding && a.cells.length === b.cells.length;
}
