// Buckets: how each feature's levels become a small code, fitted on the rows
// that a model learns from, and the codes themselves.

import { mapped } from "../mapped.ts";
import { countBelow, midpoint } from "../midpoints.ts";
import { sumOf } from "../sums.ts";
import { selectTermRows, type TermRows } from "../text/term-rows.ts";
import { orderBySignal } from "./category-order.ts";
import {
  FIRST_LEVEL,
  type LevelArray,
  levelCount,
  MISSING_LEVEL,
  type NumberFeature,
  type Table,
  UNLISTED_LEVEL,
} from "./table.ts";
import { fitTextScores, type TextScore } from "./text-scores.ts";

/** A bucket code for each row; one byte up to 256 codes, two above. */
export type CodeArray = Uint8Array | Uint16Array;

/** Code of a missing cell. */
export const MISSING_CODE = 0;
/** Code of a category that the fitting rows did not hold, unless a pooled bucket of rare categories takes it. */
export const UNSEEN_CODE = 1;
/**
 * The first real bucket. Codes of numbers ascend with the value; codes of categories with their signal for the label.
 */
export const FIRST_CODE = 2;

/** Buckets of the fine view unless the user asks for more: with the two reserved codes they fill one byte. */
export const FINE_BUCKETS = 254;

/** A category with fewer fitting rows than this is rare, and pooled where a column has over `MANY_CATEGORIES`. */
const RARE_ROWS = 4;
const MANY_CATEGORIES = 20;
/** Categories with a bucket of their own at most; the rarest beyond are pooled. */
const MAX_CATEGORY_BUCKETS = 250;

/**
 * The bucketings that models ask for, all merges of one fine view: the fine view itself, at most the given number of
 * quantile buckets for each number, or cut points where the label changes.
 */
export type BucketChoice = "fine" | "by label" | number;

/** One feature of a view. */
export interface CodedFeature {
  kind: "number" | "category";
  /** One code per row of the view, each below `codeCount`. */
  codes: CodeArray;
  /** The number of buckets, plus the two reserved codes. */
  codeCount: number;
  /**
   * Numbers: the mean value of the fitting rows in each bucket, standardised over the fitting rows (weighted mean 0,
   * standard deviation 1), `codeCount` long, 0 at the two reserved codes. Categories: empty.
   */
  centres: Float64Array;
  /** True for the naive Bayes score of a text: models that read the terms themselves leave it out. */
  isScore?: boolean;
}

/** All features of some rows under one bucketing: what every family learns from and scores. */
export interface CodedView {
  rowCount: number;
  features: readonly CodedFeature[];
  /** The terms of the rows, one for each text column; left out where there is none. */
  texts?: readonly TermRows[];
}

/** Buckets of a number: bucket `i` holds the values in (cutPoints[i - 1], cutPoints[i]]. */
export interface NumberBuckets {
  kind: "number";
  cutPoints: Float64Array;
  /** Fitting rows in each bucket, and their mean value. */
  counts: Float64Array;
  means: Float64Array;
  codeOfLevel: Uint16Array;
  codeCount: number;
  /** Set if the number is a text's score: the fit itself finds its levels. */
  score?: { levels: LevelArray; own: TextScore };
}

/** Buckets of a category: one per frequent level, and one for all rare levels if there are any to pool. */
interface CategoryBuckets {
  kind: "category";
  codeOfLevel: Uint16Array;
  codeCount: number;
  /** The code of a level that is not listed: the pooled bucket, or `UNSEEN_CODE` where there is none. */
  codeOfOthers: number;
}

export type FeatureBuckets = NumberBuckets | CategoryBuckets;

/**
 * Fits buckets on some rows of a table: for a number at most `maxBuckets` quantile buckets (one per value where the
 * rows hold no more values than that), for a category one per level, rare ones pooled, in the order of their signal.
 * Uses no other row, neither its cells nor its class. O(rows × features).
 */
export function fitBuckets(table: Table, rows: Uint32Array, maxBuckets: number): FeatureBuckets[] {
  const scores = fitTextScores(table, rows);
  return table.features.map((feature, index) => {
    if (feature.kind === "category") return fitCategory(table, index, rows);
    if (feature.kind === "number") {
      const counts = countLevels(table.levels[index]!, levelCount(feature), rows);
      return fitNumber(feature.values, counts, maxBuckets);
    }
    const { values, levels, own } = scores(feature);
    const buckets = fitNumber(values, countLevels(levels, FIRST_LEVEL + values.length, rows), maxBuckets);
    return { ...buckets, score: { levels, own } };
  });
}

/**
 * The coarser view of D45: merges neighbouring buckets of each number into at most `maxBuckets` by the same quantile
 * rule, so that every cut point of the result is one of the fine view's. Categories keep their buckets.
 */
export function mergeBuckets(fine: readonly FeatureBuckets[], maxBuckets: number): FeatureBuckets[] {
  return fine.map((buckets) => {
    if (buckets.kind === "category" || buckets.counts.length <= maxBuckets) return buckets;
    return mergeNeighbours(buckets, quantileGroups(buckets.counts, maxBuckets));
  });
}

/** Merges neighbouring buckets of a number into groups, given by the index of the last bucket of each. */
export function mergeNeighbours(buckets: NumberBuckets, lastOfGroup: readonly number[]): NumberBuckets {
  const groupOf = new Uint16Array(buckets.codeCount);
  groupOf[UNSEEN_CODE] = UNSEEN_CODE;
  for (let code = FIRST_CODE, group = 0; code < buckets.codeCount; code++) {
    groupOf[code] = FIRST_CODE + group;
    if (code - FIRST_CODE === lastOfGroup[group]) group++;
  }
  return {
    ...buckets,
    cutPoints: mapped(Float64Array, lastOfGroup.slice(0, -1), (last) => buckets.cutPoints[last]!),
    ...pool(lastOfGroup, buckets.counts, buckets.means),
    codeOfLevel: buckets.codeOfLevel.map((code) => groupOf[code]!),
    codeCount: FIRST_CODE + lastOfGroup.length,
  };
}

/** Codes every row of a table under a bucketing that was fitted on some of them. O(rows × features). */
export function codeTable(table: Table, bucketing: readonly FeatureBuckets[]): CodedView {
  const features = bucketing.map((buckets, index): CodedFeature => {
    const codes = newCodes(buckets.codeCount, table.rowCount);
    const levels = levelsOf(table, index, buckets);
    const { codeOfLevel } = buckets;
    for (let row = 0; row < codes.length; row++) codes[row] = codeOfLevel[levels[row]!]!;
    return codedFeature(buckets, codes);
  });
  const { rowCount, texts } = table;
  return texts === undefined ? { rowCount, features } : { rowCount, features, texts };
}

function codedFeature(buckets: FeatureBuckets, codes: CodeArray): CodedFeature {
  return {
    kind: buckets.kind,
    codes,
    codeCount: buckets.codeCount,
    centres: centresOf(buckets),
    ...scoreMark(buckets),
  };
}

/** Codes only the given rows, in their order. O(given rows × features). */
export function codeRows(table: Table, bucketing: readonly FeatureBuckets[], rows: Uint32Array): CodedView {
  const features = bucketing.map((buckets, index): CodedFeature => {
    const codes = newCodes(buckets.codeCount, rows.length);
    const levels = levelsOf(table, index, buckets);
    for (let i = 0; i < rows.length; i++) codes[i] = buckets.codeOfLevel[levels[rows[i]!]!]!;
    return codedFeature(buckets, codes);
  });
  const texts = table.texts?.map((text) => selectTermRows(text, rows));
  return texts === undefined ? { rowCount: rows.length, features } : { rowCount: rows.length, features, texts };
}

/** The levels that a feature's bucketing refers to: the table's, or for a score those that the fit found itself. */
export function levelsOf(table: Table, index: number, buckets: FeatureBuckets): LevelArray {
  return isScore(buckets) ? buckets.score.levels : table.levels[index]!;
}

function scoreMark(buckets: FeatureBuckets): Pick<CodedFeature, "isScore"> {
  return isScore(buckets) ? { isScore: true } : {};
}

function isScore(buckets: FeatureBuckets): buckets is NumberBuckets & Required<Pick<NumberBuckets, "score">> {
  return buckets.kind === "number" && buckets.score !== undefined;
}

/** A view of some rows alone, in the order given. */
export function selectRows(view: CodedView, rows: Uint32Array): CodedView {
  const features = view.features.map((feature): CodedFeature => {
    const codes = newCodes(feature.codeCount, rows.length);
    for (let i = 0; i < rows.length; i++) codes[i] = feature.codes[rows[i]!]!;
    return { ...feature, codes };
  });
  const { texts } = view;
  if (texts === undefined) return { rowCount: rows.length, features };
  return { rowCount: rows.length, features, texts: texts.map((text) => selectTermRows(text, rows)) };
}

/** The feature with the codes of its rows in another order: row `i` has what row `order[i]` had. */
export function permuteCodes(feature: CodedFeature, order: Uint32Array): CodedFeature {
  const { codes } = feature;
  const moved = codes.slice();
  for (let row = 0; row < order.length; row++) moved[row] = codes[order[row]!]!;
  return { ...feature, codes: moved };
}

/** An array for codes: one byte each where all fit. */
export function newCodes(codeCount: number, rowCount: number): CodeArray {
  return codeCount <= 256 ? new Uint8Array(rowCount) : new Uint16Array(rowCount);
}

/** The code of a number under ascending cut points: how many of them lie below it, past the reserved codes. */
export function codeOfNumber(value: number, cutPoints: Float64Array): number {
  if (Number.isNaN(value)) return MISSING_CODE;
  return FIRST_CODE + countBelow(cutPoints, value);
}

export function countLevels(levels: LevelArray, levelCount: number, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(levelCount);
  for (let i = 0; i < rows.length; i++) counts[levels[rows[i]!]!]!++;
  return counts;
}

function fitNumber(values: NumberFeature["values"], levelCounts: Uint32Array, maxBuckets: number): NumberBuckets {
  const present: number[] = [];
  for (let i = 0; i < values.length; i++) if (levelCounts[FIRST_LEVEL + i]! > 0) present.push(i);
  const means = mapped(Float64Array, present, (i) => values[i]!);
  const counts = mapped(Float64Array, present, (i) => levelCounts[FIRST_LEVEL + i]!);
  const lastOfGroup = quantileGroups(counts, maxBuckets);
  const cutPoints = mapped(Float64Array, lastOfGroup.slice(0, -1), (last) =>
    midpoint(values[present[last]!]!, values[present[last + 1]!]!),
  );
  const codeOfLevel = new Uint16Array(levelCounts.length);
  codeOfLevel[MISSING_LEVEL] = MISSING_CODE;
  codeOfLevel[UNLISTED_LEVEL] = UNSEEN_CODE;
  for (let i = 0; i < values.length; i++) codeOfLevel[FIRST_LEVEL + i] = codeOfNumber(values[i]!, cutPoints);
  return {
    kind: "number",
    cutPoints,
    ...pool(lastOfGroup, counts, means),
    codeOfLevel,
    codeCount: FIRST_CODE + cutPoints.length + 1,
  };
}

/**
 * Groups ascending values with their counts into at most `maxGroups` of about equal count, never splitting a value:
 * the index of the last value of each group. Where there are no more values than groups, each is its own.
 */
export function quantileGroups(counts: Float64Array, maxGroups: number): number[] {
  const last = counts.length - 1;
  if (counts.length <= maxGroups) return Array.from(counts, (_, index) => index);
  const total = sumOf(counts);
  const groups: number[] = [];
  for (let index = 0, seen = counts[0]!, cut = 1; cut < maxGroups; cut++) {
    while (seen < (total * cut) / maxGroups) seen += counts[++index]!;
    if (index < last && groups.at(-1) !== index) groups.push(index);
  }
  groups.push(last);
  return groups;
}

/** Counts and weighted means of groups given by the index of their last member. */
function pool(lastOfGroup: readonly number[], counts: Float64Array, means: Float64Array) {
  const pooled = { counts: new Float64Array(lastOfGroup.length), means: new Float64Array(lastOfGroup.length) };
  let member = 0;
  lastOfGroup.forEach((last, group) => {
    let count = 0;
    let mean = 0;
    for (; member <= last; member++) {
      count += counts[member]!;
      mean += ((means[member]! - mean) * counts[member]!) / count;
    }
    pooled.counts[group] = count;
    pooled.means[group] = mean;
  });
  return pooled;
}

function fitCategory(table: Table, index: number, rows: Uint32Array): CategoryBuckets {
  const counts = countLevels(table.levels[index]!, levelCount(table.features[index]!), rows);
  const present: number[] = [];
  for (let level = FIRST_LEVEL; level < counts.length; level++) if (counts[level]! > 0) present.push(level);
  const exactBuckets = ownBuckets(present, counts);
  const isPooling = exactBuckets.length < present.length || counts[UNLISTED_LEVEL]! > 0;

  const codeOfLevel = new Uint16Array(counts.length).fill(isPooling ? FIRST_CODE : UNSEEN_CODE);
  codeOfLevel[MISSING_LEVEL] = MISSING_CODE;
  exactBuckets.forEach((level, position) => {
    codeOfLevel[level] = FIRST_CODE + position + (isPooling ? 1 : 0);
  });
  const bucketCount = exactBuckets.length + (isPooling ? 1 : 0);
  const rank = orderBySignal(classCounts(table, index, rows, codeOfLevel, bucketCount), table.labels.length);
  const recode = (code: number) => (code < FIRST_CODE ? code : FIRST_CODE + rank[code - FIRST_CODE]!);
  return {
    kind: "category",
    codeOfLevel: codeOfLevel.map(recode),
    codeCount: FIRST_CODE + Math.max(1, bucketCount),
    codeOfOthers: isPooling ? recode(FIRST_CODE) : UNSEEN_CODE,
  };
}

/**
 * The levels that get a bucket of their own, in level order: the most
 * frequent ones, none of them rare where there are many.
 */
function ownBuckets(present: readonly number[], counts: Uint32Array): number[] {
  if (present.length <= MANY_CATEGORIES) return [...present];
  return present
    .filter((level) => counts[level]! >= RARE_ROWS)
    .sort((a, b) => counts[b]! - counts[a]! || a - b)
    .slice(0, MAX_CATEGORY_BUCKETS)
    .sort((a, b) => a - b);
}

/** Fitting rows by bucket and class, row-major. */
function classCounts(table: Table, index: number, rows: Uint32Array, codeOfLevel: Uint16Array, bucketCount: number) {
  const classCount = table.labels.length;
  const counts = new Float64Array(bucketCount * classCount);
  const levels = table.levels[index]!;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const code = codeOfLevel[levels[row]!]!;
    if (code >= FIRST_CODE) counts[(code - FIRST_CODE) * classCount + table.classes[row]!]!++;
  }
  return counts;
}

function centresOf(buckets: FeatureBuckets): Float64Array {
  if (buckets.kind === "category") return new Float64Array(0);
  const { counts, means } = buckets;
  let total = 0;
  let mean = 0;
  for (let i = 0; i < counts.length; i++) {
    total += counts[i]!;
    mean += counts[i]! === 0 ? 0 : ((means[i]! - mean) * counts[i]!) / total;
  }
  let squares = 0;
  for (let i = 0; i < counts.length; i++) squares += counts[i]! * (means[i]! - mean) ** 2;
  const deviation = Math.sqrt(squares / Math.max(1, total));
  const centres = new Float64Array(buckets.codeCount);
  if (!(deviation > 0) || !Number.isFinite(deviation)) return centres;
  for (let i = 0; i < counts.length; i++) centres[FIRST_CODE + i] = (means[i]! - mean) / deviation;
  return centres;
}
