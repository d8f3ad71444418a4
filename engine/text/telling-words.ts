// The words that rows of one class have more often than those of all others.
import { eachPlainTerm, type TextColumn, termName } from "./term-rows.ts";
import type { TextProfile } from "./text-profile.ts";

const MOST_WORDS = 8;

export interface TellingWord {
  /** A word, or two neighbouring ones. */
  word: string;
  /** Share of the class's rows that have it. */
  share: number;
  /** Share of all other rows that have it. */
  shareOfOthers: number;
}

/** Facts about a column whose terms are read. */
export interface TextFacts extends TextProfile {
  /** By class code. */
  tellingWords: readonly (readonly TellingWord[])[];
}

/**
 * The most telling words of each class, by the likelihood ratio of their rows (Dunning 1993); none where as many words
 * of no meaning would come to as much by chance. Only words with a name. A pair and its words count as one. O(entries).
 */
export function tellingWords(text: TextColumn, classes: Uint8Array, classCount: number): TellingWord[][] {
  const { starts, plainCount, names } = text;
  const rowsOfClass = Array.from({ length: classCount }, (): number[] => []);
  const totals = new Uint32Array(plainCount);
  for (let row = 0; row < starts.length - 1; row++) {
    rowsOfClass[classes[row]!]!.push(row);
    eachPlainTerm(text, row, (term) => {
      totals[term] = totals[term]! + 1;
    });
  }
  const isNamed = (term: number) => names.ends[term]! > (names.ends[term - 1] ?? 0);
  const namedCount = totals.reduce((count, _, term) => count + (isNamed(term) ? 1 : 0), 0);
  const least = 2 * Math.log(namedCount * classCount);
  const counts = new Uint32Array(plainCount);
  return rowsOfClass.map((rows) => {
    const otherCount = starts.length - 1 - rows.length;
    counts.fill(0);
    const count = (term: number) => {
      counts[term] = counts[term]! + 1;
    };
    for (const row of rows) eachPlainTerm(text, row, count);
    const telling: { term: number; ratio: number }[] = [];
    for (let term = 0; term < plainCount; term++) {
      const [inside, other] = [counts[term]!, totals[term]! - counts[term]!];
      if (inside === 0 || !isNamed(term) || inside * otherCount <= other * rows.length) continue;
      const ratio = likelihoodRatio(inside, rows.length, other, otherCount);
      if (ratio > least) telling.push({ term, ratio });
    }
    telling.sort((a, b) => b.ratio - a.ratio || a.term - b.term);
    const named = telling.map(({ term }) => ({ term, word: termName(names, term)! }));
    return withoutRepeats(named).map(({ term, word }) => ({
      word,
      share: counts[term]! / rows.length,
      shareOfOthers: (totals[term]! - counts[term]!) / otherCount,
    }));
  });
}

/** G² of two counts, each out of a number of rows. */
function likelihoodRatio(inside: number, rowCount: number, other: number, otherCount: number): number {
  const share = (inside + other) / (rowCount + otherCount);
  const part = (count: number, expected: number) => (count === 0 ? 0 : count * Math.log(count / expected));
  return (
    2 *
    (part(inside, rowCount * share) +
      part(rowCount - inside, rowCount * (1 - share)) +
      part(other, otherCount * share) +
      part(otherCount - other, otherCount * (1 - share)))
  );
}

/** The first ones that have no word in common. */
function withoutRepeats<T extends { word: string }>(found: readonly T[]): T[] {
  const takenWords = new Set<string>();
  const distinctTerms: T[] = [];
  for (const each of found) {
    const words = each.word.split(" ");
    if (words.some((word) => takenWords.has(word))) continue;
    for (const word of words) takenWords.add(word);
    if (distinctTerms.push(each) === MOST_WORDS) break;
  }
  return distinctTerms;
}
