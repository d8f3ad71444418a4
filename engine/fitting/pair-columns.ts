// Joint columns: the product of two coarse columns as one more feature of a
// view, for models that know single features only.

import { rowsUpTo } from "../row-lists.ts";
import {
  type CodedFeature,
  type CodedView,
  FIRST_CODE,
  MISSING_CODE,
  newCodes,
  selectRows,
  UNSEEN_CODE,
} from "../table/buckets.ts";
import { type CoarseColumns, checkCoarseColumns } from "./coarse-columns.ts";
import { type ScoreTables, scoreTables } from "./score-tables.ts";

/** Pairs of coarse columns, each by the indexes of its columns. */
export interface ColumnPairs {
  columns: CoarseColumns;
  firsts: Uint16Array;
  seconds: Uint16Array;
}

/** Score tables over the features of a view and, after them, one for each pair. */
export interface PairedModel {
  kind: "paired";
  classCount: number;
  pairs: ColumnPairs;
  additive: ScoreTables;
}

/** Codes of a block of rows that is scored together, at most where that leaves enough rows. */
const BLOCK_CODES = 4_000_000;
const MIN_BLOCK_ROWS = 256;

/**
 * The pairs with the largest gains above 0, the best first. `gains` holds the gain of columns `first < second` at
 * `first * columnCount + second`; its other entries are ignored.
 */
export function bestPairs(columns: CoarseColumns, gains: Float64Array, limit: number): ColumnPairs {
  const columnCount = columns.features.length;
  const found: { first: number; second: number; gain: number }[] = [];
  for (const [at, gain] of gains.entries()) {
    const [first, second] = [Math.floor(at / columnCount), at % columnCount];
    if (gain > 0 && first < second) found.push({ first, second, gain });
  }
  const best = found.sort((a, b) => b.gain - a.gain || a.first - b.first || a.second - b.second).slice(0, limit);
  return {
    columns,
    firsts: Uint16Array.from(best, ({ first }) => first),
    seconds: Uint16Array.from(best, ({ second }) => second),
  };
}

/** The view with one more category for each pair. O(rows × pairs). */
export function widenView(view: CodedView, pairs: ColumnPairs): CodedView {
  const joint = Array.from(pairs.firsts, (first, pair) =>
    jointFeature(view, pairs.columns, first, pairs.seconds[pair]!),
  );
  return { rowCount: view.rowCount, features: [...view.features, ...joint] };
}

/** The code counts of a widened view, from those of the view. */
export function widenCodeCounts(codeCounts: readonly number[], { columns, firsts, seconds }: ColumnPairs): number[] {
  return [...codeCounts, ...Array.from(firsts, (first, pair) => jointCodeCount(columns, first, seconds[pair]!))];
}

/**
 * The code of two groups of a pair: one for each combination, with missing as a
 * group like others; unseen if one of the two is unseen.
 */
export function jointCode(groupOfFirst: number, groupOfSecond: number, groupCountOfSecond: number): number {
  if (groupOfFirst === UNSEEN_CODE || groupOfSecond === UNSEEN_CODE) return UNSEEN_CODE;
  return FIRST_CODE + rankOf(groupOfFirst) * rankOf(groupCountOfSecond) + rankOf(groupOfSecond);
}

/** Scores as `scoreTables` does, over the view widened by the pairs, block by block. */
export function scorePaired(model: PairedModel, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, pairs, additive } = model;
  const size = Math.max(MIN_BLOCK_ROWS, Math.floor(BLOCK_CODES / (1 + additive.tables.length)));
  for (let start = 0; start < rows.length; start += size) {
    const block = selectRows(view, rows.subarray(start, start + size));
    const every = rowsUpTo(block.rowCount);
    const target = out.subarray(start * classCount, (start + block.rowCount) * classCount);
    scoreTables(additive, widenView(block, pairs), every, target);
  }
}

/** True if pairs read from a file name existing columns. `featureCount` is that of the views to widen. */
export function checkPairs({ columns, firsts, seconds }: ColumnPairs, featureCount: number): boolean {
  const isColumn = (column: number) => column < columns.features.length;
  return (
    checkCoarseColumns(columns, featureCount) &&
    firsts.length === seconds.length &&
    firsts.every(isColumn) &&
    seconds.every(isColumn)
  );
}

function jointFeature(view: CodedView, columns: CoarseColumns, first: number, second: number): CodedFeature {
  const { features, starts, groupCounts, groupOfCode } = columns;
  const codeCount = jointCodeCount(columns, first, second);
  const codes = newCodes(codeCount, view.rowCount);
  const codesOfFirst = view.features[features[first]!]!.codes;
  const codesOfSecond = view.features[features[second]!]!.codes;
  for (let row = 0; row < codes.length; row++) {
    const groupOfFirst = groupOfCode[starts[first]! + codesOfFirst[row]!]!;
    const groupOfSecond = groupOfCode[starts[second]! + codesOfSecond[row]!]!;
    codes[row] = jointCode(groupOfFirst, groupOfSecond, groupCounts[second]!);
  }
  return { kind: "category", codes, codeCount, centres: new Float64Array(0) };
}

function jointCodeCount({ groupCounts }: CoarseColumns, first: number, second: number): number {
  return FIRST_CODE + rankOf(groupCounts[first]!) * rankOf(groupCounts[second]!);
}

/**
 * A group's place among all but the unseen one, missing first; for a count of groups, the count without the unseen one.
 */
function rankOf(group: number): number {
  return group === MISSING_CODE ? 0 : group - 1;
}
