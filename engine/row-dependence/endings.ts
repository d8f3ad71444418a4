// Texts that end alike: in a word or two that others end in too, as they do where few people sign them.
import { NO_TERM, type TextColumn } from "../text/term-rows.ts";

/** Short texts end in what they are about. */
const FEWEST_WORDS = 12;
/** Nearly all texts end as this many others do, and no ending has most of the rows. */
const LEAST_ALIKE = 5;
const LEAST_COVERED = 0.8;
const MOST_OF_ONE = 0.5;
/** With fewer endings, each model has learned of nearly all. */
const FEWEST_ENDINGS = 5;

/**
 * By row, the word that its text ends in, and the two words, NaN where few others do: first names recur with another
 * greeting, last names with another first name. Only those by which nearly all texts end alike. O(rows).
 */
export function findEndings({ profile, endings }: TextColumn): Float64Array[] {
  if (profile.medianWords < FEWEST_WORDS) return [];
  return [endings.words, endings.pairs].flatMap((terms) => recurring(terms) ?? []);
}

function recurring(terms: Uint32Array): Float64Array | null {
  const counts = new Map<number, number>();
  for (const term of terms) if (term !== NO_TERM) counts.set(term, (counts.get(term) ?? 0) + 1);
  const sizes = [...counts.values()].filter((size) => size >= LEAST_ALIKE);
  const covered = sizes.reduce((sum, size) => sum + size, 0);
  const isEven = sizes.every((size) => size <= MOST_OF_ONE * terms.length);
  if (sizes.length < FEWEST_ENDINGS || covered < LEAST_COVERED * terms.length || !isEven) return null;
  return Float64Array.from(terms, (term) => ((counts.get(term) ?? 0) >= LEAST_ALIKE ? term : Number.NaN));
}
