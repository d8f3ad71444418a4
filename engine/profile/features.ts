// Makes the features of a column, with the rule that turns its cells into levels.

import { clockOf, DATE_PARTS, type DateForm, datePart, MOST_CLOCK, packDate, partValues } from "../columns/dates.ts";
import { inNaturalOrder } from "../columns/natural-order.ts";
import { bodyBit, categoryAlias, FITS_PLAIN, type NumberForm, readNumber } from "../columns/numbers.ts";
import { holdNumber } from "../columns/reading.ts";
import { freeName } from "../csv/header.ts";
import { NO_TEXT, NOT_A_NUMBER } from "../kernels/reading/layout.ts";
import { countBelow, midpointsOf } from "../midpoints.ts";
import type { ColumnScan } from "../reading/column-scan.ts";
import { NumberLevels } from "../reading/level-finder.ts";
import { levelValues, MOST_QUANTILES } from "../reading/number-levels.ts";
import type { TextDictionary } from "../reading/text-dictionary.ts";
import { rowsUpTo } from "../row-lists.ts";
import {
  type CategoryFeature,
  CLOCK_PART,
  type DatePart,
  type Feature,
  FIRST_LEVEL,
  levelCount,
  MAX_LEVELS,
  MISSING_LEVEL,
  type NumberFeature,
  UNLISTED_LEVEL,
} from "../table/table.ts";
import type { ColumnProfile } from "./profile.ts";

const NO_LEVELS = new Uint16Array(0);

/** A feature with the rule that turns its column's cells into levels. */
export interface LevelRule {
  feature: Feature;
  /** Level of every text in the column's dictionary. */
  levelOfText: Uint16Array;
  /** Level of a trimmed text that the dictionary does not hold and that is no missing marker. */
  levelOfOther: (text: string) => number;
  /** Null unless every plain number takes the nearest level, in the dictionary or not. */
  nearest: NumberLevels | null;
}

/**
 * Returns the features of a used column: one, or the parts of a date. Adds names of parts to
 * `takenNames`. `markers`: texts that count as missing in this column. `hasClocks`: whether dates with a time have
 * their clocks too, which differences of dates are made of.
 */
export function levelRulesOf(
  column: ColumnProfile,
  markers: ReadonlySet<string>,
  takenNames: Set<string>,
  hasClocks: boolean,
): LevelRule[] {
  const { reading, scan } = column;
  // Free text has terms instead, which workers/reading/read-texts.ts reads.
  if (scan === null || !isLearnedWhole(column)) return [];
  if (reading.kind === "number") return [numberRule(column, scan, markers, reading.form)];
  const texts = scan.dictionary.allTexts();
  const isMissing = (text: string): boolean => markers.has(text);
  if (reading.kind === "date") {
    const rules = dateRules(column, scan, texts, isMissing, reading.form, takenNames);
    return hasClocks && rules.length > 0
      ? [...rules, ...clockRules(column, scan, texts, isMissing, reading.form)]
      : rules;
  }
  return [categoryRule(column, texts, isMissing)];
}

function numberRule(
  column: ColumnProfile,
  scan: ColumnScan,
  markers: ReadonlySet<string>,
  form: NumberForm,
): LevelRule {
  const isPlain = isReadByKernel(form, markers);
  const numbers = dictionaryNumbers(scan.dictionary, markers, form);
  const values = distinctNumbers(scan, numbers, form);
  const feature: NumberFeature = { kind: "number", name: column.name, column: column.index, part: null, values };
  const midpoints = midpointsOf(values);
  // All texts of the dictionary go as if they were the cells of a batch.
  const nearest = new NumberLevels(scan.dictionary.kernel, midpoints);
  const levelOfText = nearest.of(numbers, NO_LEVELS).slice();
  const levelOfOther = (text: string): number => {
    const value = readNumber(text, form);
    return Number.isFinite(value) ? FIRST_LEVEL + countBelow(midpoints, value) : MISSING_LEVEL;
  };
  return { feature, levelOfText, levelOfOther, nearest: isPlain ? nearest : null };
}

/** True where no plain number that the kernel reads means something else in the column. */
function isReadByKernel(form: NumberForm, markers: ReadonlySet<string>): boolean {
  return bodyBit(form) === FITS_PLAIN && form.affix === "" && !holdNumber(markers);
}

/** Returns the number of every text; a NaN as `findCells` leaves it where a text is no finite number. */
export function dictionaryNumbers(
  dictionary: TextDictionary,
  markers: ReadonlySet<string>,
  form: NumberForm,
): Float64Array {
  const { size } = dictionary;
  const isPlain = isReadByKernel(form, markers);
  const numbers = new Float64Array(size);
  const words = new Int32Array(numbers.buffer);
  for (let id = 0; id < size; id++) {
    if (isPlain && dictionary.shapeOf(id) !== 0) numbers[id] = dictionary.valueOf(id);
    else {
      const text = dictionary.textOf(id);
      const value = markers.has(text) ? Number.NaN : readNumber(text, form);
      if (Number.isFinite(value)) numbers[id] = value;
      else words.set([NO_TEXT, NOT_A_NUMBER], 2 * id);
    }
  }
  return numbers;
}

/** Returns the level values: from the dictionary with exact counts, and from the sample of the other cells. */
function distinctNumbers({ dictionary, sample }: ColumnScan, numbers: Float64Array, form: NumberForm): Float64Array {
  const listed = { values: numbers, weights: dictionary.allCounts() };
  const sampled = sample?.valuesIn(form, dictionary.kernel.scratch.subarray(numbers.length)) ?? new Float64Array(0);
  const weight = sample?.weight ?? 1;
  // A thinned sample does not show every value: where it has more than there are quantiles, levels are quantiles.
  return levelValues(dictionary.kernel, listed, sampled, weight, weight === 1 ? MAX_LEVELS : MOST_QUANTILES);
}

function dateRules(
  column: ColumnProfile,
  scan: ColumnScan,
  texts: readonly string[],
  isMissing: (text: string) => boolean,
  form: DateForm,
  takenNames: Set<string>,
): LevelRule[] {
  const dates = Int32Array.from(texts, (text) => (isMissing(text) ? -1 : packDate(text, form)));
  const dateValues = scan.evidence.dates[form.order].values;
  if (dateValues === null) return [];
  const rules: LevelRule[] = [];
  const single = DATE_PARTS.flatMap((part) => {
    const values = partValues(dateValues, part);
    return values.length === 1 ? [[part, values[0]!]] : [];
  });
  const common = single.length > 0 && { common: Object.fromEntries(single) };
  for (const part of DATE_PARTS) {
    const values = partValues(dateValues, part);
    if (values.length <= 1) continue;
    // Where all dates are of one day of the month, the day of the week only repeats the month.
    if (part === "weekday" && partValues(dateValues, "day").length === 1) continue;
    const name = freeName(`${column.name}.${part}`, takenNames);
    const levelOf = partLevels(values, part);
    rules.push({
      feature: { kind: "number", name, column: column.index, part, ...common, values },
      levelOfText: Uint16Array.from(dates, levelOf),
      levelOfOther: (text) => levelOf(packDate(text, form)),
      nearest: null,
    });
  }
  return rules;
}

/** The rule of a column's clocks; none where no date has a time. */
function clockRules(
  column: ColumnProfile,
  scan: ColumnScan,
  texts: readonly string[],
  isMissing: (text: string) => boolean,
  form: DateForm,
): LevelRule[] {
  const dateValues = scan.evidence.dates[form.order].values;
  if (dateValues === null || partValues(dateValues, "hour").length === 0) return [];
  const levelOfOther = (text: string) => {
    const clock = clockOf(text, form);
    return Number.isNaN(clock) ? MISSING_LEVEL : FIRST_LEVEL + clock;
  };
  const feature: NumberFeature = {
    ...{ kind: "number", name: column.name, column: column.index, part: CLOCK_PART },
    values: Float64Array.from(rowsUpTo(MOST_CLOCK + 1)),
  };
  const levelOfText = Uint16Array.from(texts, (text) => (isMissing(text) ? MISSING_LEVEL : levelOfOther(text)));
  return [{ feature, levelOfText, levelOfOther, nearest: null }];
}

/** Returns a function from a packed date to the nearest level of one part: another file may hold other dates. */
function partLevels(values: Float64Array, part: DatePart): (date: number) => number {
  const midpoints = midpointsOf(values);
  return (date) => {
    const value = date < 0 ? Number.NaN : datePart(date, part);
    return Number.isNaN(value) ? MISSING_LEVEL : FIRST_LEVEL + countBelow(midpoints, value);
  };
}

function categoryRule(
  column: ColumnProfile,
  texts: readonly string[],
  isMissing: (text: string) => boolean,
): LevelRule {
  const names = inNaturalOrder(texts.filter((text) => !isMissing(text)));
  const levels = new Map(names.map((name, at) => [name, FIRST_LEVEL + at]));
  const aliasOf = categoryAlias(names);
  const feature: CategoryFeature = { kind: "category", name: column.name, column: column.index, part: null, names };
  return {
    feature,
    levelOfText: Uint16Array.from(texts, (text) => levels.get(text) ?? MISSING_LEVEL),
    levelOfOther: (text) => levels.get(aliasOf(text) ?? text) ?? UNLISTED_LEVEL,
    nearest: null,
  };
}

/** Returns the bytes of one level of the feature. */
export function levelBytes(feature: Feature): 1 | 2 {
  return levelCount(feature) <= 256 ? 1 : 2;
}

/** True where whole values are learned: texts and identifiers have terms alone. */
export function isLearnedWhole({ kind, unusedReason }: Pick<ColumnProfile, "kind" | "unusedReason">): boolean {
  return unusedReason === null && kind !== "text" && kind !== "identifier";
}
