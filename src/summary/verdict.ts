// The verdict on a run: what its figures rest on, and every doubt about them, worst first, each with what to do.

/**
 * How models were judged: on rows drawn at random, on whole groups, on the newest rows, or on new groups' newest rows.
 */
export interface JudgedBy {
  kind: "random" | "groups" | "time" | "groups and time";
  groupColumn: string | null;
  timeColumn: string | null;
  /** 0 without a group column. */
  groupCount: number;
}

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

export interface Doubt {
  code: DoubtCode;
  /** With a serious doubt open, the accuracy says nothing sure of new rows. */
  level: "serious" | "caution";
  message: string;
  /** The remedy, one sentence. */
  remedy: string;
  /** Options of `cupel run` that do it; null where there are none. */
  option: string | null;
  /** Columns of the file that it is about. */
  columns: string[];
  /**
   * Accuracy of a fast model at random, and where what belongs together was held out; balanced accuracy where the
   * message says so; null where it is not about that.
   */
  random: number | null;
  held: number | null;
}

/** For a run that names no column to judge by. */
export const JUDGED_AT_RANDOM: JudgedBy = { kind: "random", groupColumn: null, timeColumn: null, groupCount: 0 };

export interface Verdict {
  judgedBy: JudgedBy;
  /** False where the rows were not looked at, or not to the end. */
  isLookedAt: boolean;
  /** The rows are too few to be looked at; left out for any other reason. */
  tooFewRows?: boolean;
  /**
   * The limit that ended the look early: a short one of the run, of which it gets a tenth, or its own. Left out for any
   * other reason.
   */
  cutBy?: "TIME_LIMIT" | "OWN_LIMIT";
  /** Worst first. */
  doubts: Doubt[];
}

/** A doubt as the API shows it. */
export interface ShownDoubt extends Omit<Doubt, "code" | "columns"> {
  code: string;
  columns: readonly string[];
}

export interface ShownVerdict extends Omit<Verdict, "doubts"> {
  doubts: readonly ShownDoubt[];
}

export function hasSeriousDoubt({ doubts }: Pick<ShownVerdict, "doubts">): boolean {
  return doubts.some(({ level }) => level === "serious");
}
