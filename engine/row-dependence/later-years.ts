// Are the rows of later years harder than random ones? A model that learns from a date reads a year that it has not
// seen as the latest one that it knows: only rows after a turn of the year show what that costs.
import { deriveSeed, Random, shuffled } from "../random.ts";
import type { Split } from "../splits/holdout.ts";
import type { Table } from "../table/table.ts";
import { columnValues, orderBy, partValues } from "./order-columns.ts";
import { blocksOf, SMALL_BLOCKS } from "./row-order.ts";
import type { Trial, TrialComparison } from "./trial.ts";

/** Only the newest turns of the year are looked at: each costs six fits. */
const MOST_TURNS = 3;
/** The least share of the rows before a turn, and judged in all: with fewer, chance differences look sure. */
const LEAST_SHARE = 0.2;
const FOLDS = 5;
const DRAW = 86;

/** Whether the column is a date whose rows are of several years. */
export function hasYears({ features }: Table, column: number): boolean {
  return features.some((feature) => feature.column === column && feature.part === "year");
}

/**
 * Judges rows of a year by a model of the years before, and by one of as many rows at random. Months that the earlier
 * years do not have are left out: a model of all rows knows them. Null where too few rows are left.
 */
export function measureLaterYears(trial: Trial, table: Table, column: number, seed: number): TrialComparison | null {
  const years = partValues(table, column, "year")!;
  const months = partValues(table, column, "month") ?? new Float64Array(years.length);
  const dated = trial.everyRow.rows.filter((row) => !Number.isNaN(years[row]!));
  const turns = [...new Set(dated.map((row) => years[row]!))]
    .sort((a, b) => a - b)
    .map((year): Split => {
      const learning = dated.filter((row) => years[row]! < year);
      const known = new Set(Array.from(learning, (row) => months[row]!));
      return { learning, judging: dated.filter((row) => years[row] === year && known.has(months[row]!)) };
    })
    .filter(({ learning, judging }) => learning.length >= LEAST_SHARE * table.rowCount && judging.length > 0)
    .slice(-MOST_TURNS);
  const judged = turns.reduce((sum, { judging }) => sum + judging.length, 0);
  if (judged < LEAST_SHARE * table.rowCount) return null;
  const random = new Random(deriveSeed(seed, DRAW));
  const alike = turns.flatMap((turn) => atRandom(turn, dated, random));
  const clusters = blocksOf(orderBy(columnValues(table, column)), SMALL_BLOCKS, 0);
  return trial.costOfLearningFrom(turns, clusters, alike);
}

/** Deals the judged rows into folds. A model of as many rows as the split learns from, of any year, judges each. */
function atRandom({ learning, judging }: Split, dated: Uint32Array, random: Random): Split[] {
  const mixed = shuffled(judging, random);
  return Array.from({ length: FOLDS }, (_, fold) => {
    const foldRows = mixed.filter((_, at) => at % FOLDS === fold).sort();
    const isHeld = new Set(foldRows);
    const others = shuffled(
      dated.filter((row) => !isHeld.has(row)),
      random,
    );
    return { learning: others.slice(0, learning.length).sort(), judging: foldRows };
  }).filter((split) => split.judging.length > 0);
}
