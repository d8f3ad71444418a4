// A doubt with its weight, by which doubts are ordered, and the names in it.
import { formatList } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import type { Doubt } from "../summary/verdict.ts";

/** Columns or labels named in one message. */
const NAMES_LISTED = 5;

/** A doubt and its weight: the accuracy that it may cost, measured or as `WEIGHTS` estimates it. */
export interface Weighed {
  weight: number;
  doubt: Doubt;
}

/** The weights of doubts whose cost is not measured: they place these among those where it is. */
export const WEIGHTS = {
  /** First, since other doubts may be about these rows. */
  MISSING_AS_LABEL: 1,
  NOT_BETTER_THAN_GUESSING: 0.5,
  /** For a leak of the whole label. */
  LEAK_SUSPECT: 0.3,
  /** For rows that were made up of others; plain copies have a measured loss. */
  COPIES_FLATTER: 0.3,
  BLIND_TEST_DIFFERS: 0.1,
  FEW_GROUPS: 0.05,
  LATE_LABEL: 0.049,
  LABEL_SHARES_CHANGE: 0.048,
  CLASS_NEVER_PREDICTED: 0.047,
  FEW_ROWS_OF_CLASS: 0.045,
  FEW_ROWS: 0.04,
  TARGET_IS_GUESSING: 0.02,
  FILE_WARNINGS: 0.01,
} as const satisfies Partial<Record<Doubt["code"], number>>;

export function weigh(
  weight: number,
  doubt: Omit<Doubt, "random" | "held"> & Partial<Pick<Doubt, "random" | "held">>,
): Weighed {
  return { weight, doubt: { random: null, held: null, ...doubt } };
}

/** A doubt that no option of a run settles, and that does not forbid relying on the model. */
export function caution(code: keyof typeof WEIGHTS, message: string, remedy: string, columns: string[] = []): Weighed {
  return weigh(WEIGHTS[code], { code, level: "caution", message, remedy, option: null, columns });
}

/** The first of these names in quotes, and how many more there are. */
export function listQuoted(names: readonly string[]): string {
  return formatList(names.map(inQuotes), NAMES_LISTED);
}
