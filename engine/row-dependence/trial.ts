// Trials of one fast model under different splits of the same rows, compared row by row.

import { type BaseSettings, fitBase, scoreBase } from "../families/base-algorithms.ts";
import { clusterVariance, sumsByCluster } from "../judging/clusters.ts";
import { brierScores, decide } from "../judging/metrics.ts";
import { inversePriors } from "../judging/objective.ts";
import { mapped } from "../mapped.ts";
import { deriveSeed } from "../random.ts";
import { placeRows } from "../row-lists.ts";
import { dealGroups } from "../splits/group-parts.ts";
import { foldSplits, type Split } from "../splits/holdout.ts";
import { INDEPENDENT_ROWS, NO_PART } from "../splits/row-keys.ts";
import { type StopSignal, throwIfStopped } from "../stop-signal.ts";
import { meanOf } from "../sums.ts";
import type { CodedView } from "../table/buckets.ts";
import { everyRowOf, type LabelledRows, type Table } from "../table/table.ts";
import type { ForestSettings } from "../trees/forest.ts";
import { ForestGrower } from "../trees/forest-growth.ts";
import { guessed, type Measure } from "./measure.ts";
import type { RowSample } from "./sample.ts";

const TREES = 50;
/** Trees of a first look, beyond which most tables need none: of 195 findings on drawn tables it missed none. */
export const FIRST_TREES = 20;
const FOLDS = 5;
/** The first look hints at a loss if it reaches both; they lie well below the thresholds of a finding. */
const HINT_LOSS = 0.01;
const HINT_Z = 1.5;
const RANDOM_DRAW = 81;
const GROUP_DRAW = 82;

/** By row; NaN where it was not judged. */
export interface Judged {
  /** How often it was decided rightly, 0 to 1. */
  right: Float64Array;
  /** The squared distance of its probabilities from the truth. */
  losses: Float64Array;
  /** By row, then class. */
  probabilities: Float64Array;
}

/** Losses below this are not worth a word. */
export const LEAST_LOSS = 0.02;
/** The least loss of a finding in standard errors. */
const LEAST_Z = 3;
const LEAST_LOSS_OF_FEW = 0.05;
const LEAST_Z_OF_FEW = 2.5;

type Judge = (repeat: number, treeCount: number) => Judged;

/** One split beside the random one. */
export interface TrialComparison {
  measure: Measure;
  /** The figure under random folds, and under the split beside them, over the rows that both judged. */
  random: number;
  held: number;
  /**
   * `random` - `held` in standard errors, by how clusters differ. For the balanced accuracy it is that of the losses:
   * decisions about the few rows of a rare label hardly show what is certain.
   */
  z: number;
}

/** How much lower the figure is under the split. */
export function lossOf({ random, held }: Pick<TrialComparison, "random" | "held">): number {
  return random - held;
}

/** Whether the loss is worth a word, and sure. */
export function isLoss(found: TrialComparison, least: { loss?: number; z?: number } = {}): boolean {
  return lossOf(found) >= (least.loss ?? LEAST_LOSS) && found.z >= (least.z ?? LEAST_Z);
}

/**
 * Whether the loss of few groups is worth a word. These differ by chance, and their standard error is hardly known: the
 * loss has to be large, and most of what the columns tell beyond guessing. Of a category that merely tells, models keep
 * what the others say.
 */
export function isLossOfFew(comparison: TrialComparison, table: Table): boolean {
  const { measure, random, held } = comparison;
  const mostHeld = (random + guessed(measure, table)) / 2;
  return isLoss(comparison, { loss: LEAST_LOSS_OF_FEW, z: LEAST_Z_OF_FEW }) && held <= mostHeld;
}

/**
 * Which fast model: extra-trees; naive Bayes, which learns more of what the values of one category say; or naive Bayes
 * of words, for texts: by those of the other classes, or by how often a class has them, which is mostly nearer to what
 * a run reaches.
 */
export type FastModel = "extra-trees" | "naive Bayes" | "words" | "word counts";

export interface TrialSettings {
  seed: number;
  stop: StopSignal;
  measure: Measure;
  /** Extra-trees by default. */
  model?: FastModel;
  /** A first look that shows less of a loss ends the comparison. */
  hintLoss?: number;
}

/** A fast model on some features of a sample. */
export class Trial {
  private readonly view: CodedView;
  readonly everyRow: LabelledRows;
  private readonly seed: number;
  private readonly stop: StopSignal;
  private readonly model: FastModel;
  private readonly measure: Measure;
  private readonly hintLoss: number;
  /** Multiply the probabilities before the largest decides; null for none. */
  private readonly classWeights: Float64Array | null;
  /** At random folds, by trees and repeat, as far as they are known. */
  private readonly random = new Map<string, Judged>();

  constructor(
    { table, view }: RowSample,
    { seed, stop, measure, model = "extra-trees", hintLoss = HINT_LOSS }: TrialSettings,
  ) {
    this.view = view;
    this.everyRow = everyRowOf(table);
    this.seed = seed;
    this.stop = stop;
    this.model = model;
    this.measure = measure;
    this.hintLoss = hintLoss;
    this.classWeights = measure === "accuracy" ? null : inversePriors(this.everyRow);
  }

  /**
   * The loss under folds of whole groups, whose rows may err together; `again`: the groups of the second repeat, where
   * they are others.
   */
  costOfGroups(groups: Uint32Array, again = groups): TrialComparison {
    return this.costOf(groups, (repeat, treeCount) => this.byGroups(repeat === 0 ? groups : again, repeat, treeCount));
  }

  /** The figure under folds of whole groups. */
  heldOut(groups: Uint32Array): number {
    const judged = this.byGroups(groups, 0, TREES);
    return this.compare(judged, judged, groups).held;
  }

  private byGroups(groups: Uint32Array, repeat: number, treeCount: number): Judged {
    const parts = dealGroups(this.everyRow, groups, FOLDS, deriveSeed(this.seed, GROUP_DRAW, repeat));
    return this.foldwise(repeat, parts, treeCount);
  }

  /**
   * The loss if rows are judged by models that learned from the rows of `splits`, compared with random folds or with
   * the splits `instead`.
   */
  costOfLearningFrom(splits: readonly Split[], clusters: Uint32Array, instead?: readonly Split[]): TrialComparison {
    const heldOf = this.onceBy(splits);
    return instead === undefined ? this.costOf(clusters, heldOf) : this.costOf(clusters, heldOf, this.onceBy(instead));
  }

  /** Judged once for all repeats. */
  private onceBy(splits: readonly Split[]): Judge {
    const known = new Map<number, Judged>();
    return (_, treeCount) => {
      const judged = known.get(treeCount) ?? this.learnedFrom(splits, treeCount);
      known.set(treeCount, judged);
      return judged;
    };
  }

  /** The gain at random over another trial of the same rows, such as one with fewer features. */
  gainOver(other: Trial): TrialComparison {
    return this.costOf(this.everyRow.rows, (repeat, treeCount) => other.atRandom(repeat, treeCount));
  }

  /** Rows that no split judges are NaN. */
  learnedFrom(splits: readonly Split[], treeCount: number = TREES): Judged {
    const judged = this.unjudged();
    for (const split of splits) this.judge(split, { repeat: 0, treeCount }, judged);
    return judged;
  }

  /** Two repeats of all trees follow only where the first look hints at a loss: most tables show none. */
  private costOf(clusters: Uint32Array, heldOf: Judge, randomOf: Judge = this.atRandom.bind(this)): TrialComparison {
    // Naive Bayes has no trees: its first look is half of the second.
    const firstTrees = this.model === "extra-trees" ? FIRST_TREES : TREES;
    const first = { random: randomOf(0, firstTrees), held: heldOf(0, firstTrees) };
    const comparison = this.compare(first.random, first.held, clusters);
    if (lossOf(comparison) < this.hintLoss || comparison.z < HINT_Z) return comparison;
    const meanOfRepeats = (judge: Judge, first: Judged) =>
      meanOfBoth(firstTrees === TREES ? first : judge(0, TREES), judge(1, TREES));
    return this.compare(meanOfRepeats(randomOf, first.random), meanOfRepeats(heldOf, first.held), clusters);
  }

  /** Compares two judgements row by row; rows of one cluster may err together. */
  private compare(random: Judged, held: Judged, clusters: Uint32Array): TrialComparison {
    const { measure, everyRow } = this;
    const rows = everyRow.rows.filter((row) => !Number.isNaN(random.right[row]! + held.right[row]!));
    if (rows.length === 0) return { measure, random: Number.NaN, held: Number.NaN, z: 0 };
    const isPlain = measure === "accuracy";
    const weights = isPlain ? null : inversePriors({ ...everyRow, rows });
    const figure = ({ right }: Judged) =>
      meanOf(mapped(Float64Array, rows, (row) => right[row]! * (weights?.[everyRow.classes[row]!] ?? 1)));
    const gaps = mapped(Float64Array, rows, (row) =>
      isPlain ? random.right[row]! - held.right[row]! : held.losses[row]! - random.losses[row]!,
    );
    return { measure, random: figure(random), held: figure(held), z: deviationsOf(rows, clusters, gaps) };
  }

  /** The gain of a small forest of all rows by each feature of the view, in rows. */
  gains(): Float64Array {
    const { view, everyRow, stop, seed } = this;
    const grower = new ForestGrower(
      { ...everyRow, view, seed, stop },
      extraTrees(FIRST_TREES, view.features.length),
      "no votes",
    );
    grower.growTo(FIRST_TREES);
    grower.release();
    return grower.gains();
  }

  /** By stratified random folds. */
  atRandom(repeat: number, treeCount: number = TREES): Judged {
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

  private foldwise(repeat: number, parts: Uint8Array, treeCount: number): Judged {
    const judgement = this.unjudged();
    const { rows } = this.everyRow;
    for (let fold = 0; fold < FOLDS; fold++) {
      const judging = rows.filter((row) => parts[row] === fold);
      const learning = rows.filter((row) => parts[row] !== fold && parts[row] !== NO_PART);
      if (judging.length === 0 || learning.length === 0) continue;
      this.judge({ learning, judging }, { repeat, treeCount }, judgement);
    }
    return judgement;
  }

  private unjudged(): Judged {
    const unjudged = new Float64Array(this.view.rowCount).fill(Number.NaN);
    const probabilities = new Float64Array(unjudged.length * this.everyRow.classCount).fill(Number.NaN);
    return { right: unjudged, losses: unjudged.slice(), probabilities };
  }

  /** Writes what a model of the one rows says of the others. */
  private judge(
    { learning, judging }: Split,
    { repeat, treeCount }: { repeat: number; treeCount: number },
    { right, losses, probabilities: ofRows }: Judged,
  ) {
    throwIfStopped(this.stop);
    const { view, everyRow, stop, classWeights } = this;
    const { classes, classCount } = everyRow;
    const settings: BaseSettings =
      this.model === "extra-trees"
        ? { algorithm: "forest", ...extraTrees(treeCount, view.features.length) }
        : BAYES[this.model];
    const seed = deriveSeed(this.seed, repeat);
    const model = fitBase(settings, { ...everyRow, view, rows: learning, seed, stop });
    const probabilities = scoreBase(model, view, judging);
    const decisions = decide(probabilities, classCount, { classWeights });
    const scores = brierScores(probabilities, { ...everyRow, rows: judging });
    for (const [i, row] of judging.entries()) {
      right[row] = decisions[i] === classes[row] ? 1 : 0;
      losses[row] = scores[i]!;
    }
    placeRows(probabilities, ofRows, judging, classCount);
  }
}

function meanOfBoth(one: Judged, other: Judged): Judged {
  const mean = (a: Float64Array, b: Float64Array) => a.map((value, row) => (value + b[row]!) / 2);
  return {
    right: mean(one.right, other.right),
    losses: mean(one.losses, other.losses),
    probabilities: mean(one.probabilities, other.probabilities),
  };
}

const BAYES: Readonly<Record<Exclude<FastModel, "extra-trees">, BaseSettings>> = {
  "naive Bayes": { algorithm: "naive Bayes", variant: "weighted", smoothing: 1 },
  words: { algorithm: "naive Bayes of terms", variant: "complement", smoothing: 1 },
  "word counts": { algorithm: "naive Bayes of terms", variant: "multinomial", smoothing: 1 },
};

function extraTrees(treeCount: number, featureCount: number): ForestSettings {
  return {
    variant: "extra-trees",
    treeCount,
    featuresPerSplit: Math.max(1, Math.round(Math.sqrt(featureCount))),
    minLeafRows: 1,
    maxDepth: null,
    rowsPerTree: null,
  };
}

/** The mean of the gaps above 0, in standard errors by which clusters differ; 0 where there is one cluster. */
function deviationsOf(rows: Uint32Array, clusters: Uint32Array, gaps: Float64Array): number {
  const mean = meanOf(gaps);
  const sums = sumsByCluster(
    rows,
    clusters,
    gaps.map((gap) => gap - mean),
  );
  if (mean <= 0 || sums.length < 2) return 0;
  return (mean * rows.length) / Math.sqrt(clusterVariance(sums));
}
