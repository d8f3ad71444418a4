// Measures decisions and probabilities. A figure that is undefined is null, never 0.

import { meanOf, sumOf } from "../sums.ts";
import type { LabelledRows } from "../table/table.ts";
import { type CostMatrix, expectedCosts } from "./costs.ts";

/** Probabilities below this count as this in the log-loss, so that one sure mistake does not outweigh all the rest. */
export const LEAST_PROBABILITY = 1e-4;
/** Two-sided 95% of the normal distribution. */
export const Z_95 = 1.959963984540054;

/** A mean gain counts if it exceeds two of its standard errors. */
const LEAST_DEVIATIONS = 2;

/** A share with its interval. */
export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

/** The judgement of probabilities on some rows. */
export interface Judgement {
  rowCount: number;
  falseDecisions: number;
  accuracy: number;
  logLoss: number;
  /** The decided class of each row. */
  decisions: Uint8Array;
}

/** How probabilities become decisions; with neither, the most probable class decides. */
export interface DecisionRule {
  /** Multiply the probabilities before the largest decides. */
  classWeights?: ArrayLike<number> | null;
  /** Costs of wrong decisions; without class weights the lowest expected cost decides. */
  costs?: CostMatrix | null;
}

/**
 * Judges the rows' probabilities, `rows.length × classCount`, against their classes. Decisions are those of `decide`.
 * Log-loss is the mean of -ln p(true class), p at least 1e-4.
 */
export function judge(probabilities: Float64Array, labelled: LabelledRows, rule: DecisionRule = {}): Judgement {
  const { rows, classes, classCount } = labelled;
  const decisions = decide(probabilities, classCount, rule);
  let falseDecisions = 0;
  for (let i = 0; i < rows.length; i++) if (decisions[i] !== classes[rows[i]!]) falseDecisions++;
  const rowCount = rows.length;
  // One division, so that 93 of 100 is 0.93, which a target may be.
  const accuracy = (rowCount - falseDecisions) / rowCount;
  return { rowCount, falseDecisions, accuracy, logLoss: meanOf(lossesOf(probabilities, labelled)), decisions };
}

/** The log-loss of each row, as `judge` counts it. */
export function lossesOf(probabilities: ArrayLike<number>, { rows, classes, classCount }: LabelledRows): Float64Array {
  return Float64Array.from(
    rows,
    (row, i) => -Math.log(Math.max(LEAST_PROBABILITY, probabilities[i * classCount + classes[row]!]!)),
  );
}

/** Whether the mean of the rows' gains is above 0 by more than chance. */
export function isBeyondChance(gains: Float64Array): boolean {
  const mean = meanOf(gains);
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length;
  return mean > LEAST_DEVIATIONS * Math.sqrt(variance / gains.length);
}

/** The squared distance of each row's probabilities from the truth, over all classes: 0 to 2 (Brier 1950). */
export function brierScores(probabilities: Float64Array, { rows, classes, classCount }: LabelledRows): Float64Array {
  const scores = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const actual = classes[rows[i]!]!;
    for (let k = 0; k < classCount; k++) {
      const miss = probabilities[i * classCount + k]! - (k === actual ? 1 : 0);
      scores[i]! += miss * miss;
    }
  }
  return scores;
}

/** The values that classes are compared by, largest first: weighted probabilities, or negated expected costs. */
export function weighed(
  probabilities: Float64Array,
  classCount: number,
  { classWeights = null, costs = null }: DecisionRule,
): Float64Array {
  if (classWeights !== null) return probabilities.map((share, cell) => share * classWeights[cell % classCount]!);
  return costs === null ? probabilities : expectedCosts(probabilities, costs).map((cost) => -cost);
}

/** The decided class of each row, the first of equals. */
export function decide(probabilities: Float64Array, classCount: number, rule: DecisionRule = {}): Uint8Array {
  const scores = weighed(probabilities, classCount, rule);
  const decisions = new Uint8Array(probabilities.length / classCount);
  for (let i = 0, base = 0; i < decisions.length; i++, base += classCount) {
    let best = 0;
    for (let k = 1; k < classCount; k++) if (scores[base + k]! > scores[base + best]!) best = k;
    decisions[i] = best;
  }
  return decisions;
}

/** Counts by actual (first index) and decided class. */
export function confusionMatrix(decisions: Uint8Array, { rows, classes, classCount }: LabelledRows): number[][] {
  const matrix = emptyConfusion(classCount);
  decisions.forEach((decided, i) => {
    matrix[classes[rows[i]!]!]![decided]!++;
  });
  return matrix;
}

export function emptyConfusion(classCount: number): number[][] {
  return Array.from({ length: classCount }, () => new Array<number>(classCount).fill(0));
}

/** How many decisions of a confusion matrix were right. */
export function rightCount(confusion: readonly (readonly number[])[]): number {
  return sumOf(confusion.map((row, code) => row[code]!));
}

/** Precision, recall and F1 of one class, or their means over the classes where each is defined. */
export interface ClassMetrics {
  precision: number | null;
  recall: number | null;
  f1Score: number | null;
}

/** One class against all others. */
export interface MetricsOfClass extends ClassMetrics {
  /** Rows of the class. */
  support: number;
  /** Rows decided as the class. */
  decided: number;
}

/** The metrics of the positive class where there are two classes, else macro averages (D39). */
export function classMetrics(confusion: readonly (readonly number[])[], positiveClass: number): ClassMetrics {
  const byClass = metricsByClass(confusion);
  if (byClass.length > 2) return macroAverages(byClass);
  const { precision, recall, f1Score } = byClass[positiveClass]!;
  return { precision, recall, f1Score };
}

/**
 * The metrics of every class, in the order of their codes. `confusion[actual][decided]`. F1 is 2TP / (2TP + FP + FN): 0
 * where no row of the class was found, undefined only where none has it and none was decided as it.
 */
export function metricsByClass(confusion: readonly (readonly number[])[]): MetricsOfClass[] {
  return confusion.map((row, code) => {
    const hits = row[code]!;
    const support = sumOf(row);
    const decided = confusion.reduce((sum, other) => sum + other[code]!, 0);
    return {
      support,
      decided,
      precision: decided === 0 ? null : hits / decided,
      recall: support === 0 ? null : hits / support,
      f1Score: support + decided === 0 ? null : (2 * hits) / (support + decided),
    };
  });
}

/** The mean of each metric over the classes where it is defined. That of recall is the balanced accuracy. */
export function macroAverages(each: readonly ClassMetrics[]): ClassMetrics {
  return {
    precision: meanOfDefined(each.map((m) => m.precision)),
    recall: meanOfDefined(each.map((m) => m.recall)),
    f1Score: meanOfDefined(each.map((m) => m.f1Score)),
  };
}

function meanOfDefined(values: readonly (number | null)[]): number | null {
  const defined = values.filter((value) => value !== null);
  return defined.length === 0 ? null : meanOf(defined);
}

/** The interval of a share of `trials` by Wilson (1927), of 95% unless `z` says otherwise. `trials` is at least 1. */
export function wilsonInterval(successes: number, trials: number, z: number = Z_95): Estimate {
  const share = successes / trials;
  const spread = z ** 2 / trials;
  const centre = (share + spread / 2) / (1 + spread);
  const half = (z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials))) / (1 + spread);
  // At the ends the bound is exact; rounding would make 0.999… of it.
  const low = successes === 0 ? 0 : Math.max(0, centre - half);
  const high = successes === trials ? 1 : Math.min(1, centre + half);
  return { mean: share, low, high };
}

/** Decisions whose confidence lies in one range. */
export interface CalibrationBin {
  low: number;
  high: number;
  count: number;
  /** Mean confidence of the decisions in the bin. */
  confidence: number;
  /** Share of them that were right. */
  accuracy: number;
}

/** Equal ranges of confidence that decisions are counted in. */
export const CONFIDENCE_BINS = 10;

/** The range that a confidence in [0, 1] falls in, from 0; 1 is in the last. */
export function confidenceBin(confidence: number): number {
  return Math.min(CONFIDENCE_BINS - 1, Math.floor(confidence * CONFIDENCE_BINS));
}

/**
 * Reliability of the decisions: ten equal ranges of confidence (the decided class's probability), empty ones left out.
 */
export function calibrationBins(
  probabilities: Float64Array,
  { rows, classes, classCount }: LabelledRows,
  decisions: Uint8Array,
): CalibrationBin[] {
  const sums = Array.from({ length: CONFIDENCE_BINS }, () => ({ count: 0, confidence: 0, right: 0 }));
  decisions.forEach((decided, i) => {
    const confidence = probabilities[i * classCount + decided]!;
    const sum = sums[confidenceBin(confidence)]!;
    sum.count++;
    sum.confidence += confidence;
    if (decided === classes[rows[i]!]) sum.right++;
  });
  return sums
    .map(({ count, confidence, right }, bin) => ({
      low: bin / CONFIDENCE_BINS,
      high: (bin + 1) / CONFIDENCE_BINS,
      count,
      confidence: confidence / count,
      accuracy: right / count,
    }))
    .filter(({ count }) => count > 0);
}

/**
 * Mean distance between confidence and the share that was right, weighed by
 * the decisions of each bin; null without any.
 */
export function expectedCalibrationError(bins: readonly CalibrationBin[]): number | null {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  return bins.reduce((sum, bin) => sum + bin.count * Math.abs(bin.confidence - bin.accuracy), 0) / total;
}
