// The texts of a column that are no numbers and no dates, counted apart: those
// that recur may stand for cells without a value.
import { splitNumber } from "./affixes.ts";
import { bareNumber } from "./bare-number.ts";
import { type CellEvidence, noteText } from "./cell-evidence.ts";
import { boundIn, FITS_ALL, fittingBodies, isInfinityText } from "./numbers.ts";

/** Longer texts are remarks. */
const MOST_CHARS = 60;
/** Texts that a column lists at most beside those of its dictionary. */
const MOST_LISTED = 100;

const DIGIT = /\p{Nd}/u;
/** A spreadsheet's `#DIV/0!`, in any language; its other errors have no digit. */
const DIVISION_ERROR = /^#¡?\p{L}+\/0!$/u;

export interface OtherText {
  text: string;
  count: number;
  /** Physical line of the first cell. */
  line: number;
}

/** True for a short trimmed text without a digit, for `#DIV/0!`, or with a bound such as `<0.5`. */
export function isOtherText(text: string): boolean {
  return text.length <= MOST_CHARS && (boundIn(text) !== null || (saysNoNumber(text) && !isInfinityText(text)));
}

/** True for a bound such as `<0.5` or `> 1.200,5 €`, in whatever form its number is written. */
export function isBound({ text }: OtherText): boolean {
  const bound = boundIn(text);
  return bound !== null && fittingBodies(splitNumber(bareNumber(bound.number))[0]!.body, FITS_ALL) !== 0;
}

/** A bound says something about the number; it does not mean that there is none. */
export function saysNoNumber(text: string): boolean {
  return !DIGIT.test(text) || DIVISION_ERROR.test(text);
}

/** A text that comes once may be a remark that is nobody's business. */
export function recurs({ count }: OtherText): boolean {
  return count > 1;
}

/** Counts such texts. */
export class OtherTexts {
  private readonly found = new Map<string, OtherText>();

  /** Takes cells where the text is no number and no date, and where there is room for it; tells whether it did. */
  takeOdd(text: string, line: number): boolean {
    if (!this.found.has(text) && (this.found.size === MOST_LISTED || !isOtherText(text))) return false;
    this.add(text, 1, line);
    return true;
  }

  add(text: string, count: number, line: number): void {
    const known = this.found.get(text);
    if (known === undefined) this.found.set(text, { text, count, line });
    else this.found.set(text, { text, count: known.count + count, line: Math.min(known.line, line) });
  }

  /** Returns null where it is none of them. */
  find(text: string): OtherText | null {
    return this.found.get(text) ?? null;
  }

  /** The most frequent first, then by first line. */
  list(): OtherText[] {
    return [...this.found.values()].sort((a, b) => b.count - a.count || a.line - b.line);
  }
}

/**
 * Returns the evidence with these texts taken in. Itself where there are
 * none, else a copy that shares the values of dates.
 */
export function withTexts(evidence: CellEvidence, texts: readonly OtherText[]): CellEvidence {
  if (texts.length === 0) return evidence;
  const { ymd, dmy, mdy, unix } = evidence.dates;
  const copy = {
    ...evidence,
    affixes: [...evidence.affixes],
    dates: { ymd: { ...ymd }, dmy: { ...dmy }, mdy: { ...mdy }, unix: { ...unix } },
  };
  for (const { text, count, line } of texts) noteText(copy, text, count, line);
  return copy;
}

export function countCells(texts: readonly { count: number }[]): number {
  return texts.reduce((sum, { count }) => sum + count, 0);
}
