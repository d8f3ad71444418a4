// The vocabulary of a text column: which of its terms are kept, found in one pass over the texts and in bounded memory.

import { TermTable } from "./term-table.ts";
import { PAIR_TERM, PIECE_TERM, type TermScanner } from "./terms.ts";

/** A term that only one row has tells nothing about others. */
const FEWEST_ROWS = 2;
/** Rows that a term must be in to be shown: a rarer one may name a person. */
const FEWEST_SHOWN_ROWS = 5;
/** Terms of a column at most, those of most rows. */
export const MOST_TERMS = 2 ** 18;
/** Entries of the sparse rows of all columns at most, five bytes each. */
export const MOST_ENTRIES = 2 ** 25;
/**
 * Terms of all columns that are counted at once. Beyond, the rarest are
 * forgotten (lossy counting: Manku & Motwani 2002).
 */
export const MOST_COUNTED = 2 ** 21;
/** The same of one column at the least, however many there are. */
const LEAST_COUNTED = 2 ** 11;

/**
 * The limits of each column of texts, which share the memory for counted terms and for entries.
 */
export function columnLimits(columnCount: number): { counted: number; entries: number } {
  return {
    counted: Math.max(LEAST_COUNTED, Math.floor(MOST_COUNTED / columnCount)),
    entries: Math.floor(MOST_ENTRIES / columnCount),
  };
}

/** Terms by number: words and pairs first, then pieces of words, those of most rows first among each. */
export interface Vocabulary {
  /** Low and high half of each term's hash. */
  keys: Int32Array;
  plainCount: number;
  /** How many of the plain terms may be shown. */
  shownCount: number;
  /** Rows that have each term, over all texts that were counted. */
  rowCounts: Uint32Array;
}

/** Counts in how many texts each term stands. */
export class TermCounter {
  private readonly mostCounted: number;
  private table = new TermTable();
  /** How many texts have each term, and which was the last, by number: side by side, as the table's keys are. */
  private seen = new Int32Array(2048);
  private kinds = new Uint8Array(1024);
  private textCount = 0;
  /** Terms of this many texts or fewer were forgotten. */
  private forgotten = 0;

  constructor(mostCounted = MOST_COUNTED) {
    this.mostCounted = mostCounted;
  }

  /** Takes the text that the scanner looked at last. */
  add({ count, low, high, kinds }: TermScanner): void {
    const text = ++this.textCount;
    for (let at = 0; at < count; at++) {
      if (this.table.size === this.mostCounted) this.forget();
      const term = this.table.numberOf(low[at]!, high[at]!);
      if (term >= this.kinds.length) this.grow();
      const { seen } = this;
      if (seen[2 * term + 1] === text) continue;
      seen[2 * term + 1] = text;
      if (++seen[2 * term]! === 1) this.kinds[term] = kinds[at]!;
    }
  }

  /** The terms that are kept: those of at least two rows, and no more than the limits allow. */
  choose(mostTerms = MOST_TERMS, mostEntries = MOST_ENTRIES): Vocabulary {
    const { kinds, seen } = this;
    const { size, keys } = this.table;
    const rows = Uint32Array.from({ length: size }, (_, term) => seen[2 * term]!);
    let terms = numbersBelow(size).filter((term) => rows[term]! >= FEWEST_ROWS);
    const entries = () => terms.reduce((sum, term) => sum + rows[term]!, 0);
    // The terms that cost most for what they tell go first: pieces of words,
    // then pairs, then words that nearly every row has.
    for (const kind of [PIECE_TERM, PAIR_TERM]) {
      if (entries() > mostEntries) terms = terms.filter((term) => kinds[term] !== kind);
    }
    const byRows = (a: number, b: number) =>
      rows[b]! - rows[a]! || keys[2 * a]! - keys[2 * b]! || keys[2 * a + 1]! - keys[2 * b + 1]!;
    terms.sort(byRows);
    for (let excess = entries() - mostEntries; excess > 0 && terms.length > 0; terms = terms.subarray(1)) {
      excess -= rows[terms[0]!]!;
    }
    const kept = terms.slice(0, mostTerms);
    const isPiece = (term: number) => kinds[term] === PIECE_TERM;
    const plain = kept.filter((term) => !isPiece(term));
    const ordered = [...plain, ...kept.filter(isPiece)];
    return {
      keys: Int32Array.from({ length: 2 * ordered.length }, (_, at) => keys[2 * ordered[at >> 1]! + (at & 1)]!),
      plainCount: plain.length,
      shownCount: plain.filter((term) => rows[term]! >= FEWEST_SHOWN_ROWS).length,
      rowCounts: Uint32Array.from(ordered, (term) => rows[term]!),
    };
  }

  /** Forgets the rarest terms, half of all at least. What comes again later begins at 0: a term may be counted low. */
  private forget(): void {
    const { table, seen, kinds } = this;
    const countKept = () => {
      let kept = 0;
      for (let term = 0; term < table.size; term++) if (seen[2 * term]! > this.forgotten) kept++;
      return kept;
    };
    do this.forgotten++;
    while (countKept() > this.mostCounted / 2);
    const fresh = new TermTable(this.mostCounted);
    for (let term = 0; term < table.size; term++) {
      if (seen[2 * term]! <= this.forgotten) continue;
      const kept = fresh.numberOf(table.keys[2 * term]!, table.keys[2 * term + 1]!);
      seen[2 * kept] = seen[2 * term]!;
      seen[2 * kept + 1] = seen[2 * term + 1]!;
      kinds[kept] = kinds[term]!;
    }
    seen.fill(0, 2 * fresh.size);
    this.table = fresh;
  }

  private grow(): void {
    const grownSeen = new Int32Array(2 * this.seen.length);
    const kinds = new Uint8Array(2 * this.kinds.length);
    grownSeen.set(this.seen);
    kinds.set(this.kinds);
    Object.assign(this, { seen: grownSeen, kinds });
  }
}

function numbersBelow(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, number) => number);
}
