// The plan of attempts: which settings of which family compete, in which order, each with a seed of its own.
//
// Two savings of time: an attempt with rivals first chooses among settings by successive halving on few rows, and fits all folds for
// the winner alone; a weak attempt ends after one fold where it adds nothing to others (early-end.ts).

import { type BoostingSetting, boostingSettings, GRADIENT_BOOSTING } from "../boosting/boosting-settings.ts";
import type { BucketChoice } from "../buckets.ts";
import { entryOf, type ModelSettings } from "../families/algorithms.ts";
import type { BaseSettings } from "../families/base-algorithms.ts";
import { FAMILY_NAMES } from "../families/family.ts";
import type { LogisticBasis } from "../logistic/logistic-regression.ts";
import { deriveSeed, Random } from "../random.ts";
import type { SparseLogisticSettings } from "../text/sparse-logistic.ts";
import type { TermBayesSettings } from "../text/term-bayes.ts";
import { boundedForest, MANY_ROWS } from "../trees/forest-size.ts";

/** The plan runs in rounds of this many attempts (D08). */
export const ATTEMPTS_PER_ROUND = 20;

/** Second parts of seeds: of the drawn entries, and of the attempts. */
const PLAN_DRAW = 11;
const ATTEMPT_DRAW = 12;

/** Up to so many learning rows a table is small: choosing among models there is more chance than knowledge (D137). */
export const SMALL_ROWS = 1_600;

/** One entry of the competition. */
export interface AttemptSpec {
  /** From 1, in the order of the plan. */
  attempt: number;
  /** The fine view, cut points where the label changes, or the number of buckets of a coarser view (D45). */
  buckets: BucketChoice;
  settings: ModelSettings;
  /** Other settings of the algorithm, among which the attempt first chooses, by scores inside the learning rows. */
  rivals: readonly BaseSettings[];
  /** Whether it ends after one fold where others, which run before it, leave it nothing to add. */
  isWeak: boolean;
  seed: number;
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
  /**
   * Whether class weights are found on rows out of fold. Then no attempt ends early, and one more follows, a forest that draws
   * all classes alike.
   */
  tunesWeights: boolean;
  /** Whether some column is text; false where it is left out. */
  hasTexts?: boolean;
  /** Trees of a forest at most, where memory is short. */
  mostTrees?: number | undefined;
  seed: number;
}

/**
 * The plan of `1 + scalingFactor` attempts, but never fewer than one of each family (D37): the first twenty are fixed, the
 * families taking turns, the others are drawn at random from the ranges around them. A balanced forest comes on top. No two
 * attempts are alike: the same settings with a second seed help a stack no more than other settings do.
 */
export function planAttempts(shape: PlanShape): AttemptSpec[] {
  const count = Math.max(FAMILY_NAMES.length, 1 + shape.scalingFactor);
  const entries = FIRST_ROUND.filter(({ when }) => when(shape))
    .slice(0, Math.min(count, ATTEMPTS_PER_ROUND))
    .map(({ entry }) => entry(shape));
  const random = new Random(deriveSeed(shape.seed, PLAN_DRAW));
  const taken = new Set(entries.map(likeness));
  while (entries.length < count) {
    const entry = drawUnlike(shape, entries.length, random, taken);
    taken.add(likeness(entry, entries.length));
    entries.push(entry);
  }
  if (shape.tunesWeights) entries.push(balancedForest(shape));
  return entries.map((entry, index) => ({
    attempt: index + 1,
    ...entry,
    isWeak: !shape.tunesWeights && index >= FAMILY_NAMES.length && entryOf(entry.settings).isWeak,
    seed: deriveSeed(shape.seed, ATTEMPT_DRAW, index),
  }));
}

type PlanEntry = Pick<AttemptSpec, "buckets" | "settings" | "rivals">;

/** The same for attempts that are alike. A stack rests on all attempts up to its round, so that each round's is another. */
function likeness({ settings, buckets }: PlanEntry, index: number): string {
  const round = settings.algorithm === "stack" ? Math.floor(index / ATTEMPTS_PER_ROUND) : null;
  return JSON.stringify([settings, buckets, round]);
}

const FINE = "fine";
/** Settings that compete for one attempt of the search. */
const DRAWS_PER_ENTRY = 4;
const MOST_AODE_FEATURES = 200;
/** Features² × classes, in tables whose stack keeps all that weighs: some 10 MB of counts. */
const MOST_SMALL_AODE = 25_000;
/** Above this, refined forests are left out: they hold each tree once per class. */
const MOST_REFINED_CLASSES = 10;

/** Tables of pairs for many classes gain nothing after so many iterations, and take longest of all logistic regressions. */
const ITERATIONS_OF_MANY_CLASSES = 40;

/** A row of the plan: an entry, and the tables that it is for. */
interface PlanRow {
  when(shape: PlanShape): boolean;
  entry(shape: PlanShape): PlanEntry;
}

const always = () => true;
const hasManyRows = ({ learningRowCount }: PlanShape) => learningRowCount > MANY_ROWS;
const hasFewRows = (shape: PlanShape) => !hasManyRows(shape);
const isSmall = (shape: PlanShape) => shape.learningRowCount <= SMALL_ROWS && !hasTexts(shape);
const hasStacks = (shape: PlanShape) => shape.hasStacks;
const hasTexts = (shape: PlanShape) => shape.hasTexts === true;
/** With many classes, texts have scores of random halves of them: tables of three such scores say little and are large. */
const suitsDependence = (shape: PlanShape) => !hasTexts(shape) || shape.classCount <= MOST_REFINED_CLASSES;
/** To weigh the leaves of many rows takes longer than any other fit, and stacks then give it no weight. */
const canRefine = (shape: PlanShape) => hasFewRows(shape) && shape.classCount <= MOST_REFINED_CLASSES;

/**
 * The attempts of the first round: the first twenty of these rows that suit the table. The first three are of three
 * families. A stack rests on all attempts of its round, wherever it stands.
 */
const FIRST_ROUND: readonly PlanRow[] = [
  { when: always, entry: chosenForest },
  { when: hasTexts, entry: () => terms("all", "tf-idf", [0.1, 0.03, 0.3, 1]) },
  { when: hasTexts, entry: () => termBayes("multinomial", 1) },
  { when: hasTexts, entry: () => terms("words", "tf-idf", [0.1, 0.03, 0.3, 1]) },
  { when: hasTexts, entry: () => terms("words", "ratios", [1, 0.3, 3, 10]) },
  { when: hasTexts, entry: () => termBayes("complement", 0.3) },
  { when: hasManyRows, entry: (shape) => interactions(shape, "tables", 30, 5, shape.numberOfBuckets) },
  { when: hasFewRows, entry: (shape) => interactions(shape, "tables", 10, 5, shape.numberOfBuckets) },
  { when: suitsDependence, entry: () => dependence(12) },
  { when: always, entry: (shape) => forest(shape, "extra-trees", shape.featureCount / 2, 1, 200) },
  { when: hasManyRows, entry: (shape) => boosting(shape, "c4") },
  { when: hasManyRows, entry: (shape) => boosting(shape, "c31") },
  { when: hasManyRows, entry: (shape) => boosting(shape, "c63") },
  { when: hasFewRows, entry: (shape) => boosting(shape, "c2") },
  { when: hasFewRows, entry: (shape) => boosting(shape, "c3") },
  { when: hasFewRows, entry: (shape) => boosting(shape, "c6") },
  { when: hasStacks, entry: () => stack(false) },
  { when: (shape) => hasStacks(shape) && hasManyRows(shape) && !hasTexts(shape), entry: () => stack(true) },
  { when: hasFewRows, entry: (shape) => interactions(shape, "products", 120, 10, 64) },
  { when: always, entry: () => bayes("weighted", "by label") },
  { when: canRefine, entry: (shape) => refinedForest(shape, 8, 100) },
  { when: suitsAode, entry: aode },
  { when: always, entry: () => logistic("linear", 1, FINE) },
  // The strength of nets and kernels on few rows: planes and curved surfaces, under a small ridge.
  { when: isSmall, entry: () => logistic("linear", 0.1, FINE) },
  { when: isSmall, entry: (shape) => interactions(shape, "products", manyPairs(shape), 0.3, FINE, "linear") },
  { when: always, entry: (shape) => forest(shape, "extra-trees", Math.sqrt(shape.featureCount), 3, 200) },
  { when: always, entry: () => logistic("smooth", 10, 64) },
  { when: canRefine, entry: (shape) => refinedForest(shape, null, 100) },
  { when: always, entry: pairedBayes },
  { when: hasManyRows, entry: (shape) => boosting(shape, "c64") },
  { when: hasFewRows, entry: (shape) => boosting(shape, "c4") },
  { when: always, entry: (shape) => bayes("selective", shape.numberOfBuckets) },
  { when: always, entry: (shape) => logistic("one-hot", 1, shape.numberOfBuckets) },
  { when: always, entry: () => bayes("weighted", 10) },
  { when: always, entry: (shape) => logistic("smooth", 1, shape.numberOfBuckets) },
  { when: always, entry: (shape) => forest(shape, "forest", Math.sqrt(shape.featureCount), 3, 300) },
  // Reached only without stacks.
  { when: always, entry: (shape) => forest(shape, "extra-trees", shape.featureCount / 3, 5, 200) },
];

/**
 * Draws until the entry is like no earlier one. Each further draw has a seed of its own, so that later entries stay as they
 * are.
 */
function drawUnlike(shape: PlanShape, index: number, random: Random, taken: ReadonlySet<string>): PlanEntry {
  let entry = drawEntry(shape, index, random);
  for (let draw = 0; taken.has(likeness(entry, index)); draw++) {
    entry = drawEntry(shape, index, new Random(deriveSeed(shape.seed, PLAN_DRAW, index, draw)));
  }
  return entry;
}

/** One entry drawn from the ranges of the search, with rivals of its kind. */
function drawEntry(shape: PlanShape, index: number, random: Random): PlanEntry {
  // A round ends with a stack over everything so far.
  if ((index + 1) % ATTEMPTS_PER_ROUND === 0 && shape.hasStacks) return stack(false);
  const share = random.nextFloat();
  if (share < 0.35) return bestOfDraws(() => drawBoosting(shape, random));
  if (share < 0.55) return bestOfDraws(() => drawForest(shape, "forest", random));
  // Only forests vote on the rows of their own bootstrap, by which rivals are told apart.
  if (share < 0.7) return { ...bestOfDraws(() => drawForest(shape, "extra-trees", random)), rivals: [] };
  if (share < 0.9) {
    const basis = pick<LogisticBasis>(random, ["smooth", "smooth", "one-hot", "linear"]);
    const buckets =
      basis === "linear" ? FINE : pick<BucketChoice>(random, [8, 10, 20, 64, FINE, shape.numberOfBuckets]);
    return bestOfDraws(() => logistic(basis, 10 ** (-0.5 + 3 * random.nextFloat()), buckets));
  }
  return random.nextBelow(2) === 0 && suitsDependence(shape)
    ? dependence(12)
    : bayes("weighted", pick<BucketChoice>(random, [8, 10, 20, 64, "by label", shape.numberOfBuckets]));
}

/** Some draws as one attempt: rivals of the first. */
function bestOfDraws(draw: () => PlanEntry): PlanEntry {
  const [first, ...others] = Array.from({ length: DRAWS_PER_ENTRY }, draw);
  return { ...first!, rivals: others.map(({ settings }) => settings as BaseSettings) };
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

function drawBoosting(shape: PlanShape, random: Random): PlanEntry {
  const maxDepth = random.nextBelow(2) === 0 ? 2 + random.nextBelow(7) : null;
  const settings = {
    ...boostingSettings("c4", shape.learningRowCount, shape.classCount),
    maxDepth,
    maxLeaves: maxDepth === null ? 8 + random.nextBelow(56) : Math.min(64, 2 ** maxDepth),
    learningRate: 0.03 * 5 ** random.nextFloat(),
    featureShare: 0.3 + 0.7 * random.nextFloat(),
    rowShare: 0.5 + 0.5 * random.nextFloat(),
    l2: 10 ** random.nextFloat(),
    minLeafRows: 2 + random.nextBelow(20),
  };
  return alone(FINE, { algorithm: GRADIENT_BOOSTING, ...settings });
}

/** A forest whose features per split and leaf size are chosen by its own first trees. */
function chosenForest(shape: PlanShape): PlanEntry {
  const d = shape.featureCount;
  const all = [Math.sqrt(d), d / 3, 0.6 * d, d].flatMap((featuresPerSplit) =>
    [1, 3].map((minLeafRows) => boundedForest(shape, "forest", featuresPerSplit, minLeafRows, 300)),
  );
  // With few features several of the four numbers are the same.
  const distinct = new Map(all.map((settings) => [JSON.stringify(settings), settings]));
  const [first, ...rivals] = distinct.values();
  return { buckets: FINE, settings: first!, rivals };
}

function balancedForest(shape: PlanShape): PlanEntry {
  return alone(FINE, { ...boundedForest(shape, "forest", Math.sqrt(shape.featureCount), 3, 300), balanced: true });
}

function forest(
  shape: PlanShape,
  variant: "forest" | "extra-trees",
  featuresPerSplit: number,
  minLeafRows: number,
  treeCount: number,
  maxDepth: number | null = null,
): PlanEntry {
  return alone(FINE, boundedForest(shape, variant, featuresPerSplit, minLeafRows, treeCount, maxDepth));
}

function boosting({ learningRowCount, classCount }: PlanShape, name: BoostingSetting): PlanEntry {
  const settings = boostingSettings(name, learningRowCount, classCount);
  return alone(FINE, { algorithm: GRADIENT_BOOSTING, ...settings });
}

function logistic(basis: LogisticBasis, l2: number, buckets: BucketChoice): PlanEntry {
  return alone(buckets, { algorithm: "logistic regression", basis, l2, maxIterations: 100 });
}

/** Coarse buckets for the other columns: their codes are terms too. The rivals differ by their ridge. */
function terms(
  choice: SparseLogisticSettings["terms"],
  scaling: SparseLogisticSettings["scaling"],
  ridges: readonly number[],
): PlanEntry {
  const settings = ridges.map(
    (l2) => ({ algorithm: "logistic regression of terms", terms: choice, scaling, l2 }) as const,
  );
  return { buckets: 10, settings: settings[0]!, rivals: settings.slice(1) };
}

function termBayes(variant: TermBayesSettings["variant"], smoothing: number): PlanEntry {
  return { buckets: 10, settings: { algorithm: "naive Bayes of terms", variant, smoothing }, rivals: [] };
}

function suitsAode(shape: PlanShape): boolean {
  const { featureCount, classCount } = shape;
  return featureCount <= MOST_AODE_FEATURES && (!isSmall(shape) || featureCount ** 2 * classCount <= MOST_SMALL_AODE);
}

/** A product is stored as a table of a number for each class: some two megabytes of them at most. */
function manyPairs({ classCount }: PlanShape): number {
  return Math.min(400, Math.floor(1_200 / classCount));
}

/** Tables of pairs of features that a screen finds, or products of their values, beside tables of the features themselves. */
function interactions(
  { classCount }: PlanShape,
  kind: "tables" | "products",
  pairCount: number,
  l2: number,
  buckets: BucketChoice,
  basis: LogisticBasis = "smooth",
): PlanEntry {
  const maxIterations = classCount > MOST_REFINED_CLASSES ? ITERATIONS_OF_MANY_CLASSES : 100;
  const own = { basis, l2, maxIterations, interactions: kind, pairCount } as const;
  return alone(buckets, { algorithm: "logistic regression with interactions", ...own });
}

/** A forest whose leaves are weighed anew: shallow and of many trees, or fully grown. */
function refinedForest(shape: PlanShape, maxDepth: number | null, l2: number): PlanEntry {
  const d = shape.featureCount;
  const { algorithm: _, ...forest } =
    maxDepth === null
      ? boundedForest(shape, "forest", d / 3, 5, 200)
      : boundedForest(shape, "forest", Math.sqrt(d), 3, 300, maxDepth);
  return alone(FINE, { algorithm: "refined forest", forest, l2, maxIterations: 60 });
}

/** A stack over the attempts of the round; `withMains`: with tables of the features on top. */
function stack(withMains: boolean): PlanEntry {
  return alone(FINE, { algorithm: "stack", withMains, members: [], intercepts: [], finalIntercepts: [] });
}

function bayes(variant: "selective" | "weighted", buckets: BucketChoice): PlanEntry {
  return alone(buckets, { algorithm: "naive Bayes", variant, smoothing: 1 });
}

function dependence(memberCount: number): PlanEntry {
  return alone(FINE, { algorithm: "k-dependence naive Bayes", memberCount, smoothing: 10 });
}

function aode(): PlanEntry {
  const own = { pooling: "geometric", parentCount: 10, leastParentRows: 1, smoothing: 1 } as const;
  return alone(FINE, { algorithm: "AODE", ...own });
}

function pairedBayes(): PlanEntry {
  return alone(10, { algorithm: "paired naive Bayes", pairCount: 30, smoothing: 1 });
}

function alone(buckets: BucketChoice, settings: ModelSettings): PlanEntry {
  return { buckets, settings, rivals: [] };
}
