// Aims of decisions: accuracy, balanced accuracy, macro F1 or low costs, and the class weights that serve each.
import { countClasses } from "../fitting/class-counts.ts";
import { evenlySpaced, pickRows, rowsUpTo } from "../row-lists.ts";
import { sumOf } from "../sums.ts";
import type { LabelledRows } from "../table/table.ts";
import { type CostMatrix, meanCost } from "./costs.ts";
import { confusionMatrix, decide, macroAverages, metricsByClass, rightCount } from "./metrics.ts";

/**
 * accuracy: right decisions; the most probable class. balanced-accuracy: the mean recall of the
 * classes (Brodersen et al. 2010); the class with the largest probability over prior, which is the
 * Bayes decision for it. f1: the mean F1 of the classes; weights that are best out of fold. cost: a
 * low mean cost; the class with the lowest expected one (Elkan 2001).
 */
export const OBJECTIVES = ["accuracy", "balanced-accuracy", "f1", "cost"] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** Passes over the weights of all classes. */
const MOST_PASSES = 5;
/** Probabilities (rows × classes) that weights are tuned on. */
const MOST_CELLS = 500_000;
/** Smallest gain in mean F1 for which weights are changed. */
const LEAST_GAIN = 1e-9;

/**
 * How an objective is met, more being better: 0 to 1, or of costs the mean one negated. Recall and F1 are those of
 * `macroAverages`. `costs`: those of the objective "cost".
 */
export function achieved(
  objective: Objective,
  confusion: readonly (readonly number[])[],
  costs: CostMatrix | null = null,
): number {
  if (costs !== null) return -meanCost(confusion, costs);
  if (objective === "accuracy") return rightCount(confusion) / sumOf(confusion.flat());
  const { recall, f1Score } = macroAverages(metricsByClass(confusion));
  return (objective === "f1" ? f1Score : recall) ?? Number.NaN;
}

/**
 * Finds the class weights that multiply a model's probabilities before the largest decides; null
 * for none. `probabilities`: `rows.length × classCount`, of rows the model had not seen.
 */
export function decisionWeights(
  objective: Exclude<Objective, "cost">,
  probabilities: ArrayLike<number>,
  judged: LabelledRows,
): Float64Array | null {
  if (objective === "accuracy") return null;
  const { rows, classes, classCount } = judged;
  const priors = inversePriors(judged);
  if (objective === "balanced-accuracy") return priors;
  const kept = evenlySpaced(rows.length, MOST_CELLS / classCount);
  const shares = pickRows(probabilities, kept, classCount, new Float64Array(kept.length * classCount));
  const actuals = Uint8Array.from(kept, (at) => classes[rows[at]!]!);
  return tuneForF1(shares, actuals, classCount, [new Float64Array(classCount).fill(1), priors]);
}

/** Rows over (classes × rows of the class); 1 for a class without rows. */
export function inversePriors(judged: LabelledRows): Float64Array {
  const counts = countClasses(judged);
  const present = counts.filter((count) => count > 0).length;
  return counts.map((count) => (count === 0 ? 1 : judged.rows.length / (present * count)));
}

/**
 * The best of the starts after coordinate ascent: one class's weight after the other at its optimum, the others held.
 */
function tuneForF1(
  shares: Float64Array,
  actuals: Uint8Array,
  classCount: number,
  starts: readonly Float64Array[],
): Float64Array {
  const everyRow = { rows: rowsUpTo(actuals.length), classes: actuals, classCount };
  let best: { weights: Float64Array; score: number } | null = null;
  for (const start of starts) {
    const weights = start.slice();
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      let isBetter = false;
      for (let code = 0; code < classCount; code++) isBetter = tuneOne(shares, actuals, weights, code) || isBetter;
      if (!isBetter) break;
    }
    const decisions = decide(shares, classCount, { classWeights: weights });
    const score = achieved("f1", confusionMatrix(decisions, everyRow));
    if (best === null || score > best.score) best = { weights, score };
  }
  return best!.weights;
}

/**
 * Moves one class's weight to where the mean F1 is largest; says whether that is more than it was. A row
 * turns to the class once the weight exceeds its best other weighted share over its share of the class.
 * Sorted by these turns, one pass over the rows tries every weight.
 */
function tuneOne(shares: Float64Array, actuals: Uint8Array, weights: Float64Array, code: number): boolean {
  const rowCount = actuals.length;
  const { others, turns } = turningPoints(shares, weights, code);
  const tally = new Tally(weights.length, actuals);
  others.forEach((other, row) => {
    tally.add(row, other, 1);
  });
  const order = rowsUpTo(rowCount).sort((a, b) => turns[a]! - turns[b]!);
  const current = weights[code]!;
  let before = Number.NaN;
  let best = { mean: Number.NEGATIVE_INFINITY, weight: current };
  let low = 0;
  for (let place = 0; place <= rowCount && low < Number.POSITIVE_INFINITY; place++) {
    const high = place === rowCount ? Number.POSITIVE_INFINITY : turns[order[place]!]!;
    if (low < high) {
      if (low < current && current <= high) before = tally.mean;
      if (tally.mean > best.mean + LEAST_GAIN) best = { mean: tally.mean, weight: between(low, high) };
      low = high;
    }
    if (place < rowCount) {
      const row = order[place]!;
      tally.add(row, others[row]!, -1);
      tally.add(row, code, 1);
    }
  }
  if (best.mean <= before + LEAST_GAIN) return false;
  weights[code] = best.weight;
  return true;
}

/**
 * For each row: its best class besides `code`, and the weight above which `code` is decided instead; infinite if never.
 */
function turningPoints(
  shares: Float64Array,
  weights: Float64Array,
  code: number,
): { others: Uint8Array; turns: Float64Array } {
  const classCount = weights.length;
  const rowCount = shares.length / classCount;
  const bestOthers = new Uint8Array(rowCount);
  const turns = new Float64Array(rowCount);
  for (let row = 0, base = 0; row < rowCount; row++, base += classCount) {
    let other = code === 0 ? 1 : 0;
    for (let k = other + 1; k < classCount; k++) {
      if (k !== code && shares[base + k]! * weights[k]! > shares[base + other]! * weights[other]!) other = k;
    }
    bestOthers[row] = other;
    const share = shares[base + code]!;
    turns[row] = share > 0 ? (shares[base + other]! * weights[other]!) / share : Number.POSITIVE_INFINITY;
  }
  return { others: bestOthers, turns };
}

/** A weight between two turns, in the middle of their logarithms. */
function between(low: number, high: number): number {
  if (low === 0) return high === Number.POSITIVE_INFINITY ? 1 : high / 2;
  return high === Number.POSITIVE_INFINITY ? low * 2 : Math.sqrt(low) * Math.sqrt(high);
}

/** Decisions counted by class, and the mean F1 of the classes that have rows or are decided. */
class Tally {
  private summed = 0;
  private defined: number;
  private readonly actuals: Uint8Array;
  private readonly supports: Float64Array;
  private readonly hits: Float64Array;
  private readonly decided: Float64Array;

  constructor(classCount: number, actuals: Uint8Array) {
    this.actuals = actuals;
    this.supports = new Float64Array(classCount);
    for (const code of actuals) this.supports[code] = this.supports[code]! + 1;
    this.defined = this.supports.filter((support) => support > 0).length;
    this.hits = new Float64Array(classCount);
    this.decided = new Float64Array(classCount);
  }

  /** Counts a row as decided, or with -1 as not decided any more. */
  add(row: number, code: number, count: 1 | -1): void {
    this.summed -= this.f1(code);
    const before = this.decided[code]!;
    this.decided[code] = before + count;
    if (this.supports[code] === 0 && (before === 0 || before + count === 0)) this.defined += count;
    if (this.actuals[row] === code) this.hits[code] = this.hits[code]! + count;
    this.summed += this.f1(code);
  }

  get mean(): number {
    return this.summed / this.defined;
  }

  private f1(code: number): number {
    const hits = this.hits[code]!;
    return hits === 0 ? 0 : (2 * hits) / (this.supports[code]! + this.decided[code]!);
  }
}
