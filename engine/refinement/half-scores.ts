// Scores of texts for forests that test their signal: one half of the rows is scored by what the other half's labels
// say of its terms.
//
// Scores that are cross-fitted over all rows depend on the labels that they are tested on, and noise then passes too
// often; fitted on one half, they are fixed for the other.

import { deriveSeed, Random, shuffled } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type CodedView, codeTable, fitBuckets, MISSING_CODE } from "../table/buckets.ts";
import { selectFeatures, type Table } from "../table/table.ts";

const HALVES_DRAW = 44;

/** Two halves of some rows, each ascending. */
function halvesOf(rows: Uint32Array, seed: number): [Uint32Array, Uint32Array] {
  const order = shuffled(rows, new Random(deriveSeed(seed, HALVES_DRAW)));
  const middle = Math.floor(order.length / 2);
  return [order.slice(0, middle).sort(), order.slice(middle).sort()];
}

function scoresOf({ features }: Table): number[] {
  return [...features.keys()].filter((index) => features[index]!.kind === "score");
}

/** The view with scores fitted on one half of the rows and missing there; their shadows copy the missing cells too. */
export function withHalfScores(view: CodedView, table: Table, numberOfBuckets: number, seed: number): CodedView {
  const scores = scoresOf(table);
  if (scores.length === 0) return view;
  const scored = selectFeatures(table, scores);
  const [fitted] = halvesOf(rowsUpTo(table.rowCount), seed);
  const half = codeTable(scored, fitBuckets(scored, fitted, numberOfBuckets)).features;
  const features = view.features.slice();
  for (const [at, index] of scores.entries()) {
    const { codes } = half[at]!;
    for (const row of fitted) codes[row] = MISSING_CODE;
    features[index] = half[at]!;
  }
  return { ...view, features };
}
