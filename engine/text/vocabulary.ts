// The vocabulary of a text column: which of its terms are kept, found in one pass over the texts and in bounded memory.

import { TermTable } from "./term-table.ts";
import { PAIR_TERM, PIECE_TERM, type TermScanner } from "./terms.ts";

/** A term that only one row has tells nothing about others. */
const FEWEST_ROWS = 2;
/** Terms of a column at most, those of most rows. */
export const MOST_TERMS = 2 ** 18;
/** Entries of a column's sparse rows at most, five bytes each. */
export const MOST_ENTRIES = 2 ** 25;
/** Terms that are counted at once. Beyond, the rarest are forgotten (lossy counting: Manku & Motwani 2002). */
const MOST_COUNTED = 2 ** 21;

/** Terms by number: words and pairs first, then pieces of words, those of most rows first among each. */
export interface Vocabulary {
  /** Low and high half of each term's hash. */
  keys: Int32Array;
  plainCount: number;
  /** Rows that have each term, over all texts that were counted. */
  rowCounts: Uint32Array;
}

/** Counts in how many texts each term stands. */
export class TermCounter {
  private readonly mostCounted: number;
  private table = new TermTable();
  private rows = new Uint32Array(1024);
  private lastText = new Int32Array(1024);
  private kinds = new Uint8Array(1024);
  private textCount = 0;
  private forgotten = 0;

  constructor(mostCounted = MOST_COUNTED) {
    this.mostCounted = mostCounted;
  }

  /** Takes the text that the scanner looked at last. */
  add({ count, low, high, kinds }: TermScanner): void {
    const text = ++this.textCount;
    for (let at = 0; at < count; at++) {
      const term = this.table.numberOf(low[at]!, high[at]!);
      if (term >= this.rows.length) this.grow();
      if (this.lastText[term] === text) continue;
      this.lastText[term] = text;
      this.rows[term] = this.rows[term]! + 1;
      this.kinds[term] = kinds[at]!;
    }
    if (this.table.size > this.mostCounted) this.forget();
  }

  /** The terms that are kept: those of at least two rows, and no more than the limits allow. */
  choose(mostTerms = MOST_TERMS, mostEntries = MOST_ENTRIES): Vocabulary {
    const { table, rows, kinds } = this;
    let terms = numbersBelow(table.size).filter((term) => rows[term]! >= FEWEST_ROWS);
    const entries = () => terms.reduce((sum, term) => sum + rows[term]!, 0);
    // What costs most for what it tells goes first: pieces of words, then pairs, then the words that nearly every row has.
    for (const kind of [PIECE_TERM, PAIR_TERM]) {
      if (entries() > mostEntries) terms = terms.filter((term) => kinds[term] !== kind);
    }
    const byRows = (a: number, b: number) =>
      rows[b]! - rows[a]! || table.low[a]! - table.low[b]! || table.high[a]! - table.high[b]!;
    terms.sort(byRows);
    for (let excess = entries() - mostEntries; excess > 0 && terms.length > 0; terms = terms.subarray(1)) {
      excess -= rows[terms[0]!]!;
    }
    const kept = terms.slice(0, mostTerms);
    const isPiece = (term: number) => kinds[term] === PIECE_TERM;
    const plain = kept.filter((term) => !isPiece(term));
    const ordered = [...plain, ...kept.filter(isPiece)];
    return {
      keys: Int32Array.from(ordered.flatMap((term) => [table.low[term]!, table.high[term]!])),
      plainCount: plain.length,
      rowCounts: Uint32Array.from(ordered, (term) => rows[term]!),
    };
  }

  private forget(): void {
    const { table, rows, lastText, kinds } = this;
    this.forgotten++;
    const fresh = new TermTable(this.mostCounted / 2);
    let size = 0;
    for (let term = 0; term < table.size; term++) {
      // What comes again later begins at 0: a term may be counted low by as often as this happened.
      if (rows[term]! <= this.forgotten) continue;
      fresh.numberOf(table.low[term]!, table.high[term]!);
      rows[size] = rows[term]!;
      lastText[size] = lastText[term]!;
      kinds[size++] = kinds[term]!;
    }
    rows.fill(0, size);
    lastText.fill(0, size);
    this.table = fresh;
  }

  private grow(): void {
    const size = 2 * this.rows.length;
    const [rows, lastText, kinds] = [new Uint32Array(size), new Int32Array(size), new Uint8Array(size)];
    rows.set(this.rows);
    lastText.set(this.lastText);
    kinds.set(this.kinds);
    Object.assign(this, { rows, lastText, kinds });
  }
}

function numbersBelow(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, number) => number);
}
