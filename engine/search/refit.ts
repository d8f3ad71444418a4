// Confirms a chosen version on further re-splits, and refits it on all rows.

import {
  type ColumnImportance,
  type ColumnPart,
  type MeasuredModel,
  permutationImportance,
} from "../explain/importance.ts";
import { type Model, type ModelSettings, scoreModel } from "../families/algorithms.ts";
import { type BaseModel, type BaseSettings, fitBase } from "../families/base-algorithms.ts";
import {
  type FeatureMerge,
  mergesBetween,
  type StackMember,
  type StackModel,
  type StackSettings,
} from "../families/stack-model.ts";
import type { ScoreTables } from "../fitting/score-tables.ts";
import { splitByPart } from "../splits/holdout.ts";
import { type StopSignal, throwIfOutOfTime } from "../stop-signal.ts";
import { type BucketChoice, codeTable, type FeatureBuckets } from "../table/buckets.ts";
import { labelledRows, type Table } from "../table/table.ts";
import { growTrees, type TreeRange } from "../trees/forest-ranges.ts";
import { fitBucketing, mainBuckets } from "./bucketing.ts";
import { type Decider, judgeDecided, scoreOf } from "./decider.ts";
import { fitInputOf } from "./fold-fits.ts";
import type { BucketedTable, TrainingTask } from "./training-task.ts";

/** A version without its models: settings that were found and fixed, and the view they learn from. */
export interface FoundSettings {
  buckets: BucketChoice;
  settings: ModelSettings;
  seed: number;
  /** A stack's tables of the features; null where it has none, and of any other algorithm. */
  mains: ScoreTables | null;
}

/** A model and the bucketing of its codes. */
export interface FittedModel {
  model: Model;
  bucketing: FeatureBuckets[];
}

/** How settings did on rows that had no part in choosing them. */
export interface Confirmation {
  /** The decided class of each row of the part. */
  decisions: Uint8Array;
  importance: ColumnImportance[];
}

/** One fit: of a version itself, or of a member of a stack. Versions share the fits that they have in common. */
export interface BaseFound {
  buckets: BucketChoice;
  settings: BaseSettings;
  seed: number;
}

/** The fits that a version needs. */
export function basesOf({ buckets, settings, seed }: FoundSettings): BaseFound[] {
  return settings.algorithm === "stack" ? settings.members.map(baseOf) : [{ buckets, settings, seed }];
}

/** The fit alone, its fields in one order: fits are told apart by their JSON. */
export function baseOf({ buckets, settings, seed }: BaseFound): BaseFound {
  return { buckets, settings, seed };
}

/**
 * Fits one base on some rows of a table. `trees`: of a forest only these.
 *
 * @throws OutOfTime rather than give a model that was cut short: it is not the one that was chosen.
 */
export function fitFound(
  task: BucketedTable,
  rows: Uint32Array,
  base: BaseFound,
  stop: StopSignal,
  trees: TreeRange | null = null,
): BaseModel {
  throwIfOutOfTime(stop);
  const input = fitInputOf(task, base, rows, stop);
  const { settings } = base;
  const isRange = trees !== null && settings.algorithm === "forest";
  const model = isRange ? growTrees(input, settings, trees) : fitBase(settings, input);
  throwIfOutOfTime(stop);
  return model;
}

/** Puts a version together from its fits on some rows, given in the order of `basesOf`. */
export function assemble(
  { table, numberOfBuckets }: BucketedTable,
  rows: Uint32Array,
  found: FoundSettings,
  bases: readonly BaseModel[],
): FittedModel {
  const { buckets, settings, mains } = found;
  const bucketing = fitBucketing(table, rows, buckets, numberOfBuckets);
  if (settings.algorithm !== "stack") return { model: bases[0]!, bucketing };
  const coarser = (choice: BucketChoice) => fitBucketing(table, rows, choice, numberOfBuckets);
  const model = stackOf(settings, bases, bucketing, table.labels.length, coarser);
  return { model: mains === null ? model : withMains(model, mains, bucketing, table), bucketing };
}

/** A version, its fits on all rows but those of a part, which judge it, and how it decides. */
export interface Confirming {
  found: FoundSettings;
  decider: Decider;
  bases: readonly BaseModel[];
  judgingPart: number;
}

/**
 * Judges a version on rows that its fits did not see (D47), and measures what each column carries. With
 * `measuresColumns` false, `measureColumns` does that elsewhere.
 */
export function confirm(
  task: TrainingTask,
  { measuresColumns, ...confirming }: Confirming & { measuresColumns: boolean },
  stop: StopSignal,
): Confirmation {
  const measured = open(task, confirming);
  const { table, model, view, rows } = measured;
  const { decisions } = judgeDecided(confirming.decider, scoreModel(model, view, rows), labelledRows(table, rows));
  return { decisions, importance: measuresColumns ? permutationImportance(measured, stop) : [] };
}

/** Measures what some columns carry: a part of the importance that `confirm` measures. */
export function measureColumns(
  task: TrainingTask,
  { columns, ...confirming }: Confirming & { columns: ColumnPart },
  stop: StopSignal,
): ColumnImportance[] {
  return permutationImportance(open(task, confirming), stop, columns);
}

/** The version without the part that judges it, whose rows are those of the result. */
function open(task: TrainingTask, { found, bases, judgingPart, decider }: Confirming): MeasuredModel {
  const { table } = task;
  const { learning, judging: rows } = splitByPart(task.parts, judgingPart);
  const { model, bucketing } = assemble(task, learning, found, bases);
  const achieved: MeasuredModel["achieved"] = (probabilities, judged) =>
    scoreOf(decider, judgeDecided(decider, probabilities, judged).decisions, judged);
  return { table, model, view: codeTable(table, bucketing), rows, seed: found.seed, achieved };
}

/** Every base looks at its own merge of the fine bucketing. */
function stackOf(
  { members, intercepts }: StackSettings,
  bases: readonly BaseModel[],
  fine: readonly FeatureBuckets[],
  classCount: number,
  bucketingOf: (choice: BucketChoice) => readonly FeatureBuckets[],
): StackModel {
  const merges: FeatureMerge[][] = [];
  const mergeOf = new Map<BucketChoice, number>();
  const fitted = members.map(({ buckets }, index): StackMember => {
    const model = bases[index]!;
    if (buckets === "fine") return { merge: null, model };
    const known = mergeOf.get(buckets) ?? merges.push(mergesBetween(fine, bucketingOf(buckets))) - 1;
    mergeOf.set(buckets, known);
    return { merge: known, model };
  });
  return {
    kind: "stack",
    classCount,
    weights: Float64Array.from(members, ({ weight }) => weight),
    intercepts: Float64Array.from(intercepts),
    members: fitted,
    merges,
    mains: null,
  };
}

/**
 * The stack with its tables on top. Where fine buckets of other rows cross a cut point of the tables, one side counts.
 */
function withMains(model: StackModel, tables: ScoreTables, fine: readonly FeatureBuckets[], table: Table): StackModel {
  const merges = [...model.merges, mergesBetween(fine, mainBuckets(table))];
  return { ...model, merges, mains: { merge: merges.length - 1, tables } };
}
