// The points of a column's curve: codes of its values with the rows behind each, and their names for people.

import { mapped } from "../mapped.ts";
import { sumOf } from "../sums.ts";
import {
  type FeatureBuckets,
  FIRST_CODE,
  levelsOf,
  MISSING_CODE,
  type NumberBuckets,
  quantileGroups,
} from "../table/buckets.ts";
import { type Feature, FIRST_LEVEL, type Table } from "../table/table.ts";
import { isCharacterPart, isTextPart } from "../table/text-shape.ts";

const MOST_NUMBERS = 20;
const MOST_CATEGORIES = 12;
/** A category, or a part of texts, with fewer rows has no point: it shows little, and may reveal a person. */
const FEWEST_ROWS = 5;
const LONGEST_NAME = 80;

/** One value of a column. */
export interface GridPoint {
  code: number;
  /** A number, a category, the characters that stand at a place of a text (`a`, `a–f`), or null for missing. */
  value: number | string | null;
  /**
   * Rows of the table behind it: those with the category, or with numbers above the point before and up to this one.
   */
  rows: number;
}

/** Ascending codes; `missing` stands apart from their order. */
export interface Grid {
  points: readonly GridPoint[];
  /** Null where no row lacks the value. */
  missing: GridPoint | null;
}

/**
 * Counts all rows of the table. A number has its lowest value and upper
 * quantiles, or all its values where they are few.
 */
export function gridOf(table: Table, index: number, buckets: FeatureBuckets): Grid {
  const counts = countCodes(table, index, buckets);
  const missingRows = counts[MISSING_CODE]!;
  const missing = missingRows === 0 ? null : { code: MISSING_CODE, value: null, rows: missingRows };
  const feature = table.features[index]!;
  if (buckets.kind === "number") {
    const points = numberPoints(counts, namesOf(feature, buckets));
    return { points: isTextPart(feature.part) ? points.filter(isShown) : points, missing };
  }
  const names = feature.kind === "category" ? feature.names : [];
  return { points: categoryPoints(counts, buckets.codeOfLevel, names), missing };
}

/** Half of a character, as emoji have at a place, is no text. */
function isShown({ value, rows }: GridPoint): boolean {
  return rows >= FEWEST_ROWS && (typeof value !== "string" || value.isWellFormed());
}

function countCodes(table: Table, index: number, buckets: FeatureBuckets): Float64Array {
  const counts = new Float64Array(buckets.codeCount);
  const levels = levelsOf(table, index, buckets);
  const { codeOfLevel } = buckets;
  for (let row = 0; row < table.rowCount; row++) counts[codeOfLevel[levels[row]!]!]!++;
  return counts;
}

/** The value of the point of these codes. */
type PointName = (first: number, last: number) => number | string;

function namesOf(feature: Feature, { means, codeOfLevel }: NumberBuckets): PointName {
  if (feature.kind !== "number" || !isCharacterPart(feature.part)) return (_, last) => means[last - FIRST_CODE]!;
  const { values } = feature;
  const letter = (level: number) => String.fromCharCode(values[level - FIRST_LEVEL]!);
  return (first, last) => {
    const [from, to] = [letter(codeOfLevel.indexOf(first)), letter(codeOfLevel.lastIndexOf(last))];
    return from === to ? from : `${from}–${to}`;
  };
}

function numberPoints(counts: Float64Array, nameOf: PointName): GridPoint[] {
  const codes = [...counts.keys()].filter((code) => code >= FIRST_CODE && counts[code]! > 0);
  if (codes.length === 0) return [];
  const lasts = quantileGroups(
    evenWeights(codes.map((code) => counts[code]!)),
    codes.length <= MOST_NUMBERS ? MOST_NUMBERS : MOST_NUMBERS - 1,
  );
  const ends = [...new Set([0, ...lasts])];
  return ends.map((end, place) => {
    const from = place === 0 ? 0 : ends[place - 1]! + 1;
    const rows = codes.slice(from, end + 1).reduce((sum, code) => sum + counts[code]!, 0);
    return { code: codes[end]!, value: nameOf(codes[from]!, codes[end]!), rows };
  });
}

/** Rows of each code, capped at a point's share: where most rows have one value, the others have points too. */
function evenWeights(counts: readonly number[]): Float64Array {
  const rowCount = sumOf(counts);
  const others = sumOf(counts.filter((count) => count * MOST_NUMBERS <= rowCount));
  const share = Math.max(1, others / MOST_NUMBERS);
  return mapped(Float64Array, counts, (count) => Math.min(count, share));
}

/** The most frequent ones, in the order of their codes. */
function categoryPoints(counts: Float64Array, codeOfLevel: Uint16Array, names: readonly string[]): GridPoint[] {
  const namesOfCode = new Map<number, string[]>();
  for (const [at, name] of names.entries()) {
    const code = codeOfLevel[FIRST_LEVEL + at]!;
    namesOfCode.set(code, [...(namesOfCode.get(code) ?? []), name]);
  }
  return [...counts.keys()]
    .filter((code) => code >= FIRST_CODE && counts[code]! >= FEWEST_ROWS)
    .sort((a, b) => counts[b]! - counts[a]! || a - b)
    .slice(0, MOST_CATEGORIES)
    .sort((a, b) => a - b)
    .map((code) => {
      const names = namesOfCode.get(code) ?? [];
      return { code, value: names.length === 1 ? names[0]!.slice(0, LONGEST_NAME) : "rare ones", rows: counts[code]! };
    });
}
