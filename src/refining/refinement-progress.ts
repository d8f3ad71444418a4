// Shows a refinement as progress: its units as one stage, and its best row.
import type { ProgressView } from "../progress/progress-view.ts";
import type { RefinementListener } from "./refinery.ts";

export interface Activity {
  timestamp: string;
  state: string;
}

/** Adds the states to `activities`. */
export function showRefinement(progress: ProgressView, activities: Activity[]): RefinementListener {
  let shown: number | null = null;
  return {
    state: (state) => activities.push({ timestamp: new Date().toISOString(), state }),
    progress: (completed, total) => {
      if (shown === null) progress.stage("Refining columns, steps", total);
      else progress.advance(completed - shown);
      shown = completed;
    },
    rows: (_, current) => {
      const [best] = current;
      if (best !== undefined && best.accuracy !== null) progress.best(best.accuracy, best.falseDecisions, best.family);
    },
  };
}
