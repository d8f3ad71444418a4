// Counts the cells of a scored file as the training rows were counted, and its labels where it has them.

import { PACKED_DAY, packDate, YEAR_FIRST } from "../columns/dates.ts";
import { CONFIDENCE_BINS, confidenceBin, emptyConfusion } from "../judging/metrics.ts";
import type { ModelColumn, ModelFeature, ModelFile } from "../model/model-file.ts";
import { MOST_CELLS, type PartReference, partsOf, type ReferenceColumn } from "../model/reference-counts.ts";
import { nextDown } from "../next-double.ts";
import { sumOf } from "../sums.ts";
import { type CodeArray, FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../table/buckets.ts";
import { lastUnixTime } from "../unix-times.ts";
import { picksBelow, picksOf, type RowPicks } from "./row-picks.ts";
import type { ScoredCounts } from "./scored-counts.ts";
import { unixUnitOf } from "./unix-cells.ts";

/** The cells of a column: whoever codes them adds each picked one to the counts, by its code. */
export interface CountedCells {
  /** Codes by the ranges or groups of the reference counts. */
  feature: ModelFeature;
  counts: Int32Array;
  /** A text of fewer known words counts as unseen too; 0 for one without any known term. */
  leastWords: number;
}

/** A model whose cells are also counted while they are coded; the label is coded as a further column. */
export interface CountedModel extends Pick<ModelFile, "columns" | "features" | "texts" | "missingMarkers"> {
  counted?: { columns: readonly CountedCells[]; parts: readonly CountedCells[]; picks: RowPicks };
}

/**
 * Codes of counted cells at most: missing, unseen, below the range, ten ranges, above it. See also `timeCode`; Unix
 * times have one more, `beyondTimes`.
 */
const MOST_CODES = FIRST_CODE + MOST_CELLS + 2;

/** Steps that confidences are looked up by. */
const RANGE_STEPS = 1_024;

/** Counts all rows of one file, or rows that come one by one. */
export class FileCounts {
  /** The features that `CellCoder` codes and counts: the model's come first. */
  readonly model: CountedModel & Required<Pick<CountedModel, "counted">>;
  /** Rows by label (first index) and decision; null where the file has no label. */
  readonly confusion: number[][] | null;
  /** Rows without a label by decision. */
  readonly withoutLabelBy: number[];
  private countedRows = 0;
  private readonly decisions: Float64Array;
  private confidenceSum = 0;
  private readonly tenths = new Float64Array(CONFIDENCE_BINS);
  private readonly ranges: Float64Array;
  private readonly cutPoints: Float64Array;
  /** The range of the lowest confidence of each step, so that a row's range is next to it. */
  private readonly rangeAt: Uint8Array;
  private readonly asTrained: boolean;

  /**
   * `hasLabel`: whether the file has a column of the label's name. `fileRowCount`:
   * of many rows, some are counted; labels all are.
   */
  constructor(file: ModelFile, hasLabel: boolean, fileRowCount: number) {
    const { columns, features, texts, missingMarkers, reference = [], labels } = file;
    this.decisions = new Float64Array(labels.length);
    const map = file.reliability ?? null;
    this.ranges = new Float64Array(map?.rows.length ?? 0);
    this.cutPoints = Float64Array.from(map?.cutPoints ?? []);
    this.rangeAt = rangesOfSteps(this.cutPoints);
    this.asTrained = file.trainedClassWeights === undefined;
    const countedBy = (column: ReferenceColumn, at: number): CountedCells => {
      const feature = countedFeature(column, at, features);
      const leastWords = "words" in column ? (column.words?.least ?? 0) : 0;
      return { feature, counts: new Int32Array(feature.codeCount), leastWords };
    };
    const parts = partsOf(reference).map(({ column, counted }) => countedBy(counted, column));
    const label = hasLabel ? [labelColumn(file)] : [];
    const labelFeature = hasLabel ? [classFeature(labels, columns.length)] : [];
    this.confusion = hasLabel ? emptyConfusion(labels.length) : null;
    this.withoutLabelBy = labels.map(() => 0);
    this.model = {
      columns: [...columns, ...label],
      features: [...features, ...labelFeature],
      missingMarkers,
      counted: { columns: reference.map(countedBy), parts, picks: picksOf(fileRowCount, columns.length) },
      ...(texts !== undefined && { texts }),
    };
  }

  /** `labels`: codes of the rows' label; null where the file has none. `answers`: of the rows, see `Scores`. */
  add(
    labels: CodeArray | null,
    rowCount: number,
    answers: { probabilities: Float64Array; decisions: Uint8Array },
  ): void {
    const { confusion, withoutLabelBy, model } = this;
    this.countedRows += picksBelow(model.counted.picks.places, rowCount);
    this.addAnswers(answers, rowCount);
    if (confusion === null || labels === null) return;
    for (let row = 0; row < rowCount; row++) {
      if (labels[row]! >= FIRST_CODE) confusion[labels[row]! - FIRST_CODE]![answers.decisions[row]!]!++;
      else if (labels[row] === MISSING_CODE) withoutLabelBy[answers.decisions[row]!]!++;
    }
  }

  private addAnswers(
    { probabilities, decisions }: { probabilities: Float64Array; decisions: Uint8Array },
    rowCount: number,
  ): void {
    const { decisions: decided, tenths, ranges, rangeAt, cutPoints } = this;
    const classCount = decided.length;
    const mostCut = cutPoints.length;
    let sum = 0;
    for (let row = 0; row < rowCount; row++) {
      const label = decisions[row]!;
      const confidence = probabilities[row * classCount + label]!;
      decided[label]!++;
      sum += confidence;
      tenths[confidenceBin(confidence)]!++;
      let range = rangeAt[Math.floor(confidence * RANGE_STEPS)]!;
      while (range < mostCut && confidence > cutPoints[range]!) range++;
      ranges[range]!++;
    }
    this.confidenceSum += sum;
  }

  /** All counts so far. */
  scored(): ScoredCounts {
    const decisions = listOf(this.decisions);
    return {
      rowCount: sumOf(decisions),
      countedRows: this.countedRows,
      cells: this.countedCells().map(({ counts }) => listOf(counts)),
      decisions,
      confidence: { sum: this.confidenceSum, tenths: listOf(this.tenths) },
      reliability: listOf(this.ranges),
      asTrained: this.asTrained,
    };
  }

  private countedCells(): CountedCells[] {
    const { columns, parts } = this.model.counted;
    return [...columns, ...parts];
  }

  /** The counts since the last call. */
  take(): ScoredCounts {
    const counts = this.scored();
    for (const cells of this.countedCells()) cells.counts.fill(0);
    for (const each of [this.decisions, this.tenths, this.ranges]) each.fill(0);
    this.countedRows = 0;
    this.confidenceSum = 0;
    return counts;
  }
}

/** The range of the confidence at which each step begins. */
function rangesOfSteps(cutPoints: Float64Array): Uint8Array {
  const ranges = new Uint8Array(RANGE_STEPS + 1);
  for (const [range, cut] of cutPoints.entries()) ranges.fill(range + 1, Math.floor(cut * RANGE_STEPS) + 1);
  return ranges;
}

/** A plain array, for JSON; a spread would go through an iterator, which takes ten times as long. */
function listOf(counts: Float64Array | Int32Array): number[] {
  const list = new Array<number>(counts.length);
  for (let at = 0; at < counts.length; at++) list[at] = counts[at]!;
  return list;
}

/** The feature that codes a column's cells by the ranges or groups of the reference counts. */
function countedFeature(column: ReferenceColumn, at: number, features: readonly ModelFeature[]): ModelFeature {
  const unit = unixUnitOf(column);
  const coded = { column: at, codeCount: unit === null ? MOST_CODES : MOST_CODES + 1 };
  if (column.kind === "date") return { ...coded, kind: "number", part: null, cutPoints: dateCuts(column.range) };
  if (column.kind === "category") {
    const { names } = features.find((feature) => feature.column === at && feature.kind === "category") as Extract<
      ModelFeature,
      { kind: "category" }
    >;
    const codes = new Uint16Array(names.length).fill(FIRST_CODE + column.frequent.length);
    for (const [group, name] of column.frequent.entries()) codes[name] = FIRST_CODE + group;
    return { ...coded, kind: "category", part: null, names, codes, codeOfOthers: UNSEEN_CODE };
  }
  const { range, cutPoints } = column;
  const last = unit === null ? [] : [lastUnixTime(unit)];
  const cuts = range === null ? [] : [nextDown(range.low), ...cutPoints, range.high, ...last];
  const part = "part" in column ? (column as PartReference).part : column.kind === "text" ? "characters" : null;
  return { ...coded, kind: "number", part, cutPoints: new Float64Array(cuts) };
}

/** Between dates before the range, in it and after it, as `packDate` packs them: with their hours. */
function dateCuts(range: Extract<ReferenceColumn, { kind: "date" }>["range"]): Float64Array {
  if (range === undefined) return new Float64Array(0);
  return Float64Array.of(packDate(range.from, YEAR_FIRST) - PACKED_DAY, packDate(range.to, YEAR_FIRST));
}

export function labelColumn({ label }: Pick<ModelFile, "label">): ModelColumn {
  // Not noted as new where it is missing: a file need not be labelled throughout.
  return { name: label, kind: "category", reading: { kind: "category" }, missingCount: 1 };
}

export function classFeature(labels: readonly string[], column: number): ModelFeature {
  const codes = Uint16Array.from(labels, (_, code) => FIRST_CODE + code);
  return {
    column,
    codeCount: FIRST_CODE + labels.length,
    ...({ kind: "category", part: null, names: labels, codes, codeOfOthers: UNSEEN_CODE } as const),
  };
}
