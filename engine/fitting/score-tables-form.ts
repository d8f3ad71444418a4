// Score tables as a form of model: naive Bayes and logistic regression both end as one.

import type { ModelForm } from "./model-form.ts";
import { outputCountOf, type ScoreTables, scoreTables } from "./score-tables.ts";

export interface PackedTables {
  kind: "additive";
  classCount: number;
  outputCount: number;
  hasTable: readonly boolean[];
}

export const SCORE_TABLES: ModelForm<ScoreTables, PackedTables> = {
  kind: "additive",
  arrays: { intercepts: Float64Array, table: Float64Array },
  score: scoreTables,
  pack: ({ kind, classCount, outputCount, intercepts, tables }, shelf, prefix) => {
    shelf.put(`${prefix}intercepts`, intercepts);
    tables.forEach((table, index) => {
      if (table !== null) shelf.put(`${prefix}table.${index}`, table);
    });
    return { kind, classCount, outputCount, hasTable: tables.map((table) => table !== null) };
  },
  unpack: ({ kind, classCount, outputCount, hasTable }, codeCounts, shelf, prefix) => {
    const tables = hasTable.map((has, index) => (has ? shelf.take<Float64Array>(`${prefix}table.${index}`) : null));
    const intercepts = shelf.take<Float64Array>(`${prefix}intercepts`);
    const isSound =
      outputCount === outputCountOf(classCount) &&
      intercepts.length === outputCount &&
      tables.length === codeCounts.length &&
      tables.every((table, index) => table === null || table.length === codeCounts[index]! * outputCount);
    return isSound ? { kind, classCount, outputCount, intercepts, tables } : null;
  },
};
