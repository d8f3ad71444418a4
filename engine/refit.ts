// What is done with a version once it is chosen: refitted on all rows, and confirmed on further re-splits.
import type { AttemptSpec } from "./attempts.ts";
import { codeTable, type FeatureBuckets } from "./buckets.ts";
import type { AdditiveModel } from "./families/additive-tables.ts";
import { fitBase } from "./families/base-model.ts";
import { type Model, type ModelSettings, scoreModel } from "./families/model.ts";
import {
  type FeatureMerge,
  mergesBetween,
  type StackMember,
  type StackModel,
  type StackSettings,
} from "./families/stack-model.ts";
import type { Split } from "./holdout.ts";
import { type ColumnEffect, permutationImportance } from "./importance.ts";
import { judge } from "./metrics.ts";
import { fitBucketing } from "./qualify.ts";
import { mainBuckets } from "./qualify-stack.ts";
import { OutOfTime, type StopSignal } from "./stop-signal.ts";
import type { Table } from "./table.ts";

/** Settings that were found and fixed, and the view they learn from. */
export interface FoundSettings {
  buckets: AttemptSpec["buckets"];
  settings: ModelSettings;
  seed: number;
  /** A stack's tables of the features; null where it has none, and of any other algorithm. */
  mains: AdditiveModel | null;
}

/** A model and the bucketing of its codes. */
export interface FittedModel {
  model: Model;
  bucketing: FeatureBuckets[];
}

/** How settings did on rows that had no part in choosing them. */
export interface Confirmation {
  rowCount: number;
  falseDecisions: number;
  importance: ColumnEffect[];
}

/** Fits found settings on all rows of a table (D46). */
export function refit(table: Table, found: FoundSettings, numberOfBuckets: number, stop: StopSignal): FittedModel {
  const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
  return fit(table, rows, found, numberOfBuckets, stop);
}

/**
 * Fits found settings on the learning rows of a split and scores its judging rows (D47); measures what each column carries.
 *
 * @throws OutOfTime rather than confirm a model that was cut short.
 */
export function confirm(
  table: Table,
  split: Split,
  found: FoundSettings,
  numberOfBuckets: number,
  stop: StopSignal,
): Confirmation {
  if (stop.timeIsUp()) throw new OutOfTime();
  const { model, bucketing } = fit(table, split.learning, found, numberOfBuckets, stop);
  if (stop.timeIsUp()) throw new OutOfTime();
  const view = codeTable(table, bucketing);
  const probabilities = scoreModel(model, view, split.judging);
  const { falseDecisions, rowCount } = judge(probabilities, split.judging, table.classes, table.labels.length);
  const importance = permutationImportance(table, model, view, split.judging, found.seed, stop);
  return { rowCount, falseDecisions, importance };
}

function fit(
  table: Table,
  rows: Uint32Array,
  { buckets, settings, seed, mains }: FoundSettings,
  numberOfBuckets: number,
  stop: StopSignal,
): FittedModel {
  const { classes, labels } = table;
  const bucketing = fitBucketing(table, rows, buckets, numberOfBuckets);
  if (settings.algorithm === "stack") {
    const model = fitStack(table, rows, settings, bucketing, numberOfBuckets, stop);
    return { model: mains === null ? model : withMains(model, mains, bucketing, table), bucketing };
  }
  const view = codeTable(table, bucketing);
  return { model: fitBase(settings, { view, rows, classes, classCount: labels.length, seed, stop }), bucketing };
}

/** Fits every base of a stack on its own merge of the fine bucketing. */
function fitStack(
  table: Table,
  rows: Uint32Array,
  { members, intercepts }: StackSettings,
  fine: readonly FeatureBuckets[],
  numberOfBuckets: number,
  stop: StopSignal,
): StackModel {
  const { classes, labels } = table;
  const classCount = labels.length;
  const merges: FeatureMerge[][] = [];
  const mergeOf = new Map<AttemptSpec["buckets"], number>();
  const fitted = members.map(({ buckets, settings, seed }): StackMember => {
    const bucketing = fitBucketing(table, rows, buckets, numberOfBuckets);
    const model = fitBase(settings, { view: codeTable(table, bucketing), rows, classes, classCount, seed, stop });
    if (buckets === "fine") return { merge: null, model };
    const known = mergeOf.get(buckets) ?? merges.push(mergesBetween(fine, bucketing)) - 1;
    mergeOf.set(buckets, known);
    return { merge: known, model };
  });
  const weights = Float64Array.from(members, ({ weight }) => weight);
  return {
    kind: "stack",
    classCount,
    weights,
    intercepts: Float64Array.from(intercepts),
    members: fitted,
    merges,
    mains: null,
  };
}

/** The stack with its tables on top. Where fine buckets of other rows cross a cut point of the tables, one side counts. */
function withMains(
  model: StackModel,
  tables: AdditiveModel,
  fine: readonly FeatureBuckets[],
  table: Table,
): StackModel {
  const merges = [...model.merges, mergesBetween(fine, mainBuckets(table))];
  return { ...model, merges, mains: { merge: merges.length - 1, tables } };
}
