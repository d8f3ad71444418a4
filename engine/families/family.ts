// The families' names, and the input of every fit.
import type { CodedView } from "../buckets.ts";
import type { StopSignal } from "../stop-signal.ts";

/** All families, by the names that people see. */
export const FAMILY_NAMES = ["random forest", "naive Bayes", "logistic regression"] as const;
export type FamilyName = (typeof FAMILY_NAMES)[number];

/** The rows that a model learns from. */
export interface FitInput {
  view: CodedView;
  /** Ascending row indexes into the view: only these may influence the model. */
  rows: Uint32Array;
  /** Class code of every row of the view. */
  classes: Uint8Array;
  /** Two or more. A class may have no row among `rows`. */
  classCount: number;
  /** Every random draw of the fit derives from it. */
  seed: number;
  stop: StopSignal;
}

/** Rows and their classes. */
export type LabelledRows = Pick<FitInput, "rows" | "classes" | "classCount">;
