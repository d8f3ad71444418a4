// Text twins: rows whose texts share many of their words, as copies, filled-in templates and mails that quote each
// other do. Found by the least hashes of their terms (MinHash, Broder 1997) in bands (Leskovec, Rajaraman & Ullman
// 2014, section 3.4).

import { DisjointSets } from "../disjoint-sets.ts";
import { mapped } from "../mapped.ts";
import { deriveSeed } from "../random.ts";
import { type StopSignal, throwIfStopped } from "../stop-signal.ts";
import { eachPlainTerm, type TermRows } from "../text/term-rows.ts";

/**
 * Twins share four tenths of their terms or more: bands of three of 48 hashes find 65% of such pairs, 88% of those that
 * share half.
 */
const LEAST_LIKENESS = 0.4;
const BANDS = 16;
const BAND_SIZE = 3;
/** Shorter texts are alike by chance, or will come again: "thanks". */
const LEAST_TERMS = 6;
/** Terms of more of the rows are boilerplate, such as a signature. */
const MOST_OF_ROWS = 0.2;
const LEAST_COVERED = 0.05;
const ROWS_PER_LOOK = 256;

/**
 * A number for each row, the same for rows whose texts are twins, or twins of twins; null where few have any. Words and
 * pairs of words count that two rows have or more. O(entries × hashes). @throws Cancelled, OutOfTime
 */
export function findTextTwins(text: TermRows, stop: StopSignal): Uint32Array | null {
  const termsOf = sharedTerms(text);
  const rowCount = termsOf.length;
  const seeds = Uint32Array.from({ length: BANDS * BAND_SIZE }, (_, hash) => deriveSeed(1, hash) | 1);
  const least = new Uint32Array(seeds.length);
  const lasts = Array.from({ length: BANDS }, () => new Map<string, number>());
  const sets = new DisjointSets(rowCount);
  for (const [row, terms] of termsOf.entries()) {
    if (row % ROWS_PER_LOOK === 0) throwIfStopped(stop);
    if (terms.length < LEAST_TERMS) continue;
    writeLeast(terms, seeds, least);
    for (const [band, known] of lasts.entries()) {
      const key = least.subarray(band * BAND_SIZE, (band + 1) * BAND_SIZE).join();
      const last = known.get(key);
      if (last !== undefined && likeness(terms, termsOf[last]!) >= LEAST_LIKENESS) sets.join(last, row);
      known.set(key, row);
    }
  }
  const roots = mapped(Uint32Array, termsOf, (_, row) => sets.rootOf(row));
  const covered = roots.reduce((count, root) => count + (sets.sizeOf(root) > 1 ? 1 : 0), 0);
  return covered < LEAST_COVERED * rowCount ? null : roots;
}

/** The words and pairs of each row, ascending, that other rows have too but not very many. */
function sharedTerms(text: TermRows): Uint32Array[] {
  const rowCount = text.starts.length - 1;
  const rowCounts = new Uint32Array(text.plainCount);
  for (let row = 0; row < rowCount; row++) {
    eachPlainTerm(text, row, (term) => {
      rowCounts[term] = rowCounts[term]! + 1;
    });
  }
  const most = Math.max(2, MOST_OF_ROWS * rowCount);
  return Array.from({ length: rowCount }, (_, row) => {
    const terms: number[] = [];
    eachPlainTerm(text, row, (term) => {
      if (rowCounts[term]! > 1 && rowCounts[term]! <= most) terms.push(term);
    });
    return new Uint32Array(terms);
  });
}

function writeLeast(terms: Uint32Array, seeds: Uint32Array, least: Uint32Array): void {
  least.fill(0xffffffff);
  for (let at = 0; at < terms.length; at++) {
    const mixed = Math.imul(terms[at]! + 1, 0x9e3779b1);
    for (let hash = 0; hash < seeds.length; hash++) {
      const product = Math.imul(mixed ^ (mixed >>> 15) ^ seeds[hash]!, seeds[hash]!);
      const hashed = (product ^ (product >>> 13)) >>> 0;
      if (hashed < least[hash]!) least[hash] = hashed;
    }
  }
}

/** The terms that both rows have, of those that either has (Jaccard 1901). */
function likeness(one: Uint32Array, other: Uint32Array): number {
  let shared = 0;
  for (let i = 0, k = 0; i < one.length && k < other.length; ) {
    const [first, second] = [one[i]!, other[k]!];
    if (first === second) shared++;
    if (first <= second) i++;
    if (second <= first) k++;
  }
  return shared / (one.length + other.length - shared);
}
