// The state of a version at work, and the comparison of its rows with the training rows, as several answers have them.
import { Type } from "@sinclair/typebox";
import { oneOf, Share } from "../../http/schemas.ts";

export const WATCH_STATE = oneOf(
  ["WORSE_THAN_PROMISED", "SHIFTED", "NO_PROMISE", "STEADY", "TOO_FEW_ROWS", "NOT_WATCHED"],
  {
    description:
      "WORSE_THAN_PROMISED: labels that came later say so, whatever the rows look like. " +
      "NO_PROMISE: labels came, but there is no figure to hold them against, and the rows are not SHIFTED. " +
      "Else of the newest stretch of days that could be judged. SHIFTED: " +
      "its rows are unlike the training rows, by much and beyond chance. TOO_FEW_ROWS: none could be judged. " +
      "NOT_WATCHED: the server counts nothing, or the model has no counts of its training rows.",
    "x-decision": "D131",
  },
);

/** How far something has shifted. `meaning`: of the verdicts. */
export function judgedShift(meaning: string) {
  return {
    verdict: oneOf(["SHIFTED", "SLIGHT", "ALIKE", "UNTOLD"], { description: meaning, "x-decision": "D114" }),
    index: Type.Number({ minimum: 0, description: "Population stability index less what chance gives." }),
    pValue: { ...Share, description: "Of the test of chance, before Holm's correction." },
  };
}
