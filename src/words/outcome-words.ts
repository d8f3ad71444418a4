// Labels that came later, in words: how many decisions were right, and whether a version is worse than promised.

import type { PromiseState } from "../../engine/watch/worse-than-promised.ts";
import { formatAmount, formatCount, formatPercent } from "../format.ts";

/** The condition of the verdict. */
export const PROMISE_CONDITION =
  "Rows are taken to be independent. Where they come in groups, a version is called worse too often without being so.";

/** Above this share of labels that the model does not know, the sentence says how many they are. */
const UNKNOWN_TOLD = 1 / 20;

/** A version, and the labels that came for it. */
interface ToldPromise {
  verdict: {
    state: PromiseState;
    /** The share of wrong decisions that the version is held to. */
    promised: number | null;
    /** The day of the labels that showed it. */
    since: string | null;
  };
  /** How many labels came, and how many of these the model does not know. */
  rowCount: number;
  unknownLabels: number;
}

export function promiseSentence({ verdict, rowCount, unknownLabels }: ToldPromise): string {
  if (unknownLabels <= UNKNOWN_TOLD * rowCount) return verdictSentence(verdict);
  return (
    `${verdictSentence(verdict)} The model does not know ${formatCount(unknownLabels)} of ${formatAmount(rowCount, "label")}, whose ` +
    "decisions count as wrong: check how they are written."
  );
}

function verdictSentence({ state, promised, since }: ToldPromise["verdict"]): string {
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
