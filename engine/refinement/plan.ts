// How much work a refinement does at each stage: fixed by the shape of the table, so that results do not depend on the machine.
import { FAMILY_NAMES } from "../families/family.ts";
import type { RefinementArena } from "./arena.ts";

/** Rows of TRAIN below which evidence is too weak to remove anything by. */
export const LEAST_ROWS_TO_JUDGE = 250;
/** Candidates above which a screen goes first. */
export const MOST_UNSCREENED = 150;
/** Candidates that forests look at closely, at most. */
export const MOST_CANDIDATES = 600;
/** Groups of near copies that are shuffled, at most: the strongest, and all with other evidence. */
export const MOST_CLUSTERS = 300;
export const CLUSTERS_BY_GAIN = 150;
/** Groups that redundancy looks at one by one. */
export const MOST_GROUPS = 8;
/** Reads of the blind test after the baseline. */
export const MOST_CHECKPOINTS = 3;
export const SCREEN_FORESTS = 2;
export const BORUTA_ROUNDS = 20;
/** Every forest of the search grows in this many chunks, on as many threads as there are. */
export const CHUNKS = 4;
/** Models that measure a set of columns: one of each family. */
export const FAMILIES = FAMILY_NAMES.length;

const FEATURES_PER_BLOCK = 256;

export interface ForestSize {
  treeCount: number;
  minLeafRows: number;
}

export interface RefinementPlan {
  /** Ranges of features whose facts are one unit each. */
  blocks: readonly { from: number; to: number }[];
  isScreened: boolean;
  /** Each forest of the screen, each Boruta round, each fold of the permutation stage. */
  screen: ForestSize;
  round: ForestSize;
  permutation: ForestSize;
  /** Stages in their order with the number of units that each may need. */
  stages: readonly { stage: Stage; unitCount: number }[];
}

export type Stage =
  | "checks"
  | "baseline"
  | "validation"
  | "screen"
  | "rounds"
  | "permutation"
  | "relevance"
  | "redundancy"
  | "checkpoints"
  | "result";

export function planRefinement(arena: RefinementArena): RefinementPlan {
  const rowCount = arena.selection.length;
  const featureCount = arena.table.features.length;
  const blocks: { from: number; to: number }[] = [];
  for (let from = 0; from < featureCount; from += FEATURES_PER_BLOCK) {
    blocks.push({ from, to: Math.min(featureCount, from + FEATURES_PER_BLOCK) });
  }
  const isScreened = featureCount > MOST_UNSCREENED;
  const leaf = (share: number) => Math.max(1, Math.round(rowCount * share));
  return {
    blocks,
    isScreened,
    // Larger leaves are faster and, up to here, find weak signals better than fully grown trees: measured at 10,000 rows.
    screen: { treeCount: 300, minLeafRows: leaf(1 / 200) },
    round: { treeCount: 100, minLeafRows: leaf(1 / 500) },
    permutation: { treeCount: 150, minLeafRows: leaf(1 / 200) },
    stages: [
      { stage: "checks", unitCount: blocks.length + 1 },
      { stage: "baseline", unitCount: FAMILIES },
      { stage: "validation", unitCount: 2 * FAMILIES },
      { stage: "screen", unitCount: isScreened ? SCREEN_FORESTS : 0 },
      { stage: "rounds", unitCount: BORUTA_ROUNDS },
      { stage: "permutation", unitCount: 1 + arena.folds.length },
      { stage: "relevance", unitCount: 2 * FAMILIES },
      { stage: "redundancy", unitCount: 1 + FAMILIES * (1 + MOST_GROUPS) },
      { stage: "checkpoints", unitCount: MOST_CHECKPOINTS * FAMILIES },
      { stage: "result", unitCount: 2 },
    ],
  };
}
