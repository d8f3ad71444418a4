// Labels that came later, in words: how many decisions were right, and whether a version is worse than promised.
import type { PromiseState } from "../../engine/watch/worse-than-promised.ts";
import { formatPercent } from "../format.ts";

/** The condition of the verdict. */
export const PROMISE_CONDITION =
  "Rows are taken to be independent; where they come in groups, a version is called worse too often.";

/**
 * `promised`: the share of wrong decisions that the version is held to. `since`: the day of the labels that showed it.
 */
export function promiseSentence({
  state,
  promised,
  since,
}: {
  state: PromiseState;
  promised: number | null;
  since: string | null;
}): string {
  if (state === "NO_PROMISE" || promised === null) return "There is no confirmed accuracy to hold the labels against.";
  const most = formatPercent(promised);
  if (state === "WORSE_THAN_PROMISED") {
    return `Worse than promised since the labels of ${since}: more than ${most} of the decisions are wrong, beyond chance however often one looks.`;
  }
  if (state === "TOO_FEW") {
    return `Too few labels so far: even a version that is wrong ten points more often than the promised ${most} would hardly show it.`;
  }
  return `As promised: the labels do not show that more than ${most} of the decisions are wrong.`;
}
