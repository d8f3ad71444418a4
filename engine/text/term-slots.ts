// Slots of an explanation for a row's text: each word and each pair has its own, all else shares one.
import type { TermRows } from "./term-rows.ts";

/**
 * A text of more different words and pairs has the rarest of them in the
 * last slot: a slot takes a number for each class.
 */
const MOST_SLOTS = 4096;

/** Slots of the first row's text; entry `i` of the row is in slot `min(i, count - 1)`. */
export function countSlots({ starts, terms, plainCount }: TermRows): number {
  const [first, end] = [starts[0]!, starts[1]!];
  let at = first;
  // Pieces of words come after the words.
  while (at < end && at - first < MOST_SLOTS - 1 && terms[at]! < plainCount) at++;
  return at - first + 1;
}
