// Does a text alone tell anything of the label? Each half of the rows is judged by what the other half says of its terms.
import { codeTable, fitBuckets } from "../buckets.ts";
import { countCodes, gatherClasses } from "../families/class-counts.ts";
import { deriveSeed, Random, shuffle } from "../random.ts";
import { selectFeatures, type Table } from "../table.ts";
import { testIndependence } from "./independence.ts";

const HALVES_DRAW = 44;

/**
 * The p-value of each score feature, by its index. Scores that are cross-fitted over all rows depend on the labels of the rows
 * that they are tested on, and noise then passes too often; fitted on one half, they are fixed for the other. Twice the smaller
 * p-value of the two halves (Bonferroni). O(entries × groups).
 */
export function testScores(
  table: Table,
  rows: Uint32Array,
  numberOfBuckets: number,
  seed: number,
): ReadonlyMap<number, number> {
  const scores = [...table.features.keys()].filter((index) => table.features[index]!.kind === "score");
  const pValues = new Map(scores.map((index) => [index, 1]));
  if (scores.length === 0) return pValues;
  const own = selectFeatures(table, scores);
  const order = rows.slice();
  shuffle(order, new Random(deriveSeed(seed, HALVES_DRAW)));
  const middle = Math.floor(order.length / 2);
  const halves = [order.slice(0, middle).sort(), order.slice(middle).sort()] as const;
  for (const [fitted, judged] of [halves, halves.toReversed()] as const) {
    const { features } = codeTable(own, fitBuckets(own, fitted!, numberOfBuckets));
    const classes = gatherClasses(table.classes, judged!);
    for (const [at, index] of scores.entries()) {
      const { pValue } = testIndependence(
        countCodes(features[at]!, judged!, classes, table.labels.length),
        table.labels.length,
      );
      pValues.set(index, Math.min(pValues.get(index)!, 2 * pValue));
    }
  }
  return pValues;
}
