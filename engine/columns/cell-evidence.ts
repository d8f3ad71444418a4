// The evidence about a column's cells: counts and flags from which its kind is decided.

import { FIRST_UNSPACED, UNSPACED_LETTER } from "../unspaced.ts";
import { splitNumber } from "./affixes.ts";
import { bareNumber } from "./bare-number.ts";
import { splitDate } from "./date-text.ts";
import {
  createDateValues,
  type DateOrder,
  type DateValues,
  noteDateValues,
  packDate,
  packWritten,
  UNIX,
} from "./dates.ts";
import {
  decimalNumber,
  FITS_ALL,
  FITS_DECIMAL_COMMA,
  FITS_PLAIN,
  fittingParts,
  isDigitCode,
  isInfinityText,
  separatorsSeen,
} from "./numbers.ts";
import { isIntegerText, parsePlainNumber } from "./plain-number.ts";
import type { NumberParts } from "./quantity-text.ts";
import { pairsOf, quantityOf, type UnitPair } from "./units.ts";

const NO_LINE = Number.POSITIVE_INFINITY;
export const FIRST_YEAR = 1800;
export const LAST_YEAR = 2100;
const MAY_OVERFLOW = /[eE]\+?\d{3}|^.{300}/;
/** 1 for letters and digits of ASCII, 2 for signs that stand inside numbers, times, names and codes, else 0. */
const SIGN_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return /[0-9a-z]/i.test(sign) ? 1 : ".,:'+-_".includes(sign) ? 2 : 0;
});
const ADDRESS = /^(?:\d{1,5}(?:\.\d{1,5}){2,}|[a-z][a-z+.-]{1,20}:\/\/\S+|\/[^\s/]+\/\S*|[a-z]:\\.+)$/i;
const HAS_DIGIT = /[0-9]/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UNSPACED = new RegExp(UNSPACED_LETTER, "gv");
const HEXADECIMAL = /^(0x)?([0-9a-f]+)$/i;

/** The cells that fit one order of year, month and day. */
interface DateTally {
  fits: number;
  /** Line of the first cell that does not fit. */
  firstMisfit: number;
  /** Null until the first fit. */
  values: DateValues | null;
}

/** Counts over the non-missing cells so far. A line is Infinity where no cell was of its kind. */
export interface CellEvidence {
  cells: number;
  charCount: number;
  /** Words between blanks. */
  wordCount: number;
  /** Words between blanks or signs: `/shop/cart?id=7` has four. */
  partCount: number;
  /** Cells that are an address of a machine, a page or a file, or a version: their parts recur. */
  addresses: number;
  /** Cells that hold a digit and are no plain number. */
  withDigits: number;
  /** Cells that are finite numbers in the plain form, see `bareNumber`. */
  plain: number;
  firstNotPlain: number;
  /** Infinity texts and numbers too large for a double. */
  infinite: number;
  firstInfinite: number;
  /** Too large numbers in another form than the plain one. */
  infiniteInForm: number;
  firstInfiniteInForm: number;
  /** The affixes of the cells; once two of them are not units of one quantity, `bodies` is 0. */
  affixes: readonly string[];
  /** Units that stand one behind the other in some cell. */
  unitPairs: readonly UnitPair[];
  /** The ways of writing digits that every cell so far fits: bits of numbers.ts. */
  bodies: number;
  /** Separators that some cell shows, see `separatorsSeen`. */
  separators: number;
  /** Some cell's digits are a code: leading zeros, hexadecimal, or an integer beyond 2^53. */
  hasDigitCode: boolean;
  /** The same for the digits beside the affix; of use only where all cells carry it. */
  hasDigitCodeBody: boolean;
  /** No cell is a number without something around its digits, see `bareNumber`. */
  allDressed: boolean;
  allIntegers: boolean;
  /** The digits beside an affix are integers, and the least and largest of them; see `hasDigitCodeBody`. */
  allIntegerBodies: boolean;
  lowestBody: number;
  highestBody: number;
  lowest: number;
  highest: number;
  allYears: boolean;
  allUuids: boolean;
  /** Characters of every cell; 0 before the first cell, -1 once cells differ or one is a number. */
  length: number;
  /** Digits of every cell, all hexadecimal; 0 before the first cell, -1 once cells differ or one is not hexadecimal. */
  hexDigits: number;
  hasHexLetter: boolean;
  dates: Record<DateOrder, DateTally>;
  /** Cells that are a date only with the day first, only with the month first, or with either. */
  onlyDayFirst: number;
  onlyMonthFirst: number;
  yearLast: number;
  /** Cells among these with a year of two digits. */
  shortYears: number;
}

export function createCellEvidence(): CellEvidence {
  const tally = (): DateTally => ({ fits: 0, firstMisfit: NO_LINE, values: null });
  return {
    cells: 0,
    charCount: 0,
    wordCount: 0,
    partCount: 0,
    addresses: 0,
    withDigits: 0,
    plain: 0,
    firstNotPlain: NO_LINE,
    infinite: 0,
    firstInfinite: NO_LINE,
    infiniteInForm: 0,
    firstInfiniteInForm: NO_LINE,
    affixes: [],
    unitPairs: [],
    bodies: FITS_ALL,
    separators: 0,
    hasDigitCode: false,
    hasDigitCodeBody: false,
    allDressed: true,
    allIntegers: true,
    allIntegerBodies: true,
    lowestBody: Number.POSITIVE_INFINITY,
    highestBody: Number.NEGATIVE_INFINITY,
    lowest: Number.POSITIVE_INFINITY,
    highest: Number.NEGATIVE_INFINITY,
    allYears: true,
    allUuids: true,
    length: 0,
    hexDigits: 0,
    hasHexLetter: false,
    dates: { ymd: tally(), dmy: tally(), mdy: tally(), unix: tally() },
    onlyDayFirst: 0,
    onlyMonthFirst: 0,
    yearLast: 0,
    shortYears: 0,
  };
}

/** Takes in `count` cells with this trimmed text, the first of them in `line`. The order of calls does not matter. */
export function noteText(evidence: CellEvidence, text: string, count: number, line: number): void {
  evidence.cells += count;
  evidence.charCount += count * text.length;
  evidence.wordCount += count * countWords(text);
  evidence.partCount += count * countParts(text);
  if (ADDRESS.test(text)) evidence.addresses += count;
  const bare = bareNumber(text);
  const value = parsePlainNumber(bare);
  evidence.allDressed &&= bare !== text;
  if (Number.isNaN(value) ? isInfinityText(text) : !Number.isFinite(value)) {
    evidence.infinite += count;
    evidence.firstInfinite = Math.min(evidence.firstInfinite, line);
    evidence.allIntegers = false;
  } else {
    noteNumber(evidence, bare, value, count, line);
  }
  const length = Number.isNaN(value) ? text.length : -1;
  if (evidence.length !== length) evidence.length = evidence.length === 0 ? length : -1;
  if (evidence.allUuids) evidence.allUuids = UUID.test(text);
  if (evidence.hexDigits >= 0) noteHexadecimal(evidence, text);
  noteDate(evidence, text, value, count, line);
}

/** Words between blanks; where there are none between words, two letters are about a word. */
function countWords(text: string): number {
  let count = 0;
  let inWord = false;
  let mayBeUnspaced = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isSpace = unit <= 32;
    if (!isSpace && !inWord) count++;
    inWord = !isSpace;
    if (unit >= FIRST_UNSPACED) mayBeUnspaced = true;
  }
  return mayBeUnspaced ? Math.max(count, Math.ceil((text.match(UNSPACED)?.length ?? 0) / 2)) : count;
}

/** Counts runs of letters and digits, which signs inside numbers and names do not end. */
function countParts(text: string): number {
  let count = 0;
  let inPart = false;
  for (let at = 0; at < text.length; at++) {
    const isListed = text[at] === "," && !HAS_DIGIT.test(text[at + 1] ?? "");
    const kind = isListed ? 0 : (SIGN_KINDS[text.charCodeAt(at)] ?? 1);
    if (kind === 1 && !inPart) count++;
    if (kind !== 2) inPart = kind === 1;
  }
  return count;
}

/** `value`: of the text as a plain number, NaN where it is none. */
function noteNumber(evidence: CellEvidence, text: string, value: number, count: number, line: number): void {
  const isPlain = !Number.isNaN(value);
  const isInteger = isPlain && isIntegerText(text);
  if (isPlain) {
    evidence.plain += count;
    evidence.lowest = Math.min(evidence.lowest, value);
    evidence.highest = Math.max(evidence.highest, value);
  } else {
    evidence.firstNotPlain = Math.min(evidence.firstNotPlain, line);
    if (HAS_DIGIT.test(text)) evidence.withDigits += count;
  }
  evidence.allIntegers &&= isInteger;
  evidence.allYears &&= isInteger && text.length === 4 && value >= FIRST_YEAR && value <= LAST_YEAR;
  if (!evidence.hasDigitCode) evidence.hasDigitCode = isDigitCode(text);
  if (isInteger && evidence.affixes[0] === "") {
    // An integer fits every form, but with four digits and more not those that group thousands.
    if (text.length > 4 || Math.abs(value) >= 1000) evidence.bodies &= FITS_PLAIN | FITS_DECIMAL_COMMA;
    return;
  }
  // Where only the plain form is left, a plain cell changes nothing.
  if (evidence.bodies === 0 || (isPlain && evidence.bodies === FITS_PLAIN && evidence.affixes[0] === "")) return;
  noteForm(evidence, text, count, line);
}

function noteForm(evidence: CellEvidence, text: string, count: number, line: number): void {
  const parts = splitNumber(text);
  if (!noteAffixes(evidence, parts)) {
    evidence.bodies = 0;
    return;
  }
  // Hours and minutes may have two digits each.
  if (parts.length === 1 && isDigitCode(parts[0]!.body)) evidence.hasDigitCodeBody = true;
  if (parts[0]!.affix !== "") noteIntegers(evidence, parts);
  let isTooLarge = false;
  for (const { affix, body } of parts) {
    const fits = fittingParts({ affix, body }, evidence.bodies);
    evidence.bodies = fits;
    evidence.separators |= separatorsSeen(body, fits);
    isTooLarge ||= MAY_OVERFLOW.test(body) && !Number.isFinite(decimalNumber(body, fits));
  }
  if (!isTooLarge) return;
  evidence.infiniteInForm += count;
  evidence.firstInfiniteInForm = Math.min(evidence.firstInfiniteInForm, line);
}

function noteIntegers(evidence: CellEvidence, [first, second]: readonly NumberParts[]): void {
  if (second !== undefined || !isIntegerText(first!.body)) {
    evidence.allIntegerBodies = false;
    return;
  }
  const value = Number(first!.body);
  evidence.lowestBody = Math.min(evidence.lowestBody, value);
  evidence.highestBody = Math.max(evidence.highestBody, value);
}

/** Tells whether all cells so far have one affix, or units of one quantity. */
function noteAffixes(evidence: CellEvidence, parts: readonly NumberParts[]): boolean {
  const { affixes, unitPairs } = evidence;
  if (parts.length === 1 && affixes.includes(parts[0]!.affix)) return true;
  const pairs = pairsOf(parts).filter((pair) => !unitPairs.some((known) => known.join() === pair.join()));
  if (pairs.length === 0 && parts.every(({ affix }) => affixes.includes(affix))) return true;
  const all = [...new Set([...affixes, ...parts.map(({ affix }) => affix)])];
  const allPairs = [...unitPairs, ...pairs];
  if (all.length > 1 && quantityOf(all, allPairs) === null) return false;
  evidence.affixes = all;
  evidence.unitPairs = allPairs;
  return true;
}

function noteHexadecimal(evidence: CellEvidence, text: string): void {
  const match = HEXADECIMAL.exec(text);
  const digitCount = match?.[2]?.length ?? -1;
  if (digitCount < 0 || (evidence.hexDigits > 0 && evidence.hexDigits !== digitCount)) {
    evidence.hexDigits = -1;
    return;
  }
  evidence.hexDigits = digitCount;
  evidence.hasHexLetter ||= match?.[1] !== undefined || /[a-f]/i.test(text);
}

/** `value`: as for `noteNumber`. */
function noteDate(evidence: CellEvidence, text: string, value: number, count: number, line: number): void {
  const { dates } = evidence;
  const written = splitDate(text);
  noteTally(dates.ymd, packWritten(written, "ymd"), count, line);
  const isDmy = noteTally(dates.dmy, packWritten(written, "dmy"), count, line);
  const isMdy = noteTally(dates.mdy, packWritten(written, "mdy"), count, line);
  noteTally(dates.unix, Number.isNaN(value) ? -1 : packDate(text, UNIX), count, line);
  if (isDmy || isMdy) evidence.yearLast += count;
  if ((isDmy || isMdy) && written?.hasShortYear) evidence.shortYears += count;
  if (isDmy && !isMdy) evidence.onlyDayFirst += count;
  if (isMdy && !isDmy) evidence.onlyMonthFirst += count;
}

/** `date`: -1 where the text is no such date. Tells whether it is one. */
function noteTally(tally: DateTally, date: number, count: number, line: number): boolean {
  if (date < 0) {
    tally.firstMisfit = Math.min(tally.firstMisfit, line);
    return false;
  }
  tally.fits += count;
  tally.values ??= createDateValues();
  noteDateValues(tally.values, date);
  return true;
}
