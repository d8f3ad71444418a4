// The state of a version at work, as several answers have it.
import { oneOf } from "../../http/schemas.ts";

export const WATCH_STATE = oneOf(["WORSE_THAN_PROMISED", "SHIFTED", "STEADY", "TOO_FEW_ROWS", "NOT_WATCHED"], {
  description:
    "WORSE_THAN_PROMISED: labels that came later say so, whatever the rows look like. " +
    "Else of the newest stretch of days that could be judged. SHIFTED: " +
    "its rows are unlike the training rows, by much and beyond chance. TOO_FEW_ROWS: none could be judged. " +
    "NOT_WATCHED: the server counts nothing, or the model has no counts of its training rows.",
  "x-decision": "D131",
});
