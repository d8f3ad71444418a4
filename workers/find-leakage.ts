// The dependence and leakage check before training: do rows belong together, does a column give the label away.

import { type FilledByLabel, findFilledByLabel } from "../engine/leaks/filled-by-label.ts";
import { findLeakingDifferences, findLeaks, type LeakSuspect } from "../engine/leaks/leaks.ts";
import { findMadeRows, type MadeRows } from "../engine/leaks/made-rows.ts";
import { findMarkedLeaks } from "../engine/leaks/mark-gains.ts";
import { findOutcomeColumns } from "../engine/leaks/outcome-columns.ts";
import { type DependenceAnswer, type DependenceQuestion, findDependence } from "../engine/row-dependence/dependence.ts";
import { OutOfTime, type StopSignal } from "../engine/stop-signal.ts";
import { DIFFERENCE_PART, firstRows, type Table, withoutPart } from "../engine/table/table.ts";
import { threadSeconds } from "./thread-time.ts";

export interface LeakageRequest {
  /** On shared memory. */
  table: Table;
  /** Rows of TRAIN, the first of the table, in file order. */
  rowCount: number;
  seed: number;
  /** The questions that this unit answers. */
  questions: readonly LeakageQuestion[];
}

export type LeakageQuestion = "leaks" | "marks" | DependenceQuestion;

export interface LeakageAnswer {
  leaks: LeakSuspect[];
  /** True where the time was up before all leaks were looked for. */
  isCut: boolean;
  /** Null where it was not asked for: known groups and times are kept apart by the splits already. */
  dependence: DependenceAnswer | null;
  /** Seconds of the processor. */
  seconds: number;
  /** The limit that ended the check: a share of the run's time, or its own. Left out where none did. */
  cutBy?: "TIME_LIMIT" | "OWN_LIMIT";
}

export function findLeakage({ table, rowCount, seed, questions }: LeakageRequest, stop: StopSignal): LeakageAnswer {
  const start = threadSeconds();
  const allFeatures = firstRows(table, rowCount);
  // Most looks ask about one column at a time.
  const trainRows = withoutPart(allFeatures, DIFFERENCE_PART);
  const bonds = questions.filter((question) => question !== "leaks" && question !== "marks");
  const { leaks, isCut } = leaksInTime({ trainRows, allFeatures }, questions, seed, stop);
  if (questions.includes("leaks")) leaks.push(...findLeakingDifferences(allFeatures));
  const dependence = bonds.length === 0 ? null : findDependence(allFeatures, seed, stop, bonds);
  return { leaks, isCut, dependence, seconds: threadSeconds() - start };
}

/** Returns the leaks that were found before the time was up. */
function leaksInTime(
  { trainRows: table, allFeatures }: { trainRows: Table; allFeatures: Table },
  questions: readonly LeakageQuestion[],
  seed: number,
  stop: StopSignal,
): Pick<LeakageAnswer, "leaks" | "isCut"> {
  const leaks: LeakSuspect[] = [];
  try {
    if (questions.includes("leaks")) {
      leaks.push(...findLeaks(table, stop));
      const filled = findFilledByLabel(table, stop);
      if (filled !== null) leaks.push(filledLeak(filled));
      leaks.push(...findMadeRows(table, stop).map(madeRowsLeak));
    }
    if (questions.includes("marks")) {
      const before = leaks.length;
      for (const leak of findMarkedLeaks(table, seed, stop)) leaks.push(leak);
      const ofOutcome = findOutcomeColumns(allFeatures, leaks.slice(before), seed, stop);
      if (ofOutcome !== null) leaks.push(ofOutcome);
    }
    return { leaks, isCut: false };
  } catch (error) {
    if (error instanceof OutOfTime) return { leaks, isCut: true };
    throw error;
  }
}

function madeRowsLeak({ label, share }: MadeRows): LeakSuspect {
  return { columns: [], by: "made rows", strength: share, label };
}

function filledLeak({ columns, share }: FilledByLabel): LeakSuspect {
  return { columns: columns.map(({ column }) => column), by: "filled by label", strength: share, filled: columns };
}
