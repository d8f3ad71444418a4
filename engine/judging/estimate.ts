// How decisions meet an objective, with a 95% interval by the number of rows.

import { sumOf } from "../sums.ts";
import type { LabelledRows } from "../table/table.ts";
import { clusterVariance, studentQuantile, sumsByCluster } from "./clusters.ts";
import type { CostMatrix } from "./costs.ts";
import {
  confusionMatrix,
  type Estimate,
  type MetricsOfClass,
  metricsByClass,
  rightCount,
  wilsonInterval,
  Z_95,
} from "./metrics.ts";
import { achieved, type Objective } from "./objective.ts";

/** The aim of decisions. `costs`: those of the objective "cost", null for any other. */
export interface Aim {
  objective: Objective;
  costs: CostMatrix | null;
}

export const ACCURACY: Aim = { objective: "accuracy", costs: null };

/** A confirmed figure, and the decisions that it was taken from, by actual label and decision. */
export interface ConfirmedFigure extends Estimate {
  confusion: readonly (readonly number[])[];
}

/** A share that an objective adds up: of `trials` rows `hits`. */
interface Term {
  hits: number;
  trials: number;
  weight: number;
}

/**
 * How well the objective is met (see `achieved`), with its 95% interval. Every objective is a sum of shares: one for
 * accuracy, a recall for each class, a cost for each kind of mistake. For F1 it is the Jaccard index J, the share of
 * hits among the rows that have the class or are decided as it: F1 is 2J / (1 + J). Each share has Wilson's interval,
 * and half its width counts as a standard error; the squares add up, times how far the shares vary together. Wilson's
 * centre lies beside the share. That offset shrinks as the skewness of a sum does: it is averaged, weighted by these
 * squares.
 *
 * Rows of a cluster are right or wrong together, so each share counts as fewer rows: divided by the design effect of
 * the objective's linear form, at least 1, with Student's t for the number of clusters (Korn & Graubard 1998; Dean &
 * Pagano 2015). If all decisions are right, or all wrong, clusters do not differ, and each counts as one row. A single
 * cluster tells nothing: the interval is the objective's whole range. Few clusters make the interval of a mean cost
 * very wide, so it ends at the cost of deciding every row in the dearest way, or with the interval of independent rows.
 *
 * `decisions`: one for each judged row; at least one. `clusters`: one for each row of the table; null where rows are
 * independent.
 */
export function estimateAchieved(
  aim: Aim,
  decisions: Uint8Array,
  judgedRows: LabelledRows,
  clusters: Uint32Array | null,
): Estimate {
  const confusion = confusionMatrix(decisions, judgedRows);
  if (clusters === null) return estimateOf(aim, confusion);
  const mean = achieved(aim.objective, confusion, aim.costs);
  const influences = influencesOf(aim, confusion, mean);
  const influenceOf = (code: number, at: number) => influences[judgedRows.classes[judgedRows.rows[at]!]!]![code]!;
  const sums = sumsByCluster(judgedRows.rows, clusters, Float64Array.from(decisions, influenceOf));
  const [least, most] = possibleRange(aim);
  if (sums.length === 1) return { mean, low: least, high: most };
  const designEffect = designEffectOf(sums, varianceOf(confusion, influences), decisions.length);
  const together = estimateOf(aim, confusion, designEffect, studentQuantile(sums.length - 1));
  if (aim.costs === null) return together;
  const alone = estimateOf(aim, confusion);
  const dearest = Math.min(alone.low, dearestOf(aim.costs, confusion));
  return { mean, low: Math.max(dearest, together.low), high: Math.max(alone.high, together.high) };
}

/** Like `estimateAchieved`, from counts by actual and decided class; each decision counts as 1 / `designEffect`. */
export function estimateOf(
  aim: Aim,
  confusion: readonly (readonly number[])[],
  designEffect = 1,
  quantile = Z_95,
): Estimate {
  const mean = achieved(aim.objective, confusion, aim.costs);
  const variance = varianceOf(confusion, influencesOf(aim, confusion, mean));
  const [least, most] = possibleRange(aim);
  const terms = termsOf(aim, confusion);
  const { worthOf, slopeOf } = aim.objective === "f1" ? F1_OF_SHARE : SHARE;
  let [squares, shifts, apart] = [0, 0, 0];
  for (const { hits, trials, weight } of terms) {
    const share = hits / trials;
    const rowsWorth = trials / designEffect;
    const { low, high } = wilsonInterval(share * rowsWorth, rowsWorth, quantile);
    const [from, to] = [weight * worthOf(low), weight * worthOf(high)];
    const square = ((to - from) / 2) ** 2;
    squares += square;
    shifts += square * ((from + to) / 2 - weight * worthOf(share));
    apart += ((weight * slopeOf(share)) ** 2 * share * (1 - share)) / trials;
  }
  const together = apart === 0 ? 1 : Math.sqrt(variance / apart);
  const centre = mean + shifts / squares;
  const half = together * Math.sqrt(squares);
  const low = Math.max(least, Math.min(mean, centre - half));
  return { mean, low, high: Math.min(most, Math.max(mean, centre + half)) };
}

const SHARE = { worthOf: (share: number) => share, slopeOf: () => 1 };
const F1_OF_SHARE = {
  worthOf: (share: number) => (2 * share) / (1 + share),
  slopeOf: (share: number) => 2 / (1 + share) ** 2,
};

/** The worst and the best that an objective can be, as `achieved` says it. */
export function possibleRange({ costs }: Aim): [number, number] {
  return costs === null ? [0, 1] : [-Math.max(...costs.flat()), 0];
}

/** The mean cost, negated, if every row were decided in the dearest way. */
function dearestOf(costs: CostMatrix, confusion: readonly (readonly number[])[]): number {
  const supports = confusion.map(sumOf);
  return -sumOf(supports.map((support, actual) => support * Math.max(...costs[actual]!))) / sumOf(supports);
}

function termsOf({ objective, costs }: Aim, confusion: readonly (readonly number[])[]): Term[] {
  const rowCount = sumOf(confusion.flat());
  if (costs !== null) {
    return confusion.flatMap((row, actual) =>
      row.flatMap((hits, decided) => {
        const cost = costs[actual]![decided]!;
        return cost === 0 ? [] : [{ hits, trials: rowCount, weight: -cost }];
      }),
    );
  }
  if (objective === "accuracy") return [{ hits: rightCount(confusion), trials: rowCount, weight: 1 }];
  const byClass = metricsByClass(confusion).map(({ support, decided }, code) => {
    const hits = confusion[code]![code]!;
    return { hits, trials: objective === "f1" ? support + decided - hits : support };
  });
  const defined = byClass.filter(({ trials }) => trials > 0);
  return defined.map((term) => ({ ...term, weight: 1 / defined.length }));
}

/**
 * How much one more row adds to the objective, by its actual and its decided class: the derivative by their count. A
 * class that no row has, and none is decided as where that counts, adds nothing.
 */
export function influencesOf(
  { objective, costs }: Aim,
  confusion: readonly (readonly number[])[],
  mean: number,
): number[][] {
  const rowCount = sumOf(confusion.flat());
  if (costs !== null) return costs.map((row) => row.map((cost) => (-cost - mean) / rowCount));
  const byClass = metricsByClass(confusion);
  const classes = byClass.filter(({ f1Score, recall }) => (objective === "f1" ? f1Score : recall) !== null).length;
  const influence = (actual: number, decided: number) => {
    const right = actual === decided ? 1 : 0;
    if (objective === "accuracy") return (right - mean) / rowCount;
    const { support, recall } = byClass[actual]!;
    if (objective === "balanced-accuracy") return recall === null ? 0 : (right - recall) / support / classes;
    const slope = ({ support, decided, f1Score }: MetricsOfClass) =>
      f1Score === null ? 0 : (right - f1Score) / (support + decided) / classes;
    return slope(byClass[actual]!) + slope(byClass[decided]!);
  };
  return confusion.map((row, actual) => row.map((_, decided) => influence(actual, decided)));
}

/** The variance of the objective where rows are independent. */
function varianceOf(confusion: readonly (readonly number[])[], influences: readonly (readonly number[])[]): number {
  return sumOf(
    confusion.flatMap((row, actual) => row.map((count, decided) => count * influences[actual]![decided]! ** 2)),
  );
}

/** How many rows of clusters estimate the objective as well as one independent row. */
function designEffectOf(sums: readonly number[], variance: number, rowCount: number): number {
  return variance === 0 ? rowCount / sums.length : Math.max(1, clusterVariance(sums) / variance);
}
