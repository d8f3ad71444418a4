// Looks at rows before training: do rows belong together, does a column give the label away.
import { findLeaks, type LeakSuspect } from "../engine/row-dependence/leaks.ts";
import { type DependenceAnswer, lookForDependence } from "../engine/row-dependence/look.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { firstRows, type Table } from "../engine/table.ts";

export interface LookRequest {
  /** On shared memory. */
  table: Table;
  /** Rows of TRAIN, the first of the table, in file order. */
  rowCount: number;
  seed: number;
  /** False where groups or times are known: then the splits keep them apart already. */
  asksForDependence: boolean;
  /** True where it is left out. */
  asksForLeaks?: boolean;
}

export interface LookAnswer {
  leaks: LeakSuspect[];
  /** Null where it was not asked for. */
  dependence: DependenceAnswer | null;
  seconds: number;
}

export function look(
  { table, rowCount, seed, asksForDependence, asksForLeaks = true }: LookRequest,
  stop: StopSignal,
): LookAnswer {
  const start = performance.now();
  const own = firstRows(table, rowCount);
  const leaks = asksForLeaks ? findLeaks(own, stop) : [];
  const dependence = asksForDependence ? lookForDependence(own, seed, stop) : null;
  return { leaks, dependence, seconds: (performance.now() - start) / 1000 };
}
