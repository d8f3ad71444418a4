// The difference of two accuracies with an interval, for the same rows and for different ones.
import { type Estimate, Z_95 } from "./metrics.ts";

/** Rows that both were judged on, and those of them that one alone decided right. */
export interface PairedCounts {
  rows: number;
  firstAlone: number;
  secondAlone: number;
}

/**
 * The second accuracy less the first where both were judged on the same independent rows, with its
 * 95% interval (Bonett & Price 2012: Wald's, after one row more that each alone decides right and two
 * rows more in all). Rows that both decide alike do not blur it.
 */
export function pairedDifference({ rows, firstAlone, secondAlone }: PairedCounts): Estimate {
  const mean = (secondAlone - firstAlone) / rows;
  const first = (firstAlone + 1) / (rows + 2);
  const second = (secondAlone + 1) / (rows + 2);
  const half = Z_95 * Math.sqrt((first + second - (second - first) ** 2) / (rows + 2));
  const centre = second - first;
  return { mean, low: Math.max(-1, centre - half), high: Math.min(1, centre + half) };
}

/**
 * The second accuracy less the first where they are independent, with its 95% interval made of theirs (Newcombe 1998,
 * method 10; Zou & Donner 2008 for other intervals than Wilson's, such as those of clusters).
 */
export function independentDifference(first: Estimate, second: Estimate): Estimate {
  const mean = second.mean - first.mean;
  return {
    mean,
    low: Math.max(-1, mean - Math.hypot(second.mean - second.low, first.high - first.mean)),
    high: Math.min(1, mean + Math.hypot(second.high - second.mean, first.mean - first.low)),
  };
}
