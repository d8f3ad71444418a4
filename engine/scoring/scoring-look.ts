// A look at the beginning of a file to be scored: enough to tell whether it
// has the columns, and whether they can be read.
import { readCsv } from "../csv/read.ts";
import type { ChunkTaker, CsvHeader, RecordBatch } from "../csv/types.ts";
import type { FileDialect } from "./file-dialect.ts";

/** Ends the reading. */
class Enough extends Error {}

/**
 * Reads the pieces up to the one that ends the header. `openPieces`: as `readCsv` has it; the smaller they are, the
 * less is looked at. A fault after the header ends the look: it is for the scoring of the file to say.
 *
 * @throws whatever `start` throws, and InputError where there is no header that can be read
 */
export function lookAtBeginning(
  openPieces: (taker: ChunkTaker) => Iterable<Uint8Array>,
  start: (header: CsvHeader) => FileDialect,
  hasHeader: boolean,
): FileDialect {
  let startedDialect: FileDialect | null = null;
  function* beginning(taker: ChunkTaker): Generator<Uint8Array> {
    for (const piece of openPieces(taker)) {
      yield piece;
      if (startedDialect !== null) throw new Enough();
    }
  }
  try {
    const look = (header: CsvHeader) => {
      startedDialect = null;
      const dialect = start(header);
      startedDialect = dialect;
      return (batch: RecordBatch) => dialect.add(batch);
    };
    readCsv(beginning, look, hasHeader);
  } catch (error) {
    if (startedDialect === null) throw error;
  }
  return startedDialect!;
}
