// Splits the log-odds of one row into contributions of its features and of the words of its texts.
import type { TermRows } from "../text/term-rows.ts";
import { countSlots } from "../text/term-slots.ts";
import { RowValues, type TermsModel } from "../text-models/term-weights.ts";
import type { Contributions } from "./log-shares.ts";
import { addOutputs, baseScores, sumContributions } from "./sum-contributions.ts";

/** Exact in sum; the slots of each text come after the features, in their order. */
export function termContributions(
  { tables, texts }: TermsModel,
  codes: ArrayLike<number>,
  rows: readonly TermRows[],
): Contributions {
  const { classCount, outputCount } = tables;
  const slotCounts = rows.map(countSlots);
  const itemCount = slotCounts.reduce((sum, count) => sum + count, codes.length);
  const contributions = new Float64Array(itemCount * classCount);
  contributions.set(sumContributions(tables, codes));
  let firstSlot = codes.length;
  texts.forEach((text, index) => {
    const { terms } = rows[index]!;
    const lastSlot = slotCounts[index]! - 1;
    const reader = new RowValues(rows[index]!, text);
    reader.turnTo(0);
    for (let at = reader.first; at < reader.end; at++) {
      const slot = firstSlot + Math.min(at - reader.first, lastSlot);
      const value = reader.values[at - reader.first]!;
      if (value !== 0) addOutputs(contributions, slot, text.weights, terms[at]! * outputCount, classCount, value);
    }
    firstSlot += lastSlot + 1;
  });
  return { base: baseScores(tables), contributions };
}
