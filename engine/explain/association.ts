// How much two features say of each other: Cramér's V over a few groups of each, less what chance gives (Bergsma 2013).
import { type CodedFeature, FIRST_CODE, MISSING_CODE, quantileGroups } from "../buckets.ts";

/** Groups of the filled cells of a feature at most; missing cells are one more. */
const MOST_GROUPS = 5;

/**
 * From here on two features go together: about what two normal numbers have whose correlation is 0.7. Beyond it, half of what
 * one varies is told by the other, and most combinations of both that a dependence would be asked for do not occur.
 */
export const STRONG_ASSOCIATION = 0.35;

/** A feature's rows in a few groups. */
export interface RowGroups {
  groups: Uint8Array;
  groupCount: number;
}

/** Numbers in quantiles of about as many rows; the most frequent categories and all others; missing cells by themselves. */
export function groupRows({ kind, codes, codeCount }: CodedFeature): RowGroups {
  const counts = new Float64Array(codeCount);
  for (const code of codes) counts[code]!++;
  const filled = [...counts.keys()].filter((code) => code !== MISSING_CODE && counts[code]! > 0);
  const groupOfCode = new Uint8Array(codeCount);
  if (kind === "number") {
    const numbers = filled.filter((code) => code >= FIRST_CODE);
    const lasts = quantileGroups(
      Float64Array.from(numbers, (code) => counts[code]!),
      MOST_GROUPS,
    );
    for (const [index, code] of numbers.entries()) groupOfCode[code] = 1 + lasts.findIndex((last) => index <= last);
  } else {
    const byCount = filled.toSorted((a, b) => counts[b]! - counts[a]! || a - b);
    for (const [rank, code] of byCount.entries()) groupOfCode[code] = 1 + Math.min(rank, MOST_GROUPS - 1);
  }
  return { groups: Uint8Array.from(codes, (code) => groupOfCode[code]!), groupCount: MOST_GROUPS + 1 };
}

/** From 0, independent, to 1, where each tells the other's group. O(rows). */
export function association(first: RowGroups, second: RowGroups): number {
  const rowCount = first.groups.length;
  const width = second.groupCount;
  const cells = new Float64Array(first.groupCount * width);
  const rowSums = new Float64Array(first.groupCount);
  const columnSums = new Float64Array(width);
  for (let row = 0; row < rowCount; row++) {
    const a = first.groups[row]!;
    const b = second.groups[row]!;
    cells[a * width + b]!++;
    rowSums[a]!++;
    columnSums[b]!++;
  }
  // The mean square contingency: Σ n_ab² / (n_a n_b) - 1.
  let contingency = -1;
  for (const [cell, count] of cells.entries()) {
    if (count > 0) contingency += count ** 2 / (rowSums[Math.floor(cell / width)]! * columnSums[cell % width]!);
  }
  const height = rowSums.filter((sum) => sum > 0).length;
  const breadth = columnSums.filter((sum) => sum > 0).length;
  if (height < 2 || breadth < 2) return 0;
  const corrected = (count: number) => count - 1 - (count - 1) ** 2 / (rowCount - 1);
  const beyondChance = Math.max(0, contingency - ((height - 1) * (breadth - 1)) / (rowCount - 1));
  const most = Math.min(corrected(height), corrected(breadth));
  return most <= 0 ? 0 : Math.min(1, Math.sqrt(beyondChance / most));
}
