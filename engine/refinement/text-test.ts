// Does a text alone tell the label? Models of its words and their pieces judge rows that they have not learned from.

import { countClasses } from "../fitting/class-counts.ts";
import { deriveSeed, Random, shuffled } from "../random.ts";
import { upperNormal } from "../statistics/tail-probabilities.ts";
import type { StopSignal } from "../stop-signal.ts";
import { type LabelledRows, labelledRows, type Table } from "../table/table.ts";
import type { TermRows } from "../text/term-rows.ts";
import { fitSparseLogistic } from "../text-models/sparse-logistic.ts";
import { scoreTerms } from "../text-models/term-weights.ts";

const PARTS_DRAW = 44;
const FIT_DRAW = 45;
/** Each part but the first is judged by a model of all before it. */
const PARTS = 5;
const L2 = 0.1;
/** Entries of the sparse rows times classes; beyond, a sample of the rows is looked at. */
const MOST_WEIGHT = 50_000_000;
const LEAST_PROBABILITY = 1e-6;

/** The p-value of each score feature's text, by the feature's index. */
export function testTexts(
  table: Table,
  rows: Uint32Array,
  seed: number,
  stop: StopSignal,
): ReadonlyMap<number, number> {
  const pValues = new Map<number, number>();
  const ofColumns = new Map<number, number>();
  for (const [index, { kind, column }] of table.features.entries()) {
    if (kind !== "score") continue;
    if (!ofColumns.has(column)) {
      const text = table.texts!.find((each) => each.column === column)!;
      ofColumns.set(column, testText(text, table.rowCount, labelledRows(table, rows), seed, stop));
    }
    pValues.set(index, ofColumns.get(column)!);
  }
  return pValues;
}

/**
 * One-sided: are the labels of judged rows more probable to the models than the same labels would be in another order?
 * Every model learned from parts before the one that it judges. So a part's sum is fixed but for the order of its own
 * labels, whatever the earlier ones were, and what is beyond chance adds up over the parts as if they were independent.
 * O(entries × classes × passes).
 */
function testText(text: TermRows, rowCount: number, labelled: LabelledRows, seed: number, stop: StopSignal): number {
  const { classes, classCount } = labelled;
  const view = { rowCount, features: [], texts: [text] };
  const order = shuffled(labelled.rows, new Random(deriveSeed(seed, PARTS_DRAW)));
  const weightOfRow = (classCount * text.terms.length) / rowCount;
  const size = Math.min(order.length, Math.ceil(MOST_WEIGHT / weightOfRow));
  const endOf = (part: number) => Math.floor((size * part) / PARTS);
  let excess = 0;
  let variance = 0;
  for (let part = 1; part < PARTS; part++) {
    const rows = order.slice(0, endOf(part)).sort();
    const judged = order.slice(endOf(part), endOf(part + 1));
    const input = { view, rows, classes, classCount, seed: deriveSeed(seed, FIT_DRAW, part), stop };
    const model = fitSparseLogistic(input, { terms: "all", scaling: "tf-idf", l2: L2 });
    const probabilities = new Float64Array(judged.length * classCount);
    scoreTerms(model, view, judged, probabilities);
    const found = fitOfLabels(probabilities, { rows: judged, classes, classCount });
    excess += found.excess;
    variance += found.variance;
  }
  return variance > 0 ? upperNormal(excess / Math.sqrt(variance)) : 1;
}

/**
 * How far the log-likelihood of the labels is above its mean over all orders of them, and its variance over these
 * (Hoeffding 1951). Two rows at least. O(rows × classes).
 */
function fitOfLabels(probabilities: Float64Array, labelled: LabelledRows): { excess: number; variance: number } {
  const { rows, classes, classCount } = labelled;
  const counts = countClasses(labelled);
  const logs = probabilities.map((probability) => Math.log(Math.max(probability, LEAST_PROBABILITY)));
  const ofClasses = new Float64Array(classCount);
  const ofRows = new Float64Array(rows.length);
  let actual = 0;
  for (let i = 0; i < rows.length; i++) {
    for (let k = 0; k < classCount; k++) {
      const log = logs[i * classCount + k]!;
      ofClasses[k] = ofClasses[k]! + log / rows.length;
      ofRows[i] = ofRows[i]! + (log * counts[k]!) / rows.length;
    }
    actual += logs[i * classCount + classes[rows[i]!]!]!;
  }
  const mean = ofRows.reduce((sum, each) => sum + each, 0) / rows.length;
  let squares = 0;
  for (let i = 0; i < rows.length; i++) {
    for (let k = 0; k < classCount; k++) {
      squares += counts[k]! * (logs[i * classCount + k]! - ofRows[i]! - ofClasses[k]! + mean) ** 2;
    }
  }
  return { excess: actual - mean * rows.length, variance: squares / (rows.length - 1) };
}
