// Temperature scaling (Guo, Pleiss, Sun and Weinberger 2017): one number that
// makes a model's probabilities bolder or more cautious.
import { evenlySpaced, pickRows } from "../row-lists.ts";
import { sumOf } from "../sums.ts";
import type { LabelledRows } from "../table/table.ts";
import { isBeyondChance, LEAST_PROBABILITY } from "./metrics.ts";

/** The range that is searched as a rule, and how many steps narrow it to a thousandth of its logarithm. */
const LEAST_TEMPERATURE = 0.2;
const MOST_TEMPERATURE = 10;
const SEARCH_STEPS = 20;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Probabilities (rows × classes) that are looked at: one number needs no more. */
const MOST_CELLS = 500_000;

/**
 * The temperature at which probabilities, `rows.length × classCount` and of a model that had not seen
 * the rows, have the lowest log-loss, `most` at most; 1 where none is better beyond chance.
 * Golden-section search over its logarithm. O(rows × classes).
 */
export function fitTemperature(
  probabilities: ArrayLike<number>,
  { rows, classes, classCount }: LabelledRows,
  most: number = MOST_TEMPERATURE,
): number {
  const kept = evenlySpaced(rows.length, MOST_CELLS / classCount);
  const logs = pickRows(probabilities, kept, classCount, new Float64Array(kept.length * classCount));
  belowMost(logs, classCount);
  const actuals = Uint8Array.from(kept, (at) => classes[rows[at]!]!);
  const temperature = Math.exp(
    lowest(Math.log(LEAST_TEMPERATURE), Math.log(most), (logTemperature) =>
      sumOf(lossesAt(logs, actuals, classCount, Math.exp(logTemperature))),
    ),
  );
  const before = lossesAt(logs, actuals, classCount, 1);
  const after = lossesAt(logs, actuals, classCount, temperature);
  return isBeyondChance(before.map((loss, i) => loss - after[i]!)) ? temperature : 1;
}

/** p^(1/temperature), made to sum to 1 again, row by row in place; temperature 1 leaves every bit as it is. */
export function applyTemperature(probabilities: Float64Array, classCount: number, temperature: number): void {
  if (temperature === 1) return;
  for (let base = 0; base < probabilities.length; base += classCount) {
    const row = probabilities.subarray(base, base + classCount);
    let most = 0;
    for (let k = 0; k < classCount; k++) most = Math.max(most, row[k]!);
    let sum = 0;
    for (let k = 0; k < classCount; k++) {
      row[k] = (row[k]! / most) ** (1 / temperature);
      sum += row[k]!;
    }
    for (let k = 0; k < classCount; k++) row[k] = row[k]! / sum;
  }
}

/** Makes logarithms of probabilities, less the largest of their row. */
function belowMost(logs: Float64Array, classCount: number): void {
  for (let base = 0; base < logs.length; base += classCount) {
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < classCount; k++) {
      logs[base + k] = Math.log(logs[base + k]!);
      most = Math.max(most, logs[base + k]!);
    }
    for (let k = 0; k < classCount; k++) logs[base + k] = logs[base + k]! - most;
  }
}

/**
 * The log-loss of each row at a temperature, probabilities counting as in `judge`. `logs`: as `belowMost` makes them.
 * Two dozen such passes are most of what an attempt takes after its fits, so the largest of a row is not exponentiated.
 */
function lossesAt(logs: Float64Array, actuals: Uint8Array, classCount: number, temperature: number): Float64Array {
  const losses = new Float64Array(actuals.length);
  const least = Math.log(LEAST_PROBABILITY);
  for (let row = 0, base = 0; row < losses.length; row++, base += classCount) {
    let sum = 0;
    for (let k = 0; k < classCount; k++) {
      const log = logs[base + k]!;
      sum += log === 0 ? 1 : Math.exp(log / temperature);
    }
    losses[row] = -Math.max(least, logs[base + actuals[row]!]! / temperature - Math.log(sum));
  }
  return losses;
}

function lowest(from: number, to: number, lossAt: (x: number) => number): number {
  let [low, high] = [from, to];
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let [lossLeft, lossRight] = [lossAt(left), lossAt(right)];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    if (lossLeft < lossRight) {
      [high, right, lossRight] = [right, left, lossLeft];
      left = high - GOLDEN * (high - low);
      lossLeft = lossAt(left);
    } else {
      [low, left, lossLeft] = [left, right, lossRight];
      right = low + GOLDEN * (high - low);
      lossRight = lossAt(right);
    }
  }
  return (low + high) / 2;
}
