// Looks at rows before training: do rows belong together, does a column give the label away.
import { findLeaks, type LeakSuspect } from "../engine/row-dependence/leaks.ts";
import { type DependenceAnswer, type DependencePart, lookForDependence } from "../engine/row-dependence/look.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { firstRows, type Table } from "../engine/table.ts";

export interface LookRequest {
  /** On shared memory. */
  table: Table;
  /** Rows of TRAIN, the first of the table, in file order. */
  rowCount: number;
  seed: number;
  part: "leaks" | DependencePart;
}

export interface LookAnswer {
  leaks: LeakSuspect[];
  /** Null where groups or times are known: then the splits keep them apart already. */
  dependence: DependenceAnswer | null;
  seconds: number;
}

export function look({ table, rowCount, seed, part }: LookRequest, stop: StopSignal): LookAnswer {
  const start = performance.now();
  const own = firstRows(table, rowCount);
  const found =
    part === "leaks"
      ? { leaks: findLeaks(own, stop), dependence: null }
      : { leaks: [], dependence: lookForDependence(own, seed, stop, [part]) };
  return { ...found, seconds: (performance.now() - start) / 1000 };
}
