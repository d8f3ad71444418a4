// Units of a refinement: facts of columns, models on sets of columns, forests beside shadows, groups shuffled together.
import { type CodedView, codeTable } from "../engine/buckets.ts";
import type { RefinementArena } from "../engine/refinement/arena.ts";
import { type ClusterLoss, permuteClusters } from "../engine/refinement/cluster-permutation.ts";
import { clusterFeatures } from "../engine/refinement/clusters.ts";
import { type ColumnCheck, checkColumns, type ProfiledColumn } from "../engine/refinement/column-checks.ts";
import type { Entrant } from "../engine/refinement/entrants.ts";
import type { FeatureFacts } from "../engine/refinement/feature-facts.ts";
import type { ForestSize } from "../engine/refinement/plan.ts";
import { rowOverlap } from "../engine/refinement/row-overlap.ts";
import { type ShadowGains, shadowGains } from "../engine/refinement/shadow-gains.ts";
import { fitBucketing } from "../engine/search/qualify.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { selectFeatures, selectTableRows } from "../engine/table.ts";

export interface CheckRequest {
  columns: readonly ProfiledColumn[];
  facts: readonly FeatureFacts[];
  removeLeaks: boolean;
}

export interface CheckAnswer {
  checks: ColumnCheck[];
  /** Share of TEST rows that also stand in TRAIN. */
  overlap: number;
}

/** A model on a set of features. */
export interface EntrantRequest {
  features: readonly number[];
  entrant: Entrant;
  seed: number;
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

export function runChecks(arena: RefinementArena, request: CheckRequest): CheckAnswer {
  const { columns, facts, removeLeaks } = request;
  return { checks: checkColumns(columns, arena, facts, { removeLeaks }), overlap: rowOverlap(arena) };
}

export function runGains(arena: RefinementArena, request: GainsRequest, stop: StopSignal): ShadowGains {
  const { view, classes } = selectionOf(arena);
  const rows = Uint32Array.from(classes, (_, row) => row);
  return shadowGains({
    ...request,
    view,
    rows,
    classes,
    classCount: arena.table.labels.length,
    seed: arena.seed,
    stop,
  });
}

/** Buckets are fitted on the fold's learning rows, so that no judging row orders a category. */
export function runGroups(arena: RefinementArena, request: GroupsRequest, stop: StopSignal): ClusterLoss[] {
  const { candidates, groups, fold, size } = request;
  const { learning, judging } = arena.folds[fold]!;
  const table = selectTableRows(selectFeatures(arena.table, candidates), arena.selection);
  return permuteClusters({
    view: codeTable(table, fitBucketing(table, learning, arena.numberOfBuckets, arena.numberOfBuckets)),
    learning,
    judging,
    classes: table.classes,
    classCount: table.labels.length,
    candidates: candidates.map((_, position) => position),
    clusters: groups,
    ...size,
    seed: arena.seed,
    stop,
  });
}

/** The leader of each feature's group of near copies, as positions into `features`. */
export function runLikeness(arena: RefinementArena, features: readonly number[]): number[] {
  const { view, classes } = selectionOf(arena);
  return clusterFeatures(
    view,
    Uint32Array.from(classes, (_, row) => row),
    features,
  );
}

interface Selection {
  /** Codes of the selection rows under the user's buckets. */
  view: CodedView;
  classes: Uint8Array;
}

/** Many units look at the same rows: each thread codes them once. */
const selections = new WeakMap<RefinementArena, Selection>();

function selectionOf(arena: RefinementArena): Selection {
  const known = selections.get(arena);
  if (known !== undefined) return known;
  const table = selectTableRows(arena.table, arena.selection);
  const rows = Uint32Array.from(table.classes, (_, row) => row);
  const { numberOfBuckets } = arena;
  const view = codeTable(table, fitBucketing(table, rows, numberOfBuckets, numberOfBuckets));
  const selection = { view, classes: table.classes };
  selections.set(arena, selection);
  return selection;
}
