// The plan of attempts: which settings of which family compete, in which order, each with a seed of its own.
import type { LogisticBasis } from "./families/logistic-regression.ts";
import type { ModelSettings } from "./families/model.ts";
import { deriveSeed, Random } from "./random.ts";

/** The plan runs in rounds of this many attempts (D08). */
export const ATTEMPTS_PER_ROUND = 20;

/** Rows that one tree draws at most, so that trees on a large table stay small. */
const MAX_ROWS_PER_TREE = 100_000;
/** Trees × rows per tree at most, so that a forest's nodes stay within a few hundred megabytes. */
const MAX_TREE_ROWS = 8_000_000;
/** Trees × rows per tree × features per split at most, so that no forest takes minutes where another takes seconds. */
const MAX_TREE_WORK = 150_000_000;
const LEAST_TREES = 60;

const PLAN_DRAW = 11;
const ATTEMPT_DRAW = 12;

/** One entry of the competition. */
export interface AttemptSpec {
  /** From 1, in the order of the plan. */
  attempt: number;
  /** The fine view, or the number of buckets of a coarser one (D45). */
  buckets: "fine" | number;
  settings: ModelSettings;
  seed: number;
}

/** What the plan depends on. */
export interface PlanShape {
  learningRowCount: number;
  featureCount: number;
  /** The user's number of buckets. */
  numberOfBuckets: number;
  scalingFactor: number;
  seed: number;
}

/**
 * The plan of `1 + scalingFactor` attempts, but never fewer than one of each family (D37): the first twenty are fixed, the
 * families taking turns, the others are drawn at random from the ranges around them.
 */
export function planAttempts(shape: PlanShape): AttemptSpec[] {
  const count = Math.max(3, 1 + shape.scalingFactor);
  const fixed = fixedEntries(shape);
  const random = new Random(deriveSeed(shape.seed, PLAN_DRAW));
  return Array.from({ length: count }, (_, index) => ({
    attempt: index + 1,
    ...(fixed[index] ?? drawEntry(shape, random)),
    seed: deriveSeed(shape.seed, ATTEMPT_DRAW, index),
  }));
}

const FINE = "fine";

type PlanEntry = Pick<AttemptSpec, "buckets" | "settings">;

function fixedEntries(shape: PlanShape): PlanEntry[] {
  const d = shape.featureCount;
  const user = shape.numberOfBuckets;
  const root = Math.sqrt(d);
  return [
    forest(shape, "forest", root, 1, 300),
    logistic("smooth", 1, user),
    bayes("weighted", user),
    forest(shape, "extra-trees", d / 2, 1, 200),
    forest(shape, "forest", d / 3, 3, 300),
    logistic("linear", 1, "fine"),
    bayes("selective", user),
    forest(shape, "forest", 0.6 * d, 1, 300),
    logistic("smooth", 1, 64),
    forest(shape, "extra-trees", root, 3, 200),
    logistic("one-hot", 1, user),
    bayes("weighted", 10),
    forest(shape, "forest", root, 3, 300),
    forest(shape, "extra-trees", d, 1, 200),
    logistic("smooth", 5, user),
    bayes("selective", 10),
    forest(shape, "forest", 0.6 * d, 8, 300),
    logistic("linear", 10, "fine"),
    bayes("plain", user),
    logistic("smooth", 5, 64),
  ];
}

/** One entry drawn from the ranges of the search. */
function drawEntry(shape: PlanShape, random: Random): PlanEntry {
  const d = shape.featureCount;
  const pick = <T>(options: readonly T[]): T => options[random.nextBelow(options.length)]!;
  const share = random.nextFloat();
  if (share < 0.6) {
    const variant = share < 0.4 ? "forest" : "extra-trees";
    const featuresPerSplit = Math.sqrt(d) * Math.sqrt(d) ** random.nextFloat();
    const minLeafRows = 1 + random.nextBelow(10);
    const maxDepth = random.nextBelow(3) === 0 ? 4 + random.nextBelow(9) : null;
    return forest(shape, variant, featuresPerSplit, minLeafRows, 300, maxDepth);
  }
  if (share < 0.85) {
    const basis = pick<LogisticBasis>(["smooth", "smooth", "one-hot", "linear"]);
    const buckets = basis === "linear" ? FINE : pick<"fine" | number>([8, 10, 20, 64, FINE, shape.numberOfBuckets]);
    return logistic(basis, 10 ** (-0.5 + 3 * random.nextFloat()), buckets);
  }
  return bayes(pick(["selective", "weighted", "weighted"]), pick([8, 10, 20, 64, shape.numberOfBuckets]));
}

function forest(
  shape: PlanShape,
  variant: "forest" | "extra-trees",
  featuresPerSplit: number,
  minLeafRows: number,
  treeCount: number,
  maxDepth: number | null = null,
): PlanEntry {
  const settings = boundedForest(shape, variant, featuresPerSplit, minLeafRows, treeCount, maxDepth);
  return { buckets: FINE, settings };
}

/** Settings of a forest with at most `treeCount` trees: fewer, and fewer rows each, where the table is large. */
export function boundedForest(
  shape: Pick<PlanShape, "learningRowCount" | "featureCount">,
  variant: "forest" | "extra-trees",
  featuresPerSplit: number,
  minLeafRows: number,
  treeCount: number,
  maxDepth: number | null = null,
): Extract<ModelSettings, { algorithm: "forest" }> {
  const rowsPerTree = Math.min(shape.learningRowCount, MAX_ROWS_PER_TREE);
  const tried = Math.max(1, Math.min(shape.featureCount, Math.round(featuresPerSplit)));
  const affordable = Math.floor(Math.min(MAX_TREE_ROWS, MAX_TREE_WORK / tried) / rowsPerTree);
  return {
    algorithm: "forest",
    variant,
    treeCount: Math.min(treeCount, Math.max(LEAST_TREES, affordable)),
    featuresPerSplit: tried,
    minLeafRows,
    maxDepth,
    rowsPerTree: shape.learningRowCount > MAX_ROWS_PER_TREE ? MAX_ROWS_PER_TREE : null,
  };
}

function logistic(basis: LogisticBasis, l2: number, buckets: "fine" | number): PlanEntry {
  return { buckets, settings: { algorithm: "logistic regression", basis, l2, maxIterations: 100 } };
}

function bayes(variant: "plain" | "selective" | "weighted", buckets: "fine" | number): PlanEntry {
  return { buckets, settings: { algorithm: "naive Bayes", variant, smoothing: 1 } };
}
