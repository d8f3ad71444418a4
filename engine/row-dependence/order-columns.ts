// The values of a column of the file from its features: numbers as they are,
// dates from their parts, categories by number.

import { isDatePart, periodValue } from "../columns/dates.ts";
import { mapped } from "../mapped.ts";
import { type DatePart, type Feature, FIRST_LEVEL, type NumberFeature, type Table } from "../table/table.ts";
import { isOfText } from "../table/text-shape.ts";
import { unixUnit } from "../unix-times.ts";

const PARTS: readonly DatePart[] = ["year", "month", "day", "hour"];
/** More than any part but the year has. */
const RADIX = 40;

/** Fewer distinct numbers are hardly a time that rules change with. */
const LEAST_TIMES = 5;
const LEAST_MONTHS = 9;
/** By chance, this many rows of a label are all of the newer half once in a million. */
const LEAST_LATE_ROWS = 20;
const isYear = (value: number) => Number.isInteger(value) && value >= 1900 && value < 2100;
const isMonthNumber = (value: number) => Number.isInteger(value) && value >= 1 && value <= 12;
const isMonth = (value: number) => isYear(Math.floor(value / 100)) && isMonthNumber(value % 100);
/** Times that are not read as dates, beside what may be seconds since 1970: 2024 and 202401. */
const TIMES: readonly ((value: number) => boolean)[] = [isYear, isMonth];

/** One value per row; NaN where the cell is missing. The column is no free text, which has no one value. */
export function columnValues(table: Table, column: number): Float64Array {
  const found = table.features.flatMap((feature, index) => (feature.column === column ? [{ feature, index }] : []));
  const first = found[0]!;
  if (first.feature.kind === "category")
    return mapped(Float64Array, table.levels[first.index]!, (level) => valueOrNaN(level, level));
  if (first.feature.part === null) return numberValues(table, first.index);
  const values = new Float64Array(table.rowCount);
  for (const part of PARTS) {
    const parts = partValues(table, column, part);
    for (let row = 0; row < values.length; row++) {
      const value = parts === null ? 0 : parts[row]!;
      values[row] = values[row]! * RADIX + (part === "hour" && Number.isNaN(value) ? 0 : value);
    }
  }
  return values;
}

/** A part of a date column, one value per row; null where it is no feature, since all rows have the same. */
export function partValues(table: Table, column: number, part: DatePart): Float64Array | null {
  const at = table.features.findIndex((feature) => feature.column === column && feature.part === part);
  return at < 0 ? null : numberValues(table, at);
}

function numberValues(table: Table, index: number): Float64Array {
  const { values } = table.features[index] as NumberFeature;
  return mapped(Float64Array, table.levels[index]!, (level) => valueOrNaN(level, values[level - FIRST_LEVEL]));
}

function valueOrNaN(level: number, value: number | undefined): number {
  return level < FIRST_LEVEL ? Number.NaN : value!;
}

/** Columns of the file that tell when: dates, then numbers or texts all of which are a time in one way of writing. */
export function timeColumns({ features }: Pick<Table, "features">): number[] {
  const dates = features.filter(({ part }) => isDatePart(part));
  const times = features.filter((feature) =>
    feature.kind === "category" ? arePeriods(feature.names) : isTimeNumber(feature),
  );
  return [...new Set([...dates, ...times].map(({ column }) => column))];
}

/** A time in two columns. */
export interface SplitTime {
  year: number;
  month: number;
  /** One value per row; NaN where either is missing. */
  values: Float64Array;
}

/**
 * Columns of numbers that hold years and months: the first with years alone, and the only one with nothing but 1 to 12,
 * nearly all of which there are (a weekday or a quarter has fewer values). Null where there are none.
 */
export function splitTime(table: Table): SplitTime | null {
  const numbers = [...table.features.entries()].flatMap(([at, feature]) =>
    feature.kind === "number" && feature.part === null ? [{ at, ...feature }] : [],
  );
  const year = numbers.find(({ values }) => values.length > 1 && values.every(isYear));
  const months = numbers.filter(({ values }) => values.length >= LEAST_MONTHS && values.every(isMonthNumber));
  if (year === undefined || months.length !== 1) return null;
  const [month] = months;
  const ofMonth = numberValues(table, month!.at);
  const values = numberValues(table, year.at).map((value, row) => 12 * value + ofMonth[row]!);
  return { year: year.column, month: month!.column, values };
}

/**
 * By the columns' medians: a row's own time is later than a date of birth or of the contract that it belongs to. Dates
 * of one year, whose year is no feature, come before all. Ways of writing do not compare; few tables have two.
 */
export function latestFirst(table: Table, columns: readonly number[]): number[] {
  const medianOf = (column: number) => {
    const parts = table.features.flatMap((feature) => (feature.column === column ? [feature.part] : []));
    if (parts[0] !== null && !parts.includes("year")) return Number.POSITIVE_INFINITY;
    const values = columnValues(table, column).filter((value) => !Number.isNaN(value));
    return values.sort()[values.length >> 1]!;
  };
  const medians = new Map(columns.map((column) => [column, medianOf(column)]));
  return columns.toSorted((a, b) => medians.get(b)! - medians.get(a)! || a - b);
}

function isTimeNumber(feature: Feature): boolean {
  if (feature.kind !== "number" || feature.part !== null || feature.values.length < LEAST_TIMES) return false;
  const { values } = feature;
  return unixUnit(values) !== null || TIMES.some((isTime) => values.every(isTime));
}

/** Whether all names are periods such as 2024Q1: their levels, in the order of names, are in the order of time. */
function arePeriods(names: readonly string[]): boolean {
  return names.length >= LEAST_TIMES && names.every((name) => !Number.isNaN(periodValue(name)));
}

/** Columns of the file by whose values rows can be put in order: all but free text. */
export function valuedColumns({ features }: Table): number[] {
  return [...new Set(features.flatMap((feature) => (isOfText(feature) ? [] : [feature.column])))];
}

/** Positions by ascending value; missing ones last, equal ones in the order of the file. */
export function orderBy(values: Float64Array): Uint32Array {
  const key = (row: number) => (Number.isNaN(values[row]!) ? Number.POSITIVE_INFINITY : values[row]!);
  return Uint32Array.from(values.keys()).sort((a, b) => key(a) - key(b) || a - b);
}

/**
 * The label that no row of the older half has, and most rows since its first one: it may mean that there is none yet.
 * Null where there is no such label.
 */
export function lateLabel({ classes, labels }: Pick<Table, "classes" | "labels">, values: Float64Array): string | null {
  const dated = orderBy(values).filter((row) => !Number.isNaN(values[row]!));
  for (const [code, label] of labels.entries()) {
    const first = dated.findIndex((row) => classes[row] === code);
    if (first < dated.length / 2) continue;
    const since = dated.subarray(first);
    const count = since.filter((row) => classes[row] === code).length;
    if (count >= LEAST_LATE_ROWS && count >= since.length / 2) return label;
  }
  return null;
}
