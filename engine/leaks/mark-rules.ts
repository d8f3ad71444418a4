// Rules by which cells of a column may mark rows: another value than the usual one, one value, a word, digits, a range.

import { isDatePart } from "../columns/dates.ts";
import { countClasses } from "../fitting/class-counts.ts";
import { sumOf } from "../sums.ts";
import {
  type DatePart,
  everyRowOf,
  type Feature,
  FIRST_LEVEL,
  type LevelArray,
  levelCount,
  MISSING_LEVEL,
  type NumberFeature,
  rowsByLevel,
  type Table,
} from "../table/table.ts";
import { isOfText } from "../table/text-shape.ts";
import { eachPlainTerm, hasPlainTerm, type TextColumn, termName } from "../text/term-rows.ts";
import { emptyRows } from "./empty-rows.ts";
import { type IssuedRange, isIssued, pureRanges } from "./issued-numbers.ts";
import { countsByClass, type RowPattern } from "./row-patterns.ts";

/** Fewer marked rows say nothing. */
export const LEAST_MARKED_ROWS = 20;
/** A value of more rows is what a column usually holds. */
const USUAL_SHARE = 0.5;
/** A value tells all that its digits do, unless more of the other rows of its class have such digits too. */
const DIGITS_SHARE = 0.5;
/** Numbers with fewer levels may be codes, each of which may honestly go with a label of its own. */
const LEAST_LEVELS = 30;
/** Digits behind the point from which on a number is marked, at most. */
const MOST_DECIMALS = 6;
/** Numbers in a text are as honest as a column of them. */
const LETTER = /\p{L}/u;

/** Marks rows by their cells in a column. */
export interface MarkRule {
  /** Positions in the file: one, or all that are empty in the same rows. */
  columns: readonly number[];
  /**
   * Rows are marked by another value than the usual one, one value, a word, many or few digits behind the point, or the
   * least or largest of numbers that were issued.
   */
  by: "other" | "value" | "word" | "decimals" | "fewer decimals" | IssuedRange["by"];
  /** The usual value, the value, the word, from how many digits on, or the bound; null for empty and filled cells. */
  text: string | null;
  /** The part of a date that the value is; else null. */
  part: DatePart | null;
  isMarked(row: number): boolean;
}

/** A rule with the rows that it marks. */
export interface CountedRule {
  rule: MarkRule;
  /** Marked rows of each class. */
  counts: ArrayLike<number>;
  /**
   * Set for the column's most frequent value: a category says something by it; of others it marks if nothing else does.
   */
  usual?: "says something" | "says nothing";
  isOfDigits?: boolean;
  /** How many rules it was chosen from; one if left out. */
  testCount?: number;
}

/**
 * Single values and words are tried only where there are two classes: each of many classes may well have a value of its
 * own. O(rows × features + entries).
 */
export function* everyRule(table: Table): Generator<CountedRule> {
  const { features, levels, texts = [] } = table;
  for (const [index, feature] of features.entries()) {
    const ofRows = levels[index]!;
    if (!isOfText(feature)) yield* byValues(feature, ofRows, table);
    if (feature.kind === "number" && feature.part === null) yield* byDecimals(feature, ofRows, table);
    if (isIssued(feature, ofRows)) yield* byRanges(feature, ofRows, table);
  }
  for (const pattern of emptyRows(table)) yield* byEmptiness(pattern, table);
  if (table.labels.length === 2) for (const text of texts) yield* byWords(text, table);
}

/** Empty cells; filled ones of columns that are mostly empty, and of texts, whose length is as honest as any number. */
function* byEmptiness(pattern: RowPattern, table: Table): Generator<CountedRule> {
  const { columns, features, isMarked } = pattern;
  const { marked: empty, rest: filled } = countsByClass(pattern, table);
  const isUsual = features.some(
    (index) => isOfText(table.features[index]!) || placeOfLargest(rowsByLevel(table, index)) === MISSING_LEVEL,
  );
  const rule = { columns, part: null, text: null } as const;
  if (isUsual) yield { rule: { ...rule, by: "other", isMarked: (row) => !isMarked(row) }, counts: filled };
  if (table.labels.length > 2 || (isUsual && pattern.rowCount > USUAL_SHARE * table.rowCount)) return;
  const usual = isUsual ? ({ usual: "says nothing" } as const) : {};
  yield { rule: { ...rule, by: "value", isMarked }, counts: empty, ...usual };
}

function* byValues(feature: Feature, levels: LevelArray, { classes, rowCount, labels }: Table): Generator<CountedRule> {
  const columns = [feature.column];
  const part = isDatePart(feature.part) ? (feature.part as DatePart) : null;
  const counts = new Uint32Array(levelCount(feature));
  const ofSecond = new Uint32Array(counts.length);
  for (let row = 0; row < rowCount; row++) {
    const level = levels[row]!;
    counts[level] = counts[level]! + 1;
    if (classes[row] === 1) ofSecond[level] = ofSecond[level]! + 1;
  }
  const usual = placeOfLargest(counts);
  const others = new Float64Array(labels.length);
  for (let row = 0; row < rowCount; row++) if (levels[row] !== usual) others[classes[row]!]!++;
  const other = { columns, part, by: "other", text: levelText(feature, usual) } as const;
  if (usual >= FIRST_LEVEL) yield { rule: { ...other, isMarked: (row) => levels[row] !== usual }, counts: others };
  if (labels.length > 2) return;
  for (const level of counts.keys()) {
    if (level < FIRST_LEVEL || counts[level]! < LEAST_MARKED_ROWS) continue;
    const kind = level === usual ? usualKind(feature, level, counts[level]! / rowCount) : {};
    if (kind === null) continue;
    const value = { columns, part, by: "value", text: levelText(feature, level) } as const;
    const byClass = [counts[level]! - ofSecond[level]!, ofSecond[level]!];
    yield { rule: { ...value, isMarked: (row) => levels[row] === level }, counts: byClass, ...kind };
  }
}

/**
 * Few least or largest numbers of a measured column, such as 0, -999 and 65535, may be a column's most frequent value,
 * since measured numbers mostly differ. Null where a column usually holds the value.
 */
function usualKind(feature: Feature, level: number, share: number): Pick<CountedRule, "usual"> | null {
  if (share > USUAL_SHARE) return null;
  const at = level - FIRST_LEVEL;
  const isEnd = isMeasured(feature) && (at === 0 || at === feature.values.length - 1);
  if (isEnd) return { usual: "says nothing" };
  return feature.kind === "category" ? { usual: "says something" } : null;
}

/** Numbers of one class that were measured or written more exactly, as by another instrument or program. */
function* byDecimals({ column, values }: NumberFeature, levels: LevelArray, table: Table): Generator<CountedRule> {
  const { classes, rowCount, labels } = table;
  const decimals = Uint8Array.from(values, decimalsOf);
  const counts = Array.from({ length: MOST_DECIMALS + 1 }, () => new Float64Array(labels.length));
  const valueCounts = new Uint32Array(values.length);
  for (let row = 0; row < rowCount; row++) {
    const at = levels[row]! - FIRST_LEVEL;
    if (at < 0) continue;
    counts[decimals[at]!]![classes[row]!]!++;
    valueCounts[at] = valueCounts[at]! + 1;
  }
  const classCounts = countClasses(everyRowOf(table));
  const sumsOf = (some: readonly Float64Array[]) =>
    classCounts.map((_, code) => sumOf(some.map((counts) => counts[code]!)));
  for (let least = 1; least <= MOST_DECIMALS; least++) {
    const [fewer, more] = [counts.slice(0, least), counts.slice(least)].map(sumsOf);
    if (sumOf(fewer!) === 0 || sumOf(more!) === 0) continue;
    for (const [by, byClass] of [
      ["decimals", more!],
      ["fewer decimals", fewer!],
    ] as const) {
      const isAmong = (at: number) => at >= 0 && decimals[at]! >= least === (by === "decimals");
      const at = placeOfLargest(valueCounts.map((count, value) => (isAmong(value) ? count : 0)));
      const isMost = valueCounts[at]! > sumOf(byClass) / 2;
      const ofValue = isMost ? countRows(levels, FIRST_LEVEL + at, table) : null;
      if (ofValue !== null && isAllTold(byClass, ofValue, classCounts)) {
        const isMarked = (row: number) => levels[row] === FIRST_LEVEL + at;
        const rule = { columns: [column], part: null, by: "value", text: String(values[at]!), isMarked } as const;
        yield { rule, counts: ofValue, isOfDigits: true };
      } else {
        const isMarked = (row: number) => isAmong(levels[row]! - FIRST_LEVEL);
        yield { rule: { columns: [column], part: null, by, text: String(least), isMarked }, counts: byClass };
      }
    }
  }
}

function countRows(levels: LevelArray, level: number, { classes, labels }: Table): Float64Array {
  const counts = new Float64Array(labels.length);
  for (let row = 0; row < levels.length; row++) if (levels[row] === level) counts[classes[row]!]!++;
  return counts;
}

/** As 65535 may, which is one value with no digits behind the point. */
function isAllTold(ofDigits: Float64Array, ofValue: Float64Array, classCounts: Float64Array): boolean {
  const code = placeOfLargest(ofValue);
  return ofDigits[code]! - ofValue[code]! <= DIGITS_SHARE * (classCounts[code]! - ofValue[code]!);
}

function* byRanges(feature: NumberFeature, levels: LevelArray, { classes, labels }: Table): Generator<CountedRule> {
  const { column, values } = feature;
  const { ranges, testCount } = pureRanges(feature, levels, classes, labels.length);
  for (const { by, bound, counts } of ranges) {
    const isMarked = (row: number) => {
      const value = values[levels[row]! - FIRST_LEVEL];
      return value !== undefined && (by === "at most" ? value <= bound : value >= bound);
    };
    yield { rule: { columns: [column], part: null, by, text: String(bound), isMarked }, counts, testCount };
  }
}

function* byWords(text: TextColumn, { classes, rowCount }: Table): Generator<CountedRule> {
  const counts = new Uint32Array(text.plainCount);
  const ofSecond = new Uint32Array(text.plainCount);
  for (let row = 0; row < rowCount; row++) {
    const second = classes[row]!;
    eachPlainTerm(text, row, (term) => {
      counts[term] = counts[term]! + 1;
      ofSecond[term] = ofSecond[term]! + second;
    });
  }
  for (let term = 0; term < counts.length; term++) {
    if (counts[term]! < LEAST_MARKED_ROWS) continue;
    const word = term < text.shownCount ? termName(text.names, term) : null;
    if (word === null || !LETTER.test(word)) continue;
    const isMarked = (row: number) => hasPlainTerm(text, row, (own) => own === term);
    const byClass = [counts[term]! - ofSecond[term]!, ofSecond[term]!];
    yield { rule: { columns: [text.column], part: null, by: "word", text: word, isMarked }, counts: byClass };
  }
}

/** Whether a feature holds measured numbers rather than codes. */
export function isMeasured(feature: Feature): feature is NumberFeature {
  return feature.kind === "number" && feature.part === null && feature.values.length >= LEAST_LEVELS;
}

/** The first place of the largest count. */
export function placeOfLargest(counts: ArrayLike<number>): number {
  let most = 0;
  for (let at = 1; at < counts.length; at++) if (counts[at]! > counts[most]!) most = at;
  return most;
}

/** Digits behind the point, six for more. */
function decimalsOf(value: number): number {
  let scaled = Math.abs(value);
  for (let digits = 0; digits < MOST_DECIMALS; digits++) {
    // Numbers of many digits are off by rounding.
    if (Math.abs(scaled - Math.round(scaled)) < 1e-9 * Math.max(1, scaled)) return digits;
    scaled *= 10;
  }
  return MOST_DECIMALS;
}

/** Null without a level of its own. */
function levelText(feature: Feature, level: number): string | null {
  if (level < FIRST_LEVEL || feature.kind === "score") return null;
  const at = level - FIRST_LEVEL;
  return feature.kind === "number" ? String(feature.values[at]!) : feature.names[at]!;
}
