// Score tables of features and of joint columns as a form of model: naive Bayes
// with joint columns, logistic regression with pairs.

import type { ArrayShelf } from "../arrays/array-shelf.ts";
import { COLUMN_ARRAYS, packColumns, unpackColumns } from "./coarse-columns.ts";
import { type ModelForm, putArrays, takeArrays } from "./model-form.ts";
import { type ColumnPairs, checkPairs, type PairedModel, scorePaired, widenCodeCounts } from "./pair-columns.ts";
import { type PackedTables, SCORE_TABLES } from "./score-tables-form.ts";

interface PackedPaired {
  kind: "paired";
  classCount: number;
  additive: PackedTables;
}

const PAIR_ARRAYS = { firsts: Uint16Array, seconds: Uint16Array };

export const JOINT_TABLES: ModelForm<PairedModel, PackedPaired> = {
  kind: "paired",
  arrays: { ...SCORE_TABLES.arrays, ...COLUMN_ARRAYS, ...PAIR_ARRAYS },
  score: scorePaired,
  pack: ({ kind, classCount, pairs, additive }, shelf, prefix) => {
    packColumns(pairs.columns, shelf, prefix);
    putArrays(PAIR_ARRAYS, pairs, shelf, prefix);
    return { kind, classCount, additive: SCORE_TABLES.pack(additive, shelf, `${prefix}additive.`) };
  },
  unpack: ({ kind, classCount, additive: packed }, codeCounts, shelf, prefix) => {
    const pairs = unpackPairs(codeCounts, shelf, prefix);
    if (pairs === null || packed.kind !== "additive" || packed.classCount !== classCount) return null;
    const widened = widenCodeCounts(codeCounts, pairs);
    const additive = SCORE_TABLES.unpack(packed, widened, shelf, `${prefix}additive.`);
    return additive === null ? null : { kind, classCount, pairs, additive };
  },
};

/** Null if the arrays do not fit features with these code counts. */
function unpackPairs(codeCounts: readonly number[], shelf: ArrayShelf, prefix: string): ColumnPairs | null {
  const columns = unpackColumns(codeCounts, shelf, prefix);
  const pairs = { columns, ...takeArrays(PAIR_ARRAYS, shelf, prefix) };
  return checkPairs(pairs, codeCounts.length) ? pairs : null;
}
