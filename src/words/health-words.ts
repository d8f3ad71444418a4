// A model over time, in words: its state, and what accuracy to expect.
import type { ShiftState, StretchReport, WatchState } from "../../engine/outcomes/health.ts";
import { formatAmount, formatEstimate } from "../common/format.ts";

/** The condition of an expected accuracy; without labels nobody can know whether it holds. */
export const EXPECTED_CONDITION = "if the relation of the columns to the label has not changed";

type Newest = Pick<StretchReport, "from" | "to" | "shiftedColumns">;

/** Says what the state means for the stretch of days that it rests on; null for none. */
function stateSentence(state: ShiftState, newest: Newest | null): string {
  if (state === "NOT_WATCHED") {
    return (
      "Not watched: the model has no counts of its training rows, " +
      "as those of earlier versions, or the server counts nothing."
    );
  }
  if (state === "TOO_FEW_ROWS" || newest === null) {
    return (
      "Not judged yet. Days are judged together: up to the day on which 100 rows have come, " +
      "or to the end of the month, once that day is over (by UTC) and 10 rows were counted."
    );
  }
  const when = stretchWords(newest);
  if (state === "STEADY") {
    return `Steady: the rows of ${when} do not differ from the training rows by much and beyond chance.`;
  }
  const { shiftedColumns: shifted } = newest;
  const what =
    shifted === 0
      ? "the predicted labels have"
      : `${formatAmount(shifted, "column")} ${shifted === 1 ? "has" : "have"}`;
  return `Shifted: in the rows of ${when}, ${what} shifted. The model may be worse than its figures say.`;
}

/** The state as a chip. */
export const STATE_CHIPS: Readonly<Record<WatchState, readonly [word: string, tone: string]>> = {
  WORSE_THAN_PROMISED: ["Worse than promised", "failed"],
  SHIFTED: ["Shifted", "early"],
  STEADY: ["Steady", "done"],
  NO_PROMISE: ["No figure to hold to", "pending"],
  TOO_FEW_ROWS: ["Too few rows", "pending"],
  NOT_WATCHED: ["Not watched", "pending"],
};

/** Whether something is to be done. */
export function isAlarm(state: WatchState | null): state is "WORSE_THAN_PROMISED" | "SHIFTED" {
  return state === "WORSE_THAN_PROMISED" || state === "SHIFTED";
}

/** Tells the worse of rows and labels; the rows are told beside labels where they shifted, or nothing is promised. */
export function healthSentence(
  state: WatchState,
  rows: { state: ShiftState; newest: Newest | null },
  ofLabels: string,
): string {
  const ofRows = stateSentence(rows.state, rows.newest);
  if (state === "NO_PROMISE") return `${ofLabels} ${ofRows}`;
  if (state !== "WORSE_THAN_PROMISED") return ofRows;
  return rows.state === "SHIFTED" ? `${ofLabels} ${ofRows}` : ofLabels;
}

export function stretchWords({ from, to }: Pick<StretchReport, "from" | "to">): string {
  return from === to ? from : `${from} to ${to}`;
}

/** The remedies for a state; none where nothing is to be done. */
export function stateRemedies(state: WatchState, isCounting: boolean): string[] {
  if (state === "NOT_WATCHED") {
    return isCounting
      ? [
          "The model was made by an earlier version. Train again on the same dataset: " +
            "models made from now on are watched.",
        ]
      : ["This server counts nothing. Ask whoever runs it to start it without `--watch off`."];
  }
  if (state === "WORSE_THAN_PROMISED") {
    return [
      "Look at the rows that were decided wrongly: has the meaning of a column or of a label changed? " +
        "Nothing in the rows themselves may tell.",
      "Train again on rows of today with their labels, and make the new model the one that predicts.",
    ];
  }
  if (state === "NO_PROMISE") {
    return [
      "Where the labels came for chosen rows, add those of rows drawn at random. Else no figure was confirmed for these " +
        "decisions: the training ended or had too few rows before, or another threshold was chosen since. Train again " +
        "with more time or rows, or go back to the trained threshold.",
    ];
  }
  if (state !== "SHIFTED") return [];
  return [
    "Look at the columns that shifted: has their source changed, such as a unit, a code or a form? " +
      "Then correct the rows and predict them again.",
    "If the world has changed, collect rows of today with their labels, " +
      "check the model on them, and train again with them.",
  ];
}

/** Null where it is not known. */
export function expectedSentence({ expected = null }: Pick<StretchReport, "expected">): string | null {
  return expected === null ? null : `${formatEstimate(expected)} expected to be right, ${EXPECTED_CONDITION}`;
}
