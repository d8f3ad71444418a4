// What a model file keeps of a table and its bucketing: how each feature's code is made of a cell.
import type { FeatureBuckets } from "../buckets.ts";
import { FIRST_LEVEL, type Table } from "../table.ts";
import type { ModelFeature } from "./model-file.ts";

/** The features of a table under a bucketing. Source columns are numbered in file order, those without a feature left out. */
export function modelFeatures(table: Table, bucketing: readonly FeatureBuckets[]): ModelFeature[] {
  const sourceColumns = [...new Set(table.features.map((feature) => feature.column))];
  return table.features.map((feature, index): ModelFeature => {
    const buckets = bucketing[index]!;
    const column = sourceColumns.indexOf(feature.column);
    const { codeCount } = buckets;
    if (feature.kind === "number" && buckets.kind === "number") {
      return { column, codeCount, kind: "number", part: feature.part, cutPoints: buckets.cutPoints };
    }
    if (feature.kind === "category" && buckets.kind === "category") {
      const { codeOfLevel, codeOfOthers } = buckets;
      const codes = codeOfLevel.slice(FIRST_LEVEL);
      return { column, codeCount, kind: "category", part: null, names: feature.names, codes, codeOfOthers };
    }
    throw new Error("a feature and its buckets differ in kind");
  });
}
