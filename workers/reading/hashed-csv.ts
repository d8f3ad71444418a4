// Passes over a CSV file on disk. The first takes its size, and its hash where
// that is not known; later ones expect the same header.
import { readCsv } from "../../engine/csv/read.ts";
import type { CellSink, ChunkTaker, CsvHeader, CsvReport, RecordSink } from "../../engine/csv/types.ts";
import type { StopSignal } from "../../engine/stop-signal.ts";
import { fileChunks } from "./file-chunks.ts";

/** A CSV file on disk. */
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
 * Reads the file as `readCsv` does, which may call `start` again; only the last sink counts. `knownHash`: the file's
 * hash, null where it must be taken, which is a sixth of reading a large file. Throws InputError.
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

/** Reads all records of a file as text; for `start` see `readCsv`. Throws InputError. */
export function readTextCsv(
  { path, hasHeader }: CsvPlace,
  stop: StopSignal,
  start: (header: CsvHeader) => RecordSink,
): CsvReport {
  return readCsv((taker) => fileChunks(path, stop, taker, true), start, hasHeader);
}

/**
 * Makes a later pass. Hands records on only under the header of the first pass, because under
 * another one, which the reader may try first, cells stand elsewhere. Where the file changed,
 * records are therefore lacking. `isText`: see `fileChunks`.
 */
export function readAgain(
  { path, hasHeader }: CsvPlace,
  names: readonly string[],
  stop: StopSignal,
  start: () => RecordSink | CellSink,
  isText = false,
): void {
  readCsv(
    (taker) => fileChunks(path, stop, taker, isText),
    (header) => {
      const sink = start();
      const isSame = header.names.length === names.length && names.every((name, at) => header.names[at] === name);
      return isSame ? sink : () => undefined;
    },
    hasHeader,
  );
}
