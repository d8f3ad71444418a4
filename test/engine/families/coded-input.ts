// Coded rows for tests of the families: drawn from a seed or by fast-check, or written out by hand.

import fc from "fast-check";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { type ScoreTables, scoreTables } from "../../../engine/fitting/score-tables.ts";
import { Random } from "../../../engine/random.ts";
import { rowsUpTo } from "../../../engine/row-lists.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import {
  type CodedFeature,
  type CodedView,
  FIRST_CODE,
  MISSING_CODE,
  UNSEEN_CODE,
} from "../../../engine/table/buckets.ts";

export interface DrawnSettings {
  seed: number;
  rowCount: number;
  classCount: number;
  /** Buckets per feature; features alternate between number and category. */
  bucketCounts: readonly number[];
  /** Share of missing cells. */
  missing?: number;
}

/**
 * Rows whose first feature tells much about the class and whose others tell
 * little; three quarters of them are fit rows.
 */
export function drawInput({ seed, rowCount, classCount, bucketCounts, missing = 0.1 }: DrawnSettings): FitInput {
  const random = new Random(seed);
  const classes = Uint8Array.from({ length: rowCount }, () => random.nextBelow(classCount));
  const features = bucketCounts.map((buckets, index): CodedFeature => {
    const pull = index === 0 ? 0.7 : 0.2;
    const codes = Array.from(classes, (own) => {
      if (random.nextFloat() < missing) return MISSING_CODE;
      const bucket = random.nextFloat() < pull ? Math.floor((own * buckets) / classCount) : random.nextBelow(buckets);
      return FIRST_CODE + bucket;
    });
    return index % 2 === 0 ? numberFeature(codes, buckets) : categoryFeature(codes, buckets);
  });
  const rows = rowsUpTo(rowCount).filter((row) => row % 4 !== 3);
  return { view: { rowCount, features }, rows, classes, classCount, seed, stop: neverStop };
}

/**
 * Small tables of every kind that the kernels of trees tell apart: few and many rows for the codes, missing and unseen
 * cells. Four of five rows are fit rows.
 */
export function smallInputs(most: { classes: number; features: number }): fc.Arbitrary<FitInput> {
  return fc
    .record({
      rowCount: fc.integer({ min: 2, max: 60 }),
      classCount: fc.integer({ min: 2, max: most.classes }),
      bucketCounts: fc.array(fc.constantFrom(1, 2, 3, 8, 20, 40, 300), { minLength: 1, maxLength: most.features }),
      seed: fc.integer(),
    })
    .chain(({ rowCount, classCount, bucketCounts, seed }) =>
      fc
        .record({
          cells: fc.tuple(
            ...bucketCounts.map((buckets) => {
              const code = fc.oneof(
                { weight: 8, arbitrary: fc.integer({ min: 2, max: buckets + 1 }) },
                { weight: 2, arbitrary: fc.constantFrom(MISSING_CODE, UNSEEN_CODE) },
              );
              return fc.array(code, { minLength: rowCount, maxLength: rowCount });
            }),
          ),
          classes: fc.array(fc.integer({ min: 0, max: classCount - 1 }), { minLength: rowCount, maxLength: rowCount }),
        })
        .map(({ cells, classes }) => {
          const features = cells.map((codes, index) => categoryFeature(codes, bucketCounts[index]!));
          const rows = rowsUpTo(rowCount).filter((row) => row % 5 !== 4);
          return { ...inputOf(features, classes, classCount), rows, seed };
        }),
    );
}

export function categoryFeature(codes: readonly number[], buckets: number): CodedFeature {
  const codeCount = buckets + FIRST_CODE;
  return {
    kind: "category",
    codes: codeCount > 256 ? Uint16Array.from(codes) : Uint8Array.from(codes),
    codeCount,
    centres: new Float64Array(0),
  };
}

export function numberFeature(codes: readonly number[], buckets: number): CodedFeature {
  const centres = Float64Array.from({ length: buckets + FIRST_CODE }, (_, code) =>
    code < FIRST_CODE ? 0 : (2 * (code - FIRST_CODE + 0.5)) / buckets - 1,
  );
  return { ...categoryFeature(codes, buckets), kind: "number", centres };
}

/** An input whose rows are all fit rows. */
export function inputOf(features: readonly CodedFeature[], classes: readonly number[], classCount: number): FitInput {
  const rowCount = classes.length;
  const rows = rowsUpTo(rowCount);
  return {
    view: { rowCount, features },
    rows,
    classes: Uint8Array.from(classes),
    classCount,
    seed: 1,
    stop: neverStop,
  };
}

/**
 * The same rows in another order: row i of the new view is row `order[i]` of the old one. All rows must be fit rows.
 */
export function reorder(input: FitInput, order: readonly number[]): FitInput {
  const features = input.view.features.map((feature) => ({
    ...feature,
    codes: feature.codes.slice().map((_, row) => feature.codes[order[row]!]!),
  }));
  return {
    ...input,
    view: { rowCount: input.view.rowCount, features },
    classes: input.classes.map((_, row) => input.classes[order[row]!]!),
  };
}

export function probabilitiesOf(model: ScoreTables, view: CodedView): Float64Array {
  const rows = rowsUpTo(view.rowCount);
  const out = new Float64Array(rows.length * model.classCount);
  scoreTables(model, view, rows, out);
  return out;
}

/** Rows whose likeliest class is their own. */
export function correctCount(probabilities: Float64Array, input: FitInput, rows: Iterable<number>): number {
  const { classCount, classes } = input;
  let correct = 0;
  for (const row of rows) {
    const own = probabilities.subarray(row * classCount, (row + 1) * classCount);
    if (own.indexOf(Math.max(...own)) === classes[row]) correct++;
  }
  return correct;
}
