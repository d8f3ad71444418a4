// The decisions of two models about the same rows, counted against the labels; a test of which is right more often, or
// serves the objective better.
import { pairedDifference } from "../judging/difference.ts";
import { ACCURACY, type Aim } from "../judging/estimate.ts";
import { type Estimate, rightCount, wilsonInterval } from "../judging/metrics.ts";
import type { Objective } from "../judging/objective.ts";
import { upperFairCoin } from "../statistics/tail-probabilities.ts";
import { sumOf } from "../sums.ts";
import { type Confusion, type Differing, judgeByObjective } from "./paired-objective.ts";

/** The positive label is decided where its probability is above the threshold. */
export interface ChosenThreshold {
  positiveLabel: string;
  threshold: number;
}

export interface PairedDecisions {
  /** All labels that stand in either matrix, in their order. */
  labels: readonly string[];
  champion: Confusion;
  challenger: Confusion;
  /** Rows that the champion alone decided right, and the challenger alone. */
  championAlone: number;
  challengerAlone: number;
  /** The champion's, where a person had chosen it: both decided by it. */
  chosenThreshold?: ChosenThreshold;
  /** Counted for another objective than accuracy, and for a chosen threshold; earlier versions did not. */
  differing?: readonly Differing[];
  /**
   * Rows that the champion's dataset has too, alike in label and in all columns that it uses. Null where that dataset
   * is gone; earlier versions did not count them.
   */
  seenRows?: number | null;
}

export interface PairedVerdict {
  rowCount: number;
  championRight: number;
  challengerRight: number;
  champion: Estimate;
  challenger: Estimate;
  /**
   * The scores by another objective than accuracy; the fields below then go by them. Null where these go by right
   * decisions.
   */
  byObjective: { objective: Objective; champion: number; challenger: number } | null;
  /** The challenger's accuracy, or score, less the champion's. */
  difference: Estimate;
  /** Two-sided: of McNemar's exact test, or of bets on the mean (`meanOfBounded`). */
  pValue: number;
  outcome: "CHALLENGER_BETTER" | "CHAMPION_BETTER" | "WITHIN_CHANCE";
}

/** A difference is more than chance below this. */
export const BETTER_LEVEL = 0.05;

/** There is at least one row. */
export function judgePaired(decisions: PairedDecisions, aim: Aim = ACCURACY): PairedVerdict {
  const { champion, challenger } = decisions;
  const rowCount = sumOf(champion.flat());
  const [championRight, challengerRight] = [rightCount(champion), rightCount(challenger)];
  const { byObjective, difference, pValue } = compared(decisions, aim, rowCount);
  const better = difference.mean > 0 ? "CHALLENGER_BETTER" : "CHAMPION_BETTER";
  return {
    ...{ rowCount, championRight, challengerRight, byObjective, pValue },
    champion: wilsonInterval(championRight, rowCount),
    challenger: wilsonInterval(challengerRight, rowCount),
    difference,
    outcome: pValue <= BETTER_LEVEL ? better : "WITHIN_CHANCE",
  };
}

type Difference = Pick<PairedVerdict, "byObjective" | "difference" | "pValue">;

function compared(decisions: PairedDecisions, aim: Aim, rows: number): Difference {
  const { differing, championAlone: firstAlone, challengerAlone: secondAlone } = decisions;
  if (aim.objective !== "accuracy" && differing !== undefined) {
    const judged = judgeByObjective(aim, decisions.champion, decisions.challenger, differing);
    const { champion, challenger, difference, pValue } = judged;
    return { byObjective: { objective: aim.objective, champion, challenger }, difference, pValue };
  }
  const difference = pairedDifference({ rows, firstAlone, secondAlone });
  return { byObjective: null, difference, pValue: exactPairedTest(firstAlone, secondAlone) };
}

/**
 * McNemar's exact test, two-sided, over the rows that one model alone decides right: the chance that one model has as
 * many of them or more, if each row is either model's with a chance of one half. O(rows).
 */
function exactPairedTest(firstAlone: number, secondAlone: number): number {
  const differingCount = firstAlone + secondAlone;
  const most = Math.max(firstAlone, secondAlone);
  return 2 * most <= differingCount + 1 ? 1 : 2 * upperFairCoin(most, differingCount);
}
