// Coarse columns: few groups of neighbouring codes per feature, so that tables over two or three features stay small.

import type { ArrayShelf } from "../arrays/array-shelf.ts";
import { mapped } from "../mapped.ts";
import {
  type CodeArray,
  type CodedView,
  FIRST_CODE,
  MISSING_CODE,
  quantileGroups,
  UNSEEN_CODE,
} from "../table/buckets.ts";
import { chooseFeatures, countRowsByCode } from "./class-counts.ts";
import type { FitInput } from "./family.ts";

/**
 * Groups of a number, or of a category, besides missing. More groups leave too few rows to each combination: 20 for
 * numbers cost half a point of accuracy; 60 for categories cost two and a half on a table with a category of 51 levels.
 */
const MAX_GROUPS = 10;

/**
 * Chosen features of a view, and the group of each of their codes. Groups are numbered as codes are: 0 for missing, 1
 * for unseen (categories and codes that no fit row has), then the real ones.
 */
export interface CoarseColumns {
  /** Feature index of each column, ascending. */
  features: Uint16Array;
  /** Groups of each column, the two reserved ones included. */
  groupCounts: Uint16Array;
  /** The start of each column's codes in `groupOfCode`, and the end of the last ones. */
  starts: Uint32Array;
  groupOfCode: Uint8Array;
}

/**
 * Merges neighbouring codes into groups of about equal count by the fit rows alone, categories in the order of their
 * signal. Takes the features that vary, of more than `limit` the most informative ones. O(rows × features).
 */
export function fitCoarseColumns(input: FitInput, limit: number, maxGroups: number = MAX_GROUPS): CoarseColumns {
  const chosen = chooseFeatures(input, limit, () => 1);
  const maps = chosen.map((index) => {
    const { codes, codeCount } = input.view.features[index]!;
    return groupCodes(countRowsByCode(codes, codeCount, input.rows), maxGroups);
  });
  const features = Uint16Array.from(chosen);
  const codeCounts = input.view.features.map(({ codeCount }) => codeCount);
  const starts = codeStarts(features, codeCounts);
  const groupOfCode = new Uint8Array(starts.at(-1)!);
  for (const [column, map] of maps.entries()) groupOfCode.set(map.groupOfCode, starts[column]!);
  return { features, groupCounts: mapped(Uint16Array, maps, ({ groupCount }) => groupCount), starts, groupOfCode };
}

/** The first entry of each column in `groupOfCode`, and the end. A feature that is not there has no codes. */
function codeStarts(features: Uint16Array, codeCounts: readonly number[]): Uint32Array {
  return codeStartsOf(Array.from(features, (feature) => codeCounts[feature] ?? 0));
}

/** The start of each feature's codes, all laid one after the other, and the end of the last ones. */
export function codeStartsOf(codeCounts: readonly number[]): Uint32Array {
  const starts = new Uint32Array(codeCounts.length + 1);
  for (const [index, count] of codeCounts.entries()) starts[index + 1] = starts[index]! + count;
  return starts;
}

/** The groups of some rows, column after column. */
export function gatherGroups(columns: CoarseColumns, view: CodedView, rows: Uint32Array): Uint8Array[] {
  return Array.from(columns.features, (feature, column) => {
    const groups = new Uint8Array(rows.length);
    writeGroups(columns, column, view.features[feature]!.codes, rows, groups);
    return groups;
  });
}

/** Writes one column's groups of some rows from the start of `target` on. */
export function writeGroups(
  { groupOfCode, starts }: CoarseColumns,
  column: number,
  codes: CodeArray,
  rows: Uint32Array,
  target: Uint8Array,
): void {
  const from = starts[column]!;
  for (let i = 0; i < rows.length; i++) target[i] = groupOfCode[from + codes[rows[i]!]!]!;
}

/** True if columns read from a file name existing features, and every code has an existing group, of 256 at most. */
export function checkCoarseColumns(columns: CoarseColumns, featureCount: number): boolean {
  const { features, groupCounts, starts, groupOfCode } = columns;
  if (groupCounts.length !== features.length || starts.at(-1) !== groupOfCode.length) return false;
  return features.every((feature, column) => {
    const groups = groupOfCode.subarray(starts[column]!, starts[column + 1]!);
    const groupCount = groupCounts[column]!;
    return feature < featureCount && groupCount <= 256 && groups.every((group) => group < groupCount);
  });
}

/** The arrays of columns that files hold, by the last word of their names. */
export const COLUMN_ARRAYS = { features: Uint16Array, groupCounts: Uint16Array, groupOfCode: Uint8Array };

/** Puts the arrays of columns on the shelf. */
export function packColumns(
  { features, groupCounts, groupOfCode }: CoarseColumns,
  shelf: ArrayShelf,
  prefix: string,
): void {
  shelf.put(`${prefix}columns.features`, features);
  shelf.put(`${prefix}groupCounts`, groupCounts);
  shelf.put(`${prefix}groupOfCode`, groupOfCode);
}

/**
 * Takes columns from the shelf. Where each one's codes begin follows from the
 * code counts, so that no file can say otherwise.
 */
export function unpackColumns(codeCounts: readonly number[], shelf: ArrayShelf, prefix: string): CoarseColumns {
  const features = shelf.take<Uint16Array>(`${prefix}columns.features`);
  return {
    features,
    groupCounts: shelf.take<Uint16Array>(`${prefix}groupCounts`),
    starts: codeStarts(features, codeCounts),
    groupOfCode: shelf.take<Uint8Array>(`${prefix}groupOfCode`),
  };
}

function groupCodes(counts: Uint32Array, maxGroups: number): { groupOfCode: Uint8Array; groupCount: number } {
  const groupOfCode = new Uint8Array(counts.length).fill(UNSEEN_CODE);
  if (counts[MISSING_CODE]! > 0) groupOfCode[MISSING_CODE] = MISSING_CODE;
  const present: number[] = [];
  for (let code = FIRST_CODE; code < counts.length; code++) if (counts[code]! > 0) present.push(code);
  const presentCounts = mapped(Float64Array, present, (code) => counts[code]!);
  const lastOfGroup = present.length === 0 ? [] : quantileGroups(presentCounts, maxGroups);
  let group = 0;
  for (const [position, code] of present.entries()) {
    groupOfCode[code] = FIRST_CODE + group;
    if (position === lastOfGroup[group]) group++;
  }
  return { groupOfCode, groupCount: FIRST_CODE + lastOfGroup.length };
}
