// How much work a refinement does at each stage: fixed by the shape of the table, so that results do
// not depend on the machine unless the announced time runs out.
import { countClasses } from "../fitting/class-counts.ts";
import { FAMILY_NAMES } from "../fitting/family.ts";
import { labelledRows } from "../table/table.ts";
import type { ForestSettings } from "../trees/forest.ts";
import { leastRounds } from "./boruta.ts";
import { LEAST_ROWS_TO_JUDGE } from "./decision.ts";
import type { RefinementTask } from "./task.ts";

/** Evidence is too weak with fewer rows of all classes but the most frequent one, too (D166). */
const LEAST_OTHER_ROWS = 25;
/** With more candidates, a screen comes first. */
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
/**
 * Chunks that every forest of the search grows in, on as many threads as there are; more chunks if a tree takes some
 * milliseconds.
 */
const CHUNKS = 4;
const CHUNKS_OF_MANY_ROWS = 8;
export const MANY_ROWS = 5_000;
/** Models that measure a set of columns: one of each family. */
export const FAMILIES = FAMILY_NAMES.length;

/** Units for the facts of all features, at most, and features of one unit, at least and at most. */
const MOST_BLOCKS = 8;
const LEAST_BLOCK = 2;
const MOST_BLOCK = 256;

export interface ForestSize {
  treeCount: number;
  /** Rows on each side of a split at least: 1 grows trees fully. */
  minLeafRows: number;
}

export interface RefinementPlan {
  /** Ranges of features whose facts are one unit each. */
  blocks: readonly { from: number; to: number }[];
  /** Each forest of the screen, each Boruta round, each fold of the permutation stage. */
  screen: ForestSize;
  round: ForestSize;
  permutation: ForestSize;
  /** Units of each forest. */
  chunkCount: number;
}

/** A forest that looks for signals among `featureCount` features. */
export function searchForest(featureCount: number, { treeCount, minLeafRows }: ForestSize): ForestSettings {
  const featuresPerSplit = Math.max(1, Math.round(Math.sqrt(featureCount)));
  return { variant: "forest", treeCount, featuresPerSplit, minLeafRows, maxDepth: null, rowsPerTree: null };
}

/** The stages whose steps are counted. Other stages may turn out to have nothing to do. */
export type Stage = "baseline" | "validation" | "screen" | "rounds" | "permutation" | "result";

/** Whether the learning rows are enough to judge columns by. */
export function canJudge({ table, learning }: RefinementTask): boolean {
  const counts = countClasses(labelledRows(table, learning));
  return learning.length >= LEAST_ROWS_TO_JUDGE && learning.length - Math.max(...counts) >= LEAST_OTHER_ROWS;
}

export function planRefinement(task: RefinementTask): RefinementPlan {
  const rowCount = task.selection.length;
  const featureCount = task.table.features.length;
  const blocks: { from: number; to: number }[] = [];
  // The features of a text are judged together.
  const least = task.table.texts === undefined ? Math.ceil(featureCount / MOST_BLOCKS) : MOST_BLOCK;
  const size = Math.min(MOST_BLOCK, Math.max(LEAST_BLOCK, least));
  for (let from = 0; from < featureCount; from += size) {
    blocks.push({ from, to: Math.min(featureCount, from + size) });
  }
  const leaf = (share: number) => Math.max(1, Math.round(rowCount * share));
  return {
    blocks,
    // Larger leaves are faster and, up to here, find weak signals better than
    // fully grown trees: measured at 10,000 rows.
    screen: { treeCount: 300, minLeafRows: leaf(1 / 200) },
    round: { treeCount: 100, minLeafRows: leaf(1 / 500) },
    permutation: { treeCount: 150, minLeafRows: leaf(1 / 200) },
    chunkCount: rowCount > MANY_ROWS ? CHUNKS_OF_MANY_ROWS : CHUNKS,
  };
}

/**
 * The steps that a refinement takes for certain, by stage, once it is known how many features the evidence judges:
 * models, rounds, groups and all folds of the permutation, the result. Clients see how many of these are done. Where
 * the time is short, rounds after the first and the permutation may be left out.
 */
export function sureSteps(
  { reserve }: Pick<RefinementTask, "reserve">,
  { judgedCount, isTimeShort }: { judgedCount: number; isTimeShort: boolean },
): Record<Stage, number> {
  const isScreened = judgedCount > MOST_UNSCREENED;
  const isJudged = judgedCount > 0;
  // A screen leaves at least `MOST_UNSCREENED` candidates, and more candidates take more rounds.
  const rounds = isTimeShort ? 1 : leastRounds(Math.min(judgedCount, MOST_UNSCREENED));
  return {
    baseline: FAMILIES,
    validation: FAMILIES,
    screen: isScreened ? SCREEN_FORESTS : 0,
    rounds: isJudged ? rounds : 0,
    permutation: isJudged && !isTimeShort ? 2 : 0,
    result: reserve.length > 0 ? 2 : 1,
  };
}
