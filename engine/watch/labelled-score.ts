// How rows of a scored file that have a label were decided.
import { type Estimate, rightCount, wilsonInterval } from "../judging/metrics.ts";
import { sumOf } from "../sums.ts";

export interface LabelledScore {
  rowCount: number;
  accuracy: Estimate;
  labels: string[];
  /** By actual label, then by decision. */
  confusion: number[][];
  /** Rows without a label by decision; left out of reports of earlier versions. */
  withoutLabelBy?: number[];
}

/** How rows with a label were decided, and those without; no confusion where the file has no label. */
export interface DecidedRows {
  confusion: number[][] | null;
  withoutLabelBy: number[];
}

export function labelledScore(decided: DecidedRows | null, labels: readonly string[]): LabelledScore | null {
  if (decided === null || decided.confusion === null) return null;
  const { confusion, withoutLabelBy } = decided;
  const rowCount = sumOf(confusion.flat());
  if (rowCount === 0) return null;
  return {
    rowCount,
    accuracy: wilsonInterval(rightCount(confusion), rowCount),
    labels: [...labels],
    confusion,
    withoutLabelBy,
  };
}
