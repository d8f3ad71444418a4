// How much one feature tells of another: Goodman and Kruskal's tau over a few groups of each, less what chance gives.

import { mapped } from "../mapped.ts";
import { type CodedFeature, FIRST_CODE, MISSING_CODE, quantileGroups } from "../table/buckets.ts";

/** Groups of the filled cells of a feature at most; missing cells are one more. */
const MOST_GROUPS = 5;

/**
 * Two features are strongly associated from this tau on, which two normal numbers with a correlation of 0.7 have. Many
 * combinations of their values that a partial dependence would score then hardly occur.
 */
export const STRONG_ASSOCIATION = 0.12;

/** A feature's rows in a few groups. */
export interface RowGroups {
  groups: Uint8Array;
  groupCount: number;
}

/**
 * Groups the rows: a number by quantiles, a category into the most frequent ones and the rest. Missing cells are a
 * group of their own.
 */
export function groupRows({ kind, codes, codeCount }: Pick<CodedFeature, "kind" | "codes" | "codeCount">): RowGroups {
  const counts = new Float64Array(codeCount);
  for (const code of codes) counts[code]!++;
  const filled = [...counts.keys()].filter((code) => code !== MISSING_CODE && counts[code]! > 0);
  const groupOfCode = new Uint8Array(codeCount);
  if (kind === "number") {
    const numbers = filled.filter((code) => code >= FIRST_CODE);
    const lasts = quantileGroups(
      mapped(Float64Array, numbers, (code) => counts[code]!),
      MOST_GROUPS,
    );
    for (const [index, code] of numbers.entries()) groupOfCode[code] = 1 + lasts.findIndex((last) => index <= last);
  } else {
    const byCount = filled.toSorted((a, b) => counts[b]! - counts[a]! || a - b);
    for (const [rank, code] of byCount.entries()) groupOfCode[code] = 1 + Math.min(rank, MOST_GROUPS - 1);
  }
  return { groups: mapped(Uint8Array, codes, (code) => groupOfCode[code]!), groupCount: MOST_GROUPS + 1 };
}

/**
 * Goodman and Kruskal's tau: the share by which errors in guessing a row's group in `asked` fall once its group in
 * `known` is given. It is 0 for independent features, 1 if `known` determines `asked`; for groups of equal size the
 * square of Cramér's V. Chance gives (groups of `known` - 1) / (rows - 1), which is subtracted as in an adjusted R².
 * O(rows).
 */
export function goodmanKruskalTau(asked: RowGroups, known: RowGroups): number {
  const rowCount = asked.groups.length;
  const width = known.groupCount;
  const cells = new Float64Array(asked.groupCount * width);
  const askedSums = new Float64Array(asked.groupCount);
  const knownSums = new Float64Array(width);
  for (let row = 0; row < rowCount; row++) {
    cells[asked.groups[row]! * width + known.groups[row]!]!++;
  }
  for (let cell = 0; cell < cells.length; cell++) {
    askedSums[Math.floor(cell / width)]! += cells[cell]!;
    knownSums[cell % width]! += cells[cell]!;
  }
  // Chances to guess right, times the rows: without the other feature, and with it.
  const without = askedSums.reduce((sum, count) => sum + count ** 2, 0) / rowCount;
  let knowing = 0;
  for (let cell = 0; cell < cells.length; cell++) {
    if (cells[cell]! > 0) knowing += cells[cell]! ** 2 / knownSums[cell % width]!;
  }
  if (without === rowCount) return 0;
  const tau = (knowing - without) / (rowCount - without);
  const byChance = (knownSums.filter((sum) => sum > 0).length - 1) / (rowCount - 1);
  return byChance >= 1 ? 0 : Math.max(0, (tau - byChance) / (1 - byChance));
}
