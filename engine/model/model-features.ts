// The part of a table and its bucketing that a model file keeps: how a cell becomes each feature's code.
import type { FeatureBuckets } from "../table/buckets.ts";
import { FIRST_LEVEL, sourcesOf, type Table } from "../table/table.ts";
import type { ModelFeature, ModelText } from "./model-file.ts";

/**
 * The features of a table under a bucketing. Source columns are numbered in
 * file order, those without a feature left out.
 */
export function modelFeatures(table: Table, bucketing: readonly FeatureBuckets[]): ModelFeature[] {
  const sourceColumns = sourceColumnsOf(table);
  return table.features.map((feature, index): ModelFeature => {
    const buckets = bucketing[index]!;
    const column = sourceColumns.indexOf(feature.column);
    const { codeCount } = buckets;
    if (feature.kind === "number" && buckets.kind === "number") {
      const minus = feature.minus === undefined ? {} : { minus: sourceColumns.indexOf(feature.minus) };
      return { column, codeCount, kind: "number", part: feature.part, ...minus, cutPoints: buckets.cutPoints };
    }
    if (feature.kind === "score" && buckets.kind === "number" && buckets.score !== undefined) {
      const { bias, weights } = buckets.score.own;
      return {
        column,
        codeCount,
        kind: "score",
        part: null,
        cutPoints: buckets.cutPoints,
        bias,
        scoreWeights: weights,
      };
    }
    if (feature.kind === "category" && buckets.kind === "category") {
      const { codeOfLevel, codeOfOthers } = buckets;
      const codes = codeOfLevel.slice(FIRST_LEVEL);
      return { column, codeCount, kind: "category", part: null, names: feature.names, codes, codeOfOthers };
    }
    throw new Error("a feature and its buckets differ in kind");
  });
}

/** The vocabularies of a table's texts; undefined where it has none. */
export function modelTexts(table: Table): ModelText[] | undefined {
  const sourceColumns = sourceColumnsOf(table);
  return table.texts?.map(({ column, plainCount, shownCount, keys }) => ({
    column: sourceColumns.indexOf(column),
    plainCount,
    shownCount,
    keys,
  }));
}

/** The columns that have features, in file order: those of the model. */
export function sourceColumnsOf({ features }: Table): number[] {
  return [...new Set(features.flatMap(sourcesOf))];
}
