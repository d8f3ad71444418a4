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
  part: "leaks" | DependencePart;
}

export interface LeakageAnswer {
  leaks: LeakSuspect[];
  /** Null where groups or times are known: then the splits keep them apart already. */
  dependence: DependenceAnswer | null;
  seconds: number;
}

export function findLeakage({ table, rowCount, seed, part }: LeakageRequest, stop: StopSignal): LeakageAnswer {
  const start = performance.now();
  const own = firstRows(table, rowCount);
  const found =
    part === "leaks"
      ? { leaks: findLeaks(own, stop), dependence: null }
      : { leaks: [], dependence: findDependence(own, seed, stop, [part]) };
  return { ...found, seconds: (performance.now() - start) / 1000 };
}
