// Trials of one fast model under different splits of the same rows, compared row by row.

import type { CodedView } from "../buckets.ts";
import { type BaseSettings, fitBase, scoreBase } from "../families/base-algorithms.ts";
import { decide } from "../judging/metrics.ts";
import { deriveSeed } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { dealGroups } from "../splits/group-parts.ts";
import { foldSplits, type Split } from "../splits/holdout.ts";
import { INDEPENDENT_ROWS, NO_PART } from "../splits/row-keys.ts";
import { type StopSignal, throwIfCancelled, throwIfOutOfTime } from "../stop-signal.ts";
import { type LabelledRows, labelledRows } from "../table.ts";
import type { RowSample } from "./sample.ts";

const TREES = 50;
/** Trees of a first look, beyond which most tables need none: of 195 findings on drawn tables it missed none. */
const FIRST_TREES = 20;
const FOLDS = 5;
/** Below either, the first look shows no hint of a loss; both lie well below the thresholds of a finding. */
const HINT_LOSS = 0.01;
const HINT_Z = 1.5;
const RANDOM_DRAW = 81;
const GROUP_DRAW = 82;

/** How often each row was decided rightly, 0 to 1; NaN where it was not judged. */
export type Rightness = Float64Array;

type Judge = (repeat: number, treeCount: number) => Rightness;

/** The loss under a split, compared with the random one. */
export interface Difference {
  /** Accuracy at random folds, and under the split, over the rows that both judged. */
  random: number;
  held: number;
  /** Random less held, in standard errors by which clusters differ. */
  z: number;
}

/** Which fast model: extra-trees, or naive Bayes, which learns more of what the values of one category say. */
export type FastModel = "extra-trees" | "naive Bayes";

/** A fast model on some features of a sample. */
export class Trial {
  private readonly view: CodedView;
  readonly everyRow: LabelledRows;
  private readonly seed: number;
  private readonly stop: StopSignal;
  private readonly model: FastModel;
  /** At random folds, by trees and repeat, as far as they are known. */
  private readonly random = new Map<string, Rightness>();

  constructor({ table, view }: RowSample, seed: number, stop: StopSignal, model: FastModel = "extra-trees") {
    this.view = view;
    this.everyRow = labelledRows(table, rowsUpTo(view.rowCount));
    this.seed = seed;
    this.stop = stop;
    this.model = model;
  }

  /**
   * The loss of accuracy under folds of whole groups; one numbering of the rows for
   * each repeat. Rows of one cluster may err together.
   */
  costOfGroups(groupings: readonly Uint32Array[], clusters: Uint32Array): Difference {
    return this.costOf(clusters, (repeat, treeCount) => {
      const groups = groupings[repeat % groupings.length]!;
      const seed = deriveSeed(this.seed, GROUP_DRAW, repeat);
      const parts = dealGroups(this.everyRow, groups, FOLDS, seed);
      return this.foldwise(repeat, parts, treeCount);
    });
  }

  /**
   * The loss of accuracy where rows are judged by a model of some others, rather than of all but their fold, or than by
   * the splits `instead`.
   */
  costOfLearningFrom(splits: readonly Split[], clusters: Uint32Array, instead?: readonly Split[]): Difference {
    const heldOf = this.onceBy(splits);
    return instead === undefined ? this.costOf(clusters, heldOf) : this.costOf(clusters, heldOf, this.onceBy(instead));
  }

  /** Judged once for all repeats. */
  private onceBy(splits: readonly Split[]): Judge {
    const known = new Map<number, Rightness>();
    return (_, treeCount) => {
      const right = known.get(treeCount) ?? this.learnedFrom(splits, treeCount);
      known.set(treeCount, right);
      return right;
    };
  }

  /** The gain of accuracy at random over another trial of the same rows, such as one with fewer features. */
  gainOver(other: Trial): Difference {
    return this.costOf(this.everyRow.rows, (repeat, treeCount) => other.atRandom(repeat, treeCount));
  }

  /** Rows that no split judges are NaN. */
  learnedFrom(splits: readonly Split[], treeCount: number = TREES): Rightness {
    const right = new Float64Array(this.view.rowCount).fill(Number.NaN);
    for (const { learning, judging } of splits) {
      this.judge(learning, judging, { repeat: 0, treeCount }, (row, isRight) => {
        right[row] = isRight;
      });
    }
    return right;
  }

  /** Two repeats of all trees follow only where the first look hints at a loss: most tables show none. */
  private costOf(clusters: Uint32Array, heldOf: Judge, randomOf: Judge = this.atRandom.bind(this)): Difference {
    const first = compare(randomOf(0, FIRST_TREES), heldOf(0, FIRST_TREES), clusters);
    if (first.random - first.held < HINT_LOSS || first.z < HINT_Z) return first;
    const meanOf = (judge: Judge) => {
      const other = judge(1, TREES);
      return judge(0, TREES).map((right, row) => (right + other[row]!) / 2);
    };
    return compare(meanOf(randomOf), meanOf(heldOf), clusters);
  }

  /** By stratified random folds. */
  atRandom(repeat: number, treeCount: number = TREES): Rightness {
    const key = `${treeCount} ${repeat}`;
    const known = this.random.get(key);
    if (known !== undefined) return known;
    const seed = deriveSeed(this.seed, RANDOM_DRAW, repeat);
    const parts = new Uint8Array(this.view.rowCount);
    for (const [fold, { judging }] of foldSplits(this.everyRow, seed, INDEPENDENT_ROWS, FOLDS).entries()) {
      for (const row of judging) parts[row] = fold;
    }
    const right = this.foldwise(repeat, parts, treeCount);
    this.random.set(key, right);
    return right;
  }

  private foldwise(repeat: number, parts: Uint8Array, treeCount: number): Rightness {
    const right = new Float64Array(this.view.rowCount);
    const { rows } = this.everyRow;
    for (let fold = 0; fold < FOLDS; fold++) {
      const judging = rows.filter((row) => parts[row] === fold);
      const learning = rows.filter((row) => parts[row] !== fold && parts[row] !== NO_PART);
      if (judging.length === 0 || learning.length === 0) continue;
      this.judge(learning, judging, { repeat, treeCount }, (row, isRight) => {
        right[row] = isRight;
      });
    }
    return right;
  }

  private judge(
    learning: Uint32Array,
    judging: Uint32Array,
    { repeat, treeCount }: { repeat: number; treeCount: number },
    take: (row: number, isRight: number) => void,
  ) {
    throwIfCancelled(this.stop);
    throwIfOutOfTime(this.stop);
    const { view, everyRow, stop } = this;
    const settings = this.model === "naive Bayes" ? NAIVE_BAYES : extraTrees(treeCount, view.features.length);
    const seed = deriveSeed(this.seed, repeat);
    const model = fitBase(settings, { ...everyRow, view, rows: learning, seed, stop });
    const decisions = decide(scoreBase(model, view, judging), everyRow.classCount);
    for (const [i, row] of judging.entries()) take(row, decisions[i] === everyRow.classes[row] ? 1 : 0);
  }
}

const NAIVE_BAYES: BaseSettings = { algorithm: "naive Bayes", variant: "weighted", smoothing: 1 };

function extraTrees(treeCount: number, featureCount: number): BaseSettings {
  return {
    algorithm: "forest",
    variant: "extra-trees",
    treeCount,
    featuresPerSplit: Math.max(1, Math.round(Math.sqrt(featureCount))),
    minLeafRows: 1,
    maxDepth: null,
    rowsPerTree: null,
  };
}

/** Compares two judgements row by row; rows of one cluster may err together. */
function compare(random: Rightness, held: Rightness, clusters: Uint32Array): Difference {
  const sums = new Map<number, { count: number; difference: number }>();
  let rowCount = 0;
  let randomSum = 0;
  let heldSum = 0;
  for (let row = 0; row < held.length; row++) {
    if (Number.isNaN(held[row]!) || Number.isNaN(random[row]!)) continue;
    rowCount++;
    randomSum += random[row]!;
    heldSum += held[row]!;
    const sum = sums.get(clusters[row]!) ?? { count: 0, difference: 0 };
    sum.count++;
    sum.difference += random[row]! - held[row]!;
    sums.set(clusters[row]!, sum);
  }
  if (rowCount === 0) return { random: Number.NaN, held: Number.NaN, z: 0 };
  const mean = (randomSum - heldSum) / rowCount;
  let squares = 0;
  for (const { count, difference } of sums.values()) squares += (difference - mean * count) ** 2;
  const error = Math.sqrt((squares * sums.size) / Math.max(1, sums.size - 1)) / rowCount;
  const z = mean <= 0 ? 0 : error === 0 ? Number.POSITIVE_INFINITY : mean / error;
  return { random: randomSum / rowCount, held: heldSum / rowCount, z: sums.size < 2 ? 0 : z };
}
