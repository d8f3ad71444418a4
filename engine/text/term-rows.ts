// The terms of each row of a text column, as compressed sparse rows: what levels are to numbers, texts have in these.
import { mapped } from "../mapped.ts";
import type { TextProfile } from "./text-profile.ts";

/** Arrays may lie on a SharedArrayBuffer; nobody writes to them once they are built. */
export interface TermRows {
  /** Row `i` has the entries from `starts[i]` up to `starts[i + 1]`. */
  starts: Uint32Array;
  /** Number of a term, ascending within a row, each once. */
  terms: Uint32Array;
  /** How often the row has the term, 255 at most. */
  counts: Uint8Array;
  /** Terms that the column has. Those below `plainCount` are words and pairs of words, the others pieces of words. */
  termCount: number;
  plainCount: number;
  /** Scores and naive Bayes weigh the terms below it: words and pairs, of codes pieces too, as words hardly recur. */
  weighedCount: number;
}

/** A column of free text, as training reads it. */
export interface TextColumn extends TermRows {
  /** Position in the file. */
  column: number;
  /** Low and high half of each term's hash. */
  keys: Int32Array;
  /** Terms below this number may be shown: words and pairs that at least five rows have. */
  shownCount: number;
  /** How these are shown, one after the other, in UTF-8. */
  names: TermNames;
  profile: TextProfile;
  /** How each text ends, as with a signature. */
  endings: Endings;
}

/** By row: the terms of its last word and of its last pair of words, digits aside; NO_TERM where it is not known. */
export interface Endings {
  words: Uint32Array;
  pairs: Uint32Array;
}

export const NO_TERM = 0xffffffff;

/** Name `i` lies from `ends[i - 1]` up to `ends[i]`; nothing where a term is not shown. */
export interface TermNames {
  bytes: Uint8Array;
  ends: Uint32Array;
}

const DECODER = new TextDecoder();

/** How a term is shown, or null where it is not. */
export function termName({ bytes, ends }: TermNames, term: number): string | null {
  const start = term === 0 ? 0 : ends[term - 1]!;
  const end = ends[term]!;
  return start === end ? null : DECODER.decode(bytes.slice(start, end));
}

/** The words and pairs of a row: pieces of words come after them. */
export function eachPlainTerm(
  { starts, terms, plainCount }: TermRows,
  row: number,
  take: (term: number) => void,
): void {
  for (let at = starts[row]!; at < starts[row + 1]! && terms[at]! < plainCount; at++) take(terms[at]!);
}

/** Whether one of the words and pairs of a row is such a one. */
export function hasPlainTerm(
  { starts, terms, plainCount }: TermRows,
  row: number,
  isOne: (term: number) => boolean,
): boolean {
  for (let at = starts[row]!; at < starts[row + 1]! && terms[at]! < plainCount; at++)
    if (isOne(terms[at]!)) return true;
  return false;
}

/** Some of the rows, in the order given. O(entries). */
export function selectTermRows<Rows extends TermRows>(from: Rows, rows: Uint32Array): Rows {
  const starts = new Uint32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    starts[i + 1] = starts[i]! + from.starts[row + 1]! - from.starts[row]!;
  }
  const terms = new Uint32Array(starts[rows.length]!);
  const counts = new Uint8Array(terms.length);
  for (let i = 0; i < rows.length; i++) {
    const [first, end] = [from.starts[rows[i]!]!, from.starts[rows[i]! + 1]!];
    terms.set(from.terms.subarray(first, end), starts[i]!);
    counts.set(from.counts.subarray(first, end), starts[i]!);
  }
  return { ...from, starts, terms, counts };
}

/** The same, of all that a column has by row. */
export function selectTextRows(from: TextColumn, rows: Uint32Array): TextColumn {
  const ofRows = (terms: Uint32Array) => mapped(Uint32Array, rows, (row) => terms[row]!);
  return { ...selectTermRows(from, rows), endings: changed(from.endings, ofRows) };
}

/** A view of the first rows, on the same memory. */
export function firstTextRows(from: TextColumn, rowCount: number): TextColumn {
  const endings = changed(from.endings, (terms) => terms.subarray(0, rowCount));
  return { ...from, starts: from.starts.subarray(0, rowCount + 1), endings };
}

function changed({ words, pairs }: Endings, change: (terms: Uint32Array) => Uint32Array): Endings {
  return { words: change(words), pairs: change(pairs) };
}

/** Collects the rows of a text column of known terms, one by one. */
export class TermRowWriter {
  private readonly termCount: number;
  private starts: Uint32Array;
  private rowCount = 0;
  private terms: Uint32Array;
  private counts: Uint8Array;
  private entryCount = 0;
  /** For the current row: how often each term came, and which came at all. */
  private readonly countOf: Uint16Array;
  private touched = new Uint32Array(256);
  private touchedCount = 0;

  /** `rows`, `entries`: how many are expected. */
  constructor(termCount: number, rows = FIRST_ROWS, entries = FIRST_ENTRIES) {
    this.termCount = termCount;
    this.countOf = new Uint16Array(termCount);
    this.starts = shared(Uint32Array, rows + 1);
    this.terms = shared(Uint32Array, entries);
    this.counts = shared(Uint8Array, entries);
  }

  /** One occurrence in the row at hand. */
  add(term: number): void {
    const { countOf } = this;
    if (countOf[term] === 0) {
      if (this.touchedCount === this.touched.length) this.touched = larger(this.touched, 2 * this.touchedCount);
      this.touched[this.touchedCount++] = term;
    }
    if (countOf[term]! < MOST_COUNT) countOf[term] = countOf[term]! + 1;
  }

  endRow(): void {
    const { countOf, touchedCount } = this;
    const terms = this.touched.subarray(0, touchedCount).sort();
    const end = this.entryCount + touchedCount;
    if (end > this.terms.length) {
      this.terms = larger(this.terms, end);
      this.counts = larger(this.counts, end);
    }
    for (let at = 0; at < touchedCount; at++) {
      const term = terms[at]!;
      this.terms[this.entryCount + at] = term;
      this.counts[this.entryCount + at] = countOf[term]!;
      countOf[term] = 0;
    }
    this.entryCount = end;
    this.touchedCount = 0;
    if (++this.rowCount === this.starts.length) this.starts = larger(this.starts, this.rowCount);
    this.starts[this.rowCount] = end;
  }

  /** The terms of the row that ended last, ascending; valid until the next one begins. */
  lastRow(): Uint32Array {
    return this.terms.subarray(this.starts[this.rowCount - 1]!, this.entryCount);
  }

  /** The rows so far, on memory that threads may share; valid until the next one begins. */
  rows(plainCount: number): TermRows {
    const { termCount, entryCount } = this;
    return {
      starts: this.starts.subarray(0, this.rowCount + 1),
      terms: this.terms.subarray(0, entryCount),
      counts: this.counts.subarray(0, entryCount),
      termCount,
      plainCount,
      weighedCount: plainCount,
    };
  }

  /** Forgets all but the first `rowCount` rows. */
  goBackTo(rowCount: number): void {
    this.rowCount = Math.min(rowCount, this.rowCount);
    this.entryCount = this.starts[this.rowCount]!;
  }
}

const FIRST_ROWS = 256;
const FIRST_ENTRIES = 4096;
const MOST_COUNT = 255;
/** Growing makes room for this many times what is held. */
const GROWTH = 1.5;

type SharedType<A> = new (buffer: ArrayBufferLike) => A;
/**
 * Pages of a browser that are not isolated from others have no shared
 * memory; a reader that scores there shares nothing.
 */
const Memory = globalThis.SharedArrayBuffer ?? ArrayBuffer;

function shared<A extends Uint32Array | Uint8Array>(
  type: SharedType<A> & { BYTES_PER_ELEMENT: number },
  length: number,
): A {
  return new type(new Memory(type.BYTES_PER_ELEMENT * length));
}

/** The same array with room for more than `least`. */
function larger<A extends Uint32Array | Uint8Array>(array: A, least: number): A {
  const length = Math.ceil(GROWTH * Math.max(least, array.length));
  const copy = shared(array.constructor as SharedType<A> & { BYTES_PER_ELEMENT: number }, length);
  copy.set(array);
  return copy;
}
