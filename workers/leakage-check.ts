// The dependence and leakage check before training: do rows belong together, does a column give the label away.

import { type DependenceAnswer, type DependencePart, findDependence } from "../engine/row-dependence/dependence.ts";
import { findLeaks, type LeakSuspect } from "../engine/row-dependence/leaks.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { firstRows, type Table } from "../engine/table.ts";

export interface LeakageRequest {
  /** On shared memory. */
  table: Table;
  /** Rows of TRAIN, the first of the table, in file order. */
  rowCount: number;
  seed: number;
  /** The parts of the check that this unit makes. */
  parts: readonly LeakagePart[];
}

export type LeakagePart = "leaks" | DependencePart;

export interface LeakageAnswer {
  leaks: LeakSuspect[];
  /** Null where it was not asked for: known groups and times are kept apart by the splits already. */
  dependence: DependenceAnswer | null;
  seconds: number;
}

export function findLeakage({ table, rowCount, seed, parts }: LeakageRequest, stop: StopSignal): LeakageAnswer {
  const start = performance.now();
  const own = firstRows(table, rowCount);
  const bonds = parts.filter((part) => part !== "leaks");
  const leaks = parts.includes("leaks") ? findLeaks(own, stop) : [];
  const dependence = bonds.length === 0 ? null : findDependence(own, seed, stop, bonds);
  return { leaks, dependence, seconds: (performance.now() - start) / 1000 };
}
