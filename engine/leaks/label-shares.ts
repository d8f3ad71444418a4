// Number columns made of the label: its share among the rows of a shop, doctor or place, taken over the rows that a
// model is judged by, too. Shares may be drawn towards that of all rows, or leave each row's own label out.

import { classesByCode } from "../fitting/class-counts.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import { type Feature, FIRST_LEVEL, levelCount, type NumberFeature, type Table } from "../table/table.ts";
import { chanceOfDrawnShares, chanceOfOtherShares, chanceOfShares, type ShareCount } from "./share-chances.ts";

/** Fewer values are no shares of groups. */
const LEAST_VALUES = 4;
const PERCENT = 100;
/** Rows of a value in the mean, at least: rarer values are measurements. */
const ROWS_PER_VALUE = 2;
/**
 * A column of true probabilities still differs from the shares of labels that come out. Below this chance of any column
 * agreeing as closely by luck, in either of two ways, it holds the shares themselves.
 */
const MOST_CHANCE = 0.005;

/** A column by its position in the file, and the label whose shares it holds. */
export interface LabelShare {
  column: number;
  label: string;
}

/** D193. `table`: all rows, since some of them have other shares. O(rows × features). @throws Cancelled */
export function findLabelShares({ features, levels, classes, labels }: Table, stop: StopSignal): LabelShare[] {
  const tests: (LabelShare & { chance: number })[] = [];
  for (const [index, feature] of features.entries()) {
    throwIfCancelled(stop);
    if (!mayHoldShares(feature, classes.length)) continue;
    const shares = asShares(feature.values);
    const ofLevels = classesByCode(levels[index]!, levelCount(feature), classes, labels.length).slice(FIRST_LEVEL);
    for (const [code, label] of labels.entries()) {
      const counts = countsOfLabel(shares, ofLevels, code);
      const chance = Math.min(chanceOfShares(counts), chanceOfDrawnShares(counts), chanceOfOtherShares(counts));
      tests.push({ column: feature.column, label, chance });
    }
  }
  return tests
    .filter(({ chance }) => chance * tests.length <= MOST_CHANCE)
    .map(({ column, label }) => ({ column, label }));
}

function mayHoldShares(feature: Feature, rowCount: number): feature is NumberFeature {
  if (feature.kind !== "number" || feature.part !== null) return false;
  const { values } = feature;
  if (values.length < LEAST_VALUES || values.length * ROWS_PER_VALUE > rowCount) return false;
  return values[0]! >= 0 && values.at(-1)! <= PERCENT;
}

/** The values where they are between 0 and 1, else as percent. */
function asShares(values: Float64Array): Float64Array {
  return values.at(-1)! <= 1 ? values : values.map((value) => value / PERCENT);
}

function countsOfLabel(shares: Float64Array, ofLevels: readonly Uint32Array[], code: number): ShareCount[] {
  return ofLevels
    .map((counts, at) => ({ share: shares[at]!, rows: sumOf(counts), labelled: counts[code]! }))
    .filter(({ rows }) => rows > 0);
}
