// A sequential test of labels that come later: is the share of wrong decisions
// above the promised one, however often one looks?
//
// An e-value is a bet against "at most the promised share is wrong". While that holds, it is expected
// to stay at 1 or fall, so the chance that it ever reaches 1/α is at most α (Ville 1939; Ramdas et
// al. 2023, Game-theoretic statistics and safe anytime-valid inference). Rows are taken to be
// independent: where they come in groups, it is reached too often.
import type { Estimate } from "../judging/metrics.ts";
import { logUpperBeta } from "../statistics/tail-probabilities.ts";

/** The chance that a version as good as promised is ever called worse, over all looks and days together. */
export const FALSE_CALL_LEVEL = 0.01;
const LOG_EVIDENCE_NEEDED = -Math.log(FALSE_CALL_LEVEL);
/**
 * The bet spreads over the worse shares by a Beta density whose mean is the promised share, as wide as so many rows
 * would leave it: of 0.15 a deviation of 0.05. A uniform one takes 1.6 times the rows to notice 3 points
 * (test/bench/worse-than-promised.ts).
 */
const PRIOR_ROWS = 50;
/** There are too few rows where a version so much worse than promised would hardly be noticed. */
const NOTICED_DIFFERENCE = 0.1;
/** A share of wrong decisions that is promised is at least this: nothing is right for ever. */
const LEAST_PROMISED = 1e-4;

/** Decisions whose labels came later. */
export interface LaterLabels {
  right: number;
  wrong: number;
}

/**
 * WORSE_THAN_PROMISED: since the labels that showed it, for good. NO_PROMISE:
 * the version has no confirmed figure to hold it to.
 */
export type PromiseState = "AS_PROMISED" | "WORSE_THAN_PROMISED" | "TOO_FEW" | "NO_PROMISE";

export interface PromiseVerdict {
  state: PromiseState;
  /** The share of wrong decisions that the version is held to; null where there is none. */
  promised: number | null;
  /** After the last batch; 100 and more calls the version worse. Null where nothing is promised. */
  evidence: number | null;
  /** The first batch after which the evidence was enough; null where it never was. */
  since: number | null;
}

/**
 * The share of wrong decisions to hold a version to: the upper end of the 95% interval of its
 * confirmed figure, so that the error of that estimate raises no alarm. Null where none was
 * confirmed, or the interval leaves nothing that would be worse.
 */
export function promisedShare(confirmed: Estimate | null): number | null {
  if (confirmed === null || confirmed.low <= 0) return null;
  return Math.max(LEAST_PROMISED, 1 - confirmed.low);
}

/**
 * `batches`: in the order in which the labels came, cut without a look at what they say, as by days. Each batch takes a
 * glance at all before it, some 20 ns, and the evidence itself only where that glance does not rule a call out.
 */
export function judgePromise(promised: number | null, batches: readonly LaterLabels[]): PromiseVerdict {
  if (promised === null) return { state: "NO_PROMISE", promised, evidence: null, since: null };
  const first = batches.findIndex(
    (_, last) =>
      mayBeEnough(promised, batches, last) && logEvidenceAfter(promised, batches, last) >= LOG_EVIDENCE_NEEDED,
  );
  const rowCount = batches.reduce((sum, { right, wrong }) => sum + right + wrong, 0);
  return {
    state: first >= 0 ? "WORSE_THAN_PROMISED" : rowCount < rowsToNotice(promised) ? "TOO_FEW" : "AS_PROMISED",
    promised,
    evidence: Math.exp(Math.min(700, logEvidenceAfter(promised, batches, batches.length - 1))),
    since: first < 0 ? null : first,
  };
}

/**
 * The logarithm of the e-value after batch `last`. A version that was good for long may turn worse, and what it had
 * right before must not hide that: part of the bet, 1/(k(k + 1)), begins anew with batch k. Such a sum is an e-value
 * too, since what has not begun is worth 1. After 80 batches of 250 rows that were right as often as confirmed, 5
 * points below the promise are called after 7 batches and not 52.
 */
function logEvidenceAfter(promised: number, batches: readonly LaterLabels[], last: number): number {
  const logs = [-Math.log(last + 2)];
  let right = 0;
  let wrong = 0;
  for (let first = last; first >= 0; first--) {
    right += batches[first]!.right;
    wrong += batches[first]!.wrong;
    logs.push(logEvidence(promised, { right, wrong }) - Math.log((first + 1) * (first + 2)));
  }
  const most = Math.max(...logs);
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
}

/**
 * False where the evidence after batch `last` is certainly below what is needed. No bet's mixture of ratios is above
 * its largest ratio, that of the share that was seen; of a share no worse than promised that is 1.
 */
function mayBeEnough(promised: number, batches: readonly LaterLabels[], last: number): boolean {
  const limit = Math.exp(LOG_EVIDENCE_NEEDED);
  // All parts of the bet are worth 1 at first; gains come on top.
  let most = 1;
  let right = 0;
  let wrong = 0;
  for (let first = last; first >= 0 && most < limit; first--) {
    right += batches[first]!.right;
    wrong += batches[first]!.wrong;
    const share = wrong / (right + wrong);
    if (!(share > promised)) continue;
    const ratioOfRight = right === 0 ? 0 : right * Math.log((1 - share) / (1 - promised));
    most += Math.expm1(wrong * Math.log(share / promised) + ratioOfRight) / ((first + 1) * (first + 2));
  }
  return most >= limit;
}

/**
 * The logarithm of one bet's e-value: a mixture of likelihood ratios of worse shares to
 * `promised`, above 0 and below 1. Each of these is expected to fall for any share of at most
 * `promised`. It depends on the counts alone, not on their order.
 */
function logEvidence(promised: number, { right, wrong }: LaterLabels): number {
  const a = PRIOR_ROWS * promised;
  const b = PRIOR_ROWS * (1 - promised);
  return logUpperBeta(promised, a + wrong, b + right) - logUpperBeta(promised, a, b);
}

/** The fewest rows in one batch that call a version worse if it is wrong ten points more often than promised. */
function rowsToNotice(promised: number): number {
  const share = Math.min(promised + NOTICED_DIFFERENCE, (1 + promised) / 2);
  const isNoticed = (rowCount: number) => {
    const wrong = share * rowCount;
    // The first batch has half of the bet.
    return logEvidence(promised, { wrong, right: rowCount - wrong }) - Math.LN2 >= LOG_EVIDENCE_NEEDED;
  };
  let most = 1;
  while (!isNoticed(most)) most *= 2;
  let least = most / 2;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (isNoticed(middle)) most = middle;
    else least = middle;
  }
  return most;
}
