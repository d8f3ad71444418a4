// The words of a row's text that moved its decision the most.

import type { TextScore } from "../table/text-scores.ts";
import type { TermRows } from "../text/term-rows.ts";
import { countSlots } from "../text/term-slots.ts";
import { strongestOf, type WordEffect } from "./reasons.ts";

/** A score feature: the words of a text together for some classes, and its own effect. */
export interface ScoreEffect extends TextScore {
  effect: number;
}

/**
 * Shares a text's effect out to its words and pairs, by term number. `effects`: one per slot of
 * the text, empty where the model reads no terms. The effect of a score is divided by the
 * score's term weights; terms of the other sign speak against it.
 */
export function termEffects(
  text: TermRows,
  effects: Float64Array,
  scores: readonly ScoreEffect[],
): Map<number, number> {
  const slotOfTerm = new Map<number, number>();
  const plain = text.terms.subarray(0, countSlots(text) - 1);
  const add = (term: number, effect: number) => slotOfTerm.set(term, (slotOfTerm.get(term) ?? 0) + effect);
  for (const [slot, effect] of effects.subarray(0, plain.length).entries()) add(plain[slot]!, effect);
  for (const { effect, bias, weights } of scores) {
    let sum = bias;
    let size = 0;
    for (const term of plain) {
      sum += weights[term]!;
      size += Math.abs(weights[term]!);
    }
    const share = size > 0 ? (effect * Math.sign(sum)) / size : 0;
    for (const term of plain) add(term, share * weights[term]!);
  }
  return slotOfTerm;
}

/**
 * The strongest words; effects of terms that are shown alike are summed. `names`: of the row's terms that are shown.
 */
export function strongestWords(effects: ReadonlyMap<number, number>, names: ReadonlyMap<number, string>): WordEffect[] {
  const sums = new Map<string, number>();
  for (const [term, effect] of effects) {
    const word = names.get(term);
    if (word === undefined) continue;
    sums.set(word, (sums.get(word) ?? 0) + effect);
  }
  return strongestOf(sums).map(([word, effect]) => ({ word, effect }));
}
