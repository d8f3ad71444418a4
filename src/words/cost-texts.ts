// Costs as they are typed: `bad=5`, or `bad:good=5`, of labels that may hold any character.
import { InputError } from "../../engine/input-error.ts";
import { type Cost, LARGEST_COST } from "../../engine/judging/costs.ts";

/** The number after the last `=`, and the labels before it. */
export interface CostText {
  labels: string;
  cost: number;
}

/** Null where the text is none of these. */
export function readCostText(text: string): CostText | null {
  const at = text.lastIndexOf("=");
  const number = text.slice(at + 1).trim();
  const cost = Number(number);
  if (at < 1 || number === "" || !(cost >= 0 && cost <= LARGEST_COST)) return null;
  return { labels: text.slice(0, at), cost };
}

/**
 * Finds which labels are meant: a label whose wrong decisions cost that much, or, on
 * both sides of a colon, an actual and a predicted one.
 *
 * @throws InputError COST_AMBIGUOUS where labels with colons make several readings possible
 */
export function costOf({ labels: text, cost }: CostText, labels: readonly string[]): Cost {
  if (labels.includes(text)) return { actual: text, predicted: null, cost };
  const colons = [...text.matchAll(/:/g)].map(({ index }) => [text.slice(0, index), text.slice(index + 1)] as const);
  const fitting = colons.filter(([actual, predicted]) => labels.includes(actual) && labels.includes(predicted));
  if (fitting.length > 1) {
    throw new InputError("COST_AMBIGUOUS", `The cost of "${text}" can be meant for several pairs of labels.`);
  }
  // If no pair fits, the error that follows names the first one.
  const [actual, predicted = null] = fitting[0] ?? colons[0] ?? [text];
  return { actual, predicted, cost };
}
