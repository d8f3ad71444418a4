// Class counts: the fit rows of each bucket and class, and the features with the most information about the class.

import { throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import type { CodeArray, CodedFeature } from "../table/buckets.ts";
import type { LabelledRows } from "../table/table.ts";
import type { FitInput } from "./family.ts";

/** Rows of each class among the rows. */
export function countClasses({ rows, classes, classCount }: LabelledRows): Float64Array {
  const counts = new Float64Array(classCount);
  for (let i = 0; i < rows.length; i++) counts[classes[rows[i]!]!]!++;
  return counts;
}

/**
 * The smoothed class frequencies as scores, one per output: where fits begin,
 * so that even an unfinished one predicts sanely.
 */
export function startingScores(input: FitInput): Float64Array {
  const logCounts = countClasses(input).map((count) => Math.log(count + 1));
  if (input.classCount === 2) return Float64Array.of(logCounts[1]! - logCounts[0]!);
  const mean = sumOf(logCounts) / input.classCount;
  return logCounts.map((value) => value - mean);
}

/** The classes of the fit rows, in their order. */
export function gatherClasses(classes: Uint8Array, rows: Uint32Array): Uint8Array {
  const gathered = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = classes[rows[i]!]!;
  return gathered;
}

/** Rows of each class by code: an array for each code. `classes` goes with `codes`. */
export function classesByCode(
  codes: ArrayLike<number>,
  codeCount: number,
  classes: Uint8Array,
  classCount: number,
): Uint32Array[] {
  const counts = new Uint32Array(codeCount * classCount);
  for (let row = 0; row < codes.length; row++) counts[codes[row]! * classCount + classes[row]!]!++;
  return Array.from({ length: codeCount }, (_, code) => counts.subarray(code * classCount, (code + 1) * classCount));
}

/** Rows of each code, `codeCount` long. */
export function countRowsByCode(codes: ArrayLike<number>, codeCount: number, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(codeCount);
  for (let i = 0; i < rows.length; i++) {
    const code = codes[rows[i]!]!;
    counts[code] = counts[code]! + 1;
  }
  return counts;
}

/**
 * Rows of each code and class, `codeCount * classCount` long: entry `code *
 * classCount + class`. `rowClasses` goes with `rows`.
 */
export function countCodes(
  feature: CodedFeature,
  rows: Uint32Array,
  rowClasses: Uint8Array,
  classCount: number,
): Int32Array {
  const counts = new Int32Array(feature.codeCount * classCount);
  const codes = feature.codes;
  for (let i = 0; i < rows.length; i++) {
    const cell = codes[rows[i]!]! * classCount + rowClasses[i]!;
    counts[cell] = counts[cell]! + 1;
  }
  return counts;
}

/**
 * Mutual information of code and class in nats, less its expectation under independence (Miller 1955, Madow), so that a
 * feature of many buckets does not look informative by chance alone.
 */
export function mutualInformation(counts: Int32Array, classCount: number, classCounts: Float64Array): number {
  let rowCount = 0;
  let presentClasses = 0;
  for (const count of classCounts) {
    rowCount += count;
    if (count > 0) presentClasses++;
  }
  let presentCodes = 0;
  let sum = 0;
  for (let base = 0; base < counts.length; base += classCount) {
    let codeTotal = 0;
    for (let k = 0; k < classCount; k++) codeTotal += counts[base + k]!;
    if (codeTotal === 0) continue;
    presentCodes++;
    for (let k = 0; k < classCount; k++) {
      const count = counts[base + k]!;
      if (count > 0) sum += count * Math.log((count * rowCount) / (codeTotal * classCounts[k]!));
    }
  }
  return rowCount === 0 ? 0 : (sum - ((presentCodes - 1) * (presentClasses - 1)) / 2) / rowCount;
}

/**
 * Ascending indexes of the features that vary over the fit rows. If their costs together exceed `budget`, only the most
 * informative ones that fit into it, so that a very wide table with many classes stays within memory.
 */
export function chooseFeatures(
  input: FitInput,
  budget: number,
  costOf: (feature: CodedFeature, index: number) => number,
): number[] {
  const { view, rows, classes, classCount } = input;
  const varying: number[] = [];
  let total = 0;
  for (const [index, feature] of view.features.entries()) {
    if (isConstant(feature.codes, rows)) continue;
    varying.push(index);
    total += costOf(feature, index);
  }
  if (total <= budget) return varying;
  const rowClasses = gatherClasses(classes, rows);
  const classCounts = countClasses(input);
  const ranked = varying.map((index) => {
    throwIfCancelled(input.stop);
    const counts = countCodes(view.features[index]!, rows, rowClasses, classCount);
    return { index, information: mutualInformation(counts, classCount, classCounts) };
  });
  ranked.sort((a, b) => b.information - a.information || a.index - b.index);
  const chosenFeatures: number[] = [];
  let spent = 0;
  for (const { index } of ranked) {
    const cost = costOf(view.features[index]!, index);
    if (spent + cost > budget) continue;
    spent += cost;
    chosenFeatures.push(index);
  }
  return chosenFeatures.sort((a, b) => a - b);
}

function isConstant(codes: CodeArray, rows: Uint32Array): boolean {
  if (rows.length === 0) return true;
  const first = codes[rows[0]!]!;
  for (let i = 1; i < rows.length; i++) if (codes[rows[i]!] !== first) return false;
  return true;
}
