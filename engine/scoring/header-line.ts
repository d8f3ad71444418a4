// Finds the header of a file to be scored that has lines above it, such as a title or comments.
import { GUESSED_DELIMITERS } from "../csv/delimiter.ts";
import type { ChunkTaker } from "../csv/types.ts";
import { ColumnMismatch } from "./column-mismatch.ts";

const MOST_LINES = 20;
const BEGINNING_BYTES = 1 << 20;

/**
 * Does `read`. Where it finds that the first line lacks columns, and one of the next lines has them, the refusal says
 * so. `openChunks`: as `readCsv` has it.
 */
export function namingHeaderLine<T>(
  openChunks: (taker: ChunkTaker) => Iterable<Uint8Array>,
  hasHeader: boolean,
  read: () => T,
): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ColumnMismatch) || !hasHeader) throw error;
    // A first line that has most of the names is the header.
    if (2 * error.missing.length <= error.expectedCount) throw error;
    const line = headerLine(beginningOf(openChunks), error.missing);
    if (line === null) throw error;
    const message =
      `The first line lacks columns that the model needs, but line ${line} has them, so it seems to be the header. ` +
      `Remove the ${line === 2 ? "line" : "lines"} above it.`;
    throw new ColumnMismatch(message, error);
  }
}

function beginningOf(openChunks: (taker: ChunkTaker) => Iterable<Uint8Array>): string {
  for (const chunk of openChunks({ textBytes: 0, buffer: null })) {
    return new TextDecoder().decode(chunk.subarray(0, BEGINNING_BYTES));
  }
  return "";
}

/** Returns the line with more than half of these names; null where there is none. */
function headerLine(text: string, names: readonly string[]): number | null {
  const wanted = new Set(names);
  const lines = text.split(/\r\n?|\n/, MOST_LINES);
  const at = lines.findIndex((line, index) => {
    if (index === 0) return false;
    return GUESSED_DELIMITERS.some((delimiter) => {
      const cells = new Set(line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1")));
      return 2 * wanted.intersection(cells).size > wanted.size;
    });
  });
  return at < 0 ? null : at + 1;
}
