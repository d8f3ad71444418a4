// Figures that the report derives from the summary: measures by class, the worst confusions, how honest the confidences are.
import type { CalibrationBin, ClassMetrics, Estimate } from "../../engine/metrics.ts";
import { classMetrics, wilsonInterval } from "../../engine/metrics.ts";
import type { RunSummary, VersionSummary } from "../summary.ts";

/** One class of a confusion matrix. */
export interface ClassMeasures extends ClassMetrics {
  label: string;
  /** Rows of the class in the holdout. */
  actual: number;
  /** Rows decided as the class. */
  decided: number;
}

/** Precision, recall and F1 of each class against all others. */
export function measuresByClass(confusion: readonly (readonly number[])[], labels: readonly string[]): ClassMeasures[] {
  const total = sum(confusion.map(sum));
  return confusion.map((row, code) => {
    const hits = row[code] ?? 0;
    const actual = sum(row);
    const decided = sum(confusion.map((other) => other[code] ?? 0));
    const againstRest = [
      [total - actual - decided + hits, decided - hits],
      [actual - hits, hits],
    ];
    return { label: labels[code] ?? "", actual, decided, ...classMetrics(againstRest, 1) };
  });
}

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
    gap: weigh((bin) => Math.abs(bin.confidence - bin.accuracy)),
    lean: weigh((bin) => bin.confidence - bin.accuracy),
  };
}

/** The version that predictions run against; null where the run kept none. */
export function championOf(summary: RunSummary): VersionSummary | null {
  return summary.versions.find((version) => version.champion) ?? summary.versions[0] ?? null;
}

/** The holdout accuracy of a version with its interval by Wilson; null for an empty holdout. */
export function holdoutEstimate(version: VersionSummary, holdoutRows: number): Estimate | null {
  return holdoutRows > 0 ? wilsonInterval(holdoutRows - version.falseDecisions, holdoutRows) : null;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
