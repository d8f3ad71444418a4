// Do rows near each other in the file help to predict each other? Without the columns that only make it look so.

import { rowsUpTo } from "../row-lists.ts";
import { selectTableRows, type Table } from "../table/table.ts";
import { isSortedByLabel, measureOrder, type OrderFinding, sortedColumns } from "./row-order.ts";
import type { RowSample } from "./sample.ts";
import { isLoss, lossOf, type Trial, type TrialComparison } from "./trial.ts";

/**
 * A file that is sorted by label is cut within each label. A column that its rows are sorted by within a label is left
 * out: where such a stretch is held out, the rows of other labels alone have these values, and the model answers with
 * those. Null where nothing is lost for sure, or no other column is left.
 */
export function lossInFileOrder(sample: RowSample, trialOf: (sample: RowSample) => Trial): TrialComparison | null {
  const { table, view } = sample;
  const byLabel = isSortedByLabel(table);
  const sorted = byLabel ? sortedWithinLabels(sample) : new Set<number>();
  const features = view.features.filter((_, feature) => !sorted.has(table.features[feature]!.column));
  if (features.length === 0) return null;
  const unsorted = sorted.size === 0 ? sample : { table, view: { ...view, features } };
  return worstLoss(measureOrder(trialOf(unsorted), rowsUpTo(table.rowCount), byLabel));
}

/** The larger of the losses that are sure, or null. */
export function worstLoss({ blocks, ends }: OrderFinding): TrialComparison | null {
  const sure = [blocks, ends].filter((loss) => loss !== null && isLoss(loss)) as TrialComparison[];
  return sure.sort((a, b) => lossOf(b) - lossOf(a))[0] ?? null;
}

function sortedWithinLabels({ table, view }: RowSample): Set<number> {
  const columns = table.labels.flatMap((_, code) =>
    sortedColumns({ table: selectTableRows(table, rowsOfLabel(table, code)), view }),
  );
  return new Set(columns);
}

function rowsOfLabel({ classes, rowCount }: Table, code: number): Uint32Array {
  return rowsUpTo(rowCount).filter((row) => classes[row] === code);
}
