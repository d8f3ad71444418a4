// The mean of bounded values: against bets row by row, the exact chance of a false call, and what it needs to call.
import { expect, test } from "bun:test";
import { array, assert, double, integer, property, tuple } from "fast-check";
import { meanOfBounded } from "../../../engine/statistics/bounded-mean.ts";
import { meanOf, sumOf } from "../../../engine/sums.ts";

const BOUND = 5;

/** Some rows with values from -5 to 5. */
const someRows = array(tuple(integer({ min: -BOUND, max: BOUND }), integer({ min: 1, max: 30 })), {
  minLength: 1,
  maxLength: 6,
});

/** The worth of bets that stake a share of themselves on each row in turn; the row's value says what they gain. */
function naiveWorth(values: readonly number[], claimed: number): number {
  const stakes = [0.9];
  while (stakes.at(-1)! > 2 / Math.sqrt(values.length)) stakes.push(stakes.at(-1)! / 2);
  const worths = stakes.map((stake) => {
    let worth = 1;
    for (const value of values) worth = (1 - stake) * worth + (stake * worth * (BOUND + value)) / (BOUND + claimed);
    return worth;
  });
  return meanOf(worths);
}

test("the interval holds the means against which no bet is worth 40, and the p-value is twice one over its worth", () => {
  assert(
    property(someRows, (counts) => {
      const values = counts.flatMap(([value, count]) => new Array<number>(count).fill(value));
      const negated = values.map((value) => -value);
      const { mean, low, high, pValue } = meanOfBounded({ counts, bound: BOUND });
      expect(mean).toBeCloseTo(meanOf(values), 12);
      expect(low).toBeLessThanOrEqual(mean);
      expect(high).toBeGreaterThanOrEqual(mean);
      if (low > -BOUND) expect(naiveWorth(values, low) / 40).toBeCloseTo(1, 6);
      if (high < BOUND) expect(naiveWorth(negated, -high) / 40).toBeCloseTo(1, 6);
      const most = Math.max(naiveWorth(values, 0), naiveWorth(negated, 0));
      expect(pValue / Math.min(1, 2 / most)).toBeCloseTo(1, 9);
      expect(pValue <= 0.05).toBe(low > 0 || high < 0);
    }),
  );
});

/** The exact chance that the mean is called above 0, where rows have one of three values with these chances. */
function chanceOfCall(rowCount: number, values: readonly number[], chances: readonly number[]): number {
  const logFactorials = [0];
  for (let row = 1; row <= rowCount; row++) logFactorials.push(logFactorials[row - 1]! + Math.log(row));
  let called = 0;
  for (let first = 0; first <= rowCount; first++) {
    for (let second = 0; first + second <= rowCount; second++) {
      const counts = [first, second, rowCount - first - second];
      const { low } = meanOfBounded({ counts: values.map((value, at) => [value, counts[at]!]), bound: BOUND });
      if (low <= 0) continue;
      const logs = counts.map(
        (count, at) => (count === 0 ? 0 : count * Math.log(chances[at]!)) - logFactorials[count]!,
      );
      called += Math.exp(logFactorials[rowCount]! + sumOf(logs));
    }
  }
  return called;
}

test("a mean of 0 is called above 0 with a chance of at most 2.5%, however lopsided the values are", () => {
  const gain = double({ min: 0.1, max: BOUND, noNaN: true });
  const share = double({ min: 0.01, max: 0.99, noNaN: true });
  assert(
    property(gain, gain, share, (up, down, apart) => {
      const chances = [(apart * down) / (up + down), (apart * up) / (up + down), 1 - apart];
      expect(chanceOfCall(40, [up, -down, 0], chances)).toBeLessThanOrEqual(0.025);
    }),
    { numRuns: 15 },
  );
});

test("a mean above 0 is called where rows allow it", () => {
  const interval = (rows: number) =>
    meanOfBounded({
      counts: [
        [1, 0.4 * rows],
        [-1, 0.1 * rows],
        [0, 0.5 * rows],
      ],
      bound: 1,
    });
  expect([interval(40).low > 0, interval(100).low > 0]).toEqual([false, true]);
  const { mean, low, high } = interval(10_000);
  expect([mean, low, high].map((value) => value.toFixed(2))).toEqual(["0.30", "0.28", "0.32"]);
});
