// The bookkeeping of shadow-feature selection: who beat the shadows how often, and what that decides.
import { upperFairCoin } from "../statistics/tail-probabilities.ts";

/** Chance per round that any candidate without a signal is decided wrongly, over all candidates and both sides. */
const ALPHA = 0.05;
/** The least number of distinct codes in each cardinality class past the first. */
const CLASS_BOUNDS: readonly number[] = [3, 5, 8, 16, 32, 64, 128];

type BorutaDecision = "confirmed" | "rejected" | "tentative";

/** One candidate's record; plain data, so that a state can be stored as JSON. */
interface BorutaCandidate {
  /**
   * Rounds in which the candidate gained more than the best shadow of its
   * cardinality class, of how many it took part in.
   */
  hits: number;
  rounds: number;
  decision: BorutaDecision;
}

export interface BorutaState {
  candidates: readonly BorutaCandidate[];
}

/**
 * The class of shadows that a feature with this many distinct codes is measured by: {2}, {3, 4}, {5, 6, 7},
 * {8 to 15} and so on are 0 to 7; categories with more than two codes, which the labels have put in order,
 * have classes of their own. Gain grows with the number of codes even for noise, so the best of all
 * shadows would hide binary signals; this is where we leave the paper.
 */
export function cardinalityClass(codeCountPresent: number, kind: "number" | "category"): number {
  const size = CLASS_BOUNDS.filter((bound) => codeCountPresent >= bound).length;
  return kind === "category" && size > 0 ? size + CLASS_BOUNDS.length : size;
}

/** No round yet: all are tentative. */
export function startBoruta(candidateCount: number): BorutaState {
  return { candidates: Array.from({ length: candidateCount }, () => ({ hits: 0, rounds: 0, decision: "tentative" })) };
}

/** Ascending indexes of the candidates that take part in the next round: all but the rejected. */
export function activeCandidates(state: BorutaState): number[] {
  return indexesOf(state, ({ decision }) => decision !== "rejected");
}

/**
 * The state after one more round. `isHit` goes with `activeCandidates(state)`, 1 for a hit. A tentative
 * candidate is decided once its hits differ from those of a fair coin: two-sided binomial test, Bonferroni
 * over all candidates at .05 in each round, as Kursa and Rudnicki (Feature Selection with the Boruta Package,
 * 2010). Decisions stand; the hits of confirmed candidates are counted on.
 */
export function recordRound(state: BorutaState, isHit: ArrayLike<number>): BorutaState {
  const active = activeCandidates(state);
  const candidates = state.candidates.slice();
  const level = ALPHA / candidates.length;
  active.forEach((index, i) => {
    const before = candidates[index]!;
    const hits = before.hits + (isHit[i] === 0 ? 0 : 1);
    const rounds = before.rounds + 1;
    const decision = before.decision === "tentative" ? decide(hits, rounds, level) : before.decision;
    candidates[index] = { hits, rounds, decision };
  });
  return { candidates };
}

/** The least number of rounds: before it no candidate can be decided, whatever the hits. */
export function leastRounds(candidateCount: number): number {
  return sureRounds(startBoruta(candidateCount));
}

/**
 * The further rounds that come for certain, and on the same candidates: whatever their hits, none is rejected before
 * the last of them, and not all are decided. 0 if all are decided by now.
 */
export function sureRounds({ candidates }: BorutaState): number {
  const level = ALPHA / candidates.length;
  const tentative = candidates.filter(({ decision }) => decision === "tentative");
  const untilRejected = tentative.map(({ hits, rounds }) => roundsUntil(hits, rounds, level, 0));
  const untilDecided = tentative.map(({ hits, rounds }, index) =>
    Math.min(untilRejected[index]!, roundsUntil(hits, rounds, level, 1)),
  );
  return tentative.length === 0 ? 0 : Math.min(...untilRejected, Math.max(...untilDecided));
}

/** Rounds until a candidate is decided that hits in all of them, or in none. */
function roundsUntil(hits: number, rounds: number, level: number, hitsPerRound: 0 | 1): number {
  let further = 1;
  while (decide(hits + hitsPerRound * further, rounds + further, level) === "tentative") further++;
  return further;
}

/**
 * Ascending indexes of the candidates to keep: the confirmed ones, and
 * tentative ones with hits in over half of their rounds.
 */
export function relevant(state: BorutaState): number[] {
  return indexesOf(
    state,
    ({ hits, rounds, decision }) => decision === "confirmed" || (decision === "tentative" && 2 * hits > rounds),
  );
}

function decide(hits: number, rounds: number, level: number): BorutaDecision {
  if (2 * upperFairCoin(hits, rounds) <= level) return "confirmed";
  if (2 * upperFairCoin(rounds - hits, rounds) <= level) return "rejected";
  return "tentative";
}

function indexesOf(state: BorutaState, isChosen: (candidate: BorutaCandidate) => boolean): number[] {
  return state.candidates.flatMap((candidate, index) => (isChosen(candidate) ? [index] : []));
}
