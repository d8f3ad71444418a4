// Selective naive Bayes: a greedy search for the features that make the
// left-out rows come out right (Langley & Sage 1994).

import { gatherClasses } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { gatherCodes } from "../fitting/score-tables.ts";
import { deriveSeed } from "../random.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import {
  type BayesTables,
  informativeFeatures,
  type LeaveOneOutLifts,
  leaveOneOutLifts,
  ownLogPriors,
} from "./bayes-tables.ts";

/** Features that enter the search at most: the most informative ones. */
const MAX_CANDIDATES = 60;
const MAX_ROWS = 20_000;
const MIN_ROWS = 2000;
/** Row-class scores that a full search may compute: some seconds. More features or classes leave fewer rows. */
const MAX_SCORES = 600_000_000;
/** Weight of a row's log-likelihood beside the accuracy. */
const LIKELIHOOD_WEIGHT = 1e-3;
/** Probabilities below exp(-NEGLIGIBLE) of the likeliest are taken for 0. */
const NEGLIGIBLE = 30;

/** A feature's tables and codes over the sampled rows. */
interface Candidate {
  index: number;
  codes: Uint16Array;
  lifts: LeaveOneOutLifts;
}

/**
 * Ascending feature indexes. Adds, as long as one helps, the feature that raises accuracy + 1e-3 × log-likelihood per
 * row the most, both leave-one-out from the count tables. O(candidates² × rows × classes), bounded by a seeded
 * stratified sample of the rows. When the time is up: the features so far, all of them if it had not begun.
 */
export function searchFeatures(input: FitInput, bayes: BayesTables): number[] {
  const { classCount, stop } = input;
  const candidates = informativeFeatures(bayes, MAX_CANDIDATES);
  const perRow = (Math.max(1, candidates.length ** 2) / 2) * classCount;
  const limit = Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.floor(MAX_SCORES / perRow)));
  const sample = sampleRows(input, limit, deriveSeed(input.seed, 1));
  const sampleClasses = gatherClasses(input.classes, sample);
  let remaining = candidates.map((index) => toCandidate(input, bayes, index, sample));
  const scores = priorScores(bayes, sampleClasses);
  const selected: number[] = [];
  let best = evaluate(scores, sampleClasses, classCount, null);
  while (remaining.length > 0) {
    let winner: Candidate | null = null;
    for (const candidate of remaining) {
      throwIfCancelled(stop);
      if (stop.timeIsUp())
        return selected.length > 0 ? selected.sort((a, b) => a - b) : informativeFeatures(bayes, bayes.lifts.length);
      const criterion = evaluate(scores, sampleClasses, classCount, candidate);
      if (criterion > best) {
        best = criterion;
        winner = candidate;
      }
    }
    if (!winner) break;
    addCandidate(scores, sampleClasses, classCount, winner);
    selected.push(winner.index);
    remaining = remaining.filter((candidate) => candidate !== winner);
  }
  return selected.sort((a, b) => a - b);
}

function toCandidate(input: FitInput, bayes: BayesTables, index: number, sample: Uint32Array): Candidate {
  const codes = new Uint16Array(sample.length);
  gatherCodes(input.view.features[index]!.codes, sample, 0, sample.length, codes, 0);
  return { index, codes, lifts: leaveOneOutLifts(bayes, index) };
}

function priorScores(bayes: BayesTables, rowClasses: Uint8Array): Float64Array {
  const classCount = bayes.logPriors.length;
  const ownPriors = ownLogPriors(bayes);
  const scores = new Float64Array(rowClasses.length * classCount);
  for (let i = 0; i < rowClasses.length; i++) {
    scores.set(bayes.logPriors, i * classCount);
    scores[i * classCount + rowClasses[i]!] = ownPriors[rowClasses[i]!]!;
  }
  return scores;
}

/** Accuracy + 1e-3 × log-likelihood per row if the candidate joined; a tie counts as wrong. */
function evaluate(
  scores: Float64Array,
  rowClasses: Uint8Array,
  classCount: number,
  candidate: Candidate | null,
): number {
  const codes = candidate?.codes ?? new Uint16Array(rowClasses.length);
  const others = candidate?.lifts.others ?? new Float64Array(classCount);
  const owns = candidate?.lifts.own ?? new Float64Array(classCount);
  let correct = 0;
  let logLikelihood = 0;
  for (let i = 0; i < rowClasses.length; i++) {
    const actual = rowClasses[i]!;
    const from = codes[i]! * classCount;
    const at = i * classCount;
    const ownScore = scores[at + actual]! + owns[from + actual]!;
    let rival = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < classCount; k++) {
      const score = scores[at + k]! + others[from + k]!;
      if (score > rival && k !== actual) rival = score;
    }
    if (ownScore > rival) correct++;
    const highest = Math.max(ownScore, rival);
    let sum = Math.exp(ownScore - highest);
    for (let k = 0; k < classCount; k++) {
      const below = scores[at + k]! + others[from + k]! - highest;
      if (k !== actual && below > -NEGLIGIBLE) sum += Math.exp(below);
    }
    logLikelihood += ownScore - highest - Math.log(sum);
  }
  return (correct + LIKELIHOOD_WEIGHT * logLikelihood) / Math.max(1, rowClasses.length);
}

function addCandidate(scores: Float64Array, rowClasses: Uint8Array, classCount: number, candidate: Candidate): void {
  const { codes, lifts } = candidate;
  const { own: owns, others } = lifts;
  for (let i = 0; i < rowClasses.length; i++) {
    const actual = rowClasses[i]!;
    const from = codes[i]! * classCount;
    const at = i * classCount;
    for (let k = 0; k < classCount; k++) {
      scores[at + k] = scores[at + k]! + (k === actual ? owns[from + k]! : others[from + k]!);
    }
  }
}
