// A worker's units of a refinement: checks of columns, forests beside shadow
// features, groups of features shuffled together.

import { type ClusterLoss, permuteClusters } from "../engine/refinement/cluster-permutation.ts";
import { clusterFeatures } from "../engine/refinement/clusters.ts";
import { type ColumnCheck, checkColumns, type ProfiledColumn } from "../engine/refinement/column-checks.ts";
import type { FeatureFacts } from "../engine/refinement/feature-facts.ts";
import { withHalfScores } from "../engine/refinement/half-scores.ts";
import type { ForestSize } from "../engine/refinement/plan.ts";
import { rowOverlap } from "../engine/refinement/row-overlap.ts";
import { type ShadowGains, shadowGains } from "../engine/refinement/shadow-gains.ts";
import type { RefinementTask } from "../engine/refinement/task.ts";
import { rowsUpTo } from "../engine/row-lists.ts";
import { fitBucketing } from "../engine/search/bucketing.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { type CodedView, codeTable } from "../engine/table/buckets.ts";
import { labelledRows, selectFeatures, selectTableRows } from "../engine/table/table.ts";

export interface CheckRequest {
  columns: readonly ProfiledColumn[];
  facts: readonly FeatureFacts[];
  removeLeaks: boolean;
}

export interface CheckAnswer {
  checks: ColumnCheck[];
  /** Share of TEST rows that also occur in TRAIN. */
  overlap: number;
}

export interface GainsRequest {
  /** Feature indexes of the table. */
  candidates: readonly number[];
  shadowOf: readonly number[];
  round: number;
  treeFrom: number;
  treeTo: number;
  minLeafRows: number;
  /** Features tried at each split; null for the square root of their number. */
  featuresPerSplit: number | null;
}

export interface GroupsRequest {
  candidates: readonly number[];
  /** Positions into `candidates`. */
  groups: readonly (readonly number[])[];
  fold: number;
  size: ForestSize;
}

export function runChecks(task: RefinementTask, request: CheckRequest): CheckAnswer {
  const { columns, facts, removeLeaks } = request;
  return { checks: checkColumns(columns, task, facts, removeLeaks), overlap: rowOverlap(task) };
}

export function runGains(task: RefinementTask, request: GainsRequest, stop: StopSignal): ShadowGains {
  const { view, classes } = selectionOf(task);
  const rows = rowsUpTo(classes.length);
  const { seed, table } = task;
  return shadowGains({ ...request, view, rows, classes, classCount: table.labels.length, seed, stop });
}

/** Fits buckets on the fold's learning rows alone, so that no judging row influences the order of categories. */
export function runGroups(task: RefinementTask, request: GroupsRequest, stop: StopSignal): ClusterLoss[] {
  const { candidates, groups, fold, size } = request;
  const { learning, judging } = task.folds[fold]!;
  const table = selectTableRows(selectFeatures(task.table, candidates), task.selection);
  return permuteClusters({
    ...labelledRows(table, learning),
    view: codeTable(table, fitBucketing(table, learning, task.numberOfBuckets, task.numberOfBuckets)),
    judging,
    clusters: groups,
    ...size,
    seed: task.seed,
    stop,
  });
}

/** The leader of each feature's group of near copies, as positions into `features`. */
export function runLikeness(task: RefinementTask, features: readonly number[]): number[] {
  const { view, classes } = selectionOf(task);
  return clusterFeatures(view, rowsUpTo(classes.length), features);
}

interface Selection {
  /** Codes of the selection rows in the user's number of buckets. */
  view: CodedView;
  classes: Uint8Array;
}

/** Many units use the same rows: each thread codes them once. */
const selections = new WeakMap<RefinementTask, Selection>();

function selectionOf(task: RefinementTask): Selection {
  const known = selections.get(task);
  if (known !== undefined) return known;
  const table = selectTableRows(task.table, task.selection);
  const rows = rowsUpTo(table.rowCount);
  const { numberOfBuckets } = task;
  const coded = codeTable(table, fitBucketing(table, rows, numberOfBuckets, numberOfBuckets));
  const view = withHalfScores(coded, table, numberOfBuckets, task.seed);
  const selection = { view, classes: table.classes };
  selections.set(task, selection);
  return selection;
}
