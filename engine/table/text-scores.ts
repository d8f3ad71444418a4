// Scores of texts: numbers that trees and tables can learn from, the log-odds that naive Bayes gives a text.
//
// A row that a fit learns from is scored by counts of other rows, so that no row's own label reaches
// its feature; all others by the counts of all rows learned from.

import { deriveSeed, Random } from "../random.ts";
import type { TermRows, TextColumn } from "../text/term-rows.ts";
import { quantileLevels } from "./quantile-levels.ts";
import type { LevelArray, ScoreFeature, Table } from "./table.ts";

/**
 * With more classes, scores are for halves of them drawn at random (error-correcting codes: Dietterich & Bakiri 1995).
 */
const MOST_GROUPS = 16;
const GROUP_SEED = 31;
const FOLDS = 5;
const FOLD_SEED = 32;
/** Rows' worth of a term's overall share that each side of a group gets beside its own. */
const SMOOTHING = 1;

/**
 * The log-odds of a group of classes against the others: `bias + Σ weights[term]` over the row's words and pairs, of
 * codes their pieces too.
 */
export interface TextScore {
  bias: number;
  weights: Float32Array;
}

/** A score feature as a fit finds it. */
interface FittedScore {
  own: TextScore;
  /** Ascending. */
  values: Float64Array;
  /** One for each row of the table; missing where the text has no known term. */
  levels: LevelArray;
}

/** For each group, whether a class belongs to it, by class code. */
export function scoreGroups(classCount: number): Uint8Array[] {
  if (classCount === 2) return [Uint8Array.of(0, 1)];
  if (classCount <= MOST_GROUPS) {
    return Array.from({ length: classCount }, (_, code) =>
      Uint8Array.from({ length: classCount }, (_, k) => +(k === code)),
    );
  }
  return Array.from({ length: MOST_GROUPS }, (_, group) => {
    const random = new Random(deriveSeed(GROUP_SEED, group));
    const classes = Uint8Array.from({ length: classCount }, () => random.nextBelow(2));
    // Puts at least one class on either side.
    classes[group] = 1;
    classes[(group + 1) % classCount] = 0;
    return classes;
  });
}

/** The score features of a table's texts, fitted on some rows; each text is counted once. O(entries × groups). */
export function fitTextScores(table: Table, rows: Uint32Array): (feature: ScoreFeature) => FittedScore {
  const known = new Map<number, FittedScore[]>();
  return ({ column, group }) => {
    let scores = known.get(column);
    if (scores === undefined) {
      scores = fitColumn(table, table.texts!.find((text) => text.column === column)!, rows);
      known.set(column, scores);
    }
    return scores[group]!;
  };
}

function fitColumn({ classes, labels, rowCount }: Table, text: TextColumn, rows: Uint32Array): FittedScore[] {
  const { starts, terms } = text;
  const groups = scoreGroups(labels.length);
  const allCounts = countTerms(text, rows, classes, groups);
  const ofGroups = groups.map((_, group) => scoreOf(allCounts, group));
  const scoreInto = (target: Float64Array, score: TextScore, row: number) => {
    target[row] = scoreRow(terms, starts[row]!, starts[row + 1]!, score);
  };
  const scores = ofGroups.map((score) => {
    const target = new Float64Array(rowCount);
    for (let row = 0; row < rowCount; row++) scoreInto(target, score, row);
    return target;
  });
  const weights = new Float32Array(text.weighedCount);
  // Drawn: a file that deals its classes out in turn would have each fold lack one.
  const random = new Random(FOLD_SEED);
  const foldOf = Uint8Array.from(rows, () => random.nextBelow(FOLDS));
  for (let fold = 0; fold < FOLDS; fold++) {
    const judged = rows.filter((_, at) => foldOf[at] === fold);
    const others = countTerms(text, judged, classes, groups);
    subtractFrom(allCounts, others);
    for (const [group, target] of scores.entries()) {
      const score = scoreOf(others, group, weights);
      for (const row of judged) scoreInto(target, score, row);
    }
  }
  return scores.map((found, group) => ({ own: ofGroups[group]!, ...levelled(found, rows) }));
}

/**
 * Rows with each term, by group and side: entry `(term × groups + group) × 2 + side`; and all rows by group and side.
 */
interface TermCounts {
  groupCount: number;
  terms: Float32Array;
  rows: Float64Array;
}

function countTerms(
  { starts, terms, weighedCount }: TermRows,
  rows: Uint32Array,
  classes: Uint8Array,
  groups: readonly Uint8Array[],
): TermCounts {
  const groupCount = groups.length;
  const counts = {
    groupCount,
    terms: new Float32Array(2 * groupCount * weighedCount),
    rows: new Float64Array(2 * groupCount),
  };
  const offsets = new Uint32Array(groupCount);
  for (const row of rows) {
    const actual = classes[row]!;
    for (let group = 0; group < groupCount; group++) {
      offsets[group] = 2 * group + groups[group]![actual]!;
      counts.rows[offsets[group]!]!++;
    }
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const term = terms[at]!;
      if (term >= weighedCount) break;
      const first = 2 * groupCount * term;
      for (let group = 0; group < groupCount; group++) counts.terms[first + offsets[group]!]!++;
    }
  }
  return counts;
}

/** Makes of the counts of a part those of all other rows. */
function subtractFrom(allCounts: TermCounts, part: TermCounts): void {
  for (let at = 0; at < part.terms.length; at++) part.terms[at] = allCounts.terms[at]! - part.terms[at]!;
  for (let at = 0; at < part.rows.length; at++) part.rows[at] = allCounts.rows[at]! - part.rows[at]!;
}

/** A term that fewer than two rows have weighs nothing. `weights`: what they are written to. */
function scoreOf(
  { groupCount, terms, rows }: TermCounts,
  group: number,
  weights: Float32Array = new Float32Array(terms.length / (2 * groupCount)),
): TextScore {
  const [out, inside] = [rows[2 * group]! + SMOOTHING, rows[2 * group + 1]! + SMOOTHING];
  for (let term = 0; term < weights.length; term++) {
    const at = 2 * (groupCount * term + group);
    const [without, withIt] = [terms[at]!, terms[at + 1]!];
    if (without + withIt < 2) {
      weights[term] = 0;
      continue;
    }
    const share = (without + withIt) / (out + inside);
    weights[term] = Math.log((withIt + SMOOTHING * share) / inside) - Math.log((without + SMOOTHING * share) / out);
  }
  return { bias: Math.log(inside / out), weights };
}

/** Adds up the terms from `first` up to `end`; NaN where none of them has a weight. */
export function scoreRow(terms: Uint32Array, first: number, end: number, { bias, weights }: TextScore): number {
  let sum = bias;
  let isKnown = false;
  for (let at = first; at < end; at++) {
    const term = terms[at]!;
    if (term >= weights.length) break;
    const weight = weights[term]!;
    sum += weight;
    if (weight !== 0) isKnown = true;
  }
  return isKnown ? sum : Number.NaN;
}

function levelled(scores: Float64Array, rows: Uint32Array): Pick<FittedScore, "values" | "levels"> {
  const levels = new Uint16Array(scores.length);
  return { values: quantileLevels(scores, rows, levels), levels };
}
