// The decisions of two models about the same rows, judged by another objective than accuracy: a test of which serves
// it better.

import type { Aim } from "../judging/estimate.ts";
import { type Estimate, type MetricsOfClass, metricsByClass } from "../judging/metrics.ts";
import { achieved } from "../judging/objective.ts";
import { meanOfBounded } from "../statistics/bounded-mean.ts";
import { sumOf } from "../sums.ts";

/** Counts by actual label, then by decision. */
export type Confusion = readonly (readonly number[])[];

/** Rows of one label that the models decide differently, by places of labels. */
export type Differing = readonly [actual: number, champion: number, challenger: number, count: number];

export interface ObjectiveVerdict {
  /** How each meets the objective, as `achieved` says it. */
  champion: number;
  challenger: number;
  /** The challenger's less the champion's. */
  difference: Estimate;
  pValue: number;
}

/**
 * The difference is the mean of what each row gains by the challenger's decision. For costs that is the row's own
 * cost. Recall weighs a row by the number of rows with its label, which is exact too, given the labels. F1 weighs it by
 * the number of rows decided so, which depends on the decisions, so there the test is of the first order. A label
 * without a row would count as much as the others, so it leaves the difference open.
 */
export function judgeByObjective(
  aim: Aim,
  champion: Confusion,
  challenger: Confusion,
  differing: readonly Differing[],
): ObjectiveVerdict {
  const [own, other] = [champion, challenger].map((confusion) => achieved(aim.objective, confusion, aim.costs));
  const scores = { champion: own!, challenger: other! };
  if (aim.costs === null && champion.some((row) => sumOf(row) === 0)) {
    return { ...scores, difference: { mean: other! - own!, low: -1, high: 1 }, pValue: 1 };
  }
  const worth = aim.costs?.map((row) => row.map((cost) => -cost)) ?? sharedWorth(aim, champion, challenger);
  const gains = differing.map(
    ([actual, one, two, count]) => [worth[actual]![two]! - worth[actual]![one]!, count] as const,
  );
  const alike = sumOf(champion.flat()) - sumOf(differing.map(([, , , count]) => count));
  const bound = Math.max(...worth.map((row) => Math.max(...row) - Math.min(...row)));
  const { pValue, ...difference } = meanOfBounded({ counts: [...gains, [0, alike]], bound });
  return { ...scores, difference, pValue };
}

/**
 * The worth of each decision for recall or F1, by actual label, so that the mean over the rows differs between the
 * models as the objective does. F1 is 2 hits / size, the size being the rows that have the label plus those decided so.
 * Its difference is exactly (2 × that of hits - mean F1 × that of decided) / mean size.
 */
function sharedWorth({ objective }: Aim, champion: Confusion, challenger: Confusion): number[][] {
  const others = metricsByClass(challenger);
  const labels = metricsByClass(champion).map((ofChampion, code) => termsOf(objective, ofChampion, others[code]!));
  const scale = sumOf(champion.flat()) / labels.length;
  return labels.map(({ hit }, actual) =>
    labels.map(({ decided }, code) => scale * ((actual === code ? hit : 0) - decided)),
  );
}

/** How much a hit adds to the figure of a label, and how much each decision for the label takes from it. */
function termsOf(objective: Aim["objective"], first: MetricsOfClass, second: MetricsOfClass) {
  if (objective !== "f1") return { hit: 1 / first.support, decided: 0 };
  const meanSize = first.support + (first.decided + second.decided) / 2;
  return { hit: 2 / meanSize, decided: (first.f1Score! + second.f1Score!) / 2 / meanSize };
}
