// A model over time, in words: its state, and what accuracy to expect.
import type { StretchReport, WatchState } from "../../engine/watch/health.ts";
import { formatAmount, formatEstimate } from "../format.ts";

/** What has to hold for an expected accuracy; without labels nobody can know whether it does. */
export const EXPECTED_CONDITION = "if the relation of the columns to the label has not changed, nor the rows by much";

/** What the state says, of the stretch of days that it rests on; null for none. */
export function stateSentence(
  state: WatchState,
  newest: Pick<StretchReport, "from" | "to" | "columns"> | null,
): string {
  if (state === "NOT_WATCHED") {
    return "Not watched: the model has no counts of its training rows, as those of earlier versions, or the server counts nothing.";
  }
  if (state === "TOO_FEW_ROWS" || newest === null) {
    return "Too few rows so far: a stretch of days is judged once it is over and has at least 10 counted rows.";
  }
  const when = stretchWords(newest);
  if (state === "STEADY")
    return `Steady: the rows of ${when} do not differ from the training rows by much and beyond chance.`;
  const shifted = (newest.columns ?? []).filter(({ verdict }) => verdict === "SHIFTED").length;
  const what =
    shifted === 0
      ? "the predicted labels have"
      : `${formatAmount(shifted, "column")} ${shifted === 1 ? "has" : "have"}`;
  return `Shifted: in the rows of ${when}, ${what} shifted. The model may be worse than its figures say.`;
}

export function stretchWords({ from, to }: Pick<StretchReport, "from" | "to">): string {
  return from === to ? from : `${from} to ${to}`;
}

/** Null where it is not known. */
export function expectedSentence({ expected = null }: Pick<StretchReport, "expected">): string | null {
  return expected === null ? null : `${formatEstimate(expected)} expected to be right, ${EXPECTED_CONDITION}`;
}
