// Columns whose values say what another column means (D194): each machine has a limit of its own, though all fail as
// often.

import { FIRST_LEVEL, levelCount, rowsByLevel, type Table } from "../table/table.ts";
import { MOST_COLUMNS, valueFeature, weightsOf } from "./group-columns.ts";
import { guessed, type Measure } from "./measure.ts";
import { rightByOthers } from "./telling-columns.ts";

/** Rows that are looked at, spread over the table. */
const MOST_ROWS = 20_000;
/** Counts of one look at most. */
const MOST_COUNTS = 2 ** 20;
/** Missing cells, and thirds of the rows by the column's values. */
const PARTS = 4;
/** Less is chance, of the best of many columns. */
const LEAST_GAIN = 0.03;
/** Where values tell more by themselves, the gain may be that of two columns that each tell something. */
const MOST_ALONE = 0.05;

/**
 * Those of the columns, the strongest first, by which labels are guessed rightly beside another column, though hardly
 * by themselves: by the other rows with the same value and in the same third of the other column, more than by either
 * alone. O(features × columns × rows looked at).
 */
export function findColumnsTellingBeside(table: Table, columns: readonly number[], measure: Measure): number[] {
  const weights = weightsOf(table, measure);
  const step = Math.ceil(table.rowCount / MOST_ROWS);
  const rows = Uint32Array.from({ length: Math.ceil(table.rowCount / step) }, (_, at) => at * step);
  const guess = guessed(measure, table);
  const shareRight = (cellOf: (row: number) => number, cellCount: number) => {
    const classCount = table.labels.length;
    const counts = new Uint32Array(cellCount * classCount);
    for (const row of rows) counts[cellOf(row) * classCount + table.classes[row]!]!++;
    const cells = Array.from({ length: cellCount }, (_, cell) =>
      counts.subarray(cell * classCount, (cell + 1) * classCount),
    );
    return rightByOthers(cells, weights) / rows.length;
  };
  const gainOf = (column: number) => {
    const index = valueFeature(table.features, column);
    const values = table.levels[index]!;
    const valueCount = levelCount(table.features[index]!);
    if (valueCount * PARTS * table.labels.length > MOST_COUNTS) return 0;
    const alone = shareRight((row) => values[row]!, valueCount);
    if (alone - guess > MOST_ALONE) return 0;
    let most = 0;
    for (const [at, feature] of table.features.entries()) {
      if (feature.column === column || feature.kind === "score") continue;
      const partOf = partsOf(table, at);
      const levels = table.levels[at]!;
      const other = shareRight((row) => partOf[levels[row]!]!, PARTS);
      const both = shareRight((row) => values[row]! * PARTS + partOf[levels[row]!]!, valueCount * PARTS);
      most = Math.max(most, both - Math.max(alone, other, guess));
    }
    return most;
  };
  return columns
    .map((column) => ({ column, gain: gainOf(column) }))
    .filter(({ gain }) => gain >= LEAST_GAIN)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MOST_COLUMNS)
    .map(({ column }) => column);
}

/** The part of each level of a feature: 0 of missing cells, else thirds of the rows in the order of the levels. */
function partsOf(table: Table, index: number): Uint8Array {
  const counts = rowsByLevel(table, index);
  const total = counts.subarray(FIRST_LEVEL).reduce((sum, count) => sum + count, 0);
  let before = 0;
  return Uint8Array.from(counts, (count, level) => {
    if (level < FIRST_LEVEL) return 0;
    const third = Math.floor((3 * (before + count / 2)) / Math.max(1, total));
    before += count;
    return 1 + Math.min(2, third);
  });
}
