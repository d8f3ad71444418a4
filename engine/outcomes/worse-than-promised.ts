// A sequential test of labels that come later: do decisions lose more than promised, however often one looks?
//
// An e-value is a bet against "at most the promised loss in the mean". While that holds, it is expected to stay at 1 or
// fall, so the chance that it ever reaches 1/α is at most α (Ville 1939; Waudby-Smith & Ramdas 2024, Estimating means
// of bounded random variables by betting). Rows are taken to be independent: where they come in groups, it is reached
// too often.
import { logOfSum, sumOf } from "../sums.ts";

/** The chance that a version as good as promised is ever called worse, over all looks and days together. */
export const FALSE_CALL_LEVEL = 0.01;
const LOG_EVIDENCE_NEEDED = -Math.log(FALSE_CALL_LEVEL);
/**
 * A stake s gains (1 + s × excess) with each decision. Stakes follow half a normal density, whose deviation is that of
 * the mean's error on this many rows. With 50 rows a day and a promise of 15% wrong decisions, an increase of 3 points
 * is noticed after 1,550 rows (test/bench/worse-than-promised.ts).
 */
const PRIOR_ROWS = 50;
const STAKE_COUNT = 16;
const MOST_DEVIATIONS = 3;
/** A stake that one decision could lose whole would never recover. */
const MOST_OF_STAKE = 0.99;
/** Kinds of decisions that were not among the confirmed ones may come all the same. */
const LEAST_SHARE = 1e-6;

/** Decisions by kind, each kind with its loss. */
export interface Losses {
  /** The loss of a decision of each kind, less what is promised at most; some are below 0 and some above. */
  excess: readonly number[];
  /** The shares of the kinds among the decisions that the promise was made from. */
  shares: readonly number[];
  /** Rows are too few if a mean this much above the promise would hardly be noticed. */
  noticeable: number;
}

/** Decisions whose labels came later, counted by kind. */
export type KindCounts = readonly number[];

/**
 * WORSE_THAN_PROMISED: since the labels that showed it, for good. NO_PROMISE:
 * the version has no confirmed figure to hold it to.
 */
export type PromiseState = "AS_PROMISED" | "WORSE_THAN_PROMISED" | "TOO_FEW" | "NO_PROMISE";

export interface PromiseVerdict {
  state: PromiseState;
  /** After the last batch; 100 and more calls the version worse. Null where nothing is promised. */
  evidence: number | null;
  /** The first batch after which the evidence was enough; null where it never was. */
  since: number | null;
}

/**
 * `losses`: null where nothing is promised. `batches`: in the order in which the labels came, cut without a look at
 * what they say, as by days. O(batches × kinds).
 */
export function judgePromise(losses: Losses | null, batches: readonly KindCounts[]): PromiseVerdict {
  if (losses === null) return { state: "NO_PROMISE", evidence: null, since: null };
  const bets = new Bets(losses);
  let since: number | null = null;
  for (const [at, batch] of batches.entries()) {
    bets.add(batch);
    if (bets.logEvidence >= LOG_EVIDENCE_NEEDED) since ??= at;
  }
  const rowCount = sumOf(batches.map(sumOf));
  return {
    state: since !== null ? "WORSE_THAN_PROMISED" : wouldBeNoticed(losses, rowCount) ? "AS_PROMISED" : "TOO_FEW",
    evidence: Math.exp(Math.min(700, bets.logEvidence)),
    since,
  };
}

/**
 * A version that was good for long may turn worse, and what it had right before must not hide that: part of the bet,
 * 1/(k(k + 1)), begins with batch k, at each stake. Such a sum is an e-value too, since what has not begun is worth 1.
 * After 80 batches of 250 rows that were right as often as confirmed, 5 points below the promise are called after 8.
 */
class Bets {
  private readonly excess: readonly number[];
  private readonly stakes: readonly number[];
  private readonly logWeights: readonly number[];
  /** By stake: the logarithm of the worth of all bets that have begun. */
  private readonly logs: number[];
  private begun = 0;

  constructor({ excess, shares }: Losses) {
    this.excess = excess;
    const variance = meanUnder(
      knownShares(shares),
      excess.map((one) => one ** 2),
    );
    const scale = 1 / Math.sqrt((PRIOR_ROWS + 1) * variance);
    const largest = -MOST_OF_STAKE / Math.min(...excess);
    const places = Array.from({ length: STAKE_COUNT }, (_, at) => (MOST_DEVIATIONS * (at + 0.5)) / STAKE_COUNT);
    this.stakes = places.map((place) => Math.min(largest, place * scale));
    const densities = places.map((place) => Math.exp(-(place ** 2) / 2));
    this.logWeights = densities.map((density) => Math.log(density / sumOf(densities)));
    this.logs = this.stakes.map(() => Number.NEGATIVE_INFINITY);
  }

  add(batch: KindCounts): void {
    this.begun++;
    const logPart = -Math.log(this.begun * (this.begun + 1));
    const present = [...batch.keys()].filter((kind) => batch[kind]! > 0);
    for (const [at, stake] of this.stakes.entries()) {
      const gains = present.map((kind) => batch[kind]! * Math.log1p(stake * this.excess[kind]!));
      this.logs[at] = logOfSum([this.logs[at]!, logPart]) + sumOf(gains);
    }
  }

  get logEvidence(): number {
    return logOfSum([-Math.log(this.begun + 1), ...this.logs.map((log, at) => log + this.logWeights[at]!)]);
  }
}

/** Whether a batch of `rowCount` rows is enough to notice a version that loses what is noticeable above the promise. */
function wouldBeNoticed(losses: Losses, rowCount: number): boolean {
  const bets = new Bets(losses);
  bets.add(noticeableShares(losses).map((share) => rowCount * share));
  return bets.logEvidence >= LOG_EVIDENCE_NEEDED;
}

/**
 * The confirmed decisions with some exchanged for those that lose more than promised, in their proportions, until the
 * mean loss is noticeable, or half of what it would be if all were exchanged.
 */
function noticeableShares({ excess, shares, noticeable }: Losses): number[] {
  const known = knownShares(shares);
  const losing = sharesOf(known.map((share, kind) => (excess[kind]! > 0 ? share : 0)));
  const [usual, worst] = [meanUnder(known, excess), meanUnder(losing, excess)];
  const changed = (Math.min(noticeable, worst / 2) - usual) / (worst - usual);
  return known.map((share, kind) => (1 - changed) * share + changed * losing[kind]!);
}

/** The shares of the kinds, none of which is 0. */
function knownShares(shares: readonly number[]): number[] {
  return sharesOf(shares.map((share) => share + LEAST_SHARE));
}

function sharesOf(weights: readonly number[]): number[] {
  const sum = sumOf(weights);
  return weights.map((weight) => weight / sum);
}

function meanUnder(shares: readonly number[], values: readonly number[]): number {
  return sumOf(shares.map((share, kind) => share * values[kind]!));
}
