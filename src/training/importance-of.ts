// The importance of columns over the re-splits of a version.
import type { Confirmation } from "../../engine/search/refit.ts";
import { meanOf } from "../../engine/sums.ts";

/**
 * The run's objective loses this when a source column is shuffled: the mean over all re-splits, and the lower and the
 * higher of the means over the first and the second half of them.
 */
interface MeasuredColumn {
  column: number;
  mean: number;
  low: number;
  high: number;
}

/** The most important first; empty without re-splits. */
export function importanceOf(confirmations: readonly Confirmation[]): MeasuredColumn[] {
  const middle = Math.ceil(confirmations.length / 2);
  const halves = [confirmations.slice(0, middle), confirmations.slice(middle)].map(lossesOf);
  return [...lossesOf(confirmations)]
    .map(([column, losses]) => {
      const means = halves.flatMap((half) => (half.has(column) ? [meanOf(half.get(column)!)] : []));
      return { column, mean: meanOf(losses), low: Math.min(...means), high: Math.max(...means) };
    })
    .sort((a, b) => b.mean - a.mean);
}

function lossesOf(confirmations: readonly Confirmation[]): Map<number, number[]> {
  const losses = new Map<number, number[]>();
  for (const { importance } of confirmations) {
    for (const { column, loss } of importance) losses.set(column, [...(losses.get(column) ?? []), loss]);
  }
  return losses;
}
