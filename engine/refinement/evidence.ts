// Each feature's evidence, of three kinds with a false-discovery rate each, and which features are relevant by it.

import { benjaminiHochberg } from "../statistics/false-discovery.ts";
import { upperNormal } from "../statistics/tail-probabilities.ts";
import type { ClusterLoss } from "./cluster-permutation.ts";
import type { NotShuffled } from "./decision.ts";
import type { FeatureFacts } from "./feature-facts.ts";

/** False-discovery rate of each kind of evidence (Benjamini & Hochberg 1995). */
export const DISCOVERY_RATE = 0.02;
/** The rate for hints, which count only after cross-validation or the blind test refused a proposal. */
const WEAK_RATE = 0.2;
/** In a fold, shuffling that costs this many standard errors supports a feature. */
const FOLD_Z = 1.645;

/** Forests' evidence on a candidate, over the rounds in which it took part. */
export interface ForestEvidence {
  feature: number;
  hits: number;
  rounds: number;
  isRelevant: boolean;
  /** Not rejected. */
  isHinted: boolean;
  /** Mean share of a round's gain, its own and the best shadow's of its kind. */
  gain: number;
  shadowGain: number;
}

/** A group of near copies and its losses in each fold. */
export interface GroupEvidence {
  features: readonly number[];
  folds: readonly ClusterLoss[];
}

/** All groups that were shuffled. */
export interface ShuffledGroups {
  groups: readonly GroupEvidence[];
  /** None was shuffled because time was up. */
  isTimeUp: boolean;
}

export interface FeatureEvidence {
  isUnivariate: boolean;
  isForest: boolean;
  isInteraction: boolean;
  /** Relevant at the rate for hints. */
  isHinted: boolean;
  forest: ForestEvidence | null;
  permutationZ: number | null;
  probabilityLoss: number | null;
  accuracyLoss: number | null;
  notShuffled: NotShuffled | null;
  /**
   * The highest of three shares: quarters of the rows with a low p-value, rounds hit, folds in which shuffling costs.
   */
  stability: number;
}

/** Joins the evidence on the candidates, which are feature indexes; forests and groups may cover only some of them. */
export function judgeFeatures(
  candidates: readonly number[],
  facts: readonly FeatureFacts[],
  forests: readonly ForestEvidence[],
  { groups, isTimeUp }: ShuffledGroups,
): Map<number, FeatureEvidence> {
  const pValues = candidates.map((feature) => facts[feature]!.pValue);
  const univariate = benjaminiHochberg(pValues, DISCOVERY_RATE);
  const weakUnivariate = benjaminiHochberg(pValues, WEAK_RATE);
  const forestOf = new Map(forests.map((forest) => [forest.feature, forest]));
  const shuffled = judgeGroups(groups);
  return new Map(
    candidates.map((feature, position): [number, FeatureEvidence] => {
      const forest = forestOf.get(feature) ?? null;
      const group = shuffled.get(feature);
      const quarterShare = facts[feature]!.significantQuarters / 4;
      const evidence: FeatureEvidence = {
        isUnivariate: univariate[position] === 1,
        isForest: forest?.isRelevant ?? false,
        isInteraction: group?.isRelevant ?? false,
        isHinted: weakUnivariate[position] === 1 || (forest?.isHinted ?? false) || (group?.isHinted ?? false),
        forest,
        permutationZ: group?.z ?? null,
        probabilityLoss: group?.probabilityLoss ?? null,
        accuracyLoss: group?.accuracyLoss ?? null,
        notShuffled:
          group !== undefined ? null : forest === null ? "SCREENED_OUT" : isTimeUp ? "TIME_UP" : "WEAK_GROUP",
        stability: Math.max(
          quarterShare,
          forest === null || forest.rounds === 0 ? 0 : forest.hits / forest.rounds,
          group?.foldShare ?? 0,
        ),
      };
      return [feature, evidence];
    }),
  );
}

/** Whether any of the three evidences speaks for the feature. */
export function isRelevant({ isUnivariate, isForest, isInteraction }: FeatureEvidence): boolean {
  return isUnivariate || isForest || isInteraction;
}

interface GroupJudgement {
  z: number;
  probabilityLoss: number;
  accuracyLoss: number;
  foldShare: number;
  isRelevant: boolean;
  isHinted: boolean;
}

function judgeGroups(groups: readonly GroupEvidence[]): Map<number, GroupJudgement> {
  const totals = groups.map(({ folds }) => folds.reduce(addLoss));
  const zs = totals.map(lossZ);
  const pValues = zs.map(upperNormal);
  const relevant = benjaminiHochberg(pValues, DISCOVERY_RATE);
  const hinted = benjaminiHochberg(pValues, WEAK_RATE);
  const judgements = new Map<number, GroupJudgement>();
  groups.forEach(({ features, folds }, index) => {
    const total = totals[index]!;
    const judgement: GroupJudgement = {
      z: zs[index]!,
      probabilityLoss: total.sum / total.rowCount,
      accuracyLoss: total.accuracyLossSum / total.rowCount,
      foldShare: folds.filter((fold) => lossZ(fold) > FOLD_Z).length / folds.length,
      isRelevant: relevant[index] === 1,
      isHinted: hinted[index] === 1,
    };
    for (const feature of features) judgements.set(feature, judgement);
  });
  return judgements;
}

function addLoss(a: ClusterLoss, b: ClusterLoss): ClusterLoss {
  return {
    sum: a.sum + b.sum,
    sumOfSquares: a.sumOfSquares + b.sumOfSquares,
    rowCount: a.rowCount + b.rowCount,
    accuracyLossSum: a.accuracyLossSum + b.accuracyLossSum,
  };
}

/**
 * Rows share forests and shuffles, so the z-scores of noise spread by 1.05
 * to 1.2 instead of 1: measured, and divided out.
 */
const SHARED_FOREST_SPREAD = 1.1;

/** Mean over standard error; 0 where shuffling changed nothing. */
function lossZ({ sum, sumOfSquares, rowCount }: ClusterLoss): number {
  const variance = (sumOfSquares - (sum * sum) / rowCount) / Math.max(1, rowCount - 1);
  return variance > 0 ? sum / rowCount / Math.sqrt(variance / rowCount) / SHARED_FOREST_SPREAD : 0;
}
