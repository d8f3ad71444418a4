// The label column: finds it, counts its classes, and refuses tables that cannot be trained on.

import { missingLabelWords } from "../columns/missing-advice.ts";
import { meantName } from "../columns/near-miss.ts";
import { type OtherText, OtherTexts } from "../columns/other-texts.ts";
import { listNames, NAMES_LISTED, quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";
import type { ColumnScan } from "../reading/column-scan.ts";
import type { Warning } from "../warning.ts";
import { quantityWarning, rangesAdvice } from "./label-quantity.ts";
import { oddLabelWarnings } from "./odd-labels.ts";
import type { ClassCount, LabelProfile, TableProfile } from "./profile.ts";

const FEWEST_CLASSES = 2;
const MOST_CLASSES = 100;

/**
 * Returns the position of the label column: the one named, or the last where `label` is null.
 * @throws InputError LABEL_NOT_FOUND where no column has that name; it suggests the nearest one
 */
export function findLabel(names: readonly string[], label: string | null): number {
  if (label === null) return names.length - 1;
  const column = names.indexOf(label);
  if (column >= 0) return column;
  const hint = meantName(label, names, `The columns are ${listNames(names)}.`);
  throw new InputError("LABEL_NOT_FOUND", `The file has no column ${quotedName(label)} to use as the label. ${hint}`, {
    line: 1,
    column: label,
  });
}

/** Returns the classes with their counts, from the finished scan of the label column. */
export function labelClasses(scan: ColumnScan, markers: ReadonlySet<string>): ClassCount[] {
  const { dictionary } = scan;
  const classes: ClassCount[] = [];
  if (scan.sample !== null) return classes;
  for (let id = 0; id < dictionary.size; id++) {
    const label = dictionary.textOf(id);
    if (!markers.has(label)) classes.push({ label, count: dictionary.countOf(id) });
  }
  return classes.sort((a, b) => (a.label < b.label ? -1 : 1));
}

/** Returns the texts that count as a missing label, with their counts. */
export function missingLabelTexts({ dictionary }: ColumnScan, markers: ReadonlySet<string>): OtherText[] {
  const texts = new OtherTexts();
  for (let id = 0; id < dictionary.size; id++) {
    const text = dictionary.textOf(id);
    if (text !== "" && markers.has(text)) texts.add(text, dictionary.countOf(id), dictionary.firstLineOf(id));
  }
  return texts.list();
}

/** Returns the warnings about the label. `requireTrainable` refuses the gravest. */
export function labelWarnings(
  label: LabelProfile,
  rowCount: number,
  markers: ReadonlySet<string>,
  firstLineWithout: number,
): Warning[] {
  const warnings: Warning[] = [];
  const column = label.name;
  if (rowCount === 0) warnings.push({ code: "NO_ROWS", message: noRowsMessage() });
  else if (label.classCount < FEWEST_CLASSES)
    warnings.push({ code: "ONE_CLASS", message: fewMessage(label, markers), column });
  if (label.classCount > MOST_CLASSES) {
    const count = label.classCount;
    warnings.push({ code: "TOO_MANY_CLASSES", message: manyMessage(label), column, count });
  } else {
    const quantity = label.numberForm === null ? null : quantityWarning(column, label.classes, label.numberForm);
    if (quantity !== null) warnings.push(quantity);
    warnings.push(...oddLabelWarnings(column, label.classes, quantity !== null));
  }
  if (label.rowsWithoutLabel > 0) {
    const count = label.rowsWithoutLabel;
    const [rows, are] = count === 1 ? ["1 row has", "it is"] : [`${count} rows have`, "they are"];
    const words = missingLabelWords(label.missingTexts, markers);
    const message =
      `${rows} no label in column "${column}", the first in line ${firstLineWithout}; ` +
      `${are} left out of training.${words === "" ? "" : ` ${words}`}`;
    warnings.push({ code: "ROWS_WITHOUT_LABEL", message, line: firstLineWithout, column, count });
  }
  return warnings;
}

/** @throws InputError where the table cannot be trained on: NO_ROWS, ONE_CLASS, TOO_MANY_CLASSES or NO_FEATURES. */
export function requireTrainable(profile: TableProfile): void {
  const { label } = profile;
  const where = { column: label.name };
  if (profile.rowCount === 0) throw new InputError("NO_ROWS", noRowsMessage());
  if (profile.columns.length === 1) requireFeatures([], label.name);
  if (label.classCount < FEWEST_CLASSES)
    throw new InputError("ONE_CLASS", fewMessage(label, profile.missingMarkers), where);
  if (label.classCount > MOST_CLASSES) throw new InputError("TOO_MANY_CLASSES", manyMessage(label), where);
  requireFeatures(
    profile.columns.filter(({ index }) => index !== label.column).map((column) => [column.name, column.unusedReason]),
    label.name,
  );
}

/** `columns`: the name of each but the label, and why it is no feature. @throws InputError NO_FEATURES where none is */
export function requireFeatures(columns: readonly [name: string, unusedReason: string | null][], label: string): void {
  if (columns.some(([, reason]) => reason === null)) return;
  const reasons = columns.slice(0, NAMES_LISTED).map(([name, reason]) => `"${name}" (${reason})`);
  const why = reasons.length === 0 ? loneColumnWords(label) : `Not usable: ${reasons.join(", ")}.`;
  throw new InputError("NO_FEATURES", noFeaturesMessage(label, why));
}

/** Warns of a file that has the label alone. */
export function loneColumnWarning(label: string): Warning {
  return { code: "NO_FEATURES", message: noFeaturesMessage(label, loneColumnWords(label)), column: label };
}

function noFeaturesMessage(label: string, why: string): string {
  return `No column is left to learn from. ${why} Add columns that say something about "${label}".`;
}

/** A name shows what may have kept columns together. */
function loneColumnWords(name: string): string {
  const only = "The label is the only column.";
  if (/[,;\t|]/.test(name)) return `${only} If whole lines are in quotes, remove these quotes.`;
  if (/ {2}/.test(name.trim())) return `${only} If blanks set columns apart, use commas or tabs instead.`;
  const [sign] = /[\^~:&!#]/.exec(name) ?? [];
  if (sign === undefined) return only;
  return `${only} If the sign ${sign} sets columns apart, put the line sep=${sign} above the header.`;
}

function noRowsMessage(): string {
  return "The file holds a header and no rows. Add labelled rows.";
}

function fewMessage(label: LabelProfile, markers: ReadonlySet<string>): string {
  const words = missingLabelWords(label.missingTexts, markers);
  if (label.classCount === 0) {
    const advice = words === "" ? "Fill it in, or name another column as the label." : words;
    return `No row has a label in column "${label.name}". ${advice}`;
  }
  const without = label.rowsWithoutLabel;
  const dropped = without === 0 ? "" : ` and ${without === 1 ? "1 row has" : `${without} rows have`} none`;
  return (
    `Every label in column "${label.name}" is the same${dropped}.${words === "" ? "" : ` ${words}`} ` +
    `Training needs at least ${FEWEST_CLASSES} classes; ` +
    "name another column as the label, or add rows of another class."
  );
}

function manyMessage(label: LabelProfile): string {
  const found =
    `Column "${label.name}" holds ${label.classCount} different labels; ` +
    `at most ${MOST_CLASSES} classes can be learned.`;
  if (label.numberForm === null) return `${found} Merge rare labels, or name another column as the label.`;
  const advice = rangesAdvice(label.classes, label.numberForm);
  return `${found} It looks continuous, a quantity and not a class. ${advice} Or name another column as the label.`;
}
