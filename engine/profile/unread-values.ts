// Notices columns whose texts look like numbers or dates, but in a way of writing that is not read as such.

import { bareNumber } from "../columns/bare-number.ts";
import type { CellEvidence } from "../columns/cell-evidence.ts";
import { monthOf } from "../columns/date-text.ts";
import { DATE_FORMS, fittingDates, packDate } from "../columns/dates.ts";
import { listedTexts, missingAdvice, missingInAdvice } from "../columns/missing-advice.ts";
import { type OtherText, recurs } from "../columns/other-texts.ts";
import { hasLeadingZero, isIntegerText, parsePlainNumber } from "../columns/plain-number.ts";
import { quotedName } from "../csv/header.ts";
import { shellWord } from "../shell-word.ts";
import { isFactor, numbersInside } from "../text/numbers-inside.ts";
import type { Warning } from "../warning.ts";
import { areUnixTimes } from "./date-form.ts";
import type { KindDecision } from "./kind.ts";

/** Fewer distinct texts may well be categories, such as sizes. */
const LEAST_TEXTS = 20;
/** Months and days with their years are dates, however few. */
const LEAST_DATES = 5;
const YEAR = /(?<!\d)(?:1[89]|20)\d\d(?!\d)/;
const NEARLY_ALL = 0.95;
/** Codes such as "12A" and "7C" have more different ends than quantities have units. */
const MOST_UNITS = 3;
const MOST_CHARS = 40;

/** A currency sign or a short word, a number, and a unit. */
const QUANTITY = /^(\p{Sc}|\p{L}{1,4}\.?)?\s*([+-]?[\d.,]+)\s*([^\d\s.,'’+-]\S{0,9})?$/u;
const UNIT = /^[\p{L}\p{Sc}%‰°²³/·.]+$/u;
const COMMA_GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/;
const COMMA_ALONE = /^[^.,]*,[^.,]*$/;
const INDIAN_GROUPED = /^[+-]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/;
const PAIR = /^\(?[+-]?\d{1,3}\.\d+(?:[,;] ?| )[+-]?\d{1,3}\.\d+\)?$/;
const DEGREES = /^[+-]?\d{1,3}° ?\d{1,2}(?:\.\d+)?['′’] ?(?:\d{1,2}(?:\.\d+)?["″”] ?)?[NSEWO]?$/;
const WIDE = /[！-～]/gu;
/** U+FF01 stands for U+0021, and so on. */
const WIDE_SHIFT = 0xfee0;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
const ARABIC_SIGNS: Readonly<Record<string, string>> = { "٫": ".", "٬": "," };

/** Ways to write a number that need another text in its place; the words for a warning. */
const DRESSES: readonly { pattern: RegExp; plain: string; words: string }[] = [
  { pattern: /^="([^"]*)"$/, plain: "$1", words: 'the sign =""' },
  { pattern: /^'(?=[\d.,+-])/, plain: "", words: "a leading apostrophe" },
];

/** A month's name with its year, in ways that are not read: `Feb-23`, `2023 Feb`. */
const NAMED_MONTH = /^(?:(\p{L}{3,10})\.?[-/ ]'?\d\d|(?:1[89]|20)\d\d[-/ ]?(\p{L}{3,10}))$/u;

/** Times, durations, and dates in ways that are not read. */
const TIMES: readonly RegExp[] = [
  /^\d{1,3}:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,6})?)?(?: ?[ap]\.?m\.?)?$/i,
  /^\d{4} ?[年년] ?\d{1,2} ?[月월](?: ?\d{1,2} ?[日일].{0,12})?$/u,
  /^\d{4}-?W[0-5]\d(?:-?[1-7])?$/,
  /^\d{4}[-/.]\d{1,2}$/,
  /^-?P(?=[\dT])(?:\d+[YMWD])*(?:T(?:\d+(?:[.,]\d+)?[HMS])+)?$/,
  /^-?\d+ days?,? [+-]?\d{1,2}:\d\d:\d\d(?:\.\d+)?$/,
];

/**
 * Returns UNREAD_NUMBERS or UNREAD_DATES for a column that is read as something else, though nearly all of its distinct
 * texts are numbers or dates in a way that is not read, in several ways, or beside other texts; else null. `find` knows
 * the cells of a text.
 */
export function unreadValuesWarning(
  column: string,
  { kind, hasTerms }: Pick<KindDecision, "kind" | "hasTerms">,
  texts: readonly string[],
  find: (text: string) => OtherText | null,
): Warning | null {
  if (texts.length < LEAST_TEXTS && !areFewDates(texts)) return null;
  const columnName = quotedName(column);
  const whole = hasTerms
    ? "They are read as categories, words and numbers without units"
    : "Each is a category of its own";
  const nearlyUnique = hasTerms ? "Only parts of its values are read" : "It is not used";
  const use = kind === "identifier" ? nearlyUnique : whole;
  const areRead = hasTerms && haveReadNumbers(texts);
  const causes = texts.length < LEAST_TEXTS ? [] : causesIn(texts).filter((cause) => !(areRead && isFactorIn(cause)));
  // Numbers inside the texts are read, but not their units.
  if (causes.length > (areRead ? 1 : 0)) {
    const message =
      `Column ${columnName} seems to hold numbers that are not read as such because of ${causes.join(", ")}. ${use}. ` +
      "If they are quantities, write them alone and with a decimal point, such as 1234.5.";
    return { code: "UNREAD_NUMBERS", message, column };
  }
  const dates = texts.filter(isDate);
  if (!isNearlyAll(dates.length, texts)) return null;
  const isMixed = dates.length < texts.length;
  if (isMixed && DATE_FORMS.some((form) => dates.every((text) => packDate(text, form) >= 0))) {
    const others = texts.filter((text) => !isDate(text)).map(find);
    const recurring = others.filter((other) => other !== null).filter(recurs);
    const message = `Column ${columnName} holds dates, but other texts too${othersWords(recurring)}. ${use}. `;
    return { code: "UNREAD_DATES", message: message + othersAdvice(column, recurring), column };
  }
  const message =
    `Column ${columnName} seems to hold dates or times in a form that is not read. ${use}. ` +
    "Write dates as 2024-03-31 or 2024-03-31 17:05, and times all as 14:05 or all as 00:03:12.";
  return { code: "UNREAD_DATES", message, column };
}

/** UNREAD_DATES for a column of numbers that may be seconds since 1970, though its name does not say so; else null. */
export function unixTimesWarning(column: string, evidence: CellEvidence, distinct: number): Warning | null {
  if (!areUnixTimes({ evidence, distinct })) return null;
  const message =
    `Column ${quotedName(column)} may hold times in seconds since 1970. They are read as plain numbers, which say nothing ` +
    `of hours and days of the week. If they are times, say so: --kind=${shellWord(`${column}=date`)} or, in the API, kind ` +
    "in columnChoices.";
  return { code: "UNREAD_DATES", message, column };
}

function othersWords(recurring: readonly OtherText[]): string {
  return recurring.length === 0 ? "" : `: ${listedTexts(recurring)}`;
}

function othersAdvice(column: string, recurring: readonly OtherText[]): string {
  if (recurring.length === 0) return missingAdvice([]);
  return missingInAdvice(
    column,
    recurring.map(({ text }) => text),
  );
}

function isFactorIn(cause: string): boolean {
  return isFactor(cause.slice(1, -1));
}

/** Whether the numbers inside them are read as numbers. */
function haveReadNumbers(texts: readonly string[]): boolean {
  const read = texts.filter((text) => numbersInside(text, 1).length > 0 && !DEGREES.test(text));
  return isNearlyAll(read.length, texts);
}

/** Why the texts are not read as numbers, in words; empty where they are none, or nothing says why. */
function causesIn(texts: readonly string[]): string[] {
  const quantities = texts.map(quantityIn).filter((quantity) => quantity !== null);
  if (!isNearlyAll(quantities.length, texts)) return [];
  const units = [...new Set(quantities.map(({ unit }) => unit))].filter((unit) => unit !== "");
  const ways = [...new Set(quantities.flatMap((quantity) => quantity.ways))];
  if (units.length > MOST_UNITS || quantities.every(({ isName }) => isName)) return [];
  return [...units.map((unit) => quotedName(unit)), ...ways];
}

interface Quantity {
  /** Sign or word before the number, or the unit after it; "" for neither. */
  unit: string;
  /** A word and a whole number: "item 12", where "kr 12,50" is an amount. */
  isName: boolean;
  /** Other reasons why it is not read, in words. */
  ways: readonly string[];
}

/** Returns null where the text is no number, with or without a unit. */
function quantityIn(text: string): Quantity | null {
  if (text.length > MOST_CHARS) return null;
  const ways: string[] = [];
  if (PAIR.test(text)) return { unit: "", isName: false, ways: ["two numbers in a cell"] };
  if (DEGREES.test(text)) return { unit: "", isName: false, ways: ["degrees and minutes"] };
  let bare = withPlainDigits(text);
  if (bare !== text) ways.push("other digits than 0 to 9");
  for (const { pattern, plain, words } of DRESSES) {
    if (!pattern.test(bare)) continue;
    bare = bare.replace(pattern, plain);
    ways.push(words);
  }
  const match = QUANTITY.exec(bareNumber(bare));
  if (match === null) return null;
  const [, before = "", written = "", behind = ""] = match;
  if (behind !== "" && (before !== "" || !UNIT.test(behind))) return null;
  let digits = written;
  if (INDIAN_GROUPED.test(digits)) ways.push("commas after two digits");
  if (COMMA_GROUPED.test(digits) || INDIAN_GROUPED.test(digits)) digits = digits.replaceAll(",", "");
  if (COMMA_ALONE.test(digits)) ways.push("commas");
  // Leading zeros make a code.
  if (hasLeadingZero(digits) || Number.isNaN(parsePlainNumber(digits.replace(",", ".")))) return null;
  return { unit: before + behind, isName: /^\p{L}/u.test(before) && isIntegerText(written), ways };
}

/** Writes the digits and signs of other scripts, such as Arabic-Indic and full-width ones, as those of ASCII. */
function withPlainDigits(text: string): string {
  return text
    .replaceAll(WIDE, (sign) => String.fromCodePoint(sign.codePointAt(0)! - WIDE_SHIFT))
    .replaceAll(/[٫٬]/g, (sign) => ARABIC_SIGNS[sign]!)
    .replaceAll(OTHER_DIGIT, digitOf);
}

/** Ten digits in a row begin at a code point that ends in hexadecimal 0 or 6. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0)!;
  const sixteenth = code & ~0xf;
  const begins = /^\p{Nd}/u.test(String.fromCodePoint(sixteenth)) ? sixteenth : sixteenth + 6;
  return String(code - begins);
}

function isDate(text: string): boolean {
  if (text.length > MOST_CHARS) return false;
  const plain = withPlainDigits(text);
  return fittingDates(plain) > 0 || isNamedMonth(plain) || TIMES.some((pattern) => pattern.test(plain));
}

function isNamedMonth(text: string): boolean {
  const [, first, second] = NAMED_MONTH.exec(text) ?? [];
  return monthOf(first ?? second ?? " ") > 0;
}

function areFewDates(texts: readonly string[]): boolean {
  return texts.length >= LEAST_DATES && texts.every((text) => YEAR.test(text) && isDate(text));
}

function isNearlyAll(count: number, texts: readonly string[]): boolean {
  return count >= NEARLY_ALL * texts.length;
}
