// One unit of Boruta: some trees of a round's forest on candidates and their
// shadows, and who gained more than the best shadow.
import type { FitInput } from "../fitting/family.ts";
import { deriveSeed } from "../random.ts";
import { ForestGrower } from "../trees/forest-growth.ts";
import { searchForest } from "./plan.ts";
import { inOrderOfSignal, withShadows } from "./shadows.ts";

/** Parts of seeds: the shuffling of the shadows, and the trees. */
const SHADOW_DRAW = 31;
const TREE_DRAW = 32;

/** Input for one chunk of a round: trees learn from `rows`; shadows are shuffled over all rows of the view. */
export interface ShadowGainsInput extends FitInput {
  /** Feature indexes of the view: those to judge, and those to copy (one shadow for each entry). */
  candidates: readonly number[];
  shadowOf: readonly number[];
  round: number;
  /** The chunk holds the round's trees [treeFrom, treeTo). */
  treeFrom: number;
  treeTo: number;
  /**
   * Rows on each side of a split at least. A 500th of the rows finds weak and rare signals oftener than 1
   * does, in less time: splits of few rows add chance to every gain.
   */
  minLeafRows: number;
  /** Features tried at each split; null for the square root of the number of all columns. */
  featuresPerSplit: number | null;
}

/** Gini decrease in rows, summed over trees: of the candidates, then of the shadows. */
export interface ShadowGains {
  gains: Float64Array;
  /** Fewer than asked for if time was up, but at least one. */
  treeCount: number;
}

/** Which candidates gained more than the best shadow of their class in a round. */
export interface RoundHits {
  /** 1 for a hit; one for each candidate. */
  hits: Uint8Array;
  /** The largest gain among the shadows of each cardinality class, by class; 0 where a class has no shadow. */
  bestShadowGains: Float64Array;
}

/**
 * Grows trees on the candidates beside their shadows and adds up what each feature gained. All chunks of a round build
 * the same shadows, and tree t of round r depends on (seed, r, t) alone. So the gains of a round, added in the order of
 * its chunks, do not depend on which thread grew what; where the chunks are cut differently, they differ by no more
 * than rounding. Takes one or two bytes a cell for all columns, and once more for the shadows. Throws `Cancelled`.
 */
export function shadowGains(input: ShadowGainsInput): ShadowGains {
  const { classes, classCount, candidates, shadowOf, round, treeFrom, treeTo, minLeafRows, seed, stop } = input;
  const shadowed = withShadows(input.view, candidates, shadowOf, deriveSeed(seed, SHADOW_DRAW, round), stop);
  const features = shadowed.features.map((feature, position) =>
    position < candidates.length || feature.kind === "number" ? feature : inOrderOfSignal(feature, classes, classCount),
  );
  const view = { ...shadowed, features };
  const treeSeed = deriveSeed(seed, TREE_DRAW, round);
  const usual = searchForest(view.features.length, { treeCount: treeTo - treeFrom, minLeafRows });
  const settings = { ...usual, featuresPerSplit: input.featuresPerSplit ?? usual.featuresPerSplit };
  const grower = new ForestGrower({ ...input, view, seed: treeSeed }, settings, "no votes", treeFrom);
  grower.growTo(settings.treeCount);
  return { gains: grower.gains(), treeCount: grower.treeCount };
}

/**
 * Compares the gains of a round's candidates with the best shadow of their own cardinality class: a binary feature
 * gains less by chance than one of ten buckets. `gains` holds the candidates, then the shadows.
 */
export function hitsOf(
  gains: Float64Array,
  candidateClass: readonly number[],
  shadowClass: readonly number[],
): RoundHits {
  const bestShadowGains = new Float64Array(Math.max(0, ...new Set(candidateClass), ...new Set(shadowClass)) + 1);
  shadowClass.forEach((cardinality, position) => {
    const gain = gains[candidateClass.length + position]!;
    bestShadowGains[cardinality] = Math.max(bestShadowGains[cardinality]!, gain);
  });
  const hits = Uint8Array.from(candidateClass, (cardinality, position) =>
    gains[position]! > bestShadowGains[cardinality]! ? 1 : 0,
  );
  return { hits, bestShadowGains };
}
