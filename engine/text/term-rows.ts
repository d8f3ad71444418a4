// The terms of each row of a text column, as compressed sparse rows: what levels are to numbers, texts have in these.
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
}

/** A column of free text, as training reads it. */
export interface TextColumn extends TermRows {
  /** Position in the file. */
  column: number;
  name: string;
  /** Low and high half of each term's hash. */
  keys: Int32Array;
  /** How terms are shown, one after the other, in UTF-8; only words and pairs that at least five rows have. */
  names: TermNames;
  profile: TextProfile;
}

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

/** A view of the first rows, on the same memory. */
export function firstTermRows<Rows extends TermRows>(from: Rows, rowCount: number): Rows {
  return { ...from, starts: from.starts.subarray(0, rowCount + 1) };
}

/** Collects the rows of a text column of known terms, one by one. */
export class TermRowWriter {
  private readonly termCount: number;
  private starts = new Uint32Array(FIRST_ROWS);
  private rowCount = 0;
  private terms = new Uint32Array(FIRST_ENTRIES);
  private counts = new Uint8Array(FIRST_ENTRIES);
  private entryCount = 0;
  /** Of the row at hand: how often each term came, and which came at all. */
  private readonly countOf: Uint16Array;
  private touched = new Uint32Array(256);
  private touchedCount = 0;

  constructor(termCount: number) {
    this.termCount = termCount;
    this.countOf = new Uint16Array(termCount);
  }

  /** One occurrence in the row at hand. */
  add(term: number): void {
    const { countOf } = this;
    if (countOf[term] === 0) {
      if (this.touchedCount === this.touched.length) this.touched = doubled(this.touched);
      this.touched[this.touchedCount++] = term;
    }
    if (countOf[term]! < MOST_COUNT) countOf[term] = countOf[term]! + 1;
  }

  endRow(): void {
    const own = this.touched.subarray(0, this.touchedCount).sort();
    while (this.entryCount + own.length > this.terms.length) {
      this.terms = doubled(this.terms);
      this.counts = doubled(this.counts);
    }
    for (const term of own) {
      this.terms[this.entryCount] = term;
      this.counts[this.entryCount++] = this.countOf[term]!;
      this.countOf[term] = 0;
    }
    this.touchedCount = 0;
    if (++this.rowCount === this.starts.length) this.starts = doubled(this.starts);
    this.starts[this.rowCount] = this.entryCount;
  }

  /** The rows so far. `shared`: on memory that threads share. */
  finish(plainCount: number, shared: boolean): TermRows {
    const { termCount, entryCount } = this;
    const bufferOf = (bytes: number) => (shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
    const starts = new Uint32Array(bufferOf(4 * (this.rowCount + 1)));
    const terms = new Uint32Array(bufferOf(4 * entryCount));
    const counts = new Uint8Array(bufferOf(entryCount));
    starts.set(this.starts.subarray(0, this.rowCount + 1));
    terms.set(this.terms.subarray(0, entryCount));
    counts.set(this.counts.subarray(0, entryCount));
    return { starts, terms, counts, termCount, plainCount };
  }

  /** Forgets the rows behind the first so many. */
  goBackTo(rowCount: number): void {
    this.rowCount = Math.min(rowCount, this.rowCount);
    this.entryCount = this.starts[this.rowCount]!;
  }
}

const FIRST_ROWS = 256;
const FIRST_ENTRIES = 4096;
const MOST_COUNT = 255;

function doubled<A extends Uint32Array | Uint8Array>(array: A): A {
  const larger = new (array.constructor as new (length: number) => A)(2 * array.length);
  larger.set(array);
  return larger;
}
