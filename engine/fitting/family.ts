// The families' names, and the input of every fit.

import type { StopSignal } from "../stop-signal.ts";
import type { CodedView } from "../table/buckets.ts";
import type { LabelledRows } from "../table/table.ts";

/** All families, by the names that people see. */
export const FAMILY_NAMES = ["random forest", "naive Bayes", "logistic regression"] as const;
export type FamilyName = (typeof FAMILY_NAMES)[number];

/** The rows that a model learns from: ascending indexes into the view, of which only these may influence it. */
export interface FitInput extends LabelledRows {
  view: CodedView;
  /** Every random draw of the fit derives from it. */
  seed: number;
  stop: StopSignal;
}
