// Rows that several columns mark alike, and what that tells of the label.

import { sumOf } from "../sums.ts";
import type { Table } from "../table/table.ts";

/** Rows that several columns mark alike. */
export interface RowPattern {
  /** Positions in the file, ascending. */
  columns: number[];
  /** Places of the features in the table. */
  features: number[];
  rowCount: number;
  isMarked(row: number): boolean;
}

/** Rows of each class. */
export interface CountsByClass {
  marked: Float64Array;
  rest: Float64Array;
}

export function countsByClass({ isMarked }: RowPattern, { classes, rowCount, labels }: Table): CountsByClass {
  const [marked, rest] = [new Float64Array(labels.length), new Float64Array(labels.length)];
  for (let row = 0; row < rowCount; row++) (isMarked(row) ? marked : rest)[classes[row]!]!++;
  return { marked, rest };
}

/** The label of which most more rows are marked than of the others, and the shares of both. */
export function mostMarked({ marked, rest }: CountsByClass): { code: number; coverage: number; others: number } {
  const [allMarked, all] = [sumOf(marked), sumOf(marked) + sumOf(rest)];
  const shares = [...marked].map((count, code) => {
    const ofClass = count + rest[code]!;
    return { code, coverage: count / ofClass, others: (allMarked - count) / (all - ofClass) };
  });
  return shares.reduce((best, each) => (each.coverage - each.others > best.coverage - best.others ? each : best));
}

/** How much more of the rows is guessed rightly by whether they are marked than by the most frequent label. */
export function guessGain(pattern: RowPattern, table: Table): number {
  const { marked, rest } = countsByClass(pattern, table);
  const most = (counts: Float64Array) => counts.reduce((best, count) => Math.max(best, count), 0);
  const all = marked.map((count, code) => count + rest[code]!);
  return (most(marked) + most(rest) - most(all)) / sumOf(all);
}
