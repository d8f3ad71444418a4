// The input and the outcome of a refinement.

import type { CheckpointRecord, PerformanceRecord } from "../../data/database/records.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { ColumnDecision } from "../../engine/refinement/decision.ts";
import type { RowKeys } from "../../engine/splits/row-keys.ts";
import type { Table } from "../../engine/table/table.ts";
import type { SourceColumn } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { RefinementState } from "../summary/refinement-summary.ts";
import type { Majority } from "../work/majority.ts";
import type { Journal } from "../work/units.ts";
import type { RefinementListener } from "./refinery.ts";

export interface RefineSource {
  table: Table;
  /** Rows of the table, ascending. */
  train: Uint32Array;
  test: Uint32Array;
  /** Left out if rows are independent. */
  keys?: RowKeys;
  columns: readonly SourceColumn[];
}

export interface RefineOptions {
  /** 4, 10 or 20. */
  numberOfBuckets: number;
  seed: number;
  timeLimitSeconds: number;
  /** Removes columns that give the label away instead of flagging them. */
  removeLeaks: boolean;
  /** With two classes, the one for precision, recall and F1; by default the last in sort order. */
  positiveLabel?: string | null;
}

export interface RefineContext {
  pool: WorkerPool;
  cancelFlag: Int32Array;
  /** `performance.now()` from which the time limit counts. */
  startMs: number;
  /** Keeps finished units for a restart; null for none. */
  journal: Journal | null;
  listener: RefinementListener;
  /** Writes the reduced tables before the refinement is complete; null for none. */
  writeFiles: ((keptColumns: readonly string[]) => Promise<void>) | null;
}

export interface RefineOutcome {
  state: RefinementState;
  stateReason: string;
  /** The cause of an ERROR; else null. */
  error: unknown;
  /** True if time ran out: the result is what had been accepted by then. */
  partial: boolean;
  /** Positions in the file; null without a result. */
  kept: ReadonlySet<number> | null;
  columns: readonly ColumnDecision[];
  baseline: readonly PerformanceRecord[];
  current: readonly PerformanceRecord[];
  /** On the kept columns. */
  reached: readonly PerformanceRecord[];
  checkpoints: readonly CheckpointRecord[];
  majority: Majority;
  /** The targets that all columns and the kept ones reached (D01). */
  baselineTarget: number | null;
  reachedTarget: number | null;
  holdoutEstimate: Estimate | null;
  /** Share of TEST rows found in TRAIN. */
  overlap: number;
  budgetSeconds: number;
  progressCompleted: number;
  /** Null if it ended before that was known. */
  progressTotal: number | null;
}
