// How much one feature tells of another: Goodman and Kruskal's tau over a few groups of each, less what chance gives.

import { type CodedFeature, FIRST_CODE, MISSING_CODE, quantileGroups } from "../buckets.ts";
import { mapped } from "../mapped.ts";

/** Groups of the filled cells of a feature at most; missing cells are one more. */
const MOST_GROUPS = 5;

/**
 * Two features go together if one tells this share of the other: as much as of two normal numbers with a correlation of
 * 0.7. Many combinations of both that a partial dependence would score then hardly occur.
 */
export const STRONG_ASSOCIATION = 0.12;

/** A feature's rows in a few groups. */
export interface RowGroups {
  groups: Uint8Array;
  groupCount: number;
}

/**
 * Numbers in quantiles of about as many rows; the most frequent categories and all others; missing cells by themselves.
 */
export function groupRows({ kind, codes, codeCount }: CodedFeature): RowGroups {
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
 * Goodman and Kruskal's tau: by how much guessing the group of a row's `own`, each by its share, errs less with the
 * group of `other` known: 0 if independent, 1 if that tells it. For numbers' groups of equal size the square of
 * Cramér's V. Chance gives (groups of `other` - 1) / (rows - 1), which is taken off as for an adjusted R². O(rows).
 */
export function toldBy(own: RowGroups, other: RowGroups): number {
  const rowCount = own.groups.length;
  const width = other.groupCount;
  const cells = new Float64Array(own.groupCount * width);
  const ownSums = new Float64Array(own.groupCount);
  const otherSums = new Float64Array(width);
  for (let row = 0; row < rowCount; row++) {
    cells[own.groups[row]! * width + other.groups[row]!]!++;
  }
  for (let cell = 0; cell < cells.length; cell++) {
    ownSums[Math.floor(cell / width)]! += cells[cell]!;
    otherSums[cell % width]! += cells[cell]!;
  }
  // Chances to guess right, times the rows: without the other feature, and with it.
  const without = ownSums.reduce((sum, count) => sum + count ** 2, 0) / rowCount;
  let knowing = 0;
  for (let cell = 0; cell < cells.length; cell++) {
    if (cells[cell]! > 0) knowing += cells[cell]! ** 2 / otherSums[cell % width]!;
  }
  if (without === rowCount) return 0;
  const told = (knowing - without) / (rowCount - without);
  const byChance = (otherSums.filter((sum) => sum > 0).length - 1) / (rowCount - 1);
  return byChance >= 1 ? 0 : Math.max(0, (told - byChance) / (1 - byChance));
}
