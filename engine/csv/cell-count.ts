// Refuses a record with more or fewer cells than the header, and says what may be wrong: most often lines above the
// header, as banks, instruments and reports write them.

import { InputError } from "../input-error.ts";
import { tryDelimiter } from "./delimiter.ts";

/** Records of a table below other lines; footers may be among them. */
const LEAST_BELOW = 0.8;

export interface UnevenRecord {
  record: readonly string[];
  line: number;
  /** Whether it stands right below the header. */
  isFirst: boolean;
  delimiter: string;
  /** The header's cells, an empty last one included. */
  header: readonly string[];
}

/** `opening`: the first text of the file from its line `firstLine` on; "" where its header is known. */
export function cellCountError(uneven: UnevenRecord, opening: string, firstLine: number): InputError {
  const { record, line, header, delimiter } = uneven;
  const cells = record.length === 1 ? "1 cell" : `${record.length} cells`;
  const advice = belowAdvice(opening, firstLine, delimiter) ?? adviceOn(uneven);
  const message = `Line ${line} has ${cells}; the header has ${header.length}. ${advice}`;
  return new InputError("CELL_COUNT", message, { line });
}

/** Null where the first line may be the header: where the lines that are alike do not begin with names. */
function belowAdvice(opening: string, firstLine: number, delimiter: string): string | null {
  const { records, lines } = tryDelimiter(opening, delimiter, false);
  const middle = records[records.length >> 1]?.length ?? 0;
  const at = records.findIndex(({ length }) => length === middle);
  const below = records.slice(at);
  const evenCount = below.filter(({ length }) => length === middle).length;
  const isTable = at > 0 && middle > 1 && evenCount > 1 && evenCount >= LEAST_BELOW * below.length;
  if (!isTable || below[0]!.some((cell) => /^[+-]?[.,]?\d/.test(cell.trim()))) return null;
  const line = lines[at]! + firstLine - 1;
  return `From line ${line} on, lines have ${middle} cells: if the header stands there, remove the lines above it.`;
}

function adviceOn({ record, isFirst, delimiter, header }: UnevenRecord): string {
  const shown = delimiter === "\t" ? "a tab" : `\`${delimiter}\``;
  const surplus = record.length - header.length;
  if (surplus === -1 && header.at(-1)!.trim() === "") {
    return `If the header ends with ${shown} and the other lines do not, remove it there. Otherwise, add the missing cell.`;
  }
  if (surplus < 0) {
    const missing = `Add the missing ${surplus === -1 ? "cell" : "cells"}`;
    return `${missing}, quote line ends inside a cell, or remove the line if it is a footer, a comment or a rule.`;
  }
  const extra = surplus === 1 ? "cell" : "cells";
  const usual = `ut quotes around cells that contain ${shown}, or remove the extra ${extra}.`;
  if (header.length === 1) {
    const title = "The first line has one cell, as a title does.";
    return `${title} If the header stands further below, remove the lines above it. Otherwise, p${usual}`;
  }
  if (surplus > 1 || !isFirst) return `P${usual}`;
  if (record.at(-1)!.trim() === "") return `If each line ends with ${shown}, end the header with one too.`;
  // As R's write.table writes them.
  return `If each line begins with a row's name, give the header a name for it. Otherwise, p${usual}`;
}
