// From typed columns of a table to the codes of a model's features, by the rules that the engine reads cells by.

import { type DateForm, isDatePart } from "../../columns/dates.ts";
import { numbersWrittenBy } from "../../columns/number-text.ts";
import { categoryAlias } from "../../columns/numbers.ts";
import { type ColumnReading, missingMarkerSet, missingTextsOf } from "../../columns/reading.ts";
import {
  type DifferenceFeature,
  isDifference,
  type ModelColumn,
  type ModelFeature,
  type ModelFile,
} from "../../model/model-file.ts";
import { truthName } from "../../scoring/typed-cell.ts";
import { FIRST_CODE, MISSING_CODE } from "../../table/buckets.ts";
import { type DatePart, sourcesOf } from "../../table/table.ts";
import type { Breaks } from "./code-breaks.ts";
import type { SqlDialect } from "./dialect.ts";
import type { Column, Stages } from "./stages.ts";
import { balanced } from "./steps.ts";

/** The table's alias where its columns are read. */
export const SOURCE = "cupel_source";
/** Where the parts of such a text stand, from 1, and how long they are. Before a second stands a colon. */
const DATE_PLACES = {
  year: [1, 4],
  month: [6, 2],
  day: [9, 2],
  hour: [12, 2],
  minute: [15, 2],
  second: [18, 2],
} as const;
/** The column of a feature's value where it is no cell. */
const differenceName = (feature: number) => `d${feature}`;
/** The column of a feature's code. */
export const codeName = (feature: number) => `c${feature}`;

/** The column of a cell's value, and of the text that a date is read from. */
const cellName = (column: number) => `x${column}`;
const textName = (column: number) => `t${column}`;

/** The features' codes, and the stages of what they are made of. */
interface CodeStages {
  values: Stages;
  codes: readonly Column[];
}

/** `breaks`: of each feature; null leaves it out. */
export function codeStages(file: ModelFile, breaks: readonly Breaks[], dialect: SqlDialect): CodeStages {
  const read = file.features.flatMap((feature, index) => {
    const breaksOfFeature = breaks[index]!;
    return breaksOfFeature === null ? [] : [{ feature, index, breaksOfFeature }];
  });
  const isRead = new Set(read.flatMap(({ feature }) => sourcesOf(feature)));
  const readColumns = file.columns.flatMap((column, at) => (isRead.has(at) ? [{ ...column, at }] : []));
  const cells = readColumns.map((column): Column => {
    const name = column.reading.kind === "date" ? textName(column.at) : cellName(column.at);
    return [name, cellOf(column, dialect)];
  });
  const dates = readColumns.flatMap(({ reading, at }): Column[] =>
    reading.kind === "date" ? [[cellName(at), dateOf(reading.form, textName(at), dialect)]] : [],
  );
  // A stage of their own: a code names its value many times.
  const differences = read.flatMap(({ feature, index }): Column[] =>
    isDifference(feature) ? [[differenceName(index), differenceOf(feature, file, dialect)]] : [],
  );
  const codes = read.map(({ feature, index, breaksOfFeature }): Column => {
    const value = isDifference(feature) ? differenceName(index) : cellName(feature.column);
    return [codeName(index), codeOf(feature, value, file, breaksOfFeature, dialect)];
  });
  return { values: [cells, dates, differences], codes };
}

/** A cell's value; of a date its text, which a stage of its own reads. */
function cellOf({ name, reading }: ModelColumn, dialect: SqlDialect): string {
  const cell = `${SOURCE}.${dialect.identifier(name)}`;
  if (reading.kind === "number") return dialect.asDouble(cell);
  return dialect.trimmed(reading.kind === "date" ? dialect.isoText(cell) : dialect.asText(cell));
}

/** The ISO form of a date. `text`: the column of its text. */
function dateOf({ order }: DateForm, text: string, dialect: SqlDialect): string {
  const { checks } = dialect;
  const branches = [
    `WHEN ${checks.isIsoDate(text)} THEN ${text}`,
    `WHEN ${checks.isMonth(text)} THEN ${dialect.concat(text, "'-01'")}`,
  ];
  if (order === "ymd") {
    const [year, month, day] = ["1, 4", "5, 2", "7, 2"].map((place) => `SUBSTR(${text}, ${place})`);
    const dashed = dialect.concat(year!, "'-'", month!, "'-'", day!);
    branches.push(`WHEN ${checks.isEightDigits(text)} AND ${checks.isIsoDate(`(${dashed})`)} THEN ${dashed}`);
  }
  if (order === "unix") branches.push(...unixDates(text, dialect));
  return `CASE ${branches.join(" ")} END`;
}

/** The branches for numbers: a table may hold the times as the training file does. */
function unixDates(text: string, dialect: SqlDialect): string[] {
  return (["seconds", "milliseconds"] as const).map((unit) => {
    const units = unit === "seconds" ? 1 : 1000;
    const number = dialect.numberOf(text);
    const seconds = units === 1 ? number : `${number} / ${dialect.double(units)}`;
    const isInRange = `${number} <= ${dialect.double(units * 2 ** 31)}`;
    return `WHEN ${dialect.checks.isUnix(text, unit)} AND ${isInRange} THEN ${dialect.unixText(seconds)}`;
  });
}

/** `value`: the column of the cell, or of the difference. */
function codeOf(
  feature: ModelFeature,
  value: string,
  file: ModelFile,
  breaks: ReadonlySet<number>,
  dialect: SqlDialect,
): string {
  const { reading } = file.columns[feature.column]!;
  if (feature.kind === "category") return categoryCode(feature, value, missingTexts(reading, file), dialect);
  if (feature.kind === "score") throw new Error("a model of texts");
  const { part, cutPoints } = feature;
  if (isDifference(feature)) return numberCode(value, [], cutPoints, breaks, dialect);
  if (reading.kind === "date" && isDatePart(part)) {
    return numberCode(datePart(value, part, dialect), [], cutPoints, breaks, dialect);
  }
  return numberCode(value, markersOf(reading, file), cutPoints, breaks, dialect);
}

/**
 * NULL, NaN or infinite where one of the two is missing. Numbers above 8e307 may have no difference: PostgreSQL and
 * BigQuery stop there.
 */
function differenceOf({ column, minus }: DifferenceFeature, file: ModelFile, dialect: SqlDialect): string {
  const sides = [column, minus].map((at) => ({ cell: cellName(at), reading: file.columns[at]!.reading }));
  const areThere = sides.flatMap(({ cell, reading }) =>
    reading.kind === "date" ? [] : markersOf(reading, file).map((marker) => `${cell} <> ${dialect.double(marker)}`),
  );
  const amounts = sides.map(({ cell, reading }) => (reading.kind === "date" ? `(${secondsOf(cell, dialect)})` : cell));
  const difference = amounts.join(" - ");
  return areThere.length === 0 ? difference : `CASE WHEN ${areThere.join(" AND ")} THEN ${difference} END`;
}

function missingTexts(reading: ColumnReading, { missingMarkers }: ModelFile): ReadonlySet<string> {
  return missingTextsOf(reading, missingMarkerSet(missingMarkers));
}

/** A typed number is missing where the training file would write it as a marker. */
function markersOf(reading: ColumnReading, file: ModelFile): number[] {
  if (reading.kind !== "number") throw new Error("a model of texts");
  return numbersWrittenBy(missingTexts(reading, file), reading.form);
}

/** NULL, NaN, infinite numbers and markers are missing. Codes that the model does not tell apart share one. */
function numberCode(
  value: string,
  markers: readonly number[],
  cutPoints: Float64Array,
  breaks: ReadonlySet<number>,
  dialect: SqlDialect,
): string {
  // Between codes c and c + 1 lies the cut point c - 2.
  const starts = [FIRST_CODE];
  for (let code = FIRST_CODE; code < FIRST_CODE + cutPoints.length; code++) if (breaks.has(code)) starts.push(code + 1);
  const steps = balanced(
    starts,
    (start) => `${value} <= ${dialect.double(cutPoints[start - 1 - FIRST_CODE]!)}`,
    (start) => String(start),
  );
  const least = dialect.double(-Number.MAX_VALUE);
  const isThere = [
    `${value} BETWEEN ${least} AND ${dialect.double(Number.MAX_VALUE)}`,
    ...markers.map((marker) => `${value} <> ${dialect.double(marker)}`),
  ].join(" AND ");
  return `CASE WHEN ${isThere} THEN ${steps} ELSE ${MISSING_CODE} END`;
}

/** `cell`: the text of a date, or NULL. */
function datePart(cell: string, part: DatePart, dialect: SqlDialect): string {
  if (part === "weekday") return `(${dialect.weekday(dialect.asTimestamp(`SUBSTR(${cell}, 1, 10)`))})`;
  const [start, length] = DATE_PLACES[part];
  const found = dialect.numberOf(`SUBSTR(${cell}, ${start}, ${length})`);
  // A date without a time has no hour.
  return part === "hour" ? `CASE WHEN LENGTH(${cell}) > 10 THEN ${found} END` : found;
}

/** The seconds of a date, of which only differences have a meaning. `cell`: the text of a date, or NULL. */
function secondsOf(cell: string, dialect: SqlDialect): string {
  const part = (name: "hour" | "minute" | "second") =>
    dialect.numberOf(`SUBSTR(${cell}, ${DATE_PLACES[name].join(", ")})`);
  const none = dialect.double(0);
  const second = `CASE WHEN SUBSTR(${cell}, ${DATE_PLACES.second[0] - 1}, 1) = ':' THEN ${part("second")} ELSE ${none} END`;
  const clock = `${dialect.double(3600)} * ${part("hour")} + ${dialect.double(60)} * ${part("minute")} + ${second}`;
  const day = dialect.secondsOfDay(dialect.asTimestamp(`SUBSTR(${cell}, 1, 10)`));
  return `${day} + CASE WHEN LENGTH(${cell}) > 10 THEN ${clock} ELSE ${none} END`;
}

type CategoryFeature = Extract<ModelFeature, { kind: "category" }>;

function categoryCode(
  { names, codes, codeOfOthers }: CategoryFeature,
  cell: string,
  missing: ReadonlySet<string>,
  dialect: SqlDialect,
): string {
  const codeOfName = new Map(names.map((name, index) => [name, codes[index]!]));
  // A cast of truth values writes them in small letters, whatever the training file did.
  const truths = ["true", "false"].flatMap((plain) => {
    const code = codeOfName.has(plain) ? undefined : codeOfName.get(truthName(plain, names));
    return code === undefined ? [] : [[plain, code] as const];
  });
  const known = [...codeOfName, ...truths].map(
    ([name, code]): Choice => [dialect.text(name), code >= FIRST_CODE ? code : codeOfOthers],
  );
  const noValue = [...missing].map((text): Choice => [dialect.text(text), MISSING_CODE]);
  // Names that all are numbers stand for any way of writing them.
  const isAliased = names.length > 0 && categoryAlias(names)(`${names[0]!}.0`) !== null;
  const others = String(codeOfOthers);
  const byValue = choice(
    dialect.numberOf(cell),
    [...codeOfName].map(([name, code]) => [dialect.double(Number(name)), code]),
    others,
  );
  const otherwise = isAliased
    ? `CASE WHEN ${dialect.checks.isExactNumber(cell)} THEN ${byValue} ELSE ${others} END`
    : others;
  const isMissing = `CASE WHEN ${cell} IS NULL THEN ${MISSING_CODE}`;
  // The first that fits decides: a missing marker is no category.
  return `${isMissing} ELSE ${choice(cell, [...noValue, ...known], otherwise)} END`;
}

/** A literal, null where the dialect has none, and the code of what equals it. */
type Choice = readonly [literal: string | null, code: number];

/** Never a list with IN: DuckDB makes a join of each. */
function choice(value: string, choices: readonly Choice[], otherwise: string): string {
  const branches = choices.filter(([literal]) => literal !== null);
  if (branches.length === 0) return otherwise;
  return `CASE ${value} ${branches.map(([literal, code]) => `WHEN ${literal} THEN ${code}`).join(" ")} ELSE ${otherwise} END`;
}
