// The facts that the registry holds about every algorithm.

import type { FamilyName, FitInput } from "./family.ts";

export interface AlgorithmEntry<Settings> {
  family: FamilyName;
  /** The name that people see of a model with these settings. */
  nameOf(settings: Settings): string;
  /** Rank by the cost of scoring a row, the cheapest first: of equal models the cheaper one wins (D42). */
  costRank: number;
  /** True if most of its models are weaker than others of its family: few go on after the first fold. */
  isWeak: boolean;
}

/** The sizes that the memory of a fit depends on. */
export interface FitSize {
  rowCount: number;
  featureCount: number;
  classCount: number;
  /** Buckets of a feature at most. */
  bucketCount: number;
  /** Categories of all features together at most. */
  categoryCount: number;
  /** Whether forests may keep growing towards a target. */
  hasTarget: boolean;
  /** Trees of a forest at most. */
  treeCount: number;
  /** Forests that a thread holds at once. */
  forestCopies: number;
  /** Terms of all texts together; 0 where it is left out. */
  termCount?: number;
}

/**
 * How threads share an attempt (D133): by its folds; by rounds of boosting in each fold; or by trees, judged out of bag
 * instead of by folds, unless the rows have groups or times.
 */
export type CutBy = "folds" | "rounds" | "trees";

/** An algorithm that learns from rows alone. */
export interface BaseEntry<Settings, Model> extends AlgorithmEntry<Settings> {
  /** Fits on `input.rows` alone. Throws `Cancelled`; when time is up it returns the best model reached so far. */
  fit(input: FitInput, settings: Settings): Model;
  /** The setting that is varied while an attempt is below its target; null for none. */
  regularisation: "l2" | "smoothing" | null;
  cutBy: CutBy;
  /** Whether one fit is long on a small table too, so that sharing pays there. */
  isLong?: boolean;
  /** Bytes that a thread needs at most for a fit and its model, beside codes and probabilities. */
  fitBytes(size: FitSize): number;
}
