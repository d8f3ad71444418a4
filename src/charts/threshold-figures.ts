// Figures of a threshold of two labels on the held-out rows: precision,
// recall, share flagged and mean cost, with intervals.
import { type Estimate, wilsonInterval } from "../../engine/judging/metrics.ts";
import type { ThresholdCurve } from "../../engine/judging/thresholds.ts";
import type { ClassCount } from "../summary/summary.ts";

/** Two-sided 95% of the normal distribution. */
const Z_95 = 1.96;

/** Held-out rows by label, and how many independent rows each is worth: less than 1 where groups or times differ. */
export interface HeldOut {
  positives: number;
  negatives: number;
  worth: number;
}

interface LabelCounts {
  rows: number;
  classes: readonly ClassCount[];
}

/** The costs of a missed positive row and of a false alarm. */
export interface TwoCosts {
  missed: number;
  falseAlarm: number;
}

export interface ThresholdFigures {
  threshold: number;
  flagged: Estimate;
  /** Null where nothing is flagged. */
  precision: Estimate | null;
  /** Null where no row is positive. */
  recall: Estimate | null;
  cost: Estimate;
  missed: number;
  falseAlarms: number;
}

/** The point of a curve next to a threshold. */
export function pointAt({ thresholds }: Pick<ThresholdCurve, "thresholds">, threshold: number): number {
  let nearest = 0;
  thresholds.forEach((other, at) => {
    if (Math.abs(other - threshold) < Math.abs(thresholds[nearest]! - threshold)) nearest = at;
  });
  return nearest;
}

/** The figures at a point of a curve. */
export function figuresAt(curve: ThresholdCurve, at: number, rows: HeldOut, costs: TwoCosts): ThresholdFigures {
  const { positives, negatives, worth } = rows;
  const [hits, falseAlarms] = [curve.hits[at]!, curve.falseAlarms[at]!];
  const flagged = hits + falseAlarms;
  const share = (count: number, of: number) => (of === 0 ? null : widened(count, of, worth));
  return {
    threshold: curve.thresholds[at]!,
    flagged: widened(flagged, positives + negatives, worth),
    precision: share(hits, flagged),
    recall: share(hits, positives),
    cost: costOf(positives - hits, falseAlarms, rows, costs),
    missed: positives - hits,
    falseAlarms,
  };
}

/** The held-out rows of a version; `accuracy` tells what a row is worth. */
export function heldOutRows({ rows, classes }: LabelCounts, positiveLabel: string | null, accuracy: Estimate): HeldOut {
  const positives = classes.find(({ label }) => label === positiveLabel)?.count ?? 0;
  return { positives, negatives: rows - positives, worth: worthOf(rows, accuracy) };
}

/** How much narrower the interval of independent rows is than that of the accuracy, squared: what a row is worth. */
export function worthOf(rowCount: number, { mean, low, high }: Estimate): number {
  const independent = wilsonInterval(mean * rowCount, rowCount);
  const width = high - low;
  return width <= 0 ? 1 : Math.min(1, ((independent.high - independent.low) / width) ** 2);
}

function widened(count: number, of: number, worth: number): Estimate {
  return { ...wilsonInterval(count * worth, of * worth), mean: count / of };
}

/** The mean cost of a row, with the interval of a mean. */
function costOf(
  missed: number,
  falseAlarms: number,
  { positives, negatives, worth }: HeldOut,
  costs: TwoCosts,
): Estimate {
  const rowCount = positives + negatives;
  const mean = (missed * costs.missed + falseAlarms * costs.falseAlarm) / rowCount;
  const square = (missed * costs.missed ** 2 + falseAlarms * costs.falseAlarm ** 2) / rowCount;
  const half = Z_95 * Math.sqrt(Math.max(0, square - mean ** 2) / (rowCount * worth));
  return { mean, low: Math.max(0, mean - half), high: mean + half };
}
