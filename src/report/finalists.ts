// Why an attempt of a finished run is no finalist, in words: the finalists are chosen by out-of-fold log-loss alone (D50).
import { decimalNumber } from "../numbers.ts";
import type { AttemptSummary } from "../summary.ts";

/** Stacks among the finalists (D50). */
const STACKS = 2;

/** The attempts of a finished run; each that finished and is no finalist has a note that says why. Notes that are there stay. */
export function withReasons<Attempt extends AttemptSummary>(attempts: readonly Attempt[]): Attempt[] {
  const finalists = attempts.filter(({ finalist }) => finalist);
  return attempts.map((attempt) => {
    const isLeftOut = attempt.role === "attempt" && attempt.status === "finished" && !attempt.finalist;
    if (!isLeftOut || attempt.note !== null) return attempt;
    return { ...attempt, note: reasonOf(attempt, finalists) };
  });
}

/** The finalists that went before it: two stacks before a stack, the best of its family before any other. */
function reasonOf(
  { family, algorithm, settings, outOfFoldLogLoss }: AttemptSummary,
  finalists: readonly AttemptSummary[],
): string | null {
  if (outOfFoldLogLoss === null) return null;
  const isStack = isStackOf({ algorithm, settings });
  const before = finalists
    .filter((finalist) => (isStack ? isStackOf(finalist) : !isStackOf(finalist) && finalist.family === family))
    .filter((finalist) => (finalist.outOfFoldLogLoss ?? Number.POSITIVE_INFINITY) <= outOfFoldLogLoss)
    .sort((a, b) => a.outOfFoldLogLoss! - b.outOfFoldLogLoss! || a.attempt - b.attempt)
    .slice(0, isStack ? STACKS : 1);
  if (before.length === 0) return "no finalist";
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
