// Naive Bayes on the terms of texts, beside that on the buckets of all other columns.
import { fitNaiveBayes } from "../bayes/naive-bayes.ts";
import type { FitInput } from "../fitting/family.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import { fitTemperature } from "../judging/temperature.ts";
import { deriveSeed, Random } from "../random.ts";
import { sumOf } from "../sums.ts";
import type { TermRows } from "../text/term-rows.ts";
import {
  countRows,
  inverseFrequencies,
  RowValues,
  scoreTerms,
  type TermsModel,
  type TextWeights,
  textsOf,
} from "./term-weights.ts";

export interface TermBayesSettings {
  /**
   * multinomial: the shares of the terms that a class has. complement: of those that all other
   * classes have, from counts by logarithm, inverse document frequency and length, the weights of
   * each class scaled alike (Rennie, Shih, Teevan & Karger 2003).
   */
  variant: "multinomial" | "complement";
  /** Counts that each term has beside its own; above 0. */
  smoothing: number;
}

const BUCKET_SMOOTHING = 1;
const HALVES_DRAW = 51;
/** A text of many words may need as much. */
const MOST_TEMPERATURE = 100;

/**
 * Reads words and pairs of words, of codes their pieces too. Neighbours repeat each other, and naive Bayes counts
 * each as new: it would be far too sure. So it is tempered by what a model of a half of the
 * rows says of the other half. O(entries + terms × classes).
 */
export function fitTermBayes(input: FitInput, settings: TermBayesSettings): TermsModel {
  return tempered(fitWhole(input, settings), temperatureOf(input, settings));
}

function temperatureOf(input: FitInput, settings: TermBayesSettings): number {
  const { view, rows, classCount } = input;
  const random = new Random(deriveSeed(input.seed, HALVES_DRAW));
  const half = Uint8Array.from(rows, () => random.nextBelow(2));
  const learned = rows.filter((_, at) => half[at] === 0);
  const judged = rows.filter((_, at) => half[at] === 1);
  if (learned.length === 0 || judged.length === 0) return 1;
  const probabilities = new Float64Array(judged.length * classCount);
  scoreTerms(fitWhole({ ...input, rows: learned }, settings), view, judged, probabilities);
  return Math.max(1, fitTemperature(probabilities, { ...input, rows: judged }, MOST_TEMPERATURE));
}

function tempered({ tables, texts, ...model }: TermsModel, temperature: number): TermsModel {
  const divided = <T extends Float32Array | Float64Array>(scores: T) => scores.map((score) => score / temperature) as T;
  return {
    ...model,
    tables: {
      ...tables,
      intercepts: divided(tables.intercepts),
      tables: tables.tables.map((table) => table && divided(table)),
    },
    texts: texts.map((text) => ({ ...text, weights: divided(text.weights) })),
  };
}

function fitWhole(input: FitInput, settings: TermBayesSettings): TermsModel {
  const { view, classCount } = input;
  const tables = fitNaiveBayes(input, { variant: "plain", smoothing: BUCKET_SMOOTHING });
  // Scores of texts say what the terms say themselves.
  const others = tables.tables.map((table, index) => (view.features[index]!.isScore === true ? null : table));
  const texts = textsOf(view).map((text) => fitText(text, input, settings));
  return { kind: "terms", classCount, tables: { ...tables, tables: others }, texts };
}

function fitText(text: TermRows, input: FitInput, { variant, smoothing }: TermBayesSettings): TextWeights {
  const { rows, classCount } = input;
  const isComplement = variant === "complement";
  const choice = text.weighedCount > text.plainCount ? "all" : "words";
  const found = inverseFrequencies(text, countRows(text, rows), rows.length, choice);
  const scales = isComplement ? found : found.map((scale) => (scale > 0 ? 1 : 0));
  const scaling = { counting: isComplement ? "log" : "once", isNormalised: isComplement, scales } as const;
  const sums = sumByClass(text, new RowValues(text, scaling), input);
  const termCount = scales.reduce((count, scale) => count + (scale > 0 ? 1 : 0), 0);
  // One array from sums to weights: it is the largest of all.
  if (isComplement) toComplements(sums, classCount);
  toLogShares(sums, classCount, termCount, smoothing);
  if (isComplement) scaleAlike(sums, scales, classCount);
  return { ...scaling, weights: toOutputs(sums, scales, classCount) };
}

/** The values of each term, summed by class: `terms × classCount`. */
function sumByClass(text: TermRows, reader: RowValues, { rows, classes, classCount }: FitInput): Float64Array {
  const sums = new Float64Array(text.termCount * classCount);
  for (const row of rows) {
    reader.turnTo(row);
    for (let at = reader.first; at < reader.end; at++) {
      const cell = text.terms[at]! * classCount + classes[row]!;
      sums[cell] = sums[cell]! + reader.values[at - reader.first]!;
    }
  }
  return sums;
}

function toComplements(sums: Float64Array, classCount: number): void {
  for (let from = 0; from < sums.length; from += classCount) {
    let total = 0;
    for (let k = 0; k < classCount; k++) total += sums[from + k]!;
    for (let k = 0; k < classCount; k++) sums[from + k] = total - sums[from + k]!;
  }
}

function toLogShares(sums: Float64Array, classCount: number, termCount: number, smoothing: number): void {
  const totals = new Float64Array(classCount).fill(smoothing * termCount);
  for (let at = 0; at < sums.length; at++) totals[at % classCount] = totals[at % classCount]! + sums[at]!;
  for (let at = 0; at < sums.length; at++) sums[at] = Math.log((sums[at]! + smoothing) / totals[at % classCount]!);
}

/** Every class's weights add up to the same size, and speak against it: what they count is the other classes. */
function scaleAlike(shares: Float64Array, scales: Float32Array, classCount: number): void {
  const sizes = new Float64Array(classCount);
  shares.forEach((share, at) => {
    if (scales[Math.floor(at / classCount)]! > 0) sizes[at % classCount]! += Math.abs(share);
  });
  const mean = sumOf(sizes) / classCount;
  for (let at = 0; at < shares.length; at++)
    shares[at] = (-shares[at]! * mean) / Math.max(sizes[at % classCount]!, 1e-300);
}

/** With two classes, a weight is for class 1 against class 0. Terms that are not used have weight 0. */
function toOutputs(shares: Float64Array, scales: Float32Array, classCount: number): Float32Array {
  const outputCount = outputCountOf(classCount);
  const weights = new Float32Array(scales.length * outputCount);
  for (let term = 0; term < scales.length; term++) {
    if (scales[term] === 0) continue;
    const from = term * classCount;
    if (classCount === 2) weights[term] = shares[from + 1]! - shares[from]!;
    else for (let k = 0; k < classCount; k++) weights[from + k] = shares[from + k]!;
  }
  return weights;
}
