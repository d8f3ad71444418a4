// How the terms of a text are shown.
import { PAIR_TERM, SHAPE_TERM, type TermScanner } from "./terms.ts";

/** Stands in the name of a shape for a digit. */
export const ANY_DIGIT = "#";

/**
 * How a term of the text that was scanned last is shown: by what all texts with this term have in common, and no more.
 * Shapes show digits as #, which no word has: a 0 would be searched for in vain.
 */
export function termName({ text, starts, ends, kinds }: TermScanner, index: number): string {
  const wordAt = (at: number) => text.slice(starts[at]!, ends[at]!);
  const word = wordAt(index);
  if (kinds[index] === SHAPE_TERM) return word.replace(/[0-9]/g, ANY_DIGIT);
  if (kinds[index] !== PAIR_TERM) return word;
  const areTogether = ends[index] === starts[index - 1];
  return `${word}${areTogether ? "" : " "}${wordAt(index - 1)}`;
}
