// Labels that came later, in words: how many decisions were right, and whether a version is worse than promised.
import type { PromiseState } from "../../engine/watch/worse-than-promised.ts";
import { formatPercent } from "../format.ts";

/** The condition of the verdict. */
export const PROMISE_CONDITION =
  "Rows are taken to be independent. Where they come in groups, a version is called worse too often without being so.";

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
  const promise = `at most ${formatPercent(promised)} wrong decisions (the upper end of the confirmed interval)`;
  if (state === "WORSE_THAN_PROMISED") {
    return (
      `Worse than promised since the labels of ${since}. The promise is ${promise}; ` +
      "more are wrong, beyond chance however often one looks."
    );
  }
  if (state === "TOO_FEW") {
    return `Too few labels so far. The promise is ${promise}; even ten points more would hardly show yet.`;
  }
  return `As promised: ${promise}. The labels do not show more.`;
}
