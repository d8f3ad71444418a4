// What a refinement is given and what comes of it.

import type { Estimate } from "../../engine/metrics.ts";
import type { ColumnDecision } from "../../engine/refinement/decision.ts";
import type { Table } from "../../engine/table.ts";
import type { SourceColumn } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { CheckpointSummary, PerformanceRow, RefinementState } from "../refinement-summary.ts";
import type { UnitMemory } from "./refinement-units.ts";
import type { RefinementListener } from "./refinery.ts";

export interface RefineSource {
  table: Table;
  /** Rows of the table, ascending. */
  train: Uint32Array;
  test: Uint32Array;
  columns: readonly SourceColumn[];
}

export interface RefineOptions {
  /** 4, 10 or 20. */
  numberOfBuckets: number;
  seed: number;
  timeLimitSeconds: number;
  /** Removes columns that give the label away instead of flagging them. */
  removeLeaks: boolean;
}

export interface RefineContext {
  pool: WorkerPool;
  cancelFlag: Int32Array;
  /** `Date.now()` from which the time limit counts. */
  startMs: number;
  /** Where finished units are kept, so that a restarted process goes on from them; null to forget them. */
  memory: UnitMemory | null;
  listener: RefinementListener;
  /** Writes the reduced tables before the refinement counts as complete; null for none. */
  writeFiles: ((keptColumns: readonly string[]) => Promise<void>) | null;
}

export interface RefineOutcome {
  state: RefinementState;
  stateReason: string;
  /** True where the time was up and what had been accepted by then stands. */
  partial: boolean;
  /** Positions in the file; null where there is no answer. */
  kept: ReadonlySet<number> | null;
  columns: readonly ColumnDecision[];
  baseline: readonly PerformanceRow[];
  current: readonly PerformanceRow[];
  /** Of the kept columns. */
  reached: readonly PerformanceRow[];
  checkpoints: readonly CheckpointSummary[];
  majority: { code: number; falseDecisions: number; accuracy: number };
  recommendedThreshold: number | null;
  holdoutEstimate: Estimate | null;
  /** Share of TEST rows that also stand in TRAIN. */
  overlap: number;
  budgetSeconds: number;
  progressCompleted: number;
  progressTotal: number;
}
