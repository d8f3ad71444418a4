// Decides the kind of a column from the evidence about all its cells: the first rule that fits wins.

import { isKnownAffix } from "../columns/affixes.ts";
import type { CellEvidence } from "../columns/cell-evidence.ts";
import type { ChosenKind } from "../columns/choices.ts";
import type { DateForm } from "../columns/dates.ts";
import { cellCount, listedTexts } from "../columns/missing-advice.ts";
import {
  BODY_FORMS,
  bodyBit,
  FITS_COMMA_GROUPS,
  FITS_DECIMAL_COMMA,
  FITS_PLAIN,
  FITS_POINT_GROUPS,
  type NumberForm,
  PLAIN_FORM,
} from "../columns/numbers.ts";
import type { ColumnReading } from "../columns/reading.ts";
import { quantityOf, unitsIn } from "../columns/units.ts";
import { quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";
import { shellWord } from "../shell-word.ts";
import type { Warning } from "../warning.ts";
import type { ColumnFacts } from "./column-facts.ts";
import { chooseDateForm, DATE_SHARE } from "./date-form.ts";
import type { ColumnKind } from "./profile.ts";

/** A column with fewer cells is never an identifier. */
const IDENTIFIER_CELLS = 50;
const IDENTIFIER_TEXT_SHARE = 0.95;
const IDENTIFIER_INTEGER_SHARE = 0.99;
/** Integers are a running number where their range is below this many times the rows. */
export const RUNNING_NUMBER_SPREAD = 1.5;
const MOSTLY_DISTINCT = 0.5;
const HEXADECIMAL_DIGITS = 8;
const STRAY_SHARE = 0.01;
const TEXT_CHARS = 40;
const TEXT_WORDS = 6;
const ADDRESS_SHARE = 0.95;
/** Cells without a digit, such as `-` and `Varies with device`, may stand among codes and amounts. */
const CODE_SHARE = 0.75;
/** Fewer rows may be too few to tell whether a column says anything; the parts of more take long to count. */
const LEAST_CODES = 100;
export const MOST_CODES = 100_000;
/** Shorter ones may be initials. */
const LEAST_SEQUENCE = 8;
/** A category of fewer codes has rows enough for each. */
const LEAST_CODE_VALUES = 20;
/** Whole numbers without a known unit that recur as often name something, as `12er` a bus line. */
const NAME_RECURRENCE = 10;
/** Fewer texts that end alike, but in no known unit, are codes or ranks: `2A` and `3A`. */
const LEAST_MEASURES = 20;
/** Codes that recur as often are learned from whole: words say nothing beyond them, and take longer. */
const CODE_RECURRENCE = 15;
/** Names, and answers that people typed, recur less often: new rows have others. */
const NAME_ROWS = 3;
/** A refinement keeps all columns of fewer rows, and pieces of names cost more than they tell. */
export const LEAST_NAMES = 320;
const SEVERAL_WORDS = 2;
const TITLE_WORDS = 3;
/** A category with this many values of several words offers its words too: most values of new rows are new. */
const MANY_VALUES = 100;

export interface KindDecision {
  kind: ColumnKind;
  reading: ColumnReading;
  /** Whether the terms of its texts are read: words, and of codes their parts. */
  hasTerms: boolean;
  warnings: Warning[];
}

const [, DECIMAL_COMMA, COMMA_GROUPS, POINT_GROUPS] = BODY_FORMS;
const CATEGORY: ColumnReading = { kind: "category" };

/**
 * Decides kind and reading. Warnings count the texts that do not fit the reading.
 *
 * @throws InputError KIND_UNREADABLE where the column cannot be of the kind that the user chose
 */
export function decideKind(facts: ColumnFacts): KindDecision {
  const { evidence, distinct } = facts;
  const warnings: Warning[] = [];
  const decide = (kind: ColumnKind, reading = CATEGORY, hasTerms = kind === "text"): KindDecision => {
    return { kind, reading, hasTerms, warnings };
  };
  if (distinct <= 1) return decide("constant");
  const chosen = facts.choice?.kind;
  if (chosen !== undefined) return decideChosen(facts, chosen, decide, warnings);
  const dateForm = chooseDateForm(facts, warnings);
  if (dateForm !== null) {
    warnStrayDates(facts, dateForm, warnings);
    return decide("date", { kind: "date", form: dateForm });
  }
  const mostlyDistinct = distinct > MOSTLY_DISTINCT * evidence.cells;
  const meanChars = evidence.charCount / evidence.cells;
  const meanWords = evidence.wordCount / evidence.cells;
  const isProse = meanWords >= TEXT_WORDS || (meanChars > TEXT_CHARS && meanWords >= SEVERAL_WORDS);
  if (isProse && mostlyDistinct) return decide("text");
  const numberForm = facts.isZeroOne ? null : chooseNumberForm(facts, warnings);
  const areCodes = areUnitless(evidence) && evidence.allIntegerBodies;
  if (isIdentifier(facts, numberForm !== null, evidence.allIntegers || areCodes)) {
    // Titles differ in every row too, but their words recur, as parts of addresses do.
    if (meanWords >= TITLE_WORDS || areAddresses(evidence)) return decide("text");
    return decide("identifier", CATEGORY, !(numberForm !== null && areRunning(facts)) && offersParts(facts));
  }
  if (numberForm !== null) {
    warnUnreadNumbers(facts, numberForm, warnings);
    return decide("number", { kind: "number", form: numberForm });
  }
  if (meanChars > TEXT_CHARS && mostlyDistinct) return decide("text");
  return decide("category", CATEGORY, offersWords(facts));
}

function areAddresses({ addresses, cells }: CellEvidence): boolean {
  return addresses > ADDRESS_SHARE * cells;
}

/**
 * Codes, amounts, names, addresses of mail and sequences: values that hardly recur, though their parts do. Without
 * digits they do so where many new rows have an unknown one.
 */
function offersParts({ evidence, distinct }: ColumnFacts): boolean {
  const { cells, withDigits, plain } = evidence;
  const areCodes = withDigits + plain > CODE_SHARE * cells || areSequences(evidence, distinct);
  const [least, recurrence] = areCodes ? [LEAST_CODES, CODE_RECURRENCE] : [LEAST_NAMES, NAME_ROWS];
  if (cells < least || cells > MOST_CODES || cells >= recurrence * distinct) return false;
  return !evidence.allUuids && !isHexadecimal(evidence);
}

/** Without digits, such as of DNA: what stands at a place may tell. */
function areSequences({ cells, length }: CellEvidence, distinct: number): boolean {
  return length >= LEAST_SEQUENCE && distinct > MOSTLY_DISTINCT * cells;
}

/**
 * A category of many codes, of several words between blanks or signs, such as addresses of pages and lists, or of which
 * many new rows will have a value that the model does not know, such as answers that people typed.
 */
function offersWords(facts: ColumnFacts): boolean {
  const { evidence, distinct } = facts;
  if (distinct >= LEAST_CODE_VALUES && offersParts(facts)) return true;
  const words = Math.max(evidence.wordCount, evidence.partCount);
  return (words >= SEVERAL_WORDS * evidence.cells || areAddresses(evidence)) && distinct >= MANY_VALUES;
}

/**
 * As `decideKind`, of the kind that the user chose: strays are taken as
 * missing where they would be without a choice too.
 */
function decideChosen(
  facts: ColumnFacts,
  chosen: ChosenKind,
  decide: (kind: ColumnKind, reading?: ColumnReading) => KindDecision,
  warnings: Warning[],
): KindDecision {
  if (chosen === "text") return decide("text");
  if (chosen === "category") return decide("category");
  if (chosen === "date") {
    const form = chooseDateForm(facts, warnings);
    if (form === null) throw unreadableDate(facts);
    warnStrayDates(facts, form, warnings);
    return decide("date", { kind: "date", form });
  }
  const form = chooseNumberForm(facts, warnings);
  if (form === null) throw unreadableNumber(facts);
  warnUnreadNumbers(facts, form, warnings);
  return decide("number", { kind: "number", form });
}

function unreadableDate(facts: ColumnFacts): InputError {
  const { name, evidence } = facts;
  const { dmy, mdy } = evidence.dates;
  const isDated = (count: number): boolean => count > DATE_SHARE * evidence.cells;
  if (isDated(dmy.fits) && isDated(mdy.fits)) {
    const message =
      `Column ${quotedName(name)} cannot be read as dates: ` +
      "the day or the month may come first, and no cell shows which. Write them as YYYY-MM-DD.";
    return new InputError("KIND_UNREADABLE", message, { column: name });
  }
  const best = Object.values(evidence.dates).reduce((most, tally) => (tally.fits > most.fits ? tally : most));
  return unreadable(facts, "dates", evidence.cells - best.fits, best.firstMisfit);
}

function unreadableNumber(facts: ColumnFacts): InputError {
  const { evidence } = facts;
  const count = evidence.cells - evidence.plain - evidence.infinite;
  if (count > 0) return unreadable(facts, "numbers", count, evidence.firstNotPlain);
  return unreadable(facts, "numbers", evidence.infinite, evidence.firstInfinite);
}

function unreadable({ name, recurring = [] }: ColumnFacts, what: string, count: number, line: number): InputError {
  const named = recurring.length === 0 ? "" : `, such as ${listedTexts(recurring)}`;
  const message =
    `Column ${quotedName(name)} cannot be read as ${what}: ` +
    `${cellCount(count)} hold${count === 1 ? "s" : ""} something else${named}, the first in line ${line}. ` +
    "Correct them, name the texts that mean no value in this column, or choose another kind.";
  return new InputError("KIND_UNREADABLE", message, { line, column: name });
}

function warnStrayDates(facts: ColumnFacts, form: DateForm, warnings: Warning[]): void {
  const tally = facts.evidence.dates[form.order];
  const count = facts.evidence.cells - tally.fits;
  if (count > 0) warnings.push(strayWarning(facts, "dates", count, tally.firstMisfit));
}

/**
 * Returns null where the cells are codes that the user does not want as numbers, or where
 * no form fits all of them and too few are plain numbers.
 */
function chooseNumberForm(facts: ColumnFacts, warnings: Warning[]): NumberForm | null {
  const { evidence } = facts;
  if (evidence.infinite + evidence.infiniteInForm === evidence.cells) return null;
  const areQuantities = facts.choice?.kind === "number";
  const areCodes = evidence.hasDigitCode || areGroupedCodes(evidence);
  if ((areCodes || (areUnitless(evidence) && areNames(facts))) && !areQuantities) return null;
  if (evidence.bodies !== 0 && (areQuantities || !evidence.hasDigitCodeBody || evidence.unitPairs.length > 0)) {
    const isPlain = (evidence.bodies & FITS_PLAIN) !== 0;
    const form = isPlain ? PLAIN_FORM : chooseSeparators(facts, warnings);
    if (form !== null) return { ...form, ...unitsOf(evidence) };
  }
  const strayCount = evidence.cells - evidence.plain - evidence.infinite;
  return evidence.plain > 0 && strayCount <= STRAY_SHARE * evidence.cells ? PLAIN_FORM : null;
}

/** Eight or nine digits each, with blanks between: numbers of telephones and companies. */
function areGroupedCodes({ allDressed, allIntegers, lowest, highest }: CellEvidence): boolean {
  return allDressed && allIntegers && lowest >= 1e7 && highest < 1e9;
}

function unitsOf({ affixes, unitPairs }: CellEvidence): Pick<NumberForm, "affix" | "units"> {
  const quantity = affixes.length > 1 ? quantityOf(affixes, unitPairs) : null;
  return quantity === null ? { affix: affixes[0] ?? "" } : unitsIn(quantity, affixes);
}

/**
 * Returns the form with a decimal comma or groups of thousands that every cell
 * fits and some cell shows; null where there is none.
 */
function chooseSeparators(facts: ColumnFacts, warnings: Warning[]): NumberForm | null {
  const shown = facts.evidence.bodies & facts.evidence.separators;
  const commaGroups = (shown & FITS_COMMA_GROUPS) !== 0;
  const pointGroups = (shown & FITS_POINT_GROUPS) !== 0;
  // Commas inside of quotes may well part choices, such as "1,3".
  const areDecimals = facts.delimiter !== "," || (!commaGroups && facts.choice?.kind === "number");
  if ((shown & FITS_DECIMAL_COMMA) !== 0 && areDecimals) {
    if (commaGroups) {
      const message =
        `The commas in column "${facts.name}" could be decimal commas or mark thousands; ` +
        "they are read as decimal commas.";
      warnings.push({ code: "AMBIGUOUS_NUMBER", message, column: facts.name });
    }
    return DECIMAL_COMMA;
  }
  if (commaGroups || pointGroups) return chooseGroups(facts, shown, warnings);
  if (!areDecimals && facts.distinct >= LEAST_MEASURES) {
    const message =
      `Column "${facts.name}" may hold numbers with decimal commas. They are not read as such where commas set cells ` +
      `apart too. If they are numbers, say so: --kind=${shellWord(`${facts.name}=number`)} or, in the API, kind in columnChoices.`;
    warnings.push({ code: "UNREAD_NUMBERS", message, column: facts.name });
  }
  return null;
}

function chooseGroups(facts: ColumnFacts, shown: number, warnings: Warning[]): NumberForm | null {
  const commaGroups = (shown & FITS_COMMA_GROUPS) !== 0;
  if (commaGroups && (shown & FITS_POINT_GROUPS) !== 0) {
    const message =
      `The points and commas in column "${facts.name}" could mark decimals or ` +
      "thousands, so its cells are not read as numbers.";
    warnings.push({ code: "AMBIGUOUS_NUMBER", message, column: facts.name });
    return null;
  }
  return commaGroups ? COMMA_GROUPS : POINT_GROUPS;
}

/** Whether something else than a known unit stands behind the numbers. */
function areUnitless({ affixes }: CellEvidence): boolean {
  return affixes.some((affix) => !isKnownAffix(affix));
}

function areNames({ evidence, distinct }: ColumnFacts): boolean {
  return distinct < LEAST_MEASURES || (evidence.allIntegerBodies && evidence.cells >= NAME_RECURRENCE * distinct);
}

function areRunning({ evidence, rowCount }: ColumnFacts): boolean {
  const { allIntegers, lowest, highest, lowestBody, highestBody } = evidence;
  const range = allIntegers ? highest - lowest : highestBody - lowestBody;
  return range + 1 < RUNNING_NUMBER_SPREAD * rowCount;
}

/** `areWhole`: the numbers are integers that may be codes. */
function isIdentifier(facts: ColumnFacts, isNumber: boolean, areWhole: boolean): boolean {
  // The upper bound, because an estimate of a value in every row may be too low.
  const { evidence, mostDistinct: distinct } = facts;
  const { cells } = evidence;
  if (cells < IDENTIFIER_CELLS) return false;
  if ((evidence.allUuids || isHexadecimal(evidence)) && distinct > MOSTLY_DISTINCT * cells) return true;
  if (!isNumber) return distinct > IDENTIFIER_TEXT_SHARE * cells;
  if (!areWhole || evidence.allYears || distinct <= IDENTIFIER_INTEGER_SHARE * cells) return false;
  return areUnitless(evidence) || areRunning(facts);
}

function isHexadecimal({ hexDigits, hasHexLetter }: CellEvidence): boolean {
  return hexDigits >= HEXADECIMAL_DIGITS && hexDigits % 2 === 0 && hasHexLetter;
}

function warnUnreadNumbers(facts: ColumnFacts, form: NumberForm, warnings: Warning[]): void {
  const { evidence, name } = facts;
  const isPlain = form.affix === "" && bodyBit(form) === FITS_PLAIN;
  const strayCount = isPlain ? evidence.cells - evidence.plain - evidence.infinite : 0;
  if (strayCount > 0) warnings.push(strayWarning(facts, "numbers", strayCount, evidence.firstNotPlain));
  const count = evidence.infinite + (isPlain ? 0 : evidence.infiniteInForm);
  if (count === 0) return;
  const line = isPlain ? evidence.firstInfinite : Math.min(evidence.firstInfinite, evidence.firstInfiniteInForm);
  const message =
    `Infinite or too large numbers in column "${name}" count as missing: ` +
    `${cellCount(count)}, the first in line ${line}.`;
  warnings.push({ code: "INFINITE_NUMBER", message, line, column: name, count });
}

function strayWarning({ name, recurring = [] }: ColumnFacts, what: string, count: number, line: number): Warning {
  const named = recurring.length === 0 ? "" : `, such as ${listedTexts(recurring)}`;
  const message =
    `Column "${name}" holds ${what} except in ${cellCount(count)}${named}, the first in line ${line}; ` +
    "such cells count as missing.";
  return { code: "STRAY_TEXT", message, line, column: name, count };
}
