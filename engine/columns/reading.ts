// How the cells of a column are read: missing markers, white space, and the reading that a model stores.
import { type DateForm, YEAR_FIRST } from "./dates.ts";
import { isSameForm, type NumberForm, PLAIN_FORM } from "./numbers.ts";
import { parsePlainNumber } from "./plain-number.ts";

/** How a cell's text becomes a value. Plain JSON: models store it, and scoring reads new cells by it. */
export type ColumnReading =
  | ({ kind: "number"; form: NumberForm } & OwnMissing)
  | ({ kind: "date"; form: DateForm } & OwnMissing)
  | ({ kind: "category" } & OwnMissing);

interface OwnMissing {
  /**
   * Texts that count as missing in this column: those that recur among its numbers or dates, see read-as-meant.ts, or
   * those that the user chose. Left out where there are none.
   */
  missingTexts?: readonly string[];
}

/** How numbers or dates are written where that is not the plain way. */
export type ShownForm = NumberForm | DateForm;

/** Nothing for plain numbers, for dates with the year first, and for other columns. */
export function shownForm(reading: ColumnReading): { form?: ShownForm } {
  if (reading.kind === "category") return {};
  const { form } = reading;
  const isPlain = "order" in form ? form.order === YEAR_FIRST.order : isSameForm(form, PLAIN_FORM);
  return isPlain ? {} : { form };
}

/**
 * Texts that mean "no value here" unless the user names others. Exact, case included; an empty cell is always missing.
 */
export const DEFAULT_MISSING_MARKERS: readonly string[] = [
  "NA",
  "N/A",
  "n/a",
  "null",
  "NULL",
  "NaN",
  "nan",
  "None",
  "?",
];

/** Returns the texts that count as missing, the empty one included. */
export function missingMarkerSet(markers: readonly string[]): ReadonlySet<string> {
  return new Set(["", ...markers.map((marker) => marker.trim())]);
}

/** Returns the texts that count as missing in a column that is read so. */
export function missingTextsOf(reading: ColumnReading, markers: ReadonlySet<string>): ReadonlySet<string> {
  const missing = reading.missingTexts ?? [];
  return missing.length === 0 ? markers : new Set([...markers, ...missing]);
}

/** True where some marker is a plain number, such as -999, so that a number may mean a missing cell. */
export function holdNumber(markers: ReadonlySet<string>): boolean {
  return [...markers].some((marker) => !Number.isNaN(parsePlainNumber(marker)));
}
