// Finds the columns of one file in another by name, in any order.
import { listFirst, listNames, NAMES_LISTED, quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";
import type { Warning } from "../warning.ts";
import { nearestName, nearWords } from "./near-miss.ts";

export interface ColumnMatch {
  /** The place of each wanted column in the other file; -1 where it is lacking. */
  positions: readonly number[];
  /** Wanted columns that the other file lacks. */
  lacking: readonly string[];
  /** Columns of the other file that are not wanted. */
  extra: readonly string[];
}

export function matchColumns(wanted: readonly string[], names: readonly string[]): ColumnMatch {
  const positionOf = new Map(names.map((name, index) => [name, index]));
  const isWanted = new Set(wanted);
  return {
    positions: wanted.map((name) => positionOf.get(name) ?? -1),
    lacking: wanted.filter((name) => !positionOf.has(name)),
    extra: names.filter((name) => !isWanted.has(name)),
  };
}

/** `wantedBy`: whose columns they are, for the message. @throws InputError COLUMN_MISMATCH where some are lacking */
export function requireAll({ positions, lacking, extra }: ColumnMatch, wantedBy: string): void {
  const first = lacking[0];
  if (first === undefined) return;
  const shown = lacking.slice(0, NAMES_LISTED).map((name) => {
    const near = nearestName(name, extra);
    return near === null ? quotedName(name) : `${quotedName(name)} (it has ${nearWords(name, near)})`;
  });
  const what =
    lacking.length === 1
      ? `It lacks a column of ${wantedBy}: ${shown[0]}.`
      : `It lacks ${lacking.length} of the ${positions.length} columns of ${wantedBy}: ` +
        `${listFirst(shown, lacking.length)}.`;
  const mend = lacking.length === 1 ? "Add the column or correct its name." : "Add the columns or correct their names.";
  throw new InputError("COLUMN_MISMATCH", `${what} ${mend} Names must match exactly; their order does not matter.`, {
    line: 1,
    column: first,
  });
}

/** Returns EXTRA_COLUMNS and COLUMN_ORDER where they apply. */
export function matchWarnings({ positions, extra }: ColumnMatch): Warning[] {
  const warnings: Warning[] = [];
  const count = extra.length;
  if (count > 0) {
    const which = count === 1 ? "One column" : `${count} columns`;
    const message = `${which} that TRAIN does not have ${count === 1 ? "is" : "are"} ignored: ${listNames(extra)}.`;
    warnings.push({ code: "EXTRA_COLUMNS", message, column: extra[0]!, count });
  }
  if (positions.some((position, at) => at > 0 && position < positions[at - 1]!)) {
    const message = "The columns stand in another order than in TRAIN; they are matched by name.";
    warnings.push({ code: "COLUMN_ORDER", message });
  }
  return warnings;
}
