// The verdict on a run: what its figures rest on, and every doubt about them, worst first, each with what to do.

import type { DoubtRecord, JudgedBy, VerdictRecord } from "../../data/database/records.ts";

/** Stable: programs read them. */
export const DOUBT_CODES = [
  // Random rows flatter: rows of one group, of one time, near each other in the file or on the map, copies, near-twins
  // or rows that agree in some columns tell of each other.
  "GROUPS_FLATTER",
  "TIME_FLATTERS",
  "FILE_ORDER_FLATTERS",
  "COPIES_FLATTER",
  "NEAR_TWINS_FLATTER",
  // The file is sorted, so that whether its rows belong together cannot be told.
  "SORTED_FILE",
  // A column, or two together, give the label away.
  "LEAK_SUSPECT",
  "NOT_BETTER_THAN_GUESSING",
  "TARGET_IS_GUESSING",
  // Some labels may mean that there is none yet: other doubts may be about their rows.
  "MISSING_AS_LABEL",
  "FEW_ROWS",
  "FEW_ROWS_OF_CLASS",
  "CLASS_NEVER_PREDICTED",
  "FEW_GROUPS",
  // By time, a label begins so late that no model that judges learned it.
  "LATE_LABEL",
  // By time, the newest rows have other shares of the labels than the older ones.
  "LABEL_SHARES_CHANGE",
  // By time, the accuracy falls with the age of the model.
  "ACCURACY_FALLS",
  "BLIND_TEST_DIFFERS",
  "FILE_WARNINGS",
] as const;
type DoubtCode = (typeof DOUBT_CODES)[number];

export interface Doubt extends DoubtRecord {
  code: DoubtCode;
  columns: string[];
}

/** For a run that names no column to judge by. */
export const JUDGED_AT_RANDOM: JudgedBy = { kind: "random", groupColumn: null, timeColumn: null, groupCount: 0 };

export interface Verdict extends VerdictRecord {
  doubts: Doubt[];
}

export function hasSeriousDoubt({ doubts }: Pick<VerdictRecord, "doubts">): boolean {
  return doubts.some(({ level }) => level === "serious");
}
