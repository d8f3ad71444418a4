// The recommended threshold of a refinement as the option of the training to type next.
import type { RefinementSummary } from "../refinement-summary.ts";

/** Nothing where there is no threshold, or where it is that of columns which no file was reduced to. */
export function targetOptions({ recommendedThreshold, removedColumns, files }: RefinementSummary): string[] {
  const isReduced = removedColumns.length === 0 || files.some(({ kind }) => kind === "TRAIN");
  return recommendedThreshold === null || !isReduced ? [] : [targetOption(recommendedThreshold)];
}

/** "--target 0.9293": four decimals at most, never above the threshold itself. */
export function targetOption(threshold: number): string {
  return `--target ${Math.floor(threshold * 10_000 + 1e-6) / 10_000}`;
}
