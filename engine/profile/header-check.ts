// Warns where the header looks like a row of data: its names are then values such as the columns hold. Names that stand
// in a row together, and there alone, are a header that the file repeats. Names of few columns are a title, and texts
// above columns of numbers are a header that stands further below, or units.

import { splitAffix } from "../columns/affixes.ts";
import { bareNumber } from "../columns/bare-number.ts";
import { isClockAffix } from "../columns/clock-times.ts";
import { fittingDates, periodValue } from "../columns/dates.ts";
import { FITS_ALL, fittingBodies } from "../columns/numbers.ts";
import type { OtherText } from "../columns/other-texts.ts";
import { DEFAULT_MISSING_MARKERS } from "../columns/reading.ts";
import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";
import type { ColumnKind } from "./profile.ts";

export const HEADER_REPEATED = "HEADER_REPEATED";
const MOST_NAMES = 0.5;
/** Names shown in the message. */
const NAMES_SHOWN = 3;
/** A first line with this many numbers in strict order is a header: only one random row of data in 20,000 has that. */
const ORDERED_NUMBERS = 8;

export interface NamedColumn {
  name: string;
  kind: ColumnKind;
  /** Distinct texts of its cells. */
  distinct: number;
  /** Whether `find` finds every text that the column holds. */
  listsAll: boolean;
  /** The line of the last text above its numbers; null where there is none, or where texts stand among them. */
  lineAbove: number | null;
  /** Returns the first line and the number of the column's cells with this text; null where none is found. */
  find(text: string): Pick<OtherText, "line" | "count"> | null;
}

/**
 * Returns a header further below, a title, a repeated header or a row of data as a warning; null where the names look
 * like names. `label`: the label's place among the columns.
 */
export function headerWarning(columns: readonly NamedColumn[], label: number): Warning | null {
  return repeatedWarning(columns) ?? belowWarning(columns) ?? titleWarning(columns) ?? dataWarning(columns, label);
}

/** Warns where most columns of numbers have texts in the first lines alone, the last of them in the same line. */
function belowWarning(columns: readonly NamedColumn[]): Warning | null {
  const lines = columns.flatMap(({ lineAbove }) => lineAbove ?? []);
  const line = lines.find((one, at) => lines.indexOf(one) < at);
  if (line === undefined) return null;
  const found = lines.filter((other) => other === line).length;
  const numberColumns = columns.filter(({ kind, lineAbove }) => lineAbove !== null || kind === "number");
  if (found <= numberColumns.length / 2) return null;
  const message =
    `Line ${line} has texts in ${found} columns of numbers, as a header or a row of units has. ` +
    "If the header stands there, remove the lines above it; if these are units, remove the line.";
  return { code: "HEADER_STANDS_BELOW", message, line };
}

function titleWarning(columns: readonly NamedColumn[]): Warning | null {
  const names = columns.map(({ name }) => asWritten(name));
  const count = names.filter((name) => name !== "").length;
  if (names[0] === "" || names.length < 3 || count >= MOST_NAMES * names.length) return null;
  const message =
    `The first line names ${count === 1 ? "one" : count} of ${columns.length} columns, as a title does. ` +
    "If the header stands further below, remove the lines above it.";
  return { code: "HEADER_LOOKS_LIKE_TITLE", message };
}

/** Warns if all names stand first in one and the same line, and equally often. */
function repeatedWarning(columns: readonly NamedColumn[]): Warning | null {
  const namedColumns = columns.filter(({ name }) => asWritten(name) !== "");
  const headerLines: { line: number; count: number; isExact: boolean }[] = [];
  for (const { name, listsAll, find } of namedColumns) {
    const text = repeatedText(name, find);
    const known = text === null ? null : find(text);
    if (known !== null) headerLines.push({ ...known, isExact: listsAll });
    else if (listsAll) return null;
  }
  const first = headerLines.find(({ isExact }) => isExact);
  if (first === undefined || headerLines.length < 2) return null;
  const { line, count } = first;
  const isSame = headerLines.every((cell) => cell.line === line && (cell.count === count || !cell.isExact));
  const areNames = namedColumns.filter(({ name }) => isValue(name)).length <= MOST_NAMES * namedColumns.length;
  if (!isSame || !areNames) return null;
  const [where, they] = count === 1 ? [`line ${line}`, "It is"] : [`${count} lines, the first ${line}`, "They are"];
  const message =
    `The header stands again in ${where}: the file seems to be joined from several. ${they} left out of training; a ` +
    "file to be scored keeps such rows, so remove them there.";
  return { code: HEADER_REPEATED, message, line, count };
}

/** How a header that stands again writes this column's name; null where no cell has that. */
export function repeatedText(name: string, find: NamedColumn["find"]): string | null {
  return [name, asWritten(name)].find((text) => find(text) !== null) ?? null;
}

function dataWarning(columns: readonly NamedColumn[], label: number): Warning | null {
  const names = columns.map(({ name }) => asWritten(name));
  if (isSeries(names.map(numberOf).filter((value) => !Number.isNaN(value)))) return null;
  const isData = names.map((name, at) => name !== "" && (isValue(name) || columns[at]!.find(name) !== null));
  const filled = names.filter((name) => name !== "").length;
  const found = isData.filter(Boolean).length;
  const numbers = columns.flatMap(({ kind }, at) => (kind === "number" ? [isValue(names[at]!)] : []));
  const isRow = found > MOST_NAMES * filled && found >= 2;
  const areNumbers = numbers.length >= 2 && numbers.every(Boolean);
  // A label of two classes may be called after one of them, as in spam and ham.
  const isLabelData = isValue(names[label]!) || (isData[label] && columns[label]!.distinct > 2);
  if (!isRow && !areNumbers && !isLabelData) return null;
  return warningAbout(columns, isData, label);
}

/** Tells whether these names alone look like a row of data: most are numbers or dates. */
export function looksLikeData(names: readonly string[]): boolean {
  const written = names.map(asWritten);
  const filled = written.filter((name) => name !== "");
  const values = filled.filter(isValue);
  const isLikely = values.length >= 2 && values.length > MOST_NAMES * filled.length;
  return isLikely && !isSeries(written.map(numberOf).filter((value) => !Number.isNaN(value)));
}

function warningAbout(columns: readonly NamedColumn[], isData: readonly boolean[], label: number): Warning {
  const shown = columns.filter((_, at) => isData[at] && at !== label).slice(0, NAMES_SHOWN);
  const called = [
    ...(shown.length > 0 ? [`columns are called ${shown.map(({ name }) => quotedName(name)).join(", ")}`] : []),
    `the label is called ${quotedName(columns[label]!.name)}`,
  ];
  const message =
    `The first line looks like data and was taken for the header, so that row is lost: ${called.join(", and ")}. ` +
    "If the file has no header, say so: --no-header, hasHeader false over the API.";
  return { code: "HEADER_LOOKS_LIKE_DATA", message };
}

/** Undoes the repair of a header's cell: a made-up name stands for an empty cell, a suffix for a repeated name. */
function asWritten(name: string): string {
  const cell = name.replace(/_\d+$/, "");
  return cell === "column" || DEFAULT_MISSING_MARKERS.includes(cell) ? "" : cell;
}

const FULL_DATE = /^\d+([-/.])\d+\1\d/;

/** Months and times of day may well name the columns of a wide table. */
function isValue(text: string): boolean {
  if (!Number.isNaN(periodValue(text))) return false;
  return !Number.isNaN(numberOf(text)) || (FULL_DATE.test(text) && fittingDates(text) > 0);
}

/** Returns a number that is good enough to tell an order; NaN where the text is no number in any form. */
function numberOf(text: string): number {
  const { affix, body } = splitAffix(bareNumber(text));
  if (isClockAffix(affix) || fittingBodies(body, FITS_ALL) === 0) return Number.NaN;
  const plain = Number(body.replaceAll(",", "."));
  return Number.isNaN(plain) ? 0 : plain;
}

/** Tells whether the names are a scale, such as years, pixels or wavelengths: in even steps, or many in order. */
function isSeries(values: readonly number[]): boolean {
  if (values.length < 2) return false;
  const steps = values.slice(1).map((value, at) => value - values[at]!);
  const first = steps[0]!;
  if (values.length === 2) return Math.abs(first) === 1;
  const isEven = first !== 0 && steps.every((step) => Math.abs(step - first) <= 1e-6 * Math.abs(first));
  const isOrdered = steps.every((step) => step * first > 0);
  return isEven || (isOrdered && values.length >= ORDERED_NUMBERS);
}
