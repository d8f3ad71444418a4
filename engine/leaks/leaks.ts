// Columns that give the label away: alone, by being filled or empty, by single words, as shares of it, or two together.

import { countCodes } from "../fitting/class-counts.ts";
import { fineBucketCount, majorityRuleStrength, missingCounts, SUSPECT_STRENGTH } from "../refinement/feature-facts.ts";
import { labelWordShare, tellingStrength } from "../refinement/telling-terms.ts";
import type { Measure } from "../row-dependence/measure.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import { type CodedFeature, type CodedView, codeTable, fitBuckets } from "../table/buckets.ts";
import {
  DIFFERENCE_PART,
  everyRowOf,
  selectFeatures,
  selectTableRows,
  sourcesOf,
  type Table,
  withoutScores,
} from "../table/table.ts";
import { emptyRows } from "./empty-rows.ts";
import { PURE_SHARE } from "./issued-numbers.ts";
import { findLabelShares } from "./label-shares.ts";
import { COMMON_CLASS_SHARE, type Mark } from "./marks.ts";

/** Rows that are examined at most, evenly spaced. */
const MOST_ROWS = 20_000;
/**
 * A column gives a class away if nearly all of its filled cells, or nearly all of its empty ones, are of that class,
 * and if these are at least half of the rows of the class.
 */
const COVERED_SHARE = 0.5;
const LEAST_PURE_ROWS = 20;
/** Pairs are searched in this many buckets, among this many of the strongest features, for this gain over either. */
const PAIR_BUCKETS = 20;
const MOST_PAIRED_FEATURES = 40;
const PAIR_GAIN = 0.25;

/** A column or pair that gives the label away, or a label with made rows. */
export interface LeakSuspect {
  /**
   * Positions in the file: one column, or two; none of made rows, and any number that are filled in by the label, empty
   * in the same rows, written otherwise in these, or from the outcome.
   */
  columns: number[];
  /** The trait that tells the label. */
  by:
    | "values"
    /** Whether it is filled. */
    | "presence"
    /** Single words of its texts. */
    | "words"
    /** A word of each label, in many rows. */
    | "label words"
    /** Rows that it marks. */
    | "mark"
    /** Rows that are empty together, or come from another source: these bring much of the accuracy. */
    | "empty rows"
    | "two sources"
    /** Seem to be set, counted or measured after the outcome, or otherwise for one label. */
    | "outcome"
    /** Its numbers are the shares of a label. */
    | "label shares"
    | "made rows"
    /** Missing cells that were filled in by the label. */
    | "filled by label";
  /**
   * (accuracy of the rule − majority) / (1 − majority), 0 to 1; of marks, empty and made rows the share of the label,
   * with "label words" and "filled by label" of all rows, with "outcome" what a fast model gains.
   */
  strength: number;
  /** The label whose shares the column holds, or of which rows were made; only of these. */
  label?: string;
  /** Only with "mark", "empty rows" and "two sources". The accuracy of a fast model with the mark, and without it. */
  mark?: Pick<Mark, "by" | "text" | "part" | "label" | "rowCount" | "others"> & { withIt: number; without: number };
  /** Only with "outcome". The figure of a fast model with the columns, and without them. */
  gain?: { measure: Measure; withIt: number; without: number };
  /** Only with "filled by label": a column each. */
  filled?: readonly FilledColumn[];
}

/** One label's number in a column. */
interface Filling {
  label: string;
  value: number;
  /** Rows of the label that have it. */
  rowCount: number;
}

/** A column by its position in the file, and the numbers of its labels. */
export interface FilledColumn {
  column: number;
  fillings: Filling[];
}

/** The strongest first, one per column or pair. O(rows × (features + pairs)). @throws Cancelled */
export function findLeaks(table: Table, stop: StopSignal): LeakSuspect[] {
  const sampled = spacedRows(table);
  // A whole text may honestly tell most labels, so texts are suspected for single words only.
  const plain = withoutScores(sampled);
  const { coarse, measure } = codeTwice(plain);
  const best = new Map<number, LeakSuspect>();
  const strengths: number[] = [];
  for (const [index, { column }] of plain.features.entries()) {
    throwIfCancelled(stop);
    const { counts, strength } = measure(index);
    strengths.push(strength);
    const presence = presenceStrength(counts, plain.labels.length);
    const suspect =
      presence > 0 ? ({ by: "presence", strength: presence } as const) : ({ by: "values", strength } as const);
    if (presence > 0 || strength >= SUSPECT_STRENGTH) {
      const known = best.get(column);
      if (known === undefined || known.strength < suspect.strength) best.set(column, { columns: [column], ...suspect });
    }
  }
  const labelled = everyRowOf(plain);
  for (const text of sampled.texts ?? []) {
    throwIfCancelled(stop);
    if (best.has(text.column)) continue;
    const strength = tellingStrength(text, labelled);
    const columns = [text.column];
    if (strength >= SUSPECT_STRENGTH) {
      best.set(text.column, { columns, by: "words", strength });
      continue;
    }
    const share = labelWordShare(text, labelled);
    if (share > 0) best.set(text.column, { columns, by: "label words", strength: share });
  }
  for (const { column, label } of findLabelShares(table, stop)) {
    const strength = best.get(column)?.strength ?? 1;
    best.set(column, { columns: [column], by: "label shares", strength, label });
  }
  const pairs = findPairs(plain, coarse.features, strengths, new Set(best.keys()), stop);
  return [...presentTogether([...best.values()], plain), ...pairs].sort((a, b) => b.strength - a.strength);
}

/** The coarse codes of a table, and what a feature by its place tells in these or in fine ones. */
function codeTwice(table: Table) {
  const { rowCount, classes, labels } = table;
  const everyRow = rowsUpTo(rowCount);
  const codeIn = (buckets: number) => codeTable(table, fitBuckets(table, everyRow, buckets));
  const [fine, coarse] = [codeIn(Math.max(PAIR_BUCKETS, fineBucketCount(rowCount))), codeIn(PAIR_BUCKETS)];
  const countsIn = ({ features }: CodedView, index: number) =>
    countCodes(features[index]!, everyRow, classes, labels.length);
  const measure = (index: number) => {
    const counts = countsIn(fine, index);
    const strengths = [counts, countsIn(coarse, index)].map((each) => majorityRuleStrength(each, labels.length));
    return { counts, strength: Math.max(...strengths) };
  };
  return { coarse, measure };
}

/** Columns that are empty in the same rows are one suspect. */
function presentTogether(suspects: readonly LeakSuspect[], table: Table): LeakSuspect[] {
  if (!suspects.some(({ by }) => by === "presence")) return [...suspects];
  const patterns = emptyRows(table);
  return suspects.flatMap((suspect) => {
    if (suspect.by !== "presence") return [suspect];
    const [first] = suspect.columns;
    const { columns } = patterns.find((pattern) => pattern.columns.includes(first!))!;
    return columns[0] === first ? [{ ...suspect, columns }] : [];
  });
}

/** The rows that leaks are looked for in: of a large table some, evenly spaced. */
export function spacedRows(table: Table): Table {
  const step = Math.max(1, Math.ceil(table.rowCount / MOST_ROWS));
  if (step === 1) return table;
  return selectTableRows(
    table,
    Uint32Array.from({ length: Math.ceil(table.rowCount / step) }, (_, at) => at * step),
  );
}

/** How well being filled or empty tells the class; 0 if it tells little. `counts` is `code * classCount + class`. */
function presenceStrength(counts: Int32Array, classCount: number): number {
  const folded = missingCounts(counts, classCount);
  const rowCount = sumOf(folded);
  const strength = majorityRuleStrength(folded, classCount);
  if (strength >= SUSPECT_STRENGTH) return strength;
  for (const side of [0, classCount]) {
    const ofSide = folded.subarray(side, side + classCount);
    const total = sumOf(ofSide);
    const most = Math.max(...ofSide);
    const code = ofSide.indexOf(most);
    const ofClass = folded[code]! + folded[classCount + code]!;
    const isPure = most >= LEAST_PURE_ROWS && most >= PURE_SHARE * total;
    if (isPure && most >= COVERED_SHARE * ofClass && ofClass <= COMMON_CLASS_SHARE * rowCount) return most / ofClass;
  }
  return 0;
}

/** Pairs of columns whose difference tells the label, as a due date and the day of payment tell who paid late. */
export function findLeakingDifferences(table: Table): LeakSuspect[] {
  const differences = [...table.features.keys()].filter((index) => table.features[index]!.part === DIFFERENCE_PART);
  if (differences.length === 0) return [];
  const sampled = spacedRows(selectFeatures(table, differences));
  const { measure } = codeTwice(sampled);
  return sampled.features.flatMap((feature, index): LeakSuspect[] => {
    const { strength } = measure(index);
    return strength < SUSPECT_STRENGTH ? [] : [{ columns: [...sourcesOf(feature)], by: "values", strength }];
  });
}

/** Pairs of the strongest features that together tell what neither tells alone. */
function findPairs(
  { features, classes, labels }: Table,
  codedFeatures: readonly CodedFeature[],
  strengths: readonly number[],
  suspects: ReadonlySet<number>,
  stop: StopSignal,
): LeakSuspect[] {
  const candidates = [...features.keys()]
    .filter((index) => !suspects.has(features[index]!.column))
    .sort((a, b) => strengths[b]! - strengths[a]! || a - b)
    .slice(0, MOST_PAIRED_FEATURES);
  const leakSuspects: LeakSuspect[] = [];
  for (const [at, a] of candidates.entries()) {
    throwIfCancelled(stop);
    for (const b of candidates.slice(at + 1)) {
      const alone = Math.max(0, strengths[a]!, strengths[b]!);
      if (alone > SUSPECT_STRENGTH - PAIR_GAIN || features[a]!.column === features[b]!.column) continue;
      const strength = jointStrength(codedFeatures[a]!, codedFeatures[b]!, classes, labels.length);
      if (strength >= SUSPECT_STRENGTH) {
        leakSuspects.push({ columns: [features[a]!.column, features[b]!.column], by: "values", strength });
      }
    }
  }
  return leakSuspects;
}

function jointStrength(a: CodedFeature, b: CodedFeature, classes: Uint8Array, classCount: number): number {
  const counts = new Int32Array(a.codeCount * b.codeCount * classCount);
  for (let row = 0; row < classes.length; row++) {
    counts[(a.codes[row]! * b.codeCount + b.codes[row]!) * classCount + classes[row]!]!++;
  }
  return majorityRuleStrength(counts, classCount);
}
