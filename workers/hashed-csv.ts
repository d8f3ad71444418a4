// Passes over a CSV file on disk: the first takes its hash, where nobody knows it, and its size; later ones hold on to the header that it found.
import { readCsv } from "../engine/csv/read.ts";
import type { CellSink, ChunkTaker, CsvHeader, CsvReport, RecordSink } from "../engine/csv/shapes.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { fileChunks } from "./file-chunks.ts";

/** A file, and how it begins. */
export interface CsvPlace {
  path: string;
  /** False where the first record is data. */
  hasHeader: boolean;
}

export interface HashedCsv {
  report: CsvReport;
  sha256: string;
  sizeBytes: number;
}

/**
 * As `readCsv`: `start` may be called again, and what the earlier sink was given is void. `knownHash`: of the file, where somebody
 * keeps it; taking it is a sixth of reading a large file. Throws InputError.
 */
export function readHashedCsv(
  { path, hasHeader }: CsvPlace,
  knownHash: string | null,
  stop: StopSignal,
  start: (header: CsvHeader) => RecordSink | CellSink,
): HashedCsv {
  let hash: Bun.CryptoHasher | null = null;
  let sizeBytes = 0;
  function* hashedChunks(taker: ChunkTaker): Generator<Uint8Array> {
    hash = knownHash === null ? new Bun.CryptoHasher("sha256") : null;
    sizeBytes = 0;
    for (const chunk of fileChunks(path, stop, taker)) {
      hash?.update(chunk);
      sizeBytes += chunk.length;
      yield chunk;
    }
  }
  const report = readCsv(hashedChunks, start, hasHeader);
  return { report, sha256: knownHash ?? hash!.digest("hex"), sizeBytes };
}

/**
 * A later pass. Records are handed on only under the header of the first: under another one, which the reader may try
 * before it settles on this one, cells stand elsewhere. So a file that changed shows by records that are lacking.
 */
export function readAgain(
  { path, hasHeader }: CsvPlace,
  names: readonly string[],
  stop: StopSignal,
  start: () => RecordSink | CellSink,
): void {
  readCsv(
    (taker) => fileChunks(path, stop, taker),
    (header) => {
      const sink = start();
      const isSame = header.names.length === names.length && names.every((name, at) => header.names[at] === name);
      return isSame ? sink : () => undefined;
    },
    hasHeader,
  );
}
