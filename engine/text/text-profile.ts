// The profile of a text column, whatever its language: how long its texts are, and how many terms it has.

import { sumOf } from "../sums.ts";
import type { TermScanner } from "./terms.ts";
import { TermCounter, type Vocabulary } from "./vocabulary.ts";

/** Medians of the texts that are not missing; 0 where all are. */
export interface TextProfile {
  medianCharacters: number;
  medianWords: number;
  /** Words, pairs of words and pieces of words that two texts and more have, as far as they are kept. */
  termCount: number;
}

export interface CountedTexts {
  vocabulary: Vocabulary;
  profile: TextProfile;
  /** Nearly all texts have it, as codes do of which each character says something by its place. */
  hasOneLength: boolean;
}

const ONE_LENGTH_SHARE = 0.95;

/** Counts the terms and the lengths of a column's texts. */
export class TextCounter {
  private readonly terms: TermCounter;
  private readonly characters = new Map<number, number>();
  private readonly words = new Map<number, number>();

  constructor(mostCounted: number) {
    this.terms = new TermCounter(mostCounted);
  }

  /** Takes a text that the scanner looked at last. */
  add(text: string, scanner: TermScanner): void {
    this.terms.add(scanner);
    countOne(this.characters, text.length);
    countOne(this.words, scanner.wordCount);
  }

  /** For the limits see `TermCounter.choose`. */
  finish(mostTerms: number, mostEntries: number): CountedTexts {
    const vocabulary = this.terms.choose(mostTerms, mostEntries);
    const { characters, words } = this;
    const counts = [...characters.values()];
    return {
      vocabulary,
      hasOneLength: Math.max(0, ...counts) >= ONE_LENGTH_SHARE * sumOf(counts),
      profile: {
        medianCharacters: medianOf(characters),
        medianWords: medianOf(words),
        termCount: vocabulary.keys.length / 2,
      },
    };
  }
}

function countOne(counts: Map<number, number>, value: number): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** The lower median of values given with their counts. */
function medianOf(counts: ReadonlyMap<number, number>): number {
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) {
    before += count;
    if (2 * before >= total) return value;
  }
  return 0;
}
