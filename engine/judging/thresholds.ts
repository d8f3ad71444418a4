// Two classes: decisions at other thresholds, and thresholds as class weights.
import { rowsUpTo } from "../row-lists.ts";
import type { LabelledRows } from "../table/table.ts";

/** Points of a curve besides the requested ones: half of them among the rows of each label. */
const MOST_POINTS = 200;

/**
 * Decisions at some ascending thresholds: rows with a probability above one are flagged. `hits` of them have the label
 * that is looked for, `falseAlarms` the other one.
 */
export interface ThresholdCurve {
  thresholds: readonly number[];
  hits: readonly number[];
  falseAlarms: readonly number[];
  /** Area under the ROC curve, of all rows; null where they have one label only. */
  rocArea: number | null;
  /**
   * The mean precision over the rows of the label that is looked for, each at the threshold that flags it, and the same
   * of the other label; null without such rows. Left out of curves of earlier versions.
   */
  averagePrecision?: number | null;
  otherAveragePrecision?: number | null;
}

/**
 * The curve of class 1. `probabilities`: of two classes, `rows.length × 2`. Where the rows have many distinct
 * probabilities, points are evenly spaced among the rows of each label, so that a rare one has as many as a frequent
 * one; `asked` are points in any case. O(rows log rows).
 */
export function thresholdCurve(
  probabilities: Float64Array,
  { rows, classes }: LabelledRows,
  askedThresholds: readonly number[],
): ThresholdCurve {
  const order = rowsUpTo(rows.length).sort((a, b) => probabilities[a * 2 + 1]! - probabilities[b * 2 + 1]!);
  const shares = Float64Array.from(order, (row) => probabilities[row * 2 + 1]!);
  const isHit = (place: number) => classes[rows[order[place]!]!] === 1;
  // Hits among the rows from each place on.
  const hitsFrom = new Uint32Array(rows.length + 1);
  for (let place = rows.length - 1; place >= 0; place--) hitsFrom[place] = hitsFrom[place + 1]! + Number(isHit(place));
  const hitCount = hitsFrom[0]!;
  const points = halfways(shares, hitsFrom);
  const thresholds = [...new Set([0, 1, ...askedThresholds, ...points])].sort((a, b) => a - b);
  const places = thresholds.map((threshold) => placeAbove(shares, threshold));
  return {
    thresholds,
    hits: places.map((place) => hitsFrom[place]!),
    falseAlarms: places.map((place) => rows.length - place - hitsFrom[place]!),
    rocArea: rocArea(shares, isHit, hitCount),
    averagePrecision: averagePrecision(shares.toReversed(), (place) => isHit(rows.length - 1 - place), hitCount),
    otherAveragePrecision: averagePrecision(shares, (place) => !isHit(place), rows.length - hitCount),
  };
}

/** Turns a curve into that of the other class, which flags the rows that this one does not. */
export function otherClass(curve: ThresholdCurve, positives: number, negatives: number): ThresholdCurve {
  return {
    thresholds: curve.thresholds.map((threshold) => 1 - threshold).reverse(),
    hits: curve.falseAlarms.map((count) => negatives - count).reverse(),
    falseAlarms: curve.hits.map((count) => positives - count).reverse(),
    rocArea: curve.rocArea,
    averagePrecision: curve.otherAveragePrecision ?? null,
    otherAveragePrecision: curve.averagePrecision ?? null,
  };
}

/** The two class weights that decide for `positive` above this threshold of its probability. */
export function weightsOfThreshold(threshold: number, positive: number): [number, number] {
  return positive === 1 ? [threshold, 1 - threshold] : [1 - threshold, threshold];
}

/** The threshold that two class weights stand for; 0.5 if the most probable class is decided. */
export function thresholdOfWeights(weights: readonly number[] | null, positive: number): number {
  const [ofPositive, other] = [weights?.[positive] ?? 1, weights?.[1 - positive] ?? 1];
  return ofPositive + other === 0 ? 1 : other / (ofPositive + other);
}

/** The threshold for two costs: that of a missed row and that of a false alarm. */
export function thresholdOfCosts(missed: number, falseAlarm: number): number {
  return thresholdOfWeights([falseAlarm, missed], 1);
}

/**
 * Halfway between neighbouring probabilities. Where there are many, only those before which another part of the rows of
 * either label ends. `hitsFrom`: hits among the rows from each place on.
 */
function halfways(ascending: Float64Array, hitsFrom: Uint32Array): number[] {
  const hitCount = hitsFrom[0]!;
  const steps: number[] = [];
  for (let at = 1; at < ascending.length; at++) if (ascending[at]! > ascending[at - 1]!) steps.push(at);
  const partOf = (at: number) => {
    const hitsBelow = hitCount - hitsFrom[at]!;
    const hitShare = hitsBelow / Math.max(1, hitCount);
    const otherShare = (at - hitsBelow) / Math.max(1, ascending.length - hitCount);
    return Math.floor(((hitShare + otherShare) / 2) * MOST_POINTS);
  };
  const isPoint = (at: number, index: number) => index === 0 || partOf(at) > partOf(steps[index - 1]!);
  const kept = steps.length <= MOST_POINTS ? steps : steps.filter(isPoint);
  return kept.map((at) => ascending[at - 1]! + (ascending[at]! - ascending[at - 1]!) / 2);
}

/** How many values are not above a threshold. */
function placeAbove(ascending: Float64Array, threshold: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! > threshold) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The share of pairs of a hit and another row that stand in the right order, equal ones counting half. */
function rocArea(ascending: Float64Array, isHit: (place: number) => boolean, hitCount: number): number | null {
  const otherCount = ascending.length - hitCount;
  if (hitCount === 0 || otherCount === 0) return null;
  let [area, below] = [0, 0];
  for (let from = 0; from < ascending.length; ) {
    let [to, hits] = [from, 0];
    for (; to < ascending.length && ascending[to] === ascending[from]; to++) hits += Number(isHit(to));
    const others = to - from - hits;
    area += hits * (below + others / 2);
    below += others;
    from = to;
  }
  return area / (hitCount * otherCount);
}

/** `order`: probabilities in the order in which rows are flagged; equal ones are flagged together. */
function averagePrecision(order: Float64Array, isHit: (place: number) => boolean, hitCount: number): number | null {
  if (hitCount === 0) return null;
  let [sum, flaggedHits] = [0, 0];
  for (let from = 0; from < order.length; ) {
    let [to, hits] = [from, 0];
    for (; to < order.length && order[to] === order[from]; to++) hits += Number(isHit(to));
    flaggedHits += hits;
    sum += (hits * flaggedHits) / to;
    from = to;
  }
  return sum / hitCount;
}
