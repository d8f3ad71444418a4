// Columns that look as if they were filled in after the outcome: another value than the usual one, one value or one
// word, in rows that are nearly all of one class, or in most rows of a class and hardly any others.

import { isDatePart } from "../columns/dates.ts";
import { countClasses } from "../fitting/class-counts.ts";
import { rowsUpTo } from "../row-lists.ts";
import { upperHypergeometric } from "../statistics/tail-probabilities.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import {
  type DatePart,
  type Feature,
  FIRST_LEVEL,
  type LevelArray,
  labelledRows,
  levelCount,
  MISSING_LEVEL,
  type NumberFeature,
  type Table,
  UNLISTED_LEVEL,
} from "../table/table.ts";
import { isOfText } from "../table/text-shape.ts";
import { eachPlainTerm, type TextColumn, termName } from "../text/term-rows.ts";

/** Nearly all marked rows are of one class; so many of them, and such a share of that class's rows. Digits never do. */
const PURE_SHARE = 0.99;
const LEAST_PURE_ROWS = 20;
const LEAST_COVERAGE: Partial<Record<Mark["by"], number>> = { other: 0.1, value: 0.2, word: 0.2 };
/**
 * Half of a class's rows are marked, at most 5% of the others or a tenth of the class's share (by digits 5%), and most
 * marked rows are of the class. So leaks are found that some other rows have too; the gain (mark-gains.ts) keeps honest
 * columns out: see test/bench/RESULTS.md.
 */
const TELLING_COVERAGE = 0.5;
const MOST_OTHERS = 0.05;
const LEAST_CONTRAST = 10;
const TELLING_SHARE = 0.6;
/** A class this frequent is nearly pure by itself. */
const COMMON_CLASS_SHARE = 0.8;
/** A value of more rows is what a column usually holds. */
const USUAL_SHARE = 0.5;
/** The chance that any of the values tried is as pure where none has to do with the label. */
const MOST_CHANCE = 0.001;
/** Numbers with fewer levels may be codes, each of which may honestly go with a label of its own. */
const LEAST_LEVELS = 30;
/** Digits behind the point from which on a number is marked, at most. */
const MOST_DECIMALS = 6;
/** Numbers in a text are as honest as a column of them. */
const LETTER = /\p{L}/u;

/** Rows that a column marks. */
export interface Mark {
  /** Position in the file. */
  column: number;
  /** By another value than the usual one, by one value, by a word, or by many or few digits behind the point. */
  by: "other" | "value" | "word" | "decimals" | "fewer decimals";
  /** The usual value, the value, the word, or from how many digits on; null where it is an empty cell. */
  text: string | null;
  /** The part of a date that the value is; else null. */
  part: DatePart | null;
  label: string;
  /** Marked rows, of those looked at; the share of the label's rows that they are. */
  rowCount: number;
  coverage: number;
  /** The share of all other rows that is marked; left out where nearly all marked rows have the label. */
  others?: number;
  isMarked(row: number): boolean;
}

type Look = Pick<Mark, "column" | "by" | "text" | "part" | "isMarked">;

interface Found {
  mark: Mark;
  chance: number;
  isPure: boolean;
  isTelling: boolean;
  /** By the column's most frequent value, which is the mark of a column that has no other. */
  isUsual: boolean;
}

/** The mark of most rows in each column, most rows first; a mark may be of both kinds. */
export interface Marks {
  /** Nearly all marked rows are of one class. */
  pure: Mark[];
  /** Most rows of a class are marked and hardly any others. No words: what a text says may honestly tell as much. */
  telling: Mark[];
}

/**
 * Single values and words are tried only where there are two classes: each of many classes may well have a value of its
 * own. O(rows × features + entries). @throws Cancelled
 */
export function findMarks(table: Table, stop: StopSignal): Marks {
  const { features, levels, texts = [] } = table;
  const search = new Search(table);
  for (const [index, feature] of features.entries()) {
    throwIfCancelled(stop);
    if (!isOfText(feature) || feature.part === "characters") search.tryValues(feature, levels[index]!);
    if (feature.kind === "number" && feature.part === null) search.tryDecimals(feature, levels[index]!);
  }
  for (const text of texts) {
    throwIfCancelled(stop);
    search.tryWords(text);
  }
  return search.marks();
}

class Search {
  private readonly table: Table;
  private readonly classCounts: Float64Array;
  private lookCount = 0;
  private readonly found: Found[] = [];

  constructor(table: Table) {
    this.table = table;
    this.classCounts = countClasses(labelledRows(table, rowsUpTo(table.rowCount)));
  }

  tryValues(feature: Feature, levels: LevelArray): void {
    const { classes, rowCount } = this.table;
    const { column } = feature;
    const part = isDatePart(feature.part) ? (feature.part as DatePart) : null;
    const counts = new Uint32Array(levelCount(feature));
    const ofSecond = new Uint32Array(counts.length);
    for (let row = 0; row < rowCount; row++) {
      const level = levels[row]!;
      counts[level] = counts[level]! + 1;
      if (classes[row] === 1) ofSecond[level] = ofSecond[level]! + 1;
    }
    // A text's length is as honest as other numbers; whether it is filled may not be.
    const usual = isOfText(feature) ? MISSING_LEVEL : mostFrequent(counts);
    const others = this.classCounts.slice();
    for (let row = 0; row < rowCount; row++) {
      const code = classes[row]!;
      if (levels[row] === usual) others[code] = others[code]! - 1;
    }
    const other = { column, part, by: "other", text: levelText(feature, usual) } as const;
    if (usual !== UNLISTED_LEVEL) this.look(others, { ...other, isMarked: (row) => levels[row] !== usual });
    if (this.classCounts.length > 2) return;
    for (const level of isOfText(feature) ? [MISSING_LEVEL] : counts.keys()) {
      const isUsual = level === usual;
      if (isUsual && (counts[level]! > USUAL_SHARE * rowCount || !saysNothing(feature, level))) continue;
      if (level === UNLISTED_LEVEL || counts[level]! < LEAST_PURE_ROWS) continue;
      const value = { column, part, by: "value", text: levelText(feature, level) } as const;
      const byClass = [counts[level]! - ofSecond[level]!, ofSecond[level]!];
      this.look(byClass, { ...value, isMarked: (row) => levels[row] === level }, { isUsual });
    }
  }

  /** Numbers of one class that were measured or written more exactly, as by another instrument or program. */
  tryDecimals({ column, values }: NumberFeature, levels: LevelArray): void {
    const { classes, rowCount } = this.table;
    const classCount = this.classCounts.length;
    const decimals = Uint8Array.from(values, decimalsOf);
    const counts = Array.from({ length: MOST_DECIMALS + 1 }, () => new Float64Array(classCount));
    const valueCounts = new Uint32Array(values.length);
    for (let row = 0; row < rowCount; row++) {
      const at = levels[row]! - FIRST_LEVEL;
      if (at < 0) continue;
      counts[decimals[at]!]![classes[row]!]!++;
      valueCounts[at] = valueCounts[at]! + 1;
    }
    const sumsOf = (some: readonly Float64Array[]) =>
      this.classCounts.map((_, code) => sumOf(some.map((counts) => counts[code]!)));
    for (let least = 1; least <= MOST_DECIMALS; least++) {
      const [fewer, more] = [counts.slice(0, least), counts.slice(least)].map(sumsOf);
      if (sumOf(fewer!) === 0 || sumOf(more!) === 0) continue;
      for (const [by, byClass] of [
        ["decimals", more!],
        ["fewer decimals", fewer!],
      ] as const) {
        const isAmong = (at: number) => at >= 0 && decimals[at]! >= least === (by === "decimals");
        const at = mostFrequent(valueCounts.map((count, value) => (isAmong(value) ? count : 0)));
        const ofValue = valueCounts[at]! > sumOf(byClass) / 2 ? this.countRows(levels, FIRST_LEVEL + at) : null;
        if (ofValue !== null && this.isAllTold(byClass, ofValue)) {
          const isMarked = (row: number) => levels[row] === FIRST_LEVEL + at;
          this.look(
            ofValue,
            { column, part: null, by: "value", text: String(values[at]!), isMarked },
            { isOfDigits: true },
          );
        } else {
          const isMarked = (row: number) => isAmong(levels[row]! - FIRST_LEVEL);
          this.look(byClass, { column, part: null, by, text: String(least), isMarked });
        }
      }
    }
  }

  private countRows(levels: LevelArray, level: number): Float64Array {
    const counts = new Float64Array(this.classCounts.length);
    for (let row = 0; row < levels.length; row++) if (levels[row] === level) counts[this.table.classes[row]!]!++;
    return counts;
  }

  /** A value tells all that its digits do, as 65535 may, unless most other rows of its label have such digits too. */
  private isAllTold(ofDigits: Float64Array, ofValue: Float64Array): boolean {
    const code = mostFrequent(ofValue);
    return ofDigits[code]! - ofValue[code]! <= TELLING_COVERAGE * (this.classCounts[code]! - ofValue[code]!);
  }

  tryWords(text: TextColumn): void {
    if (this.classCounts.length > 2) return;
    const { classes, rowCount } = this.table;
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
      if (counts[term]! < LEAST_PURE_ROWS) continue;
      const word = term < text.shownCount ? termName(text.names, term) : null;
      if (word === null || !LETTER.test(word)) continue;
      const isMarked = (row: number) => hasTerm(text, row, term);
      const byClass = [counts[term]! - ofSecond[term]!, ofSecond[term]!];
      this.look(byClass, { column: text.column, part: null, by: "word", text: word, isMarked });
    }
  }

  /** `counts`: marked rows of each class. */
  private look(counts: ArrayLike<number>, look: Look, { isUsual = false, isOfDigits = false } = {}): void {
    const marked = sumOf(counts);
    if (marked < LEAST_PURE_ROWS) return;
    this.lookCount++;
    const code = mostFrequent(counts);
    const pure = counts[code]!;
    const ofClass = this.classCounts[code]!;
    const { rowCount, labels } = this.table;
    if (pure < LEAST_PURE_ROWS || ofClass > COMMON_CLASS_SHARE * rowCount) return;
    const coverage = pure / ofClass;
    const others = (marked - pure) / (rowCount - ofClass);
    const leastCoverage = (isOfDigits ? null : LEAST_COVERAGE[look.by]) ?? Number.POSITIVE_INFINITY;
    const isPure = pure >= PURE_SHARE * marked && coverage >= leastCoverage;
    const isByDigits = look.by === "decimals" || look.by === "fewer decimals";
    const mostOthers = isByDigits ? MOST_OTHERS : Math.max(MOST_OTHERS, coverage / LEAST_CONTRAST);
    const isTelling =
      look.by !== "word" && coverage >= TELLING_COVERAGE && others <= mostOthers && pure >= TELLING_SHARE * marked;
    if (!isPure && !isTelling) return;
    const mark = { ...look, label: labels[code]!, rowCount: marked, coverage, ...(!isPure && { others }) };
    const chance = upperHypergeometric(pure, marked, ofClass, rowCount);
    this.found.push({ mark, chance, isPure, isTelling, isUsual });
  }

  marks(): Marks {
    const certain = this.found.filter(({ chance }) => chance * this.lookCount <= MOST_CHANCE);
    return {
      pure: largestOfColumns(certain.filter(({ isPure }) => isPure)),
      telling: largestOfColumns(certain.filter(({ isTelling }) => isTelling)),
    };
  }
}

/** Whether a feature holds measured numbers rather than codes. */
export function isMeasured(feature: Feature): feature is NumberFeature {
  return feature.kind === "number" && feature.part === null && feature.values.length >= LEAST_LEVELS;
}

function largestOfColumns(found: readonly Found[]): Mark[] {
  const best = new Map<number, Found>();
  for (const each of found) {
    const known = best.get(each.mark.column);
    const isBetter =
      known === undefined ||
      (known.isUsual === each.isUsual ? known.mark.rowCount < each.mark.rowCount : known.isUsual);
    if (isBetter) best.set(each.mark.column, each);
  }
  return [...best.values()].map(({ mark }) => mark).sort((a, b) => b.rowCount - a.rowCount || a.column - b.column);
}

/**
 * Empty cells, or the least or largest number of a measured column, such as 0, -999 and 65535. Few of these may be a
 * column's most frequent value, since measured numbers mostly differ. A category's most frequent value says something.
 */
function saysNothing(feature: Feature, level: number): boolean {
  if (level === MISSING_LEVEL) return true;
  const at = level - FIRST_LEVEL;
  return isMeasured(feature) && (at === 0 || at === feature.values.length - 1);
}

/** The first place of the largest count. */
function mostFrequent(counts: ArrayLike<number>): number {
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

/** Null for cells that are missing. */
function levelText(feature: Feature, level: number): string | null {
  if (level < FIRST_LEVEL || feature.kind === "score") return null;
  const at = level - FIRST_LEVEL;
  return feature.kind === "number" ? String(feature.values[at]!) : feature.names[at]!;
}

function hasTerm(text: TextColumn, row: number, wanted: number): boolean {
  let isFound = false;
  eachPlainTerm(text, row, (term) => {
    if (term === wanted) isFound = true;
  });
  return isFound;
}
