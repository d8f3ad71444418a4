// Why an attempt of a finished run is no finalist, in words: others have less log-loss out
// of fold (D50), or few held-out rows favour it (D137).
import { decimalNumber } from "../numbers.ts";
import type { AttemptSummary } from "../summary.ts";

/** Stacks among the finalists (D50). */
const STACKS = 2;

/**
 * The attempts of a finished run; each that finished and is no finalist has a
 * note that says why. Notes that are there stay.
 */
export function withReasons<Attempt extends AttemptSummary>(attempts: readonly Attempt[]): Attempt[] {
  const finalists = attempts.filter(({ finalist }) => finalist);
  return attempts.map((attempt) => {
    const isLeftOut = attempt.role === "attempt" && attempt.status === "finished" && !attempt.finalist;
    if (!isLeftOut || attempt.note !== null) return attempt;
    return { ...attempt, note: reasonOf(attempt, finalists) };
  });
}

/**
 * The finalists that went before it: two stacks before a stack, the best of its family before any other, or version 1.
 */
function reasonOf(
  { family, algorithm, settings, outOfFoldLogLoss, falseDecisions }: AttemptSummary,
  finalists: readonly AttemptSummary[],
): string | null {
  if (outOfFoldLogLoss === null) return null;
  const isStack = isStackOf({ algorithm, settings });
  const before = finalists
    .filter((finalist) => (isStack ? isStackOf(finalist) : !isStackOf(finalist) && finalist.family === family))
    .filter((finalist) => (finalist.outOfFoldLogLoss ?? Number.POSITIVE_INFINITY) <= outOfFoldLogLoss)
    .sort((a, b) => a.outOfFoldLogLoss! - b.outOfFoldLogLoss! || a.attempt - b.attempt)
    .slice(0, isStack ? STACKS : 1);
  if (before.length === 0) {
    const champion = finalists.find(({ version }) => version === 1);
    const isLucky = champion !== undefined && (falseDecisions ?? 0) <= (champion.falseDecisions ?? 0);
    return isLucky
      ? `no finalist: only few held-out rows put it above version 1, attempt ${champion.attempt}`
      : "no finalist";
  }
  const better = before
    .map(({ attempt, outOfFoldLogLoss: loss }) => `${decimalNumber(loss!, 3)} by attempt ${attempt}`)
    .join(" and ");
  const of = isStack ? "" : " of its family";
  return `no finalist: out of fold its log-loss is ${decimalNumber(outOfFoldLogLoss, 3)}, ${better}${of}`;
}

/** Its settings name the attempts that it weighs. */
function isStackOf({ settings }: Pick<AttemptSummary, "algorithm" | "settings">): boolean {
  return "attemptsWeighed" in settings;
}
