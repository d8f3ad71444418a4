// Scores the same rows many times, each time with other cells in some columns. Many such versions are scored as one
// view, since each scoring of a forest lays out all its trees.

import { concatenate } from "../concatenate.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { type CodedView, selectRows } from "../table/buckets.ts";
import { selectTermRows } from "../text/term-rows.ts";

/** Codes that are scored together at most, some megabytes with what scoring makes of them. */
const MOST_CODES = 1 << 20;

/** Cells that replace those of the view: one for each of its rows. */
export interface ChangedCells {
  /** Codes by feature. */
  codes: ReadonlyMap<number, ArrayLike<number>>;
  /** By text: for each row, the row of the view whose terms replace its own. */
  termRows?: ReadonlyMap<number, Uint32Array>;
}

/**
 * The probabilities of all rows of the view under each change: to the last bit
 * as `score` gives them one change after the other.
 */
export function scoreChanged(
  view: CodedView,
  changes: readonly ChangedCells[],
  score: (changed: CodedView) => Float64Array,
  stop: StopSignal,
): Float64Array[] {
  const together = Math.max(1, Math.floor(MOST_CODES / Math.max(1, view.rowCount * view.features.length)));
  const scores: Float64Array[] = [];
  for (let first = 0; first < changes.length; first += together) {
    throwIfCancelled(stop);
    const batch = changes.slice(first, first + together);
    const probabilities = score(changedView(view, batch));
    const size = probabilities.length / batch.length;
    batch.forEach((_, index) => {
      scores.push(probabilities.subarray(index * size, (index + 1) * size));
    });
  }
  return scores;
}

/** The rows under the first change, then under the next. */
function changedView(view: CodedView, changes: readonly ChangedCells[]): CodedView {
  const everyRow = rowsUpTo(view.rowCount);
  const repeated = (rowsOf: (change: ChangedCells) => Uint32Array) => concatenate(Uint32Array, changes.map(rowsOf));
  const { texts, ...codes } = view;
  const { rowCount, features } = selectRows(
    codes,
    repeated(() => everyRow),
  );
  changes.forEach((change, index) => {
    for (const [feature, codes] of change.codes) features[feature]!.codes.set(codes, index * view.rowCount);
  });
  if (texts === undefined) return { rowCount, features };
  const rowsOfText = (text: number) => repeated(({ termRows }) => termRows?.get(text) ?? everyRow);
  return { rowCount, features, texts: texts.map((text, index) => selectTermRows(text, rowsOfText(index))) };
}
