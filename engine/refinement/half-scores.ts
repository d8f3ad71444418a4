// Scores of texts for tests of their signal: each half of the rows is scored
// by what the other half's labels say of its terms.
//
// Scores that are cross-fitted over all rows depend on the labels that they are tested on, and noise then passes too
// often; fitted on one half, they are fixed for the other.

import { countCodes, gatherClasses } from "../fitting/class-counts.ts";
import { deriveSeed, Random, shuffle } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { testIndependence } from "../statistics/independence.ts";
import { type CodedView, codeTable, fitBuckets, MISSING_CODE } from "../table/buckets.ts";
import { selectFeatures, type Table } from "../table/table.ts";

const HALVES_DRAW = 44;

/** Two halves of some rows, each ascending. */
function halvesOf(rows: Uint32Array, seed: number): [Uint32Array, Uint32Array] {
  const order = rows.slice();
  shuffle(order, new Random(deriveSeed(seed, HALVES_DRAW)));
  const middle = Math.floor(order.length / 2);
  return [order.slice(0, middle).sort(), order.slice(middle).sort()];
}

function scoresOf({ features }: Table): number[] {
  return [...features.keys()].filter((index) => features[index]!.kind === "score");
}

/**
 * The p-value of each score feature alone, by its index: twice the smaller one of the two halves (Bonferroni).
 * O(entries × groups).
 */
export function testScores(
  table: Table,
  rows: Uint32Array,
  numberOfBuckets: number,
  seed: number,
): ReadonlyMap<number, number> {
  const scores = scoresOf(table);
  const pValues = new Map(scores.map((index) => [index, 1]));
  if (scores.length === 0) return pValues;
  const scoreTable = selectFeatures(table, scores);
  const classCount = table.labels.length;
  const [first, second] = halvesOf(rows, seed);
  for (const [fitted, judged] of [
    [first, second],
    [second, first],
  ] as const) {
    const { features } = codeTable(scoreTable, fitBuckets(scoreTable, fitted, numberOfBuckets));
    const classes = gatherClasses(table.classes, judged);
    for (const [at, index] of scores.entries()) {
      const { pValue } = testIndependence(countCodes(features[at]!, judged, classes, classCount), classCount);
      pValues.set(index, Math.min(pValues.get(index)!, 2 * pValue));
    }
  }
  return pValues;
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
