// Number columns that hold the share of a label among their own rows: a mean of the label by shop, doctor or place,
// taken over the rows that a model is judged by, too.

import { upperGamma, upperNormal } from "../statistics/tail-probabilities.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { type Feature, FIRST_LEVEL, type LevelArray, type NumberFeature, type Table } from "../table/table.ts";

/** Fewer distinct shares between 0 and 1 may agree by chance. */
const LEAST_SHARES = 4;
const PERCENT = 100;
/** Rows of a value in the mean, at least: rarer values are measurements. */
const ROWS_PER_VALUE = 2;
/**
 * A column of true probabilities still differs from the shares of labels that come out. Below this chance of any column
 * agreeing as closely by luck, it holds the shares themselves.
 */
const MOST_CHANCE = 0.01;

/** A column by its position in the file, and the label whose shares it holds. */
export interface LabelShare {
  column: number;
  label: string;
}

/** `table`: all rows, since some of them have other shares. O(rows × features). @throws Cancelled */
export function findLabelShares({ features, levels, classes, labels }: Table, stop: StopSignal): LabelShare[] {
  const shareColumns: (LabelShare & { chance: number })[] = [];
  let lookCount = 0;
  for (const [index, feature] of features.entries()) {
    throwIfCancelled(stop);
    if (!mayHoldShares(feature, classes.length)) continue;
    const shares = asShares(feature.values);
    const counts = countsOf(levels[index]!, classes, feature.values.length, labels.length);
    for (const [code, label] of labels.entries()) {
      lookCount++;
      shareColumns.push({ column: feature.column, label, chance: chanceOfAgreement(shares, counts, code) });
    }
  }
  return shareColumns
    .filter(({ chance }) => chance * lookCount <= MOST_CHANCE)
    .map(({ column, label }) => ({ column, label }));
}

function mayHoldShares(feature: Feature, rowCount: number): feature is NumberFeature {
  if (feature.kind !== "number" || feature.part !== null) return false;
  const { values } = feature;
  if (values.length < LEAST_SHARES || values.length * ROWS_PER_VALUE > rowCount) return false;
  return values[0]! >= 0 && values.at(-1)! <= PERCENT;
}

/** The values where they are between 0 and 1, else as percent. */
function asShares(values: Float64Array): Float64Array {
  return values.at(-1)! <= 1 ? values : values.map((value) => value / PERCENT);
}

/** Rows of each value and class, one array for each value. */
function countsOf(levels: LevelArray, classes: Uint8Array, valueCount: number, classCount: number): Uint32Array[] {
  const counts = Array.from({ length: valueCount }, () => new Uint32Array(classCount));
  for (let row = 0; row < levels.length; row++) {
    const ofLevel = counts[levels[row]! - FIRST_LEVEL];
    if (ofLevel !== undefined) ofLevel[classes[row]!] = ofLevel[classes[row]!]! + 1;
  }
  return counts;
}

/**
 * The p-value of agreeing this closely if each value were the true probability. The p-values of the single values, by
 * the normal approximation with a continuity correction, are combined by Fisher's method. 1 if a 0 or 1 is wrong.
 */
function chanceOfAgreement(shares: Float64Array, counts: readonly Uint32Array[], code: number): number {
  let shareCount = 0;
  let surprise = 0;
  for (const [at, ofLevel] of counts.entries()) {
    const share = shares[at]!;
    const rowCount = ofLevel.reduce((sum, count) => sum + count, 0);
    const away = Math.abs(ofLevel[code]! - share * rowCount);
    if (share === 0 || share === 1) {
      if (away > 0) return 1;
      continue;
    }
    if (rowCount === 0) continue;
    shareCount++;
    const within = 1 - 2 * upperNormal((away + 0.5) / Math.sqrt(rowCount * share * (1 - share)));
    surprise -= Math.log(within);
  }
  return shareCount < LEAST_SHARES ? 1 : upperGamma(shareCount, surprise);
}
