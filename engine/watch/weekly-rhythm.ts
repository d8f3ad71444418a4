// Rows that differ by the day of the week, as they did a week before: Sundays are unlike all days together, and no less
// so where the training rows had Sundays too.
import type { ScoredCounts } from "./scored-counts.ts";
import { LEAST_INDEX, type Shift } from "./shift.ts";

/** Rows before those of some days. */
export interface Rhythm {
  /** Counts of the same days, a week earlier. */
  before: ScoredCounts;
  /** The seven days up to the last one, this included. */
  week: ScoredCounts;
}

/** How the rows of the rhythm differ from the training rows, and from those that are judged. */
export interface RhythmShifts {
  before: Shift;
  week: Shift;
  between: Shift;
}

/**
 * Whether rows that have shifted are as those of a week before, which differed beyond chance, and all seven days
 * together as in training.
 */
export function isRhythm({ before, week, between }: RhythmShifts, level: number): boolean {
  const isOther = between.pValue <= level && between.index >= LEAST_INDEX;
  return before.pValue <= level && !isOther && week.index < LEAST_INDEX;
}
