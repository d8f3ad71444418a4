// The table that training reads: every cell as the number of its level,
// column by column, on memory that threads can share.

import { rowsUpTo } from "../row-lists.ts";
import { firstTextRows, selectTextRows, type TextColumn } from "../text/term-rows.ts";

/** A level number for each row; one byte where the feature has few levels. */
export type LevelArray = Uint8Array | Uint16Array;

/** Level of a missing cell. */
export const MISSING_LEVEL = 0;
/** Level of a category whose text has no level of its own: too rare to be listed, or first seen when scoring. */
export const UNLISTED_LEVEL = 1;
/** The first real level; level `FIRST_LEVEL + i` has value or name `i`. */
export const FIRST_LEVEL = 2;
/** Real levels of one feature at most, so that a level fits in two bytes. */
export const MAX_LEVELS = 65_534;

/** The part of a date that a feature holds. */
export type DatePart = "year" | "month" | "day" | "weekday" | "hour";
/** Seconds since the full hour, held only until differences of dates are made: no model learns from them. */
export const CLOCK_PART = "clock";
/** The amount of one column less that of another, see engine/differences. */
export const DIFFERENCE_PART = "difference";
/** Features of a text: counts, shares of its characters, numbers in it, and its first and last characters. */
export type TextPart =
  | ("characters" | "words" | "capitals" | "digits" | "punctuation")
  | `number${number | "Last" | "Least" | "Largest" | "Mean"}`
  | `${"character" | "ending"}${number}`;

/**
 * A number feature's levels are its ascending values: all distinct ones where they fit, else fine quantiles of them.
 */
export interface NumberFeature {
  kind: "number";
  name: string;
  /** Index of the source column in the file. */
  column: number;
  /** Set where the source column is a date or a text, or where another column's amount is taken off. */
  part: DatePart | TextPart | typeof CLOCK_PART | typeof DIFFERENCE_PART | null;
  /** The column whose amount is taken off; only of a difference. */
  minus?: number;
  /** Parts that all dates of the column have in common, which are no features; left out where there are none. */
  common?: Readonly<Partial<Record<DatePart, number>>>;
  /** Ascending; level `FIRST_LEVEL + i` stands for the cells nearest to `values[i]`. */
  values: Float64Array;
}

/** A category feature's levels are its distinct texts. */
export interface CategoryFeature {
  kind: "category";
  name: string;
  column: number;
  part: null;
  /** Level `FIRST_LEVEL + i` is the text `names[i]`. */
  names: readonly string[];
}

/**
 * A text's score for some of the classes against the others: a number that every fit finds anew, see
 * text-scores.ts. Its levels in the table are all missing.
 */
export interface ScoreFeature {
  kind: "score";
  name: string;
  /** The text column of the table that it comes from. */
  column: number;
  part: null;
  /** Which of `scoreGroups`. */
  group: number;
}

export type Feature = NumberFeature | CategoryFeature | ScoreFeature;

/** A labelled table. Arrays may lie on a SharedArrayBuffer; nobody writes to them once the table is built. */
export interface Table {
  rowCount: number;
  features: readonly Feature[];
  /** One array of `rowCount` levels per feature. */
  levels: readonly LevelArray[];
  /** Label texts in sort order; the class code is the index. */
  labels: readonly string[];
  /** One class code per row. */
  classes: Uint8Array;
  /** Left out where no column is read as text. */
  texts?: readonly TextColumn[];
}

/** Some rows and their classes: what a model learns from, or is judged by. */
export interface LabelledRows {
  rows: Uint32Array;
  /** Class code of every row of the table or view that the rows are from. */
  classes: Uint8Array;
  /** Two or more. A class may have no row among `rows`. */
  classCount: number;
}

export function labelledRows({ classes, labels }: Pick<Table, "classes" | "labels">, rows: Uint32Array): LabelledRows {
  return { rows, classes, classCount: labels.length };
}

/** All rows of a table. */
export function everyRowOf(table: Table): LabelledRows {
  return labelledRows(table, rowsUpTo(table.rowCount));
}

/** How many levels a feature has, the two reserved ones included. */
export function levelCount(feature: Feature): number {
  if (feature.kind === "score") return FIRST_LEVEL;
  return FIRST_LEVEL + (feature.kind === "number" ? feature.values.length : feature.names.length);
}

/** Rows of each level of a feature, the reserved ones first. O(rows). */
export function rowsByLevel({ features, levels }: Table, index: number): Uint32Array {
  const counts = new Uint32Array(levelCount(features[index]!));
  const ofRows = levels[index]!;
  for (let row = 0; row < ofRows.length; row++) counts[ofRows[row]!]!++;
  return counts;
}

/** The columns of the file that a feature is made of. */
export function sourcesOf({ column, minus }: Pick<NumberFeature, "column" | "minus">): readonly number[] {
  return minus === undefined ? [column] : [column, minus];
}

/** The features that are made of each column, by its position; a difference is made of two. */
export function featuresByColumn(features: readonly Feature[]): Map<number, number[]> {
  const byColumn = new Map<number, number[]>();
  for (const [index, feature] of features.entries()) {
    for (const column of sourcesOf(feature)) byColumn.set(column, [...(byColumn.get(column) ?? []), index]);
  }
  return byColumn;
}

/** The features that are made of the given columns alone, ascending. */
export function featuresOfColumns({ features }: Pick<Table, "features">, columns: ReadonlySet<number>): number[] {
  return features.flatMap((feature, index) => (sourcesOf(feature).every((each) => columns.has(each)) ? [index] : []));
}

/** The same rows with some of the features, in the order given. */
export function selectFeatures(table: Table, features: readonly number[]): Table {
  const keptFeatures = features.map((index) => table.features[index]!);
  const columns = new Set(keptFeatures.map(({ column }) => column));
  const { texts = [], ...others } = table;
  const keptTexts = texts.filter(({ column }) => columns.has(column));
  return {
    ...others,
    features: keptFeatures,
    levels: features.map((index) => table.levels[index]!),
    ...(keptTexts.length > 0 && { texts: keptTexts }),
  };
}

/** The same rows without what texts say, which only a fit can tell. */
export function withoutScores(table: Table): Table {
  return onlyFeatures(table, ({ kind }) => kind !== "score");
}

/** The same rows without the features of one part. */
export function withoutPart(table: Table, part: Feature["part"]): Table {
  return onlyFeatures(table, (feature) => feature.part !== part);
}

function onlyFeatures(table: Table, isKept: (feature: Feature) => boolean): Table {
  const kept = [...table.features.keys()].filter((index) => isKept(table.features[index]!));
  return kept.length === table.features.length ? table : selectFeatures(table, kept);
}

/** Some of the rows, in the order given, as a table of their own. O(rows × features). */
export function selectTableRows(table: Table, rows: Uint32Array): Table {
  const levels = table.levels.map((from) => {
    const to = from.BYTES_PER_ELEMENT === 1 ? new Uint8Array(rows.length) : new Uint16Array(rows.length);
    for (let i = 0; i < rows.length; i++) to[i] = from[rows[i]!]!;
    return to;
  });
  const classes = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) classes[i] = table.classes[rows[i]!]!;
  const texts = withTexts(table, (all) => all.map((text) => selectTextRows(text, rows)));
  return { ...table, rowCount: rows.length, levels, classes, ...texts };
}

/** A view of the table's first rows, on the same memory. */
export function firstRows(table: Table, rowCount: number): Table {
  return {
    ...table,
    rowCount,
    levels: table.levels.map((levels) => levels.subarray(0, rowCount)),
    classes: table.classes.subarray(0, rowCount),
    ...withTexts(table, (texts) => texts.map((text) => firstTextRows(text, rowCount))),
  };
}

function withTexts(
  { texts }: Table,
  change: (texts: readonly TextColumn[]) => readonly TextColumn[],
): Pick<Table, "texts"> {
  return texts === undefined ? {} : { texts: change(texts) };
}
