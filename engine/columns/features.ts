// The features that a column makes, and the level of each of its cells.
import { decimalValue } from "../csv/cell-key.ts";
import {
  type CategoryFeature,
  type DatePart,
  type Feature,
  FIRST_LEVEL,
  levelCount,
  MAX_LEVELS,
  MISSING_LEVEL,
  type NumberFeature,
  UNLISTED_LEVEL,
} from "../table.ts";
import type { ColumnScan } from "./column-scan.ts";
import { partValues } from "./date-values.ts";
import { DATE_PARTS, type DateForm, datePart, packDate } from "./dates.ts";
import { fewFor, LevelGrid, nearestInGrid } from "./nearest-level.ts";
import { type LevelRoom, MOST_QUANTILES, midpointsOf, nearestIndex } from "./number-levels.ts";
import { bodyBit, canonicalNumberText, FITS_PLAIN, type NumberForm, readNumber } from "./numbers.ts";
import type { ColumnProfile } from "./profile.ts";
import { holdNumber } from "./reading.ts";
import { allTexts, type TextDictionary, textAt } from "./text-dictionary.ts";

/** A feature with the rule that turns its column's cells into levels. */
export interface CodedColumn {
  feature: Feature;
  /** Level of every text in the column's dictionary. */
  levelOfText: Uint16Array;
  /** Level of a trimmed text that the dictionary does not hold and that is no missing marker. */
  levelOfOther: (text: string) => number;
  /** Set where the level of every short decimal is the nearest one to its value, in the dictionary or not. */
  grid: LevelGrid | null;
}

/** The features of a used column in their order: one, or the parts of a date. `takenNames` gains their names; `room` serves all columns. */
export function codeColumn(
  column: ColumnProfile,
  markers: ReadonlySet<string>,
  takenNames: Set<string>,
  room: LevelRoom,
): CodedColumn[] {
  const { reading, scan } = column;
  if (scan === null || column.unusedReason !== null) return [];
  if (reading.kind === "number") return [codeNumbers(column, scan, markers, reading.form, room)];
  const texts = allTexts(scan.dictionary);
  const isMissing = (text: string): boolean => markers.has(text);
  if (reading.kind === "date") return codeDates(column, scan, texts, isMissing, reading.form, takenNames);
  return [codeCategories(column, texts, isMissing)];
}

function codeNumbers(
  column: ColumnProfile,
  scan: ColumnScan,
  markers: ReadonlySet<string>,
  form: NumberForm,
  room: LevelRoom,
): CodedColumn {
  const isPlain = bodyBit(form) === FITS_PLAIN && form.affix === "" && !holdNumber(markers);
  const numbers = dictionaryNumbers(scan.dictionary, markers, form, isPlain);
  const values = distinctNumbers(scan, numbers, form, room);
  const feature: NumberFeature = { kind: "number", name: column.name, column: column.index, part: null, values };
  const grid = new LevelGrid(midpointsOf(values));
  const levelOfOther = (text: string): number => {
    const value = readNumber(text, form);
    return Number.isFinite(value) ? FIRST_LEVEL + nearestInGrid(grid, value) : MISSING_LEVEL;
  };
  return { feature, levelOfText: levelsOf(numbers, grid), levelOfOther, grid: isPlain ? grid : null };
}

/** The level of each number, finite or missing. */
function levelsOf(numbers: Float64Array, grid: LevelGrid): Uint16Array {
  const areFew = numbers.length < fewFor(grid);
  const levels = new Uint16Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    const value = numbers[at]!;
    if (!Number.isFinite(value)) levels[at] = MISSING_LEVEL;
    else levels[at] = FIRST_LEVEL + (areFew ? nearestIndex(grid.midpoints, value) : nearestInGrid(grid, value));
  }
  return levels;
}

/** The number of every text, NaN for a missing one; `isPlain`: short decimals are read off their keys. */
function dictionaryNumbers(
  dictionary: TextDictionary,
  markers: ReadonlySet<string>,
  form: NumberForm,
  isPlain: boolean,
): Float64Array {
  const { size, lows, metas } = dictionary;
  const numbers = new Float64Array(size);
  for (let id = 0; id < size; id++) {
    if (isPlain && metas[id]! >= 0) {
      numbers[id] = decimalValue(lows[id]!, metas[id]!);
      continue;
    }
    const text = textAt(dictionary, id);
    numbers[id] = markers.has(text) ? Number.NaN : readNumber(text, form);
  }
  return numbers;
}

/** The level values: from the dictionary with exact counts, and from the sample of the cells beyond it. */
function distinctNumbers(scan: ColumnScan, numbers: Float64Array, form: NumberForm, room: LevelRoom): Float64Array {
  const { sample } = scan;
  // Before the sampled values are at hand: they may lie in the memory that grows.
  room.take(numbers.length + (sample?.size ?? 0));
  const sampled = sample?.valuesIn(form) ?? new Float64Array(0);
  const { values, weights } = room;
  const { counts } = scan.dictionary;
  let count = 0;
  for (let id = 0; id < numbers.length; id++) {
    const value = numbers[id]!;
    if (!Number.isFinite(value)) continue;
    values[count] = value;
    weights[count++] = counts[id]!;
  }
  values.set(sampled, count);
  weights.fill(sample?.weight ?? 1, count, count + sampled.length);
  const isWhole = sample === null || sample.weight === 1;
  return room.levelsOf(count + sampled.length, isWhole ? MAX_LEVELS : MOST_QUANTILES);
}

function codeDates(
  column: ColumnProfile,
  scan: ColumnScan,
  texts: readonly string[],
  isMissing: (text: string) => boolean,
  form: DateForm,
  takenNames: Set<string>,
): CodedColumn[] {
  const dates = Int32Array.from(texts, (text) => (isMissing(text) ? -1 : packDate(text, form)));
  const seen = scan.evidence.dates[form.order].values;
  if (seen === null) return [];
  const coded: CodedColumn[] = [];
  for (const part of DATE_PARTS) {
    const values = partValues(seen, part);
    if (values.length <= 1) continue;
    const name = freeName(`${column.name}.${part}`, takenNames);
    const levelOf = partLevels(values, part);
    coded.push({
      feature: { kind: "number", name, column: column.index, part, values },
      levelOfText: Uint16Array.from(dates, levelOf),
      levelOfOther: (text) => levelOf(packDate(text, form)),
      grid: null,
    });
  }
  return coded;
}

/** From a packed date to the level of one part: the nearest, for another file may hold dates that this one does not. */
function partLevels(values: Float64Array, part: DatePart): (date: number) => number {
  const midpoints = midpointsOf(values);
  return (date) => {
    const value = date < 0 ? Number.NaN : datePart(date, part);
    return Number.isNaN(value) ? MISSING_LEVEL : FIRST_LEVEL + nearestIndex(midpoints, value);
  };
}

function freeName(name: string, takenNames: Set<string>): string {
  let free = name;
  for (let suffix = 2; takenNames.has(free); suffix++) free = `${name}_${suffix}`;
  takenNames.add(free);
  return free;
}

function codeCategories(
  column: ColumnProfile,
  texts: readonly string[],
  isMissing: (text: string) => boolean,
): CodedColumn {
  const names = texts.filter((text) => !isMissing(text)).sort();
  const levels = new Map(names.map((name, at) => [name, FIRST_LEVEL + at]));
  const feature: CategoryFeature = { kind: "category", name: column.name, column: column.index, part: null, names };
  return {
    feature,
    levelOfText: Uint16Array.from(texts, (text) => levels.get(text) ?? MISSING_LEVEL),
    levelOfOther: aliasLevels(names, levels),
    grid: null,
  };
}

/** As in scoring: texts are compared exactly, but where every category is a plain number, `1.0` is also read as `1`. */
function aliasLevels(names: readonly string[], levels: ReadonlyMap<string, number>): (text: string) => number {
  const allNumbers = names.length > 0 && names.every((name) => canonicalNumberText(name) === name);
  if (!allNumbers) return () => UNLISTED_LEVEL;
  return (text) => {
    const alias = canonicalNumberText(text);
    return (alias === null ? undefined : levels.get(alias)) ?? UNLISTED_LEVEL;
  };
}

/** Bytes of one level of the feature. */
export function levelBytes(feature: Feature): 1 | 2 {
  return levelCount(feature) <= 256 ? 1 : 2;
}
