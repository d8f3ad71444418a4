// Lines of CSV that a person types: the header of a table that has none, lists of columns.
import { InputError } from "../input-error.ts";
import { delimiterByNames } from "./delimiter.ts";
import { collectRecords } from "./records.ts";
import type { GivenHeader } from "./types.ts";

/**
 * Reads a header as that of a feed is read: its delimiter is the one under which most names are expected ones.
 *
 * @throws InputError BAD_HEADER where it is not one line of CSV
 */
export function readGivenHeader(line: string, expectedNames: readonly string[]): GivenHeader {
  const delimiter = delimiterByNames(`${line}\n`, true, new Set(expectedNames))!;
  const cells = cellsOfLine(line, delimiter);
  if (cells !== null) return { cells, delimiter };
  const advice = 'Write it as the first line of a file would be, such as a,b,"c, d".';
  throw new InputError("BAD_HEADER", `The header that was given is not one line of CSV. ${advice}`);
}

/** Null where the text is blank, badly quoted, or more than one line. */
export function cellsOfLine(line: string, delimiter: string): string[] | null {
  const { splitter, records } = collectRecords(delimiter);
  try {
    splitter.push(`${line}\n`);
    splitter.end();
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
  return records.length === 1 ? records[0]! : null;
}
