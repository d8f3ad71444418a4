// The dependence and leakage check before training: do rows belong together, does a column give the label away.

import { type DependenceAnswer, type DependenceQuestion, findDependence } from "../engine/row-dependence/dependence.ts";
import { findLeaks, type LeakSuspect } from "../engine/row-dependence/leaks.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { firstRows, type Table } from "../engine/table.ts";

export interface LeakageRequest {
  /** On shared memory. */
  table: Table;
  /** Rows of TRAIN, the first of the table, in file order. */
  rowCount: number;
  seed: number;
  /** Those that this unit answers. */
  questions: readonly LeakageQuestion[];
}

export type LeakageQuestion = "leaks" | DependenceQuestion;

export interface LeakageAnswer {
  leaks: LeakSuspect[];
  /** Null where it was not asked for: known groups and times are kept apart by the splits already. */
  dependence: DependenceAnswer | null;
  seconds: number;
}

export function findLeakage({ table, rowCount, seed, questions }: LeakageRequest, stop: StopSignal): LeakageAnswer {
  const start = performance.now();
  const own = firstRows(table, rowCount);
  const bonds = questions.filter((question) => question !== "leaks");
  const leaks = questions.includes("leaks") ? findLeaks(own, stop) : [];
  const dependence = bonds.length === 0 ? null : findDependence(own, seed, stop, bonds);
  return { leaks, dependence, seconds: (performance.now() - start) / 1000 };
}
