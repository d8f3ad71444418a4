// The terms of a text: its words, pairs of neighbouring words, and pieces of words, each known by a hash of 64 bits.
//
// No term is a string: counting and scoring need none, and what is not kept cannot leak.
import { enlarged } from "../concatenate.ts";
import { UNSPACED_LETTER } from "../unspaced.ts";

/**
 * Words of letters and digits, with hyphens and apostrophes inside; numbers
 * with points, colons and commas inside. Linear.
 */
const wordOf = (letter: string) => `${letter}+(?:(?:['’\\-]|(?<=\\p{N})[.:,](?=\\p{N}))${letter}+)*`;
const WORD = new RegExp(wordOf("[\\p{L}\\p{M}\\p{N}]"), "gv");
/** The same, but that letters of scripts without spaces stand apart from others, and that pictures count. Slower. */
const WORD_OR_PICTURE = new RegExp(
  `${wordOf(`[[\\p{L}\\p{M}\\p{N}]--${UNSPACED_LETTER}--[\\ufe0e\\ufe0f]]`)}|${UNSPACED_LETTER}+|\\p{Extended_Pictographic}`,
  "gv",
);
/** Texts without any of these have neither; quotation marks, dashes and signs of western scripts are not among them. */
const MAY_HAVE_OTHERS = /[\u0e00-\u1fff\u2070-\uffff]/;
const DIGIT = /\p{N}/u;
/** Text without spaces is cut into characters: each counts as a word. */
const UNSPACED = new RegExp(`^(?:${UNSPACED_LETTER}|\\p{Extended_Pictographic})`, "v");
/** Characters of a text that are looked at: a cell of a file has no more. */
const MOST_CHARACTERS = 2 ** 20;
/** Characters of a word between spaces that are looked at: what is longer is a key or a blob. */
const MOST_WORD = 40;
const FEWEST_PIECE = 3;
const MOST_PIECE = 5;

/** A word, one character of a script without spaces, or a picture. */
export const WORD_TERM = 0;
/** Two neighbouring words, or characters of a script without spaces. */
export const PAIR_TERM = 1;
/** Three to five characters of a word, which begins and ends with a blank (`char_wb` of scikit-learn). */
export const PIECE_TERM = 2;
/** The shape of a word with digits in it: each of them as 0. */
export const SHAPE_TERM = 3;

const SEEDS: readonly [number, number, number] = [0x2545f491, 0x1b873593, 0x6a09e667];
const BLANK = 32;
const ZERO = 48;
const FIRST_SIZE = 1024;

/** Finds the terms of one text after the other; its arrays hold those of the last one, in order, repeated ones too. */
export class TermScanner {
  /** The lower-cased text that starts and ends refer to. */
  text = "";
  count = 0;
  /** Halves of the hash. */
  low = new Int32Array(FIRST_SIZE);
  high = new Int32Array(FIRST_SIZE);
  kinds = new Uint8Array(FIRST_SIZE);
  /**
   * Where the term's characters lie in `text`. A pair lies where its first
   * word does; its second word is the term before it.
   */
  starts = new Uint32Array(FIRST_SIZE);
  ends = new Uint32Array(FIRST_SIZE);
  /** Words of the text. */
  wordCount = 0;
  private lastLow = 0;
  private lastHigh = 0;
  private lastStart = -1;
  private lastEnd = -1;

  /** O(length of the text). */
  scan(text: string): void {
    // A character may stand for eighteen.
    this.text = text.normalize("NFKC").slice(0, MOST_CHARACTERS).toLowerCase();
    this.count = 0;
    this.wordCount = 0;
    this.lastStart = -1;
    const pattern = MAY_HAVE_OTHERS.test(this.text) ? WORD_OR_PICTURE : WORD;
    for (const match of this.text.matchAll(pattern)) this.takeWord(match[0], match.index);
  }

  private takeWord(word: string, start: number): void {
    this.wordCount++;
    const isUnspaced = UNSPACED.test(word);
    const end = start + (isUnspaced ? word.length : Math.min(word.length, MOST_WORD));
    if (isUnspaced) this.takeUnspaced(start, end);
    else {
      this.takeUnit(start, end);
      this.takePieces(start, end);
    }
    if (DIGIT.test(word)) this.takeShape(word, start, end);
  }

  /** A word, and its pair with the one before. */
  private takeUnit(start: number, end: number): void {
    const { text } = this;
    let low = SEEDS[WORD_TERM];
    let high = ~SEEDS[WORD_TERM];
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      low = stir(low, unit);
      high = stirOther(high, unit);
    }
    low = finish(low);
    high = finish(high);
    this.add(low, high, WORD_TERM, start, end);
    if (this.lastStart >= 0) {
      const pairLow = finish(Math.imul(this.lastLow, 31) ^ low ^ SEEDS[PAIR_TERM]);
      const pairHigh = finish(Math.imul(this.lastHigh, 33) ^ high);
      this.add(pairLow, pairHigh, PAIR_TERM, this.lastStart, this.lastEnd);
    }
    this.lastLow = low;
    this.lastHigh = high;
    this.lastStart = start;
    this.lastEnd = end;
  }

  /** Each character counts as a word. */
  private takeUnspaced(start: number, end: number): void {
    for (let at = start; at < end; ) {
      const next = at + (this.text.codePointAt(at)! > 0xffff ? 2 : 1);
      this.takeUnit(at, next);
      at = next;
    }
    this.takePieces(start, end);
  }

  /** The word with each digit as 0, so that numbers of one form have something in common. */
  private takeShape(word: string, start: number, end: number): void {
    let low = SEEDS[WORD_TERM] + 1;
    let high = ~SEEDS[WORD_TERM] + 1;
    for (let at = 0; at < end - start; at++) {
      const unit = word.charCodeAt(at);
      const shown = unit >= ZERO && unit <= ZERO + 9 ? ZERO : unit;
      low = stir(low, shown);
      high = stirOther(high, shown);
    }
    this.add(finish(low), finish(high), SHAPE_TERM, start, end);
  }

  private takePieces(start: number, end: number): void {
    const { text } = this;
    for (let first = start - 1; first <= end - 2; first++) {
      let low = SEEDS[PIECE_TERM];
      let high = ~SEEDS[PIECE_TERM];
      const last = Math.min(end, first + MOST_PIECE - 1);
      for (let at = first; at <= last; at++) {
        const unit = at < start || at === end ? BLANK : text.charCodeAt(at);
        low = stir(low, unit);
        high = stirOther(high, unit);
        if (at - first + 1 < FEWEST_PIECE) continue;
        this.add(finish(low), finish(high), PIECE_TERM, Math.max(first, start), Math.min(at + 1, end));
      }
    }
  }

  private add(low: number, high: number, kind: number, start: number, end: number): void {
    const at = this.count++;
    if (at === this.low.length) this.grow();
    this.low[at] = low;
    this.high[at] = high;
    this.kinds[at] = kind;
    this.starts[at] = start;
    this.ends[at] = end;
  }

  private grow(): void {
    this.low = enlarged(this.low);
    this.high = enlarged(this.high);
    this.kinds = enlarged(this.kinds);
    this.starts = enlarged(this.starts);
    this.ends = enlarged(this.ends);
  }
}

function stir(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function stirOther(hash: number, unit: number): number {
  return Math.imul((hash ^ unit) + 0x7f4a7c15, 0x9e3779b1 | 0) ^ (hash >>> 15);
}

/** The finalizer of MurmurHash3 (Appleby 2011). */
function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
