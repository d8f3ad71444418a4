// How numbers stand in text: as in English, or in the dashboard as the reader's browser writes them.
import { roundedApart } from "../../engine/rounded-apart.ts";

const ENGLISH = "en-US";
const FEW_DIGITS = 4;
/** An English number that is no part of a name, a date or another number. */
const NUMBER = String.raw`(?<![\w.,:/-])\d+(?:(?:,\d{3})+|\.\d+)(?![\w/-]|[.,:]\d)`;
/** A quoted name, an interval, or a number. */
const IN_SENTENCE = new RegExp(String.raw`"[^"]*"|\[([−+]?)(${NUMBER}), ([−+]?)(${NUMBER})\]|${NUMBER}`, "g");

let language = ENGLISH;
let decimalSign = ".";
/** Made when they are first needed: a report writes thousands of numbers. */
let whole: Intl.NumberFormat | null = null;
let full: Intl.NumberFormat | null = null;

/**
 * Writes numbers as in this language from now on, always with the digits 0 to
 * 9. The dashboard calls it once, when it starts.
 */
export function writeNumbersAsIn(spoken: string): void {
  // A browser's first call of Intl takes some 20 ms.
  if (spoken === language) return;
  language = spoken;
  whole = null;
  full = null;
  const parts = new Intl.NumberFormat(language, { numberingSystem: "latn" }).formatToParts(0.5);
  decimalSign = parts.find(({ type }) => type === "decimal")?.value ?? ".";
}

/** With separators: "1,204", or "1.204". */
export function wholeNumber(value: number): string {
  // The same everywhere, and most that are written.
  if (Number.isInteger(value) && value >= 0 && value < 1_000) return String(value);
  whole ??= new Intl.NumberFormat(language, { numberingSystem: "latn", maximumFractionDigits: 0 });
  return whole.format(value);
}

/** With `decimals` decimals, without separators: "0.50", or "0,50". */
export function decimalNumber(value: number, decimals: number): string {
  return value.toFixed(decimals).replace(".", decimalSign);
}

/** With four digits at most: "0.1235", "16,740". */
export function fourDigits(value: number): string {
  return writerOf([value])(value);
}

/** Writes each of these values with four digits at most, or with as many more as tell it apart from the others. */
export function writerOf(values: readonly number[]): (value: number) => string {
  const rounded = roundedApart(values, FEW_DIGITS);
  return (value) => writtenOut(rounded.get(value) ?? value);
}

function writtenOut(value: number): string {
  full ??= new Intl.NumberFormat(language, { numberingSystem: "latn", maximumSignificantDigits: 17 });
  return full.format(value);
}

/** Two numbers side by side: "70.7, 82.3", or "70,7; 82,3". */
export function twoNumbers(first: string, second: string): string {
  return `${first}${decimalSign === "," ? ";" : ","} ${second}`;
}

/** A sentence of the server, which writes English numbers, with the reader's. Quoted names stay as they are. */
export function withReadersNumbers(sentence: string): string {
  if (language === ENGLISH) return sentence;
  return sentence.replaceAll(
    IN_SENTENCE,
    (found: string, sign: string, low: string, otherSign: string, high: string) => {
      if (found.startsWith('"')) return found;
      if (found.startsWith("[")) return `[${twoNumbers(`${sign}${rewritten(low)}`, `${otherSign}${rewritten(high)}`)}]`;
      return rewritten(found);
    },
  );
}

function rewritten(english: string): string {
  const [integer = "", decimals] = english.split(".");
  if (decimals !== undefined) return `${integer}${decimalSign}${decimals}`;
  return wholeNumber(Number(integer.replaceAll(",", "")));
}
