// Figures that the report derives from the summary: the worst confusions, how honest the confidences are.
import {
  type CalibrationBin,
  type Estimate,
  expectedCalibrationError,
  wilsonInterval,
} from "../../engine/judging/metrics.ts";
import type { RunSummary, VersionSummary } from "../summary.ts";

/** A kind of wrong decision: rows of class `actual` that were decided as `decided`. */
export interface Confusion {
  actual: number;
  decided: number;
  count: number;
  /** Share of the rows of the actual class. */
  share: number;
}

/** The wrong decisions by kind, most frequent first. */
export function worstConfusions(confusion: readonly (readonly number[])[]): Confusion[] {
  const kinds = confusion.flatMap((row, actual) => {
    const rowTotal = sum(row);
    return row.flatMap((count, decided) =>
      count === 0 || decided === actual ? [] : [{ actual, decided, count, share: count / rowTotal }],
    );
  });
  return kinds.sort((a, b) => b.count - a.count || b.share - a.share);
}

/** Mean distance between confidence and the share that was right, weighted by bin; null without bins. */
export function calibrationGap(bins: readonly CalibrationBin[]): { gap: number; lean: number } | null {
  const total = sum(bins.map((bin) => bin.count));
  if (total === 0) return null;
  const weigh = (each: (bin: CalibrationBin) => number) => sum(bins.map((bin) => bin.count * each(bin))) / total;
  return {
    gap: expectedCalibrationError(bins)!,
    lean: weigh((bin) => bin.confidence - bin.accuracy),
  };
}

/** The version that predictions run against; null where the run kept none. */
export function championOf(summary: RunSummary): VersionSummary | null {
  return summary.versions.find((version) => version.champion) ?? summary.versions[0] ?? null;
}

/** The holdout accuracy of a version with its interval by Wilson; null for an empty holdout. */
export function holdoutEstimate(version: Pick<VersionSummary, "falseDecisions">, holdoutRows: number): Estimate | null {
  return holdoutRows > 0 ? wilsonInterval(holdoutRows - version.falseDecisions, holdoutRows) : null;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
