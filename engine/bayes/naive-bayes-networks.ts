// Naive Bayes without its independence assumption: ensembles of random k-dependence classifiers, and AODE.

import { fitCoarseColumns } from "../fitting/coarse-columns.ts";
import type { FitInput } from "../fitting/family.ts";
import { informativeColumns, MOST_PAIRED, type PairInformation, pairInformation } from "../fitting/pair-information.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import type { BayesNetworks, Pooling } from "./bayes-networks.ts";
import { type BackOff, NetworkBuilder } from "./network-builder.ts";
import { dependOnOne, drawDependence } from "./network-structures.ts";

export interface DependenceSettings {
  /** Measured: 12 score a point higher than one; 30 add nothing. */
  memberCount: number;
  /** Weight, in rows, that each context gives to the probability with one parent fewer; above 0, default 10. */
  smoothing: number;
}

export interface AodeSettings {
  pooling: Pooling;
  /**
   * Columns that become a parent in turn, the most informative ones. Measured: ten are half a point better than all.
   */
  parentCount: number;
  /** A parent's value with fewer fit rows is ignored: 1 is enough, since its probabilities are backed off. */
  leastParentRows: number;
  /** Rows' worth of the probability without the parent that each of its values gets; above 0, default 1. */
  smoothing: number;
}

/** Terms of a column at most, per output: under two parents, each of ten groups, missing and unseen. */
const MAX_COLUMN_TERMS = 12 ** 3;
/**
 * Terms of one member at most; fewer columns take part where their largest
 * tables would exceed it (46 with 100 classes).
 */
const MAX_MEMBER_TERMS = 8_000_000;
/** An ensemble with more terms, four bytes each, grows no further: with its last member it stays below 64 MB. */
const MAX_TERMS = 8_000_000;

/**
 * Groups with fewer fit rows under two parents back off to one parent. On few rows with many classes they would be
 * half of a model's terms, and on 26 tables models without them did as well.
 */
const LEAST_CONTEXT_ROWS = 3;

/**
 * The mean of the probabilities of 2-dependence classifiers with random structures. When time is up, it returns the
 * members so far: at least one, whose columns have the parents found by then.
 */
export function fitDependence(input: FitInput, { memberCount, smoothing }: DependenceSettings): BayesNetworks {
  const { builder, information, informative } = prepare(input, { smoothing, leastRows: LEAST_CONTEXT_ROWS });
  for (let member = 0; member < memberCount; member++) {
    builder.addMember(drawDependence(information, informative, input.seed, member));
    if (builder.termCount > MAX_TERMS || input.stop.timeIsUp()) break;
  }
  return builder.finish("arithmetic");
}

/**
 * Averaged one-dependence estimators; when time is up, those so far. Plain naive Bayes over the informative columns if
 * no column says anything about another, or if there was no time to find out.
 */
export function fitAode(input: FitInput, settings: AodeSettings): BayesNetworks {
  const { pooling, parentCount, leastParentRows, smoothing } = settings;
  const { builder, information, informative } = prepare(input, { smoothing, leastRows: leastParentRows });
  const { columnCount, single, conditional } = information;
  const parents = informative
    .filter((column) => informative.some((other) => conditional[column * columnCount + other]! > 0))
    .sort((a, b) => single[b]! - single[a]! || a - b)
    .slice(0, parentCount);
  if (parents.length === 0) builder.addMember(dependOnOne(information, informative, columnCount));
  for (const parent of parents) {
    builder.addMember(dependOnOne(information, informative, parent));
    if (builder.termCount > MAX_TERMS || input.stop.timeIsUp()) break;
  }
  return builder.finish(pooling);
}

function prepare(
  input: FitInput,
  backOff: BackOff,
): { builder: NetworkBuilder; information: PairInformation; informative: readonly number[] } {
  const outputCount = outputCountOf(input.classCount);
  const affordable = Math.floor(MAX_MEMBER_TERMS / (MAX_COLUMN_TERMS * outputCount));
  const columns = fitCoarseColumns(input, Math.min(MOST_PAIRED, affordable));
  const information = pairInformation(input, columns);
  return {
    builder: new NetworkBuilder(input, columns, backOff),
    information,
    informative: informativeColumns(information),
  };
}
