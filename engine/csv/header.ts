// Column names: trimmed, never empty, every one unique.

import { shortened } from "../shortened.ts";
import type { Warning } from "../warning.ts";

/** Names that a message lists before it says "and N more". */
export const NAMES_LISTED = 10;
/** A warning about the header lists fewer. */
const FEW_NAMES = 5;
/** UTF-16 code units of a name that a message shows. */
const SHOWN_NAME_CHARS = 60;

export interface RepairedNames {
  names: string[];
  /** Indexes of columns that had no name. */
  unnamed: number[];
  /** Indexes of columns whose name an earlier column has. */
  repeated: number[];
}

/**
 * Trims the cells of a header. An empty cell becomes `column_N`; a repeated name gets the first of `_2`, `_3`… that no
 * column has. The first column with a name keeps it.
 */
export function repairNames(cells: readonly string[]): RepairedNames {
  const trimmed = cells.map((cell) => cell.trim());
  const givenNames = new Set(trimmed);
  const usedNames = new Set<string>();
  const nextSuffixes = new Map<string, number>();
  const unnamed: number[] = [];
  const repeated: number[] = [];

  // Remembers the next suffix of each name: a header of one name a million times is not counted from 2 each time.
  const withSuffix = (name: string): string => {
    let suffix = nextSuffixes.get(name) ?? 2;
    while (givenNames.has(`${name}_${suffix}`)) suffix++;
    nextSuffixes.set(name, suffix + 1);
    const free = `${name}_${suffix}`;
    givenNames.add(free);
    return free;
  };

  const names = trimmed.map((name, index) => {
    if (name === "") {
      unnamed.push(index);
      const numbered = `column_${index + 1}`;
      if (givenNames.has(numbered)) return withSuffix(numbered);
      givenNames.add(numbered);
      return numbered;
    }
    if (!usedNames.has(name)) {
      usedNames.add(name);
      return name;
    }
    repeated.push(index);
    return withSuffix(name);
  });
  return { names, unnamed, repeated };
}

/**
 * Returns EMPTY_NAME and DUPLICATE_NAME, each at most once, with how many
 * columns it is about and the name of the first.
 */
export function nameWarnings({ names, unnamed, repeated }: RepairedNames, line: number): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, indexes: readonly number[], one: string, many: string): void => {
    const count = indexes.length;
    if (count === 0) return;
    const column = names[indexes[0]!]!;
    const listed = listNames(
      indexes.map((index) => names[index]!),
      FEW_NAMES,
    );
    const message = `${count === 1 ? one : `${count} ${many}`} ${listed}.`;
    warnings.push({ code, message, line, column, count });
  };
  warn("EMPTY_NAME", unnamed, "One column has no name and is called", "columns have no name and are called");
  warn(
    "DUPLICATE_NAME",
    repeated,
    "One column has the name of an earlier one and is called",
    "columns have the name of an earlier one and are called",
  );
  return warnings;
}

/** Returns the name, or the first of `_2`, `_3`… of it that is not taken; takes it. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let suffix = 2; taken.has(free); suffix++) free = `${name}_${suffix}`;
  taken.add(free);
  return free;
}

/** Lists names for a message: the first `most` of them, then "and N more". */
export function listNames(names: readonly string[], most = NAMES_LISTED): string {
  return listFirst(names.slice(0, most).map(quotedName), names.length);
}

/** Lists the first texts of `count` ones, then "and N more". */
export function listFirst(texts: readonly string[], count: number): string {
  const listed = texts.join(", ");
  return count > texts.length ? `${listed} and ${count - texts.length} more` : listed;
}

/** Returns a name as messages show it: in quotes, and cut where it is very long. */
export function quotedName(name: string): string {
  return `"${shortened(name, SHOWN_NAME_CHARS)}"`;
}
