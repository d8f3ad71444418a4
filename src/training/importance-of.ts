// The importance of columns over the re-splits of a version.
import type { Confirmation } from "../../engine/search/refit.ts";

/** The accuracy that shuffling a source column costs, over the re-splits. */
interface MeasuredColumn {
  column: number;
  mean: number;
  low: number;
  high: number;
}

/** The most important first; empty without re-splits. */
export function importanceOf(confirmations: readonly Confirmation[]): MeasuredColumn[] {
  const losses = new Map<number, number[]>();
  for (const { importance } of confirmations) {
    for (const { column, accuracyLoss } of importance)
      losses.set(column, [...(losses.get(column) ?? []), accuracyLoss]);
  }
  return [...losses]
    .map(([column, measured]) => {
      const mean = measured.reduce((sum, loss) => sum + loss, 0) / measured.length;
      return { column, mean, low: Math.min(...measured), high: Math.max(...measured) };
    })
    .sort((a, b) => b.mean - a.mean);
}
