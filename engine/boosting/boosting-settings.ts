// The settings of gradient boosting, and the presets that the plan names.
import { MANY_ROWS } from "../trees/forest-size.ts";

/**
 * Gradient boosting with a logistic loss, as stored settings name it: Friedman, Hastie and
 * Tibshirani (2000) call it additive logistic regression. Only this and the key of its entry in the
 * registry say so. People read "gradient-boosted logistic regression".
 */
export const GRADIENT_BOOSTING = "additive logistic regression";

/** Settings of boosted trees. A round adds one tree, or one per class where there are more than two. */
export interface BoostingSettings {
  /** Rounds, or rounds at most while their number is still sought. */
  roundCount: number;
  /** The share of each Newton step that is taken. */
  learningRate: number;
  /** Splits on the way to a leaf at most; null for no limit. */
  maxDepth: number | null;
  /** Leaves of a tree at most. Where the depth allows more of them, those with the largest gain are split first. */
  maxLeaves: number;
  /** Share of the features that each tree may use, and of the rows that each round learns from. */
  featureShare: number;
  rowShare: number;
  /** Ridge on the value of each leaf, above 0: added to its second derivatives. */
  l2: number;
  /** Rows on each side of a split at least. */
  minLeafRows: number;
}

/** The number is that of a tree's levels (c2 to c6) or of its leaves (c31 to c64). */
export type BoostingSetting = "c2" | "c3" | "c4" | "c6" | "c31" | "c63" | "c64";

const ENTRIES: Readonly<Record<BoostingSetting, Omit<BoostingSettings, "roundCount">>> = {
  c2: { maxDepth: 2, maxLeaves: 4, learningRate: 0.1, featureShare: 0.7, rowShare: 0.8, l2: 2, minLeafRows: 5 },
  c3: { maxDepth: 3, maxLeaves: 8, learningRate: 0.05, featureShare: 0.5, rowShare: 0.7, l2: 2, minLeafRows: 5 },
  c4: { maxDepth: 4, maxLeaves: 16, learningRate: 0.08, featureShare: 0.5, rowShare: 0.8, l2: 2, minLeafRows: 5 },
  c6: { maxDepth: 6, maxLeaves: 64, learningRate: 0.05, featureShare: 0.5, rowShare: 0.6, l2: 3, minLeafRows: 3 },
  c31: { maxDepth: null, maxLeaves: 31, learningRate: 0.08, featureShare: 1, rowShare: 1, l2: 1, minLeafRows: 20 },
  c63: { maxDepth: null, maxLeaves: 63, learningRate: 0.06, featureShare: 0.8, rowShare: 1, l2: 10, minLeafRows: 20 },
  c64: { maxDepth: 9, maxLeaves: 64, learningRate: 0.1, featureShare: 0.6, rowShare: 0.8, l2: 3, minLeafRows: 8 },
};
/** Learning rates above `MANY_ROWS`, where they differ: there is more evidence for each tree. */
const RATES_OF_MANY: Partial<Record<BoostingSetting, number>> = { c4: 0.15, c31: 0.1 };

/** Settings by name for a table of `rowCount` learning rows; `roundCount` is the cap. */
export function boostingSettings(name: BoostingSetting, rowCount: number, classCount: number): BoostingSettings {
  const rateOfMany = rowCount > MANY_ROWS ? RATES_OF_MANY[name] : undefined;
  const learningRate = rateOfMany ?? ENTRIES[name].learningRate;
  const haste = classCount > MANY_CLASSES ? HASTE_OF_MANY_CLASSES : 1;
  return { ...ENTRIES[name], learningRate: haste * learningRate, roundCount: roundCap(classCount) };
}

/** With more classes there are few rounds, so each must go further: at the usual rate they would end half-way. */
const MANY_CLASSES = 10;
const HASTE_OF_MANY_CLASSES = 2;

/** Each round grows a tree per class, so tables with many classes get fewer rounds. */
function roundCap(classCount: number): number {
  if (classCount > MANY_CLASSES) return 80;
  return classCount > 3 ? 250 : 600;
}
