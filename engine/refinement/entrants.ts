// The models that measure a set of columns: one of each family.

import { familyOf } from "../families/algorithms.ts";
import type { BaseSettings } from "../families/base-algorithms.ts";
import type { FamilyName } from "../fitting/family.ts";
import type { BucketChoice } from "../table/buckets.ts";
import { boundedForest } from "../trees/forest-size.ts";

/** A model to fit on a set of columns. */
export interface Entrant {
  family: FamilyName;
  buckets: BucketChoice;
  settings: BaseSettings;
}

/** An entrant on some features of a task's table. */
export interface EntrantFit {
  features: readonly number[];
  entrant: Entrant;
  seed: number;
}

/** The numbers that an entrant's settings depend on. */
export interface EntrantShape {
  learningRowCount: number;
  featureCount: number;
  numberOfBuckets: number;
  /** Whether some of the columns are text: naive Bayes then reads its terms. */
  hasTexts?: boolean;
}

const TREE_COUNT = 300;
/**
 * Fully grown trees overfit where columns have few values, and noise columns then help by keeping
 * trees apart: a comparison of columns must not reward that.
 */
const MIN_LEAF_ROWS = 3;

/** One of each family: a random forest, weighted naive Bayes or that of terms, logistic regression on smooth tables. */
export function entrantsOf(shape: EntrantShape): Entrant[] {
  const { featureCount, numberOfBuckets, hasTexts = false } = shape;
  return [
    entrant("fine", boundedForest(shape, "forest", Math.sqrt(featureCount), MIN_LEAF_ROWS, TREE_COUNT)),
    entrant(
      numberOfBuckets,
      hasTexts
        ? { algorithm: "naive Bayes of terms", variant: "multinomial", smoothing: 1 }
        : { algorithm: "naive Bayes", variant: "weighted", smoothing: 1 },
    ),
    entrant(numberOfBuckets, { algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 100 }),
  ];
}

function entrant(buckets: BucketChoice, settings: BaseSettings): Entrant {
  return { family: familyOf(settings), buckets, settings };
}
