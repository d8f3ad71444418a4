// Why an attempt of a finished run is no finalist, in words: others have less log-loss out
// of fold (D50), or few held-out rows favour it (D137).
import type { AttemptRecord } from "../../data/database/records.ts";
import { decimalNumber } from "../common/numbers.ts";

/** Stacks among the finalists (D50). */
const STACKS = 2;

/**
 * The attempts of a finished run; each that finished and is no finalist has a
 * note that says why. Notes that are there stay.
 */
export function withReasons<Attempt extends AttemptRecord>(attempts: readonly Attempt[]): Attempt[] {
  const compared = attempts.filter(({ finalist, note }) => finalist || note === null);
  return attempts.map((attempt) => {
    const isLeftOut = attempt.role === "attempt" && attempt.status === "finished" && !attempt.finalist;
    return isLeftOut && attempt.note === null ? { ...attempt, note: reasonOf(attempt, compared) } : attempt;
  });
}

/**
 * Names the finalists that ranked above it: two stacks above a stack, the best of its family above any other. If no
 * such finalist did, few held-out rows decided (D137): against it, or against one of its family that ranked above it.
 */
function reasonOf(attempt: AttemptRecord, compared: readonly AttemptRecord[]): string | null {
  const { family, outOfFoldLogLoss, falseDecisions } = attempt;
  if (outOfFoldLogLoss === null) return null;
  const isStack = isStackOf(attempt);
  const before = compared
    .filter((other) => other !== attempt && isStackOf(other) === isStack && (isStack || other.family === family))
    .filter((other) => (other.outOfFoldLogLoss ?? Number.POSITIVE_INFINITY) <= outOfFoldLogLoss)
    .sort(byLogLoss);
  const finalists = before.filter(({ finalist }) => finalist);
  const leader = leaderOf(compared);
  const isAbove = before.length === 0 || (falseDecisions ?? 0) <= (leader?.falseDecisions ?? 0);
  if (finalists.length === 0 && leader !== undefined && isAbove) {
    return `no finalist: only few held-out rows put it above attempt ${leader.attempt}`;
  }
  const better = (finalists.length > 0 ? finalists : before).slice(0, isStack ? STACKS : 1);
  if (better.length === 0) return "no finalist";
  const numbers = better.map((other) => other.attempt).join(" and ");
  const losses = better.map((other) => decimalNumber(other.outOfFoldLogLoss!, 3)).join(" and ");
  const others =
    better.length > 1 ? `attempts ${numbers} have` : `attempt ${numbers}${isStack ? "" : " of its family"} has`;
  return `no finalist: out of fold its log-loss is ${decimalNumber(outOfFoldLogLoss, 3)}; ${others} ${losses}`;
}

/** Few held-out rows put none above it (D137): the best stack, or the champion where no stack is a finalist. */
function leaderOf(compared: readonly AttemptRecord[]): AttemptRecord | undefined {
  const [best] = compared.filter((attempt) => attempt.finalist && isStackOf(attempt)).sort(byLogLoss);
  return best ?? compared.find(({ version }) => version === 1);
}

/** For attempts that have a log-loss. */
function byLogLoss(a: AttemptRecord, b: AttemptRecord): number {
  return a.outOfFoldLogLoss! - b.outOfFoldLogLoss! || a.attempt - b.attempt;
}

/** Its settings name the attempts that it weighs. */
function isStackOf({ settings }: AttemptRecord): boolean {
  return "attemptsWeighed" in settings;
}
