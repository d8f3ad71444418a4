// The recommended threshold of a refinement as an option of `cupel run`.
import type { RefinementSummary } from "../../summary/refinement-summary.ts";

/** Empty without a threshold, or if no reduced file was written that it applies to. */
export function targetOptions({ recommendedThreshold, removedColumns, files }: RefinementSummary): string[] {
  const isReduced = removedColumns.length === 0 || files.some(({ kind }) => kind === "TRAIN");
  return recommendedThreshold === null || !isReduced ? [] : [targetOption(recommendedThreshold)];
}

/** "--target 0.9293": four decimals at most, never above the threshold itself. */
export function targetOption(threshold: number): string {
  return `--target ${Math.floor(threshold * 10_000 + 1e-6) / 10_000}`;
}
