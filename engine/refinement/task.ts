// The task that all units of a refinement share: one table of TRAIN and TEST rows, and which rows may serve for what.
import { concatenate } from "../concatenate.ts";
import type { Split } from "../splits/holdout.ts";
import type { Table } from "../table/table.ts";

/** Row sets are ascending and disjoint, but `selection` lies inside `learning`. */
export interface RefinementTask {
  /** Rows of TRAIN, then those of TEST. Levels come from TRAIN alone. */
  table: Table;
  /** TRAIN rows that models learn from. */
  learning: Uint32Array;
  /** A tenth of TRAIN, read once at the very end; empty where TRAIN has fewer than 2,000 rows. */
  reserve: Uint32Array;
  /** The blind test. */
  test: Uint32Array;
  /** At most 20,000 of the learning rows, stratified: all evidence but the test of independence is gathered on them. */
  selection: Uint32Array;
  /** Stratified folds of the selection rows, given as positions in `selection`. */
  folds: readonly Split[];
  /** 4, 10 or 20. */
  numberOfBuckets: number;
  /** The class whose precision, recall and F1 count where there are two (D39). */
  positiveClass: number;
  /** Rows belong together in groups or by time: folds keep them apart, and forests are scored fold by fold. */
  hasKeys: boolean;
  seed: number;
}

/** Learning and reserve rows together, ascending: TRAIN in the order of its file, without the blind test. */
export function trainRows({ learning, reserve }: RefinementTask): Uint32Array {
  return concatenate(Uint32Array, [learning, reserve]).sort();
}
