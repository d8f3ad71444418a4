// Rows whose cells are empty together, as all of a visit are that did not take place: columns with the same empty rows
// are one thing, and each would hide the others.

import { deriveSeed } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type Feature, type LevelArray, MISSING_LEVEL, type Table } from "../table/table.ts";
import { isPlacePart } from "../table/text-shape.ts";
import type { RowPattern } from "./row-patterns.ts";

/** The share of the smaller pattern's rows that lie in the larger: visits that end early stay ended. */
const NESTED_SHARE = 0.95;
/** The correlation of the two, beyond which that is no chance. */
const LEAST_CORRELATION = 0.3;
/** Patterns that a pattern is compared with, at most. */
const MOST_PATTERNS = 100;

/** One for each set of columns that are empty in the same rows, some but not all. O(rows × features). */
export function emptyRows({ features, levels, rowCount }: Table): RowPattern[] {
  const patterns = new Map<string, RowPattern>();
  for (const [index, feature] of features.entries()) {
    // A text without a second number, or a shorter one, is not empty.
    if (feature.kind === "score" || isPlacePart(feature.part)) continue;
    const ofRows = levels[index]!;
    const { key, count } = emptyRowsOf(ofRows);
    if (count === 0 || count === rowCount) continue;
    const known = patterns.get(key);
    if (known === undefined) patterns.set(key, patternWith(feature, index, ofRows, count));
    else {
      known.features.push(index);
      if (!known.columns.includes(feature.column)) known.columns.push(feature.column);
    }
  }
  return [...patterns.values()];
}

/** A key that levels with the same missing rows have in common, and the number of these rows. */
function emptyRowsOf(levels: LevelArray): { key: string; count: number } {
  let count = 0;
  let [one, other] = [0, 0];
  for (let row = 0; row < levels.length; row++) {
    if (levels[row] !== MISSING_LEVEL) continue;
    count++;
    one = (one + deriveSeed(1, row)) | 0;
    other = (other + deriveSeed(2, row)) | 0;
  }
  return { key: `${count} ${one} ${other}`, count };
}

function patternWith({ column }: Feature, index: number, levels: LevelArray, rowCount: number): RowPattern {
  return { columns: [column], features: [index], rowCount, isMarked: (row) => levels[row] === MISSING_LEVEL };
}

/** The rows that are empty in any of the patterns that lie in this one or hold it, as of earlier and later visits. */
export function withNested(pattern: RowPattern, all: readonly RowPattern[], rowCount: number): RowPattern {
  const nested = all
    .slice(0, MOST_PATTERNS)
    .filter((other) => other === pattern || areNested(pattern, other, rowCount));
  const isMarked = (row: number) => nested.some((each) => each.isMarked(row));
  return {
    columns: [...new Set(nested.flatMap(({ columns }) => columns))].sort((a, b) => a - b),
    features: nested.flatMap(({ features }) => features),
    rowCount: rowsUpTo(rowCount).filter(isMarked).length,
    isMarked,
  };
}

function areNested(one: RowPattern, other: RowPattern, rowCount: number): boolean {
  let both = 0;
  for (let row = 0; row < rowCount; row++) if (one.isMarked(row) && other.isMarked(row)) both++;
  const [a, b] = [one.rowCount, other.rowCount];
  if (both < NESTED_SHARE * Math.min(a, b)) return false;
  const spread = Math.sqrt(a * (rowCount - a) * b * (rowCount - b));
  return rowCount * both - a * b >= LEAST_CORRELATION * spread;
}
