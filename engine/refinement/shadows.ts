// Shadows: shuffled copies of features, which carry nothing and so show what a
// forest gains by chance (Kursa and Rudnicki 2010).

import { deriveSeed, Random, shuffle, shuffled } from "../random.ts";
import { neverStop, type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { type CodedFeature, type CodedView, FIRST_CODE, permuteCodes } from "../table/buckets.ts";
import { orderBySignal } from "../table/category-order.ts";

/** Shadows of each cardinality class: enough for a steady maximum, and bounded on wide tables. */
const LEAST_SHADOWS = 30;
const MOST_SHADOWS = 500;

/**
 * A view of the chosen features followed by one shuffled copy for each entry of `shadowOf`; both
 * hold feature indexes of the given view. Each copy is permuted over all rows of the view by a draw
 * of its own, so copies of one feature differ. Chosen features share their codes with the given
 * view; a shadow costs one pass and its codes. Throws `Cancelled`.
 */
export function withShadows(
  view: CodedView,
  features: readonly number[],
  shadowOf: readonly number[],
  seed: number,
  stop: StopSignal = neverStop,
): CodedView {
  const order = new Uint32Array(view.rowCount);
  const shadows = shadowOf.map((feature, position) => {
    throwIfCancelled(stop);
    for (let row = 0; row < order.length; row++) order[row] = row;
    shuffle(order, new Random(deriveSeed(seed, position)));
    return permuteCodes(view.features[feature]!, order);
  });
  return { rowCount: view.rowCount, features: [...features.map((feature) => view.features[feature]!), ...shadows] };
}

/**
 * Chooses the candidates to copy, as positions into `cardinalities`, class by class in ascending order: a feature can
 * only be compared with shadows of about as many buckets. A class of `least` to `most` members gives all of them; a
 * smaller class repeats its members in turn up to `least`; a larger one gives a seeded sample of `most`.
 */
export function chooseShadows(
  cardinalities: readonly number[],
  seed: number,
  least: number = LEAST_SHADOWS,
  most: number = MOST_SHADOWS,
): number[] {
  const occurring = [...new Set(cardinalities)].sort((a, b) => a - b);
  return occurring.flatMap((cardinality) => {
    const members = [...cardinalities.keys()].filter((position) => cardinalities[position] === cardinality);
    if (members.length > most) return sample(members, most, deriveSeed(seed, cardinality));
    const count = Math.max(members.length, least);
    return Array.from({ length: count }, (_, index) => members[index % members.length]!);
  });
}

/**
 * A category's codes in the order of their signal among the given rows, as buckets are fitted: an order that has seen
 * the labels gains by it, so a shuffled copy must have its own. `classes` go with the rows of the view.
 */
export function inOrderOfSignal(feature: CodedFeature, classes: Uint8Array, classCount: number): CodedFeature {
  const { codes, codeCount } = feature;
  const counts = new Float64Array((codeCount - FIRST_CODE) * classCount);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    if (code >= FIRST_CODE) counts[(code - FIRST_CODE) * classCount + classes[row]!]!++;
  }
  const rank = orderBySignal(counts, classCount);
  const ordered = codes.slice();
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    if (code >= FIRST_CODE) ordered[row] = FIRST_CODE + rank[code - FIRST_CODE]!;
  }
  return { ...feature, codes: ordered };
}

/** `count` of the members, in their order. */
function sample(members: readonly number[], count: number, seed: number): number[] {
  const order = shuffled(members.keys(), new Random(seed));
  return Array.from(order.subarray(0, count).sort(), (index) => members[index]!);
}
