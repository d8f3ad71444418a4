// The plan of attempts: which settings of which family compete, in which order, each with a seed of its own.
//
// Two savings of time: an attempt with rivals first chooses among settings by successive halving on few rows, and fits
// all folds for the winner alone; a weak attempt ends after one fold where it adds nothing to others (early-end.ts).

import { boostingSettings, GRADIENT_BOOSTING } from "../boosting/boosting-settings.ts";
import { entryOf } from "../families/algorithms.ts";
import type { BaseSettings } from "../families/base-algorithms.ts";
import { FAMILY_NAMES } from "../fitting/family.ts";
import type { LogisticBasis } from "../logistic/table-basis.ts";
import { deriveSeed, Random } from "../random.ts";
import { SMALL_ROWS } from "../splits/holdout.ts";
import type { BucketChoice } from "../table/buckets.ts";
import { MANY_ROWS } from "../trees/forest-size.ts";
import {
  alone,
  aode,
  bayes,
  boosting,
  chosenForest,
  dependence,
  FINE,
  forest,
  hiddenLayer,
  interactions,
  logisticRegression,
  MOST_REFINED_CLASSES,
  type PlanEntry,
  type PlanShape,
  pairedBayes,
  refinedForest,
  stack,
  termBayes,
  terms,
} from "./plan-entries.ts";

/** The plan runs in rounds of this many attempts (D08). */
export const ATTEMPTS_PER_ROUND = 20;

/** Second parts of seeds: of the drawn entries, and of the attempts. */
const PLAN_DRAW = 11;
const ATTEMPT_DRAW = 12;

/** One entry of the competition. */
export interface AttemptSpec extends PlanEntry {
  /** From 1, in the order of the plan. */
  attempt: number;
  /** Whether it ends after one fold where others, which run before it, leave it nothing to add. */
  isWeak: boolean;
  seed: number;
}

/**
 * The plan of `1 + scalingFactor` attempts, but never fewer than one of each family (D37): the first twenty are fixed,
 * the families taking turns, the others are drawn at random from the ranges around them. No two attempts are alike: the
 * same settings with a second seed help a stack no more than other settings do.
 */
export function planAttempts(shape: PlanShape): AttemptSpec[] {
  const count = Math.max(FAMILY_NAMES.length, 1 + shape.scalingFactor);
  const isSmall = shape.learningRowCount <= SMALL_ROWS && !hasTexts(shape);
  const strongCount = isSmall ? STRONG_OF_SMALL : FAMILY_NAMES.length;
  const entries = (isSmall ? SMALL_ROUND : FIRST_ROUND)
    .filter(({ when }) => when(shape))
    .slice(0, Math.min(count, ATTEMPTS_PER_ROUND))
    .map(({ entry }) => entry(shape));
  const random = new Random(deriveSeed(shape.seed, PLAN_DRAW));
  const takenKeys = new Set(entries.map(likeness));
  while (entries.length < count) {
    const entry = drawUnlike(shape, entries.length, random, takenKeys);
    takenKeys.add(likeness(entry, entries.length));
    entries.push(entry);
  }
  return entries.map((entry, index) => ({
    attempt: index + 1,
    ...entry,
    isWeak: !shape.tunesWeights && index >= strongCount && entryOf(entry.settings).isWeak,
    seed: deriveSeed(shape.seed, ATTEMPT_DRAW, index),
  }));
}

/** A key of the settings and buckets; of a stack also of its round, since it rests on all attempts up to that. */
function likeness({ settings, buckets }: PlanEntry, index: number): string {
  const round = settings.algorithm === "stack" ? Math.floor(index / ATTEMPTS_PER_ROUND) : null;
  return JSON.stringify([settings, buckets, round]);
}

/** Settings that compete for one attempt of the search. */
const DRAWS_PER_ENTRY = 4;
const MOST_AODE_FEATURES = 200;
/** Trees of a small table's forests: three times as many decide no better, and each is fitted six times. */
const SMALL_TREES = 100;
/** The first entries of a small table's plan, whose attempts run whole. */
const STRONG_OF_SMALL = 11;

/** A row of the plan: an entry, and the tables that it is for. */
interface PlanRow {
  when(shape: PlanShape): boolean;
  entry(shape: PlanShape): PlanEntry;
}

const always = () => true;
const hasManyRows = ({ learningRowCount }: PlanShape) => learningRowCount > MANY_ROWS;
const hasFewRows = (shape: PlanShape) => !hasManyRows(shape);
const hasStacks = (shape: PlanShape) => shape.hasStacks;
const hasTexts = (shape: PlanShape) => shape.hasTexts === true;
/**
 * With many classes, texts have scores of random halves of them: tables of three such scores say little and are large.
 */
const suitsDependence = (shape: PlanShape) => !hasTexts(shape) || shape.classCount <= MOST_REFINED_CLASSES;
/** Weighing the leaves of many rows takes longer than any other fit, and stacks then give it no weight. */
const canRefine = (shape: PlanShape) => hasFewRows(shape) && shape.classCount <= MOST_REFINED_CLASSES;

/**
 * The attempts of the first round: the first twenty of these rows that suit the table. The first three are of three
 * families. A stack rests on all attempts of its round, wherever it stands.
 */
const FIRST_ROUND: readonly PlanRow[] = [
  { when: always, entry: (shape) => chosenForest(shape, 300) },
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
  { when: hasStacks, entry: () => stack() },
  {
    when: (shape) => hasStacks(shape) && hasManyRows(shape) && !hasTexts(shape),
    entry: () => stack({ withMains: true }),
  },
  { when: hasFewRows, entry: (shape) => interactions(shape, "products", 120, 10, 64) },
  { when: always, entry: () => bayes("weighted", "by label") },
  { when: canRefine, entry: (shape) => refinedForest(shape, 8) },
  { when: ({ featureCount }) => featureCount <= MOST_AODE_FEATURES, entry: aode },
  { when: always, entry: () => logisticRegression("linear", 1, FINE) },
  { when: always, entry: (shape) => forest(shape, "extra-trees", Math.sqrt(shape.featureCount), 3, 200) },
  { when: always, entry: () => logisticRegression("smooth", 10, 64) },
  { when: canRefine, entry: (shape) => refinedForest(shape, null) },
  { when: always, entry: pairedBayes },
  { when: hasManyRows, entry: (shape) => boosting(shape, "c64") },
  { when: hasFewRows, entry: (shape) => boosting(shape, "c4") },
  { when: always, entry: (shape) => bayes("selective", shape.numberOfBuckets) },
  { when: always, entry: (shape) => logisticRegression("one-hot", 1, shape.numberOfBuckets) },
  { when: always, entry: () => bayes("weighted", 10) },
  { when: always, entry: (shape) => logisticRegression("smooth", 1, shape.numberOfBuckets) },
  { when: always, entry: (shape) => forest(shape, "forest", Math.sqrt(shape.featureCount), 3, 300) },
  // Reached only without stacks.
  { when: always, entry: (shape) => forest(shape, "extra-trees", shape.featureCount / 3, 5, 200) },
];

/**
 * The attempts of a small table (D147). The first eleven run whole; the others are cheap, and mostly end after one
 * fold.
 */
const SMALL_ROUND: readonly PlanRow[] = [
  { when: always, entry: (shape) => chosenForest(shape, SMALL_TREES) },
  { when: always, entry: () => hiddenLayer(0.3) },
  { when: always, entry: () => dependence(6) },
  { when: always, entry: (shape) => forest(shape, "extra-trees", shape.featureCount / 2, 1, SMALL_TREES) },
  { when: always, entry: (shape) => boosting(shape, "c6") },
  { when: hasStacks, entry: () => stack() },
  { when: always, entry: () => bayes("weighted", "by label") },
  { when: always, entry: (shape) => logisticRegression("smooth", 10, shape.numberOfBuckets) },
  { when: always, entry: () => hiddenLayer(3) },
  { when: always, entry: (shape) => forest(shape, "extra-trees", Math.sqrt(shape.featureCount), 3, SMALL_TREES) },
  { when: always, entry: pairedBayes },
  { when: always, entry: () => logisticRegression("linear", 1, FINE) },
  { when: always, entry: () => logisticRegression("linear", 0.1, FINE) },
  { when: always, entry: (shape) => bayes("selective", shape.numberOfBuckets) },
  { when: always, entry: () => bayes("weighted", 10) },
  { when: always, entry: (shape) => logisticRegression("one-hot", 1, shape.numberOfBuckets) },
  { when: always, entry: () => logisticRegression("linear", 10, FINE) },
  { when: always, entry: () => bayes("plain", "by label") },
  { when: always, entry: () => bayes("plain", 10) },
  { when: always, entry: () => bayes("plain", FINE) },
  // Reached only without stacks.
  { when: always, entry: () => bayes("plain", 5) },
];

/**
 * Draws until the entry is like no earlier one. Each further draw has a seed of
 * its own, so that later entries stay as they are.
 */
function drawUnlike(shape: PlanShape, index: number, random: Random, takenKeys: ReadonlySet<string>): PlanEntry {
  let entry = drawEntry(shape, index, random);
  for (let draw = 0; takenKeys.has(likeness(entry, index)); draw++) {
    entry = drawEntry(shape, index, new Random(deriveSeed(shape.seed, PLAN_DRAW, index, draw)));
  }
  return entry;
}

/** One entry drawn from the ranges of the search, with rivals of its kind. */
function drawEntry(shape: PlanShape, index: number, random: Random): PlanEntry {
  // A round ends with a stack over everything so far.
  if ((index + 1) % ATTEMPTS_PER_ROUND === 0 && shape.hasStacks) return stack();
  const share = random.nextFloat();
  if (share < 0.35) return bestOfDraws(() => drawBoosting(shape, random));
  if (share < 0.55) return bestOfDraws(() => drawForest(shape, "forest", random));
  // Rivals are compared by out-of-bag votes, which extra-trees do not have by themselves.
  if (share < 0.7) return { ...bestOfDraws(() => drawForest(shape, "extra-trees", random)), rivals: [] };
  if (share < 0.9) {
    const basis = pick<LogisticBasis>(random, ["smooth", "smooth", "one-hot", "linear"]);
    const buckets =
      basis === "linear" ? FINE : pick<BucketChoice>(random, [8, 10, 20, 64, FINE, shape.numberOfBuckets]);
    return bestOfDraws(() => logisticRegression(basis, 10 ** (-0.5 + 3 * random.nextFloat()), buckets));
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
