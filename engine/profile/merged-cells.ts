// Warns of a column that has a value only in the first row of each group, as merged cells and pivot tables are saved:
// to a reader of rows, all others have none.

import { parsePlainNumber } from "../columns/plain-number.ts";
import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";

const LEAST_ROWS = 20;
const LEAST_VALUES = 3;
/** Values that stand in some rows only, wherever that may be, look so by chance. */
const MOST_CHANCE = 0.001;

/** Values of the first rows, in their order. */
export interface FirstValues {
  /** None is empty. */
  values: readonly string[];
  rowCount: number;
  isFirstFilled: boolean;
}

export function mergedCellsWarning(column: string, first: FirstValues, missing: number): Warning[] {
  const { values, rowCount, isFirstFilled } = first;
  const isSparse = values.length >= LEAST_VALUES && 2 * values.length <= rowCount;
  if (rowCount < LEAST_ROWS || !isSparse || !isFirstFilled) return [];
  if (values.some((value, at) => value === values[at - 1])) return [];
  if ((values.length / rowCount) * chanceOfOrder(values) > MOST_CHANCE) return [];
  const message =
    `Column ${quotedName(column)} has no value in ${missing} cells, but one in the first row, and never one twice in ` +
    "succession: as where cells were merged, or a value holds for the rows below it. If so, fill it in there.";
  return [{ code: "MERGED_CELLS", message, column, count: missing }];
}

/** How likely values in any order never stand twice in succession, or go up or down all along. */
function chanceOfOrder(values: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const pairs = values.length * (values.length - 1);
  const alike = [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / pairs, 0);
  const steps = values.slice(1).map((value, at) => compare(values[at]!, value));
  const isSorted = steps.every((step) => step !== 0 && step === steps[0]);
  const sorted = isSorted ? values.reduce((chance, _, at) => chance / (at + 1), 2) : 1;
  return Math.min(sorted, (1 - alike) ** steps.length);
}

function compare(one: string, other: string): number {
  const step = parsePlainNumber(one) - parsePlainNumber(other);
  return Math.sign(Number.isNaN(step) ? Number(one > other) - Number(one < other) : step);
}
