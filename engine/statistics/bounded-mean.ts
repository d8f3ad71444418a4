// The mean of bounded values with an interval and a test that hold for every distribution and number of rows.
//
// A bet against "the mean is at most m" stakes a share of what it is worth on each row, at odds that are fair where the
// mean is m. While that holds, it is expected to stay at 1 or fall, so the chance that it ends at 1/α is at most α
// (Waudby-Smith & Ramdas 2024, Estimating means of bounded random variables by betting). Rows need not be alike: the
// product of what they are expected to pay is largest where all pay the same.
import type { Estimate } from "../judging/metrics.ts";
import { logOfSum, sumOf } from "../sums.ts";

/** The level of each side; both together leave 5%. */
const SIDE_LEVEL = 0.025;
const LOG_EVIDENCE_NEEDED = -Math.log(SIDE_LEVEL);
/** A stake that one row could lose whole would never recover. */
const LARGEST_STAKE = 0.9;
/** The least stake is this over √rows: smaller ones gain too little to reach the level. */
const LEAST_STAKE = 2;
/** Enough to leave nothing of the range but rounding. */
const HALVINGS = 60;

/** Values by how many rows have them, all rows; none beyond `bound` on either side of 0. */
export interface BoundedValues {
  counts: readonly (readonly [value: number, count: number])[];
  bound: number;
}

/** Needs at least one row. `pValue`: two-sided, that the mean is 0; at most 5% if the interval excludes 0. */
export function meanOfBounded({ counts, bound }: BoundedValues): Estimate & { pValue: number } {
  const negated = counts.map(([value, count]) => [-value, count] as const);
  const [above, below] = [new Bets(counts, bound), new Bets(negated, bound)];
  return {
    mean: above.mean,
    low: above.leastMean(),
    high: -below.leastMean(),
    pValue: Math.min(1, 2 * Math.exp(-Math.max(above.logEvidence(0), below.logEvidence(0)))),
  };
}

/** Bets against means that are too low, spread evenly over stakes. */
class Bets {
  readonly mean: number;
  private readonly counts: BoundedValues["counts"];
  private readonly bound: number;
  private readonly stakes: readonly number[];

  constructor(counts: BoundedValues["counts"], bound: number) {
    const rowCount = sumOf(counts.map(([, count]) => count));
    this.mean = sumOf(counts.map(([value, count]) => value * count)) / rowCount;
    this.counts = counts;
    this.bound = bound;
    const stakes = [LARGEST_STAKE];
    while (stakes.at(-1)! > LEAST_STAKE / Math.sqrt(rowCount)) stakes.push(stakes.at(-1)! / 2);
    this.stakes = stakes;
  }

  /** The logarithm of what the bets against a mean of at most `claimed` are worth; it falls as that grows. */
  logEvidence(claimed: number): number {
    const { bound } = this;
    const logs = this.stakes.map((stake) =>
      sumOf(this.counts.map(([value, count]) => count * Math.log1p((stake * (value - claimed)) / (bound + claimed)))),
    );
    return logOfSum(logs) - Math.log(logs.length);
  }

  /** The least mean that the bets leave. At the rows' own mean they are worth 1 at most. */
  leastMean(): number {
    let [low, high] = [-this.bound, this.mean];
    for (let at = 0; at < HALVINGS; at++) {
      const middle = (low + high) / 2;
      if (middle === low) break;
      if (this.logEvidence(middle) >= LOG_EVIDENCE_NEEDED) low = middle;
      else high = middle;
    }
    return low;
  }
}
