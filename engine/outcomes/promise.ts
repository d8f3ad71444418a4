// A version's promise: its decisions serve the objective that it was trained for as well as the confirmed figure says.
import { ACCURACY, type Aim, type ConfirmedFigure, influencesOf, possibleRange } from "../judging/estimate.ts";
import { emptyConfusion } from "../judging/metrics.ts";
import type { ModelFile } from "../model/model-file.ts";
import { sumOf } from "../sums.ts";
import type { OutcomeCounts } from "./outcomes.ts";
import type { KindCounts, Losses } from "./worse-than-promised.ts";

/** A promise leaves at least this share of the largest loss: nothing is right for ever. */
const LEAST_LOSS = 1e-4;
/** A difference from the promise that is noticeable: ten points, or half as much cost again. */
const NOTICED_DIFFERENCE = 0.1;
const NOTICED_COST = 0.5;
/** A wrong decision for which no cost was named. */
const USUAL_COST = 1;

export interface Promised {
  aim: Aim;
  /**
   * The figure that the version is held to, as `achieved` says it: the worse end of the 95% interval of the confirmed
   * one, so that the error of that estimate raises no alarm.
   */
  bound: number;
  losses: Losses;
  /** The kind of each decision, by actual label and decision. */
  kinds: readonly (readonly number[])[];
  /** The kind of a decision whose label the model does not know. */
  kindOfUnknown: number;
}

/** The parts of a model that say what it promises. */
export interface PromisingModel {
  labels: readonly string[];
  lineage: { performance: Pick<ModelFile["lineage"]["performance"], "confirmedPerformance" | "optimised"> };
}

/** The objective of a model, and its confirmed figure; null where none was confirmed. */
export function confirmedFigure({ labels, lineage }: PromisingModel): { aim: Aim; confirmed: ConfirmedFigure | null } {
  const { confirmedPerformance, optimised } = lineage.performance;
  if (optimised !== undefined) {
    const { objective, costs = null, confirmed = null } = optimised;
    return { aim: { objective, costs }, confirmed };
  }
  if (confirmedPerformance === null) return { aim: ACCURACY, confirmed: null };
  const { mean } = confirmedPerformance;
  const confusion = emptyConfusion(labels.length);
  confusion[0]!.splice(0, 2, mean, 1 - mean);
  return { aim: ACCURACY, confirmed: { ...confirmedPerformance, confusion } };
}

/**
 * The figure that the decisions of a model are held to; null where none was confirmed, or its interval leaves nothing
 * that would be worse.
 *
 * Each objective is taken in its linear form at the confirmed decisions: what one decision more adds to it. For
 * accuracy and costs that is exact; for balanced accuracy as long as the labels come in the shares that they had, or
 * each is found as often as it was; for F1 it is the first order.
 */
export function promiseOf(model: PromisingModel): Promised | null {
  const { aim, confirmed } = confirmedFigure(model);
  if (confirmed === null) return null;
  const { mean, low, confusion } = confirmed;
  const rowCount = sumOf(confusion.flat());
  const [worst, best] = possibleRange(aim);
  if (low <= worst) return null;
  const bound = Math.min(low, best - LEAST_LOSS * (best - worst));
  const index = new Map<number, number>();
  const kindOf = (excess: number) => index.get(excess) ?? index.set(excess, index.size).size - 1;
  const excess = (influence: number) => bound - mean - rowCount * influence;
  const kinds = influencesOf(aim, confusion, mean).map((row) => row.map((influence) => kindOf(excess(influence))));
  const kindOfUnknown = kindOf(bound - (aim.costs === null ? 0 : -USUAL_COST));
  const shares = new Array<number>(index.size).fill(0);
  for (const [actual, row] of confusion.entries()) {
    for (const [decided, count] of row.entries()) shares[kinds[actual]![decided]!]! += count / rowCount;
  }
  const noticeable = aim.costs === null ? NOTICED_DIFFERENCE : -NOTICED_COST * bound;
  return { aim, bound, losses: { excess: [...index.keys()], shares, noticeable }, kinds, kindOfUnknown };
}

/** Decisions whose labels came later, by kind. */
export function countKinds({ losses, kinds, kindOfUnknown }: Promised, counts: OutcomeCounts): KindCounts {
  const sums = losses.excess.map(() => 0);
  sums[kindOfUnknown]! += counts.unknownLabels;
  for (const [actual, row] of counts.confusion.entries()) {
    for (const [decided, count] of row.entries()) sums[kinds[actual]![decided]!]! += count;
  }
  return sums;
}
