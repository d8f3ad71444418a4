// What is done with a version once it is chosen: refitted on all rows, and confirmed on further re-splits.
import { codeTable, type FeatureBuckets } from "./buckets.ts";
import { fitModel, type Model, type ModelSettings, scoreModel } from "./families/model.ts";
import type { Split } from "./holdout.ts";
import { type ColumnEffect, permutationImportance } from "./importance.ts";
import { judge } from "./metrics.ts";
import { fitBucketing } from "./qualify.ts";
import { OutOfTime, type StopSignal } from "./stop-signal.ts";
import type { Table } from "./table.ts";

/** Settings that were found and fixed, and the view they learn from. */
export interface FoundSettings {
  buckets: "fine" | number;
  settings: ModelSettings;
  seed: number;
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
  { buckets, settings, seed }: FoundSettings,
  numberOfBuckets: number,
  stop: StopSignal,
): FittedModel {
  const bucketing = fitBucketing(table, rows, buckets, numberOfBuckets);
  const view = codeTable(table, bucketing);
  const model = fitModel(settings, { view, rows, classes: table.classes, classCount: table.labels.length, seed, stop });
  return { model, bucketing };
}
