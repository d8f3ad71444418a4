// The amounts of columns: numbers as they are, dates in seconds.

import { calendarSeconds, isDatePart } from "../columns/dates.ts";
import { CLOCK_PART, type DatePart, FIRST_LEVEL, type NumberFeature, type Table } from "../table/table.ts";

/** A column whose amounts can be taken off those of another one of its kind. */
export interface AmountColumn {
  column: number;
  kind: "number" | "date";
  name: string;
  /** The amount in a row of the table; NaN where it is missing. */
  at: (row: number) => number;
  /** The feature of a number; null of dates. */
  feature: number | null;
}

/** Numbers of fewer values are grades or counts rather than amounts. */
const LEAST_VALUES = 12;

/** The columns with amounts, in file order. `names`: of all columns of the file. */
export function amountColumns(table: Table, names: readonly string[]): AmountColumn[] {
  const byColumn = Map.groupBy(table.features.keys(), (index) => table.features[index]!.column);
  return [...byColumn].flatMap(([column, indexes]): AmountColumn[] => {
    const first = table.features[indexes[0]!]!;
    const name = names[column]!;
    if (first.kind !== "number") return [];
    if (first.part === null) {
      if (first.values.length < LEAST_VALUES) return [];
      return [{ column, name, kind: "number", at: valuesAt(table, indexes[0]!), feature: indexes[0]! }];
    }
    const isOfDate = isDatePart(first.part) || first.part === CLOCK_PART;
    return isOfDate ? [{ column, name, kind: "date", at: secondsAt(table, indexes), feature: null }] : [];
  });
}

/** The values of a feature by row; NaN where it is missing. */
function valuesAt(table: Table, index: number): (row: number) => number {
  const { values } = table.features[index] as NumberFeature;
  const levels = table.levels[index]!;
  return (row) => values[levels[row]! - FIRST_LEVEL] ?? Number.NaN;
}

/** The seconds of dates, from their parts. */
function secondsAt(table: Table, indexes: readonly number[]): (row: number) => number {
  const features = indexes.map((index) => table.features[index] as NumberFeature);
  const { common = {} } = features[0]!;
  const partAt = (part: DatePart | typeof CLOCK_PART): ((row: number) => number) => {
    const at = features.findIndex((feature) => feature.part === part);
    if (at >= 0) return valuesAt(table, indexes[at]!);
    const always = part === CLOCK_PART ? 0 : (common[part] ?? Number.NaN);
    return () => always;
  };
  const [year, month, day, hour] = [partAt("year"), partAt("month"), partAt("day"), partAt("hour")];
  const clock = partAt(CLOCK_PART);
  // A date without a time has neither an hour nor a clock: it begins its day.
  return (row) => calendarSeconds(year(row), month(row), day(row), hour(row) || 0) + (clock(row) || 0);
}
