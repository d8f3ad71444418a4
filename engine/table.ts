// The table that training reads: every cell as the number of its level, column by column, on memory that threads can share.

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

/** A number feature's levels are its ascending values: all distinct ones where they fit, else fine quantiles of them. */
export interface NumberFeature {
  kind: "number";
  name: string;
  /** Index of the source column in the file. */
  column: number;
  /** Set where the source column is a date. */
  part: DatePart | null;
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

export type Feature = NumberFeature | CategoryFeature;

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
}

/** How many levels a feature has, the two reserved ones included. */
export function levelCount(feature: Feature): number {
  return FIRST_LEVEL + (feature.kind === "number" ? feature.values.length : feature.names.length);
}

/** The same rows with some of the features, in the order given. */
export function selectFeatures(table: Table, features: readonly number[]): Table {
  return {
    ...table,
    features: features.map((index) => table.features[index]!),
    levels: features.map((index) => table.levels[index]!),
  };
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
  return { ...table, rowCount: rows.length, levels, classes };
}

/** A view of the table's first rows, on the same memory. */
export function firstRows(table: Table, rowCount: number): Table {
  return {
    ...table,
    rowCount,
    levels: table.levels.map((levels) => levels.subarray(0, rowCount)),
    classes: table.classes.subarray(0, rowCount),
  };
}
