// Columns whose values say what another column means (D194): each machine has a limit of its own, though all fail as
// often.

import { classesByCode, gatherClasses } from "../fitting/class-counts.ts";
import { mapped } from "../mapped.ts";
import { sumOf } from "../sums.ts";
import { type Feature, FIRST_LEVEL, type LevelArray, levelCount, type Table } from "../table/table.ts";
import { valueFeature, weightsOf } from "./group-columns.ts";
import { guessed, type Measure } from "./measure.ts";
import { rightByOthers } from "./telling-columns.ts";

/** Rows that are looked at, spread over the table. */
const MOST_ROWS = 20_000;
/** Pairs of columns that are looked at; of more, every second other column, or every third. */
const MOST_PAIRS = 4_000;
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
  const { features, levels, classes, labels } = table;
  const step = Math.ceil(table.rowCount / MOST_ROWS);
  const rows = Uint32Array.from({ length: Math.ceil(table.rowCount / step) }, (_, at) => at * step);
  const rowClasses = gatherClasses(classes, rows);
  const weights = weightsOf(table, measure);
  const guess = guessed(measure, table);
  /** `cells`: of each row that is looked at. Returns the share of them whose label the others of their cell tell. */
  const shareRight = (cells: Uint32Array, cellCount: number) =>
    rightByOthers(classesByCode(cells, cellCount, rowClasses, labels.length), weights) / rows.length;
  const stride = Math.ceil((features.length * columns.length) / MOST_PAIRS);
  const others = features.flatMap((feature, at) => {
    if (feature.kind === "score" || at % stride !== 0) return [];
    const parts = partsOf(levels[at]!, feature, rows);
    return [{ column: feature.column, parts, right: shareRight(parts, PARTS) }];
  });
  const gainOf = (column: number) => {
    const index = valueFeature(features, column);
    const valueCount = levelCount(features[index]!);
    if (valueCount * PARTS * labels.length > MOST_COUNTS) return 0;
    const values = mapped(Uint32Array, rows, (row) => levels[index]![row]!);
    const alone = shareRight(values, valueCount);
    if (alone - guess > MOST_ALONE) return 0;
    const gains = others.map((other) => {
      if (other.column === column) return 0;
      const cells = mapped(Uint32Array, values, (value, at) => value * PARTS + other.parts[at]!);
      return shareRight(cells, valueCount * PARTS) - Math.max(alone, other.right, guess);
    });
    return Math.max(0, ...gains);
  };
  return columns
    .map((column) => ({ column, gain: gainOf(column) }))
    .filter(({ gain }) => gain >= LEAST_GAIN)
    .sort((a, b) => b.gain - a.gain)
    .map(({ column }) => column);
}

/** The part of each row: 0 where the cell is missing, else 1 to 3 by thirds of the rows in the order of the levels. */
function partsOf(levels: LevelArray, feature: Feature, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(levelCount(feature));
  for (const row of rows) counts[levels[row]!]!++;
  const total = sumOf(counts.subarray(FIRST_LEVEL));
  let before = 0;
  const partOf = counts.map((count, level) => {
    if (level < FIRST_LEVEL) return 0;
    const third = Math.floor((3 * (before + count / 2)) / Math.max(1, total));
    before += count;
    return 1 + Math.min(2, third);
  });
  return mapped(Uint32Array, rows, (row) => partOf[levels[row]!]!);
}
