// The plan of attempts: which settings of which family compete, in which order, each with a seed of its own.
import type { BucketChoice } from "./buckets.ts";
import { type AdditiveSetting, additiveSettings } from "./families/additive-settings.ts";
import type { BaseSettings } from "./families/base-model.ts";
import type { ForestSettings } from "./families/forest.ts";
import type { LogisticBasis } from "./families/logistic-regression.ts";
import type { ModelSettings } from "./families/model.ts";
import { deriveSeed, Random } from "./random.ts";

/** The plan runs in rounds of this many attempts (D08). */
export const ATTEMPTS_PER_ROUND = 20;

/** Rows that one tree draws at most, so that trees on a large table stay small. */
const MAX_ROWS_PER_TREE = 100_000;
/** Trees × rows per tree at most, so that a forest's nodes stay within a few hundred megabytes. */
export const MAX_TREE_ROWS = 8_000_000;
/** Trees × rows per tree × features per split at most, so that no forest takes minutes where another takes seconds. */
const MAX_TREE_WORK = 150_000_000;
/** Trees that a forest has at least, however large the table. */
const LEAST_TREES = 60;
export const MOST_TREES = 1_000;
/** Rows above which settings for many rows are taken. */
export const MANY_ROWS = 5_000;

const PLAN_DRAW = 11;
const ATTEMPT_DRAW = 12;

/** One entry of the competition. */
export interface AttemptSpec {
  /** From 1, in the order of the plan. */
  attempt: number;
  /** The fine view, or the number of buckets of a coarser one (D45). */
  buckets: BucketChoice;
  settings: ModelSettings;
  /** Settings of the same algorithm among which the attempt chooses first, by their scores inside the learning rows. */
  rivals: readonly BaseSettings[];
  /** Whether it comes after those that may not, and may end where nothing would come of it beside them. */
  mayEndEarly: boolean;
  seed: number;
}

/** What the plan depends on. */
export interface PlanShape {
  learningRowCount: number;
  featureCount: number;
  classCount: number;
  /** The user's number of buckets. */
  numberOfBuckets: number;
  scalingFactor: number;
  /** Whether the table is small enough for attempts to keep what a stack rests on. */
  hasStacks: boolean;
  /** Whether one more attempt follows, a forest whose trees draw all classes alike; false where it is left out. */
  hasBalanced?: boolean;
  /** Whether weak attempts may end early; false where it is left out. */
  mayEndEarly?: boolean;
  /** Trees of a forest at most, where memory is short. */
  mostTrees?: number | undefined;
  seed: number;
}

/**
 * The plan of `1 + scalingFactor` attempts, but never fewer than one of each family (D37): the first twenty are fixed, the
 * families taking turns, the others are drawn at random from the ranges around them. A balanced forest comes on top.
 */
export function planAttempts(shape: PlanShape): AttemptSpec[] {
  const count = Math.max(FAMILY_COUNT, 1 + shape.scalingFactor);
  const fixed = fixedEntries(shape).slice(0, ATTEMPTS_PER_ROUND);
  const random = new Random(deriveSeed(shape.seed, PLAN_DRAW));
  const entries = Array.from({ length: count }, (_, index) => fixed[index] ?? drawEntry(shape, index, random));
  if (shape.hasBalanced === true) entries.push(balancedForest(shape));
  return entries.map((entry, index) => ({
    attempt: index + 1,
    ...entry,
    mayEndEarly: shape.mayEndEarly === true && index >= FAMILY_COUNT && SIMPLE_ALGORITHMS.has(entry.settings.algorithm),
    seed: deriveSeed(shape.seed, ATTEMPT_DRAW, index),
  }));
}

const FINE = "fine";
/** The first attempts are of one family each. */
const FAMILY_COUNT = 3;
/** Algorithms with models that are mostly weaker than others of their family: each is worth a look, and few are worth all folds. */
const SIMPLE_ALGORITHMS: ReadonlySet<ModelSettings["algorithm"]> = new Set([
  "logistic regression",
  "naive Bayes",
  "paired naive Bayes",
]);
/** Settings that compete for one attempt of the search. */
const DRAWS_PER_ENTRY = 4;
const MOST_AODE_FEATURES = 200;
/** A refined forest has each of its trees once per class. */
const MOST_REFINED_CLASSES = 10;

/** Tables of pairs for many classes gain nothing after so many iterations, and take longest of all logistic regressions. */
const ITERATIONS_OF_MANY_CLASSES = 40;

type PlanEntry = Pick<AttemptSpec, "buckets" | "settings" | "rivals">;

/**
 * The attempts of the first round. The first three are of three families; a stack rests on all attempts of its round, wherever
 * it stands. No attempt repeats another's settings with a second seed, which helps a stack no more than other settings do; and
 * leaves of many rows are not weighed anew, which takes longest of all and which stacks then leave out.
 */
function fixedEntries(shape: PlanShape): PlanEntry[] {
  const { featureCount: d, learningRowCount, classCount, numberOfBuckets: user } = shape;
  const hasManyRows = learningRowCount > MANY_ROWS;
  const [first, second, third, fourth] = hasManyRows
    ? (["c4", "c31", "c63", "c64"] as const)
    : (["c2", "c3", "c6", "c4"] as const);
  return [
    chosenForest(shape),
    interactions(shape, "tables", hasManyRows ? 30 : 10, 5, user),
    dependence(12),
    forest(shape, "extra-trees", d / 2, 1, 200),
    additive(shape, first),
    additive(shape, second),
    additive(shape, third),
    ...stacks(shape, hasManyRows),
    ...(hasManyRows ? [] : [interactions(shape, "products", 120, 10, 64)]),
    bayes("weighted", "by label"),
    ...(hasManyRows || classCount > MOST_REFINED_CLASSES ? [] : [refinedForest(shape, 8, 100)]),
    ...(d <= MOST_AODE_FEATURES ? [aode()] : []),
    logistic("linear", 1, FINE),
    forest(shape, "extra-trees", Math.sqrt(d), 3, 200),
    logistic("smooth", 10, 64),
    ...(hasManyRows || classCount > MOST_REFINED_CLASSES ? [] : [refinedForest(shape, null, 100)]),
    pairedBayes(),
    additive(shape, fourth),
    bayes("selective", user),
    logistic("one-hot", 1, user),
    bayes("weighted", 10),
    logistic("smooth", 1, user),
    forest(shape, "forest", Math.sqrt(d), 3, 300),
    forest(shape, "extra-trees", d / 2, 1, 200),
  ];
}

/** One entry drawn from the ranges of the search, with rivals of its kind. */
function drawEntry(shape: PlanShape, index: number, random: Random): PlanEntry {
  // A round ends with a stack over everything so far.
  if ((index + 1) % ATTEMPTS_PER_ROUND === 0 && shape.hasStacks) return stack(false);
  const share = random.nextFloat();
  if (share < 0.35) {
    const [first, ...others] = draws(() => drawAdditive(shape, random));
    return { ...first!, rivals: others.map(({ settings }) => settings as BaseSettings) };
  }
  if (share < 0.7) {
    const variant = share < 0.55 ? "forest" : "extra-trees";
    const [first, ...others] = draws(() => drawForest(shape, variant, random));
    // Only forests vote on the rows of their own bootstrap, by which rivals are told apart.
    const rivals = variant === "forest" ? others.map(({ settings }) => settings as BaseSettings) : [];
    return { ...first!, rivals };
  }
  if (share < 0.9) {
    const basis = pick<LogisticBasis>(random, ["smooth", "smooth", "one-hot", "linear"]);
    const buckets =
      basis === "linear" ? FINE : pick<BucketChoice>(random, [8, 10, 20, 64, FINE, shape.numberOfBuckets]);
    const [first, ...others] = draws(() => logistic(basis, 10 ** (-0.5 + 3 * random.nextFloat()), buckets));
    return { ...first!, rivals: others.map(({ settings }) => settings as BaseSettings) };
  }
  return random.nextBelow(2) === 0
    ? dependence(12)
    : bayes("weighted", pick<BucketChoice>(random, [8, 10, 20, 64, "by label", shape.numberOfBuckets]));
}

function draws(draw: () => PlanEntry): PlanEntry[] {
  return Array.from({ length: DRAWS_PER_ENTRY }, draw);
}

function pick<T>(random: Random, options: readonly T[]): T {
  return options[random.nextBelow(options.length)]!;
}

function drawForest(shape: PlanShape, variant: "forest" | "extra-trees", random: Random): PlanEntry {
  const d = shape.featureCount;
  const featuresPerSplit = Math.sqrt(d) * Math.sqrt(d) ** random.nextFloat();
  const minLeafRows = 1 + random.nextBelow(10);
  const maxDepth = random.nextBelow(3) === 0 ? 4 + random.nextBelow(9) : null;
  return forest(shape, variant, featuresPerSplit, minLeafRows, 300, maxDepth);
}

function drawAdditive(shape: PlanShape, random: Random): PlanEntry {
  const maxDepth = random.nextBelow(2) === 0 ? 2 + random.nextBelow(7) : null;
  const settings = {
    ...additiveSettings("c4", shape.learningRowCount, shape.classCount),
    maxDepth,
    maxLeaves: maxDepth === null ? 8 + random.nextBelow(56) : Math.min(64, 2 ** maxDepth),
    learningRate: 0.03 * 5 ** random.nextFloat(),
    featureShare: 0.3 + 0.7 * random.nextFloat(),
    rowShare: 0.5 + 0.5 * random.nextFloat(),
    l2: 10 ** random.nextFloat(),
    minLeafRows: 2 + random.nextBelow(20),
  };
  return { buckets: FINE, settings: { algorithm: "additive logistic regression", ...settings }, rivals: [] };
}

/** A forest whose features per split and leaf size are chosen by its own first trees. */
function chosenForest(shape: PlanShape): PlanEntry {
  const d = shape.featureCount;
  const all = [Math.sqrt(d), d / 3, 0.6 * d, d].flatMap((featuresPerSplit) =>
    [1, 3].map((minLeafRows) => boundedForest(shape, "forest", featuresPerSplit, minLeafRows, 300)),
  );
  const distinct = all.filter(
    (settings, index) =>
      all.findIndex(
        (other) => other.featuresPerSplit === settings.featuresPerSplit && other.minLeafRows === settings.minLeafRows,
      ) === index,
  );
  const [first, ...rivals] = distinct;
  return { buckets: FINE, settings: first!, rivals };
}

function balancedForest(shape: PlanShape): PlanEntry {
  const settings = { ...boundedForest(shape, "forest", Math.sqrt(shape.featureCount), 3, 300), balanced: true };
  return { buckets: FINE, settings, rivals: [] };
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
  return { buckets: FINE, settings, rivals: [] };
}

/** Settings of a forest with at most `treeCount` trees: fewer, and fewer rows each, where the table is large. */
export function boundedForest(
  shape: Pick<PlanShape, "learningRowCount" | "featureCount" | "mostTrees">,
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
    treeCount: Math.min(treeCount, shape.mostTrees ?? MOST_TREES, Math.max(LEAST_TREES, affordable)),
    featuresPerSplit: tried,
    minLeafRows,
    maxDepth,
    rowsPerTree: shape.learningRowCount > MAX_ROWS_PER_TREE ? MAX_ROWS_PER_TREE : null,
  };
}

/** Trees that a forest may reach that goes on growing towards a target. */
export function treeLimit(
  { treeCount, rowsPerTree }: Pick<ForestSettings, "treeCount" | "rowsPerTree">,
  learningRowCount: number,
  mostTrees: number = MOST_TREES,
): number {
  const affordable = Math.floor(MAX_TREE_ROWS / (rowsPerTree ?? learningRowCount));
  return Math.max(treeCount, Math.min(mostTrees, affordable));
}

function additive({ learningRowCount, classCount }: PlanShape, name: AdditiveSetting): PlanEntry {
  const settings = additiveSettings(name, learningRowCount, classCount);
  return { buckets: FINE, settings: { algorithm: "additive logistic regression", ...settings }, rivals: [] };
}

function logistic(basis: LogisticBasis, l2: number, buckets: BucketChoice): PlanEntry {
  return { buckets, settings: { algorithm: "logistic regression", basis, l2, maxIterations: 100 }, rivals: [] };
}

/** Tables of pairs of features that a screen finds, or products of their values, beside tables of the features themselves. */
function interactions(
  { classCount }: PlanShape,
  kind: "tables" | "products",
  pairCount: number,
  l2: number,
  buckets: BucketChoice,
): PlanEntry {
  const maxIterations = classCount > MOST_REFINED_CLASSES ? ITERATIONS_OF_MANY_CLASSES : 100;
  const own = { basis: "smooth", l2, maxIterations, interactions: kind, pairCount } as const;
  return { buckets, settings: { algorithm: "logistic regression with interactions", ...own }, rivals: [] };
}

/** A forest whose leaves are weighed anew: shallow and of many trees, or fully grown. */
function refinedForest(shape: PlanShape, maxDepth: number | null, l2: number): PlanEntry {
  const d = shape.featureCount;
  const { algorithm: _, ...forest } =
    maxDepth === null
      ? boundedForest(shape, "forest", d / 3, 5, 200)
      : boundedForest(shape, "forest", Math.sqrt(d), 3, 300, maxDepth);
  return { buckets: FINE, settings: { algorithm: "refined forest", forest, l2, maxIterations: 60 }, rivals: [] };
}

/** A stack over the attempts of the round; on many rows one with tables of the features on top as well. */
function stacks({ hasStacks }: PlanShape, hasManyRows: boolean): PlanEntry[] {
  if (!hasStacks) return [];
  return hasManyRows ? [stack(false), stack(true)] : [stack(false)];
}

function stack(withMains: boolean): PlanEntry {
  const settings = { algorithm: "stack", withMains, members: [], intercepts: [], finalIntercepts: [] } as const;
  return { buckets: FINE, settings, rivals: [] };
}

function bayes(variant: "plain" | "selective" | "weighted", buckets: BucketChoice): PlanEntry {
  return { buckets, settings: { algorithm: "naive Bayes", variant, smoothing: 1 }, rivals: [] };
}

function dependence(memberCount: number): PlanEntry {
  const settings = { algorithm: "k-dependence naive Bayes", memberCount, smoothing: 10 } as const;
  return { buckets: FINE, settings, rivals: [] };
}

function aode(): PlanEntry {
  const settings = {
    algorithm: "AODE",
    pooling: "geometric",
    parentCount: 10,
    leastParentRows: 1,
    smoothing: 1,
  } as const;
  return { buckets: FINE, settings, rivals: [] };
}

function pairedBayes(): PlanEntry {
  return { buckets: 10, settings: { algorithm: "paired naive Bayes", pairCount: 30, smoothing: 1 }, rivals: [] };
}
