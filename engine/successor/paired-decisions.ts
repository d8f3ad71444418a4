// The decisions of two models about the same rows, counted against the labels; a test of which is right more often.
import { pairedDifference } from "../judging/difference.ts";
import { type Estimate, rightCount, wilsonInterval } from "../judging/metrics.ts";
import { sumOf } from "../sums.ts";

/** Counts by actual label, then by decision. */
type Confusion = readonly (readonly number[])[];

export interface PairedDecisions {
  /** All labels that stand in either matrix, in their order. */
  labels: readonly string[];
  champion: Confusion;
  challenger: Confusion;
  /** Rows that the champion alone decided right, and the challenger alone. */
  championAlone: number;
  challengerAlone: number;
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
  /** The challenger's accuracy less the champion's. */
  difference: Estimate;
  /** McNemar's exact test, two-sided. */
  pValue: number;
  outcome: "CHALLENGER_BETTER" | "CHAMPION_BETTER" | "WITHIN_CHANCE";
}

/** A difference is more than chance below this. */
export const BETTER_LEVEL = 0.05;

/** There is at least one row. */
export function judgePaired({ champion, challenger, championAlone, challengerAlone }: PairedDecisions): PairedVerdict {
  const rowCount = sumOf(champion.flat());
  const championRight = rightCount(champion);
  const challengerRight = rightCount(challenger);
  const pValue = exactPairedTest(championAlone, challengerAlone);
  const isTold = pValue <= BETTER_LEVEL;
  const better = challengerAlone > championAlone ? "CHALLENGER_BETTER" : "CHAMPION_BETTER";
  return {
    ...{ rowCount, championRight, challengerRight, pValue },
    champion: wilsonInterval(championRight, rowCount),
    challenger: wilsonInterval(challengerRight, rowCount),
    difference: pairedDifference({ rows: rowCount, firstAlone: championAlone, secondAlone: challengerAlone }),
    outcome: isTold ? better : "WITHIN_CHANCE",
  };
}

/**
 * McNemar's test in its exact form, two-sided: the chance that so many of the rows that one alone decides right, or
 * more, are one model's, if each is either's with a chance of one half. O(rows).
 */
function exactPairedTest(firstAlone: number, secondAlone: number): number {
  const all = firstAlone + secondAlone;
  const most = Math.max(firstAlone, secondAlone);
  if (2 * most <= all + 1) return 1;
  // ln of C(all, most) / 2^all.
  let logTerm = -all * Math.LN2;
  for (let i = 1; i <= all - most; i++) logTerm += Math.log((most + i) / i);
  let term = 1;
  let sum = 0;
  for (let count = most; count <= all; count++) {
    sum += term;
    term *= (all - count) / (count + 1);
  }
  return Math.min(1, 2 * Math.exp(logTerm) * sum);
}
