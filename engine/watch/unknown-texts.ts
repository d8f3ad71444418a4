// Texts of fewer words that the model knows than nearly all training texts had, as in another language.

import type { ReferenceColumn } from "../model/reference-counts.ts";
import { sumOf } from "../sums.ts";
import { FIRST_CODE, UNSEEN_CODE } from "../table/buckets.ts";
import { eachPlainTerm, type TermRows } from "../text/term-rows.ts";
import { compareCounts, type Shift, worstOf } from "./shift.ts";

/** Few words are those that fewer than this share of the training's texts had; a text of none has few in any case. */
const FEW = 0.05;
/** Training texts without a known word, where they were not counted: short texts of many words may have this share. */
const GRANTED = 0.1;
/** A word that two texts have is known; as one of new texts it would have been, if another two had it. */
const LEAST_ROWS_OF_WORD = 3;

/**
 * Counts training texts as new ones would be: a word counts in a text if at least two other rows have it. `isText`: of
 * all rows, whether the text is not missing. O(words).
 */
export function countWords(terms: TermRows, rows: Uint32Array, isText: (row: number) => boolean) {
  const rowsOfTerm = new Uint32Array(terms.plainCount);
  for (const row of rows) eachPlainTerm(terms, row, (term) => rowsOfTerm[term]!++);
  const words = rows.filter(isText).map((row) => {
    let count = 0;
    eachPlainTerm(terms, row, (term) => {
      if (rowsOfTerm[term]! >= LEAST_ROWS_OF_WORD) count++;
    });
    return count;
  });
  const sorted = words.toSorted();
  const least = Math.max(1, sorted[Math.floor(FEW * sorted.length)] ?? 1);
  return { least, fewer: words.filter((count) => count < least).length };
}

type TextReference = Extract<ReferenceColumn, { cutPoints: readonly number[] }>;

/** The share of a column's texts, by their codes, of few known words: of none where training did not count them. */
export function unknownShare(codes: readonly number[]): number {
  return codes[UNSEEN_CODE]! / Math.max(1, sumOf(codes.slice(FIRST_CODE)));
}

/** The training's share of texts of few known words; null where they were not counted. */
export function fewWordsOf({ words, counts }: TextReference): { least: number; trained: number } | null {
  return words === undefined ? null : { least: words.least, trained: words.fewer / Math.max(1, sumOf(counts)) };
}

/** How a column's texts differ: by their `lengths`, or by more of few words. */
export function textShift(lengths: Shift, column: TextReference, codes: readonly number[]): Shift {
  if (unknownShare(codes) <= (fewWordsOf(column)?.trained ?? GRANTED)) return lengths;
  const trainedCount = sumOf(column.counts);
  const fewer = column.words?.fewer ?? Math.ceil(GRANTED * trainedCount);
  const unknown = codes[UNSEEN_CODE]!;
  const known = sumOf(codes.slice(FIRST_CODE)) - unknown;
  return worstOf([lengths, compareCounts([trainedCount - fewer, fewer], [known, unknown], true)]);
}
