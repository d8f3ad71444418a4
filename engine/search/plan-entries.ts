// Entries of the plan of attempts: settings by the few numbers that tell them apart.

import type { NaiveBayesSettings } from "../bayes/naive-bayes.ts";
import { type BoostingSetting, boostingSettings, GRADIENT_BOOSTING } from "../boosting/boosting-settings.ts";
import type { ModelSettings } from "../families/algorithms.ts";
import type { BaseSettings } from "../families/base-algorithms.ts";
import type { LogisticBasis } from "../logistic/table-basis.ts";
import type { BucketChoice } from "../table/buckets.ts";
import type { SparseLogisticSettings } from "../text-models/sparse-logistic.ts";
import type { TermBayesSettings } from "../text-models/term-bayes.ts";
import { boundedForest } from "../trees/forest-size.ts";

export interface PlanEntry {
  /** The fine view, cut points where the label changes, or the number of buckets of a coarser view (D45). */
  buckets: BucketChoice;
  settings: ModelSettings;
  /** Other settings of the algorithm, among which the attempt first chooses, by scores inside the learning rows. */
  rivals: readonly BaseSettings[];
}

/** The facts that the plan depends on. */
export interface PlanShape {
  learningRowCount: number;
  featureCount: number;
  classCount: number;
  /** The user's number of buckets. */
  numberOfBuckets: number;
  scalingFactor: number;
  /** Whether the table is small enough for attempts to keep what a stack rests on. */
  hasStacks: boolean;
  /** Whether class weights are found on rows out of fold. Then no attempt ends early. */
  tunesWeights: boolean;
  /** Whether some column is text; false where it is left out. */
  hasTexts?: boolean;
  /** Trees of a forest at most, where memory is short. */
  mostTrees?: number | undefined;
  seed: number;
}

export const FINE = "fine";
/** Above this, refined forests are left out: they hold each tree once per class. */
export const MOST_REFINED_CLASSES = 10;
/**
 * With many classes, tables of pairs gain nothing after this many iterations, and take longest of all logistic
 * regressions.
 */
const ITERATIONS_OF_MANY_CLASSES = 40;

/** A forest whose features per split and leaf size are chosen by its own first trees. */
export function chosenForest(shape: PlanShape, treeCount: number): PlanEntry {
  const d = shape.featureCount;
  const candidates = [Math.sqrt(d), d / 3, 0.6 * d, d].flatMap((featuresPerSplit) =>
    [1, 3].map((minLeafRows) => boundedForest(shape, "forest", featuresPerSplit, minLeafRows, treeCount)),
  );
  // With few features several of the four numbers are the same.
  const distinct = new Map(candidates.map((settings) => [JSON.stringify(settings), settings]));
  const [first, ...rivals] = distinct.values();
  return { buckets: FINE, settings: first!, rivals };
}

export function forest(
  shape: PlanShape,
  variant: "forest" | "extra-trees",
  featuresPerSplit: number,
  minLeafRows: number,
  treeCount: number,
  maxDepth: number | null = null,
): PlanEntry {
  return alone(FINE, boundedForest(shape, variant, featuresPerSplit, minLeafRows, treeCount, maxDepth));
}

export function boosting({ learningRowCount, classCount }: PlanShape, name: BoostingSetting): PlanEntry {
  const settings = boostingSettings(name, learningRowCount, classCount);
  return alone(FINE, { algorithm: GRADIENT_BOOSTING, ...settings });
}

export function logisticRegression(basis: LogisticBasis, l2: number, buckets: BucketChoice): PlanEntry {
  return alone(buckets, { algorithm: "logistic regression", basis, l2, maxIterations: 100 });
}

/** Coarse buckets for the other columns: their codes are terms too. The rivals differ by their ridge. */
export function terms(
  choice: SparseLogisticSettings["terms"],
  scaling: SparseLogisticSettings["scaling"],
  ridges: readonly number[],
): PlanEntry {
  const settings = ridges.map(
    (l2) => ({ algorithm: "logistic regression of terms", terms: choice, scaling, l2 }) as const,
  );
  return { buckets: 10, settings: settings[0]!, rivals: settings.slice(1) };
}

export function termBayes(variant: TermBayesSettings["variant"], smoothing: number): PlanEntry {
  return { buckets: 10, settings: { algorithm: "naive Bayes of terms", variant, smoothing }, rivals: [] };
}

/** Planes and curved surfaces, which no other algorithm knows from few rows. */
export function hiddenLayer(l2: number): PlanEntry {
  return alone(FINE, { algorithm: "logistic regression with a hidden layer", l2, maxIterations: 60 });
}

/**
 * Tables of pairs of features that a screen finds, or products of their
 * values, beside tables of the features themselves.
 */
export function interactions(
  { classCount }: PlanShape,
  kind: "tables" | "products",
  pairCount: number,
  l2: number,
  buckets: BucketChoice,
): PlanEntry {
  const maxIterations = classCount > MOST_REFINED_CLASSES ? ITERATIONS_OF_MANY_CLASSES : 100;
  const fitting = { basis: "smooth", l2, maxIterations, interactions: kind, pairCount } as const;
  return alone(buckets, { algorithm: "logistic regression with interactions", ...fitting });
}

/** A forest whose leaves are weighed anew: shallow and of many trees, or fully grown. */
export function refinedForest(shape: PlanShape, maxDepth: number | null): PlanEntry {
  const d = shape.featureCount;
  const { algorithm: _, ...forest } =
    maxDepth === null
      ? boundedForest(shape, "forest", d / 3, 5, 200)
      : boundedForest(shape, "forest", Math.sqrt(d), 3, 300, maxDepth);
  return alone(FINE, { algorithm: "refined forest", forest, l2: 100, maxIterations: 60 });
}

/** A stack over the attempts of the round. */
export function stack({ withMains = false } = {}): PlanEntry {
  return alone(FINE, { algorithm: "stack", withMains, members: [], intercepts: [], finalIntercepts: [] });
}

export function bayes(variant: NaiveBayesSettings["variant"], buckets: BucketChoice): PlanEntry {
  return alone(buckets, { algorithm: "naive Bayes", variant, smoothing: 1 });
}

export function dependence(memberCount: number): PlanEntry {
  return alone(FINE, { algorithm: "k-dependence naive Bayes", memberCount, smoothing: 10 });
}

export function aode(): PlanEntry {
  const fitting = { pooling: "geometric", parentCount: 10, leastParentRows: 1, smoothing: 1 } as const;
  return alone(FINE, { algorithm: "AODE", ...fitting });
}

export function pairedBayes(): PlanEntry {
  return alone(10, { algorithm: "paired naive Bayes", pairCount: 30, smoothing: 1 });
}

export function alone(buckets: BucketChoice, settings: ModelSettings): PlanEntry {
  return { buckets, settings, rivals: [] };
}
