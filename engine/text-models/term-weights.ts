// Models that are linear in the terms of texts: how a row's terms become values, and the values class probabilities.

import { type ScoreTables, scoresToProbabilities } from "../fitting/score-tables.ts";
import type { CodedView } from "../table/buckets.ts";
import type { TermRows } from "../text/term-rows.ts";

/** How often a term counts in a row: 1 + ln(count), or once. */
export type TermCounting = "log" | "once";

/** One text's part of the scores of the classes. */
export interface TextWeights {
  counting: TermCounting;
  /** Whether a row's words and pairs, and its pieces of words, are each scaled to length one. */
  isNormalised: boolean;
  /** Per term: what its count is multiplied by; 0 for terms that take no part. */
  scales: Float32Array;
  /** `terms × outputCount`. */
  weights: Float32Array;
}

/** score_k(row) = tables + Σ value(term) × weights[term × outputCount + k]; then as score tables. */
export interface TermsModel {
  kind: "terms";
  classCount: number;
  /** The tables of the other features. */
  tables: ScoreTables;
  /** One for each text of the view. */
  texts: readonly TextWeights[];
}

/** How a model scales the terms of a text. */
export type TermScaling = Pick<TextWeights, "counting" | "isNormalised" | "scales">;

const LOG_COUNTS = Float32Array.from({ length: 256 }, (_, count) => (count === 0 ? 0 : 1 + Math.log(count)));
const ONCE = new Float32Array(256).fill(1);

/** Works out the values of the terms of one row after the other. */
export class RowValues {
  private readonly text: TermRows;
  readonly scaling: TermScaling;
  private readonly countValues: Float32Array;
  /** The current row: its first entry, the one after its last, and a value for each. */
  first = 0;
  end = 0;
  values = new Float32Array(256);

  constructor(text: TermRows, scaling: TermScaling) {
    this.text = text;
    this.scaling = scaling;
    this.countValues = scaling.counting === "log" ? LOG_COUNTS : ONCE;
  }

  /** O(entries of the row). */
  turnTo(row: number): void {
    const { starts, terms, counts, plainCount } = this.text;
    const { scales, isNormalised } = this.scaling;
    this.first = starts[row]!;
    this.end = starts[row + 1]!;
    const length = this.end - this.first;
    if (length > this.values.length) this.values = new Float32Array(2 * length);
    const { values, countValues, first } = this;
    let plainSquares = 0;
    let pieceSquares = 0;
    let plainEnd = 0;
    for (let at = 0; at < length; at++) {
      const term = terms[first + at]!;
      const value = countValues[counts[first + at]!]! * scales[term]!;
      values[at] = value;
      if (term < plainCount) {
        plainSquares += value * value;
        plainEnd = at + 1;
      } else pieceSquares += value * value;
    }
    if (!isNormalised) return;
    const plain = plainSquares > 0 ? 1 / Math.sqrt(plainSquares) : 0;
    const pieces = pieceSquares > 0 ? 1 / Math.sqrt(pieceSquares) : 0;
    for (let at = 0; at < length; at++) values[at] = values[at]! * (at < plainEnd ? plain : pieces);
  }
}

/** Adds what the terms of one row say to the scores of its outputs. */
export function addTermScores(
  { terms }: TermRows,
  { first, end, values }: RowValues,
  weights: Float32Array,
  scores: Float64Array,
  outputCount: number,
): void {
  for (let at = first; at < end; at++) {
    const value = values[at - first]!;
    if (value === 0) continue;
    const from = terms[at]! * outputCount;
    for (let k = 0; k < outputCount; k++) scores[k] = scores[k]! + value * weights[from + k]!;
  }
}

/** Writes the probabilities of all classes, `rows.length × classCount`. */
export function scoreTerms(
  { tables, texts, classCount }: TermsModel,
  view: CodedView,
  rows: Uint32Array,
  out: Float64Array,
): void {
  const { outputCount } = tables;
  const readers = texts.map((text, index) => new RowValues(textsOf(view)[index]!, text));
  const scores = new Float64Array(outputCount);
  for (let i = 0, to = 0; i < rows.length; i++, to += classCount) {
    const row = rows[i]!;
    scores.set(tables.intercepts);
    for (const [index, table] of tables.tables.entries()) {
      if (table === null) continue;
      const from = view.features[index]!.codes[row]! * outputCount;
      for (let k = 0; k < outputCount; k++) scores[k] = scores[k]! + table[from + k]!;
    }
    for (const [index, reader] of readers.entries()) {
      reader.turnTo(row);
      addTermScores(textsOf(view)[index]!, reader, texts[index]!.weights, scores, outputCount);
    }
    out.set(scores, to + classCount - outputCount);
    scoresToProbabilities(out, to, classCount);
  }
}

/** @throws RangeError where the view has no texts */
export function textsOf({ texts }: CodedView): readonly TermRows[] {
  if (texts === undefined) throw new RangeError("The view has no texts.");
  return texts;
}

/** Rows among these that have each term. */
export function countRows({ starts, terms, termCount }: TermRows, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(termCount);
  for (const row of rows) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const term = terms[at]!;
      counts[term] = counts[term]! + 1;
    }
  }
  return counts;
}

/** Which terms a model reads: words and pairs of words alone, or pieces of words too. */
export type TermChoice = "words" | "all";

const FEWEST_ROWS = 2;

/**
 * The inverse document frequency of each term, smoothed (as scikit-learn's), 0
 * for those that fewer than two of the rows have.
 */
export function inverseFrequencies(
  text: TermRows,
  rowCounts: Uint32Array,
  rowCount: number,
  choice: TermChoice,
): Float32Array {
  return Float32Array.from(rowCounts, (count, term) => {
    const isRead = count >= FEWEST_ROWS && (choice === "all" || term < text.plainCount);
    return isRead ? Math.log((1 + rowCount) / (1 + count)) + 1 : 0;
  });
}
