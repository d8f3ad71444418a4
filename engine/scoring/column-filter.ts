// Scores files that still have the columns that a refinement dropped: matched
// by position, or by name where the order differs.

import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";
import { ColumnMismatch } from "./column-mismatch.ts";

export interface FilteredColumns {
  /** The name by which each of the file's columns is scored; null for one that is left out. */
  names: readonly (string | null)[];
  warnings: readonly Warning[];
}

/**
 * Matches a file's columns with a refinement's (D43). `original`: all columns of the refinement's file without the
 * label, in its order; `needed`: those of them that the model needs; `kept`: the columns of the refinement's reduced
 * file, which has those that models are judged by too. A file of as many columns as one of these is taken by position,
 * whatever its names, or by name where all needed ones are there in another order. A stripped file in which an original
 * name stands in another's place, but not all needed ones are there, keeps its names: it lacks a column.
 *
 * @throws ColumnMismatch for any other number of columns
 */
export function filterColumns(
  names: readonly string[],
  original: readonly string[],
  needed: readonly string[],
  kept: readonly string[] = needed,
): FilteredColumns {
  const expected = [original, kept, needed].find(({ length }) => length === names.length);
  if (expected !== undefined) {
    // A stripped file passes as it is.
    const isStripped = expected !== original;
    const keep = (name: string) => (isStripped || needed.includes(name) ? name : null);
    const byPosition = expected.map(keep);
    if (expected.every((name, at) => names[at] === name)) return { names: byPosition, warnings: [] };
    if (needed.every((name) => names.includes(name))) return { names: names.map(keep), warnings: [orderWarning()] };
    const isOriginal = new Set(original);
    const isElsewhere = names.some((name, at) => name !== expected[at] && isOriginal.has(name));
    if (isStripped && isElsewhere) return { names, warnings: [] };
    return { names: byPosition, warnings: [positionWarning(names, expected)] };
  }
  throw new ColumnMismatch(
    `The file has ${names.length} columns. The column filter takes files with all ${original.length} columns that the ` +
      `refinement was given, without the label, or with the ${kept.length} that it kept.`,
    {
      missing: original.filter((name) => !names.includes(name)),
      unexpected: names.filter((name) => !original.includes(name)),
      expectedCount: original.length,
    },
  );
}

function orderWarning(): Warning {
  const message = "The columns stand in another order than in the refinement's file; they are matched by name.";
  return { code: "COLUMN_ORDER", message };
}

function positionWarning(names: readonly string[], expected: readonly string[]): Warning {
  const at = expected.findIndex((name, position) => names[position] !== name);
  const found = `column ${at + 1} is ${quotedName(names[at]!)} where ${quotedName(expected[at]!)} was`;
  const message = `The column names are not those of the refinement's file (${found}); the columns are taken by position.`;
  return { code: "COLUMN_NAMES_DIFFER", message, column: names[at]! };
}
