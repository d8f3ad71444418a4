// Facts about each feature alone: how its cells spread, what they tell of the
// label, how TEST differs, which features it copies.

import { countClasses, countCodes, gatherClasses, mutualInformation } from "../fitting/class-counts.ts";
import { NO_ROWS } from "../row-lists.ts";
import { testIndependence } from "../statistics/independence.ts";
import { stabilityIndex } from "../statistics/stability-index.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import { type CodedFeature, codeTable, fitBuckets, levelsOf, MISSING_CODE } from "../table/buckets.ts";
import { type LevelArray, labelledRows, selectFeatures, type Table } from "../table/table.ts";
import { isOfText } from "../table/text-shape.ts";
import { copySignature } from "./copies.ts";
import { type RefinementTask, trainRows } from "./task.ts";
import { testTexts } from "./text-test.ts";

/** Interleaved parts that the learning rows are dealt to, to see whether a signal appears in each. */
const QUARTERS = 4;
const SIGNIFICANT = 0.05;

/**
 * A column this strong may be a leak of the label: copies reach .97 and more, and 2 of 99 honest
 * tables have a column that strong. A refinement asks it of each column in the user's buckets and in
 * fine ones. The look before training (leaks/leaks.ts) asks it in coarse buckets too, of
 * pairs, and of being filled: it only warns, so it may look at more.
 */
export const SUSPECT_STRENGTH = 0.95;
/** Mean rows of a fine bucket, so that the label of a row can be guessed from the other rows of its bucket. */
const ROWS_PER_FINE_BUCKET = 20;
const MOST_FINE_BUCKETS = 254;

/**
 * Plain JSON. Figures are over the learning rows unless they say otherwise,
 * and over codes where they speak of the label.
 */
export interface FeatureFacts {
  featureIndex: number;
  /** Rows of the most frequent level, missing counted as one. */
  mostFrequentCount: number;
  missingCount: number;
  /** Codes with a learning row, missing counted as one. */
  presentCodeCount: number;
  /**
   * P-value of the test of independence; of a text's feature times the tests of its column (Bonferroni), because any
   * one keeps the column. The mutual information with the label in nats, less its expectation by chance.
   */
  pValue: number;
  mutualInformation: number;
  /** See `majorityRuleStrength`; that of fine buckets where only these show a suspect. */
  strength: number;
  /** The p-value of being missing, without the value itself. */
  missingPValue: number;
  /** In how many of the four interleaved quarters of the learning rows the p-value is below .05. */
  significantQuarters: number;
  /**
   * Test of independence of code and membership in learning rows or TEST,
   * and the population stability index of the two.
   */
  driftPValue: number;
  stabilityIndex: number;
  /** Over all rows of TRAIN, see `copySignature`. */
  copySignature: string;
}

/** Facts about the features [from, to) of the task's table, coded in the user's buckets. O(rows) per feature. */
export function measureFeatures(task: RefinementTask, from: number, to: number, stop: StopSignal): FeatureFacts[] {
  const { table, learning, selection, test, numberOfBuckets } = task;
  const range = Array.from({ length: to - from }, (_, at) => from + at);
  const rangeTable = selectFeatures(table, range);
  const bucketing = fitBuckets(rangeTable, learning, numberOfBuckets);
  const view = codeTable(rangeTable, bucketing);
  const pValuesOfTexts = testTexts(rangeTable, selection, task.seed, stop);
  const classCount = table.labels.length;
  const learningClasses = gatherClasses(table.classes, learning);
  const classCounts = countClasses(labelledRows(table, learning));
  const train = trainRows(task);
  const facts: FeatureFacts[] = [];
  for (let featureIndex = from; featureIndex < to; featureIndex++) {
    throwIfCancelled(stop);
    const at = featureIndex - from;
    const feature = view.features[at]!;
    const levels = levelsOf(rangeTable, at, bucketing[at]!);
    const counts = countCodes(feature, learning, learningClasses, classCount);
    const missing = missingCounts(counts, classCount);
    const pValue = pValuesOfTexts.get(at) ?? testIndependence(counts, classCount).pValue;
    facts.push({
      featureIndex,
      mostFrequentCount: mostFrequent(levels, learning),
      missingCount: sumOf(missing.subarray(0, classCount)),
      presentCodeCount: presentCodes(counts, classCount),
      pValue: Math.min(1, textTestCount(table, featureIndex) * pValue),
      mutualInformation: mutualInformation(counts, classCount, classCounts),
      strength: strengthOf(majorityRuleStrength(counts, classCount), pValue, () =>
        fineStrength(selectFeatures(rangeTable, [at]), learning, learningClasses, numberOfBuckets),
      ),
      missingPValue: testIndependence(missing, classCount).pValue,
      significantQuarters: significantQuarters(feature, learning, learningClasses, classCount),
      ...driftOf(feature, learning, feature.isScore === true ? NO_ROWS : test),
      copySignature: copySignature(rangeTable.features[at]!, levels, train),
    });
  }
  return facts;
}

/** As many buckets as make a leak of few rows stand alone: with twenty, it shares its bucket with other labels. */
export function fineBucketCount(rowCount: number): number {
  return Math.min(MOST_FINE_BUCKETS, Math.floor(rowCount / ROWS_PER_FINE_BUCKET));
}

/** Fine buckets are looked at only where the label depends on the feature: they cost as much as all else. */
function strengthOf(strength: number, pValue: number, fine: () => number): number {
  if (strength >= SUSPECT_STRENGTH || pValue >= SIGNIFICANT) return strength;
  const ofFine = fine();
  return ofFine >= SUSPECT_STRENGTH ? ofFine : strength;
}

/** The strength of a number in fine buckets; 0 for other features, whose buckets are always the same. */
function fineStrength(one: Table, learning: Uint32Array, learningClasses: Uint8Array, numberOfBuckets: number): number {
  const bucketCount = fineBucketCount(learning.length);
  if (one.features[0]!.kind !== "number" || bucketCount <= numberOfBuckets) return 0;
  const fine = codeTable(one, fitBuckets(one, learning, bucketCount));
  const classCount = one.labels.length;
  return majorityRuleStrength(countCodes(fine.features[0]!, learning, learningClasses, classCount), classCount);
}

/**
 * (accuracy − majority) / (1 − majority) of the rule "the most frequent class among the other rows of
 * the same code": 0 is no better than always answering the most frequent class, 1 is never wrong,
 * below 0 is worse. Leave-one-out, so many small codes gain nothing; a tie counts as wrong. 0 where
 * there is one class only. `counts` is `code * classCount + class`.
 */
export function majorityRuleStrength(counts: Int32Array, classCount: number): number {
  const classCounts = new Float64Array(classCount);
  let rowCount = 0;
  let right = 0;
  for (let base = 0; base < counts.length; base += classCount) {
    let most = 0;
    let second = 0;
    for (let k = 0; k < classCount; k++) {
      const count = counts[base + k]!;
      classCounts[k] = classCounts[k]! + count;
      rowCount += count;
      if (count > most) {
        second = most;
        most = count;
      } else if (count > second) {
        second = count;
      }
    }
    // A row of the most frequent class must see it in front without itself;
    // rows of other classes never see theirs in front.
    if (most - 1 > second) right += most;
  }
  const majority = classCounts.reduce((highest, count) => Math.max(highest, count), 0);
  return majority === rowCount ? 0 : (right - majority) / (rowCount - majority);
}

/** How many tests the feature's column has as a text, all scores being one; 1 where it is no feature of a text. */
function textTestCount({ features }: Table, featureIndex: number): number {
  const feature = features[featureIndex]!;
  if (!isOfText(feature)) return 1;
  const others = features.filter((other) => other.column === feature.column && isOfText(other));
  return others.filter((other) => other.kind !== "score" || other.group === 0).length;
}

function mostFrequent(levels: LevelArray, rows: Uint32Array): number {
  let highest = 0;
  for (let i = 0; i < rows.length; i++) highest = Math.max(highest, levels[rows[i]!]!);
  const counts = new Uint32Array(highest + 1);
  for (let i = 0; i < rows.length; i++) counts[levels[rows[i]!]!]!++;
  return counts.reduce((most, count) => Math.max(most, count), 0);
}

/** Two codes, missing and there, in the form of `countCodes`. */
export function missingCounts(counts: Int32Array, classCount: number): Int32Array {
  const folded = new Int32Array(2 * classCount);
  for (let cell = 0; cell < counts.length; cell++) {
    const k = cell % classCount;
    const isMissing = cell - k === MISSING_CODE * classCount;
    folded[isMissing ? k : classCount + k]! += counts[cell]!;
  }
  return folded;
}

function presentCodes(counts: Int32Array, classCount: number): number {
  let present = 0;
  for (let base = 0; base < counts.length; base += classCount) {
    if (sumOf(counts.subarray(base, base + classCount)) > 0) present++;
  }
  return present;
}

function significantQuarters(
  feature: CodedFeature,
  rows: Uint32Array,
  rowClasses: Uint8Array,
  classCount: number,
): number {
  const { codes } = feature;
  const size = feature.codeCount * classCount;
  const counts = new Int32Array(QUARTERS * size);
  for (let i = 0; i < rows.length; i++) {
    counts[(i % QUARTERS) * size + codes[rows[i]!]! * classCount + rowClasses[i]!]!++;
  }
  let significant = 0;
  for (let quarter = 0; quarter < QUARTERS; quarter++) {
    const ofQuarter = counts.subarray(quarter * size, (quarter + 1) * size);
    if (testIndependence(ofQuarter, classCount).pValue < SIGNIFICANT) significant++;
  }
  return significant;
}

/** No drift where there is no TEST, nor of scores: a fit scores its own rows by fewer counts than those of TEST. */
function driftOf(feature: CodedFeature, learning: Uint32Array, test: Uint32Array) {
  const { codes, codeCount } = feature;
  const counts = new Int32Array(2 * codeCount);
  for (let i = 0; i < learning.length; i++) counts[2 * codes[learning[i]!]!]!++;
  for (let i = 0; i < test.length; i++) counts[2 * codes[test[i]!]! + 1]!++;
  if (test.length === 0 || learning.length === 0) return { driftPValue: 1, stabilityIndex: 0 };
  const cells = Array.from({ length: codeCount }, (_, code) => [counts[2 * code]!, counts[2 * code + 1]!] as const);
  const present = cells.filter(([ofLearning, ofTest]) => ofLearning + ofTest > 0);
  return { driftPValue: testIndependence(counts, 2).pValue, stabilityIndex: stabilityIndex(present) };
}
