// Gathers the evidence for columns: a screen if there are many, rounds of
// forests with shadows, groups shuffled together.

import { deriveSeed } from "../../engine/random.ts";
import {
  activeCandidates,
  cardinalityClass,
  recordRound,
  relevant,
  startBoruta,
  sureRounds,
} from "../../engine/refinement/boruta.ts";
import {
  type FeatureEvidence,
  type ForestEvidence,
  judgeFeatures,
  type ShuffledGroups,
} from "../../engine/refinement/evidence.ts";
import {
  BORUTA_ROUNDS,
  CLUSTERS_BY_GAIN,
  type ForestSize,
  MANY_ROWS,
  MOST_CANDIDATES,
  MOST_CLUSTERS,
  MOST_UNSCREENED,
  SCREEN_FORESTS,
} from "../../engine/refinement/plan.ts";
import { hitsOf } from "../../engine/refinement/shadow-gains.ts";
import { chooseShadows } from "../../engine/refinement/shadows.ts";
import { benjaminiHochberg } from "../../engine/statistics/false-discovery.ts";
import { sumOf } from "../../engine/sums.ts";
import type { Table } from "../../engine/table/table.ts";
import { isOfText } from "../../engine/table/text-shape.ts";
import { evenRanges } from "../../engine/trees/forest-ranges.ts";
import type { Refinery } from "./refinery.ts";

/**
 * Shares of the announced time after which no further round or shuffling begins, except those counted in the progress.
 */
const ROUNDS_SHARE = 0.45;
const SHUFFLING_SHARE = 0.6;
/** The screen passes a hint by the test of independence, or more gain than this share of the shadows in each forest. */
const SCREEN_RATE = 0.2;
const SHADOW_QUANTILE = 0.95;
/** Share of the features tried at each split of the screen's shallow trees. */
const SCREEN_SPLIT_SHARE = 1 / 8;
/** Round numbers of the screen's forests, apart from those of the Boruta rounds. */
const FIRST_SCREEN_ROUND = 1_000;
const SHADOW_CHOICE = 51;

/** Judges features by all the evidence that their number and the time allow. */
export async function gatherEvidence(
  refinery: Refinery,
  features: readonly number[],
): Promise<Map<number, FeatureEvidence>> {
  const candidates = await screen(refinery, features);
  const forests = await runRounds(refinery, candidates);
  const groups = await shuffleGroups(refinery, forests);
  return judgeFeatures(features, refinery.facts, forests, groups);
}

/** The features for the rounds of forests: all if they are few. */
async function screen(refinery: Refinery, features: readonly number[]): Promise<readonly number[]> {
  const { count, facts, plan } = refinery;
  if (features.length <= MOST_UNSCREENED) return features;
  refinery.nextLoop();
  const hinted = benjaminiHochberg(
    features.map((feature) => facts[feature]!.pValue),
    SCREEN_RATE,
  );
  const sums = new Float64Array(features.length);
  const passes = new Uint8Array(features.length);
  for (let forest = 0; forest < SCREEN_FORESTS; forest++) {
    const round = FIRST_SCREEN_ROUND + forest;
    const split = Math.max(1, Math.round(features.length * SCREEN_SPLIT_SHARE));
    const grown = await growRound(refinery, features, round, plan.screen, split);
    count.close("screen");
    const limits = shadowQuantiles(grown);
    features.forEach((_, position) => {
      const gain = grown.gains[position]!;
      sums[position] = sums[position]! + gain;
      if (gain > limits.get(grown.candidateClass[position]!)!) passes[position]!++;
    });
  }
  const byGain = [...features.keys()].sort((a, b) => sums[b]! - sums[a]! || a - b);
  const strongest = new Set(byGain.slice(0, MOST_UNSCREENED));
  return byGain
    .filter((at) => strongest.has(at) || hinted[at] === 1 || passes[at] === SCREEN_FORESTS)
    .slice(0, MOST_CANDIDATES)
    .map((at) => features[at]!)
    .sort((a, b) => a - b);
}

/**
 * Boruta: rounds of forests on undecided and confirmed features with their shadows, until all are decided. Any one of
 * its features keeps a text, so chance has several tries: such a feature must be confirmed, while for others hits in
 * more than half of the rounds are enough.
 */
async function runRounds(refinery: Refinery, candidates: readonly number[]): Promise<ForestEvidence[]> {
  const { count, plan, task } = refinery;
  let state = startBoruta(candidates.length);
  const gains = new Float64Array(candidates.length);
  const shadowGains = new Float64Array(candidates.length);
  // Rounds that are sure to come on the same candidates do not wait for each
  // other; there are so many as keep the threads busy.
  const atOnce = 1 + Math.ceil(refinery.threads / plan.chunkCount);
  const growing: Promise<GrownRound>[] = [];
  const mayBegin = (round: number) =>
    count.leftOf("rounds") > growing.length || !refinery.isPast(ROUNDS_SHARE, `round ${round}`);
  for (let round = 0, next = 0; ; round++) {
    const active = activeCandidates(state);
    const features = active.map((index) => candidates[index]!);
    const end = Math.min(BORUTA_ROUNDS, round + Math.min(atOnce, sureRounds(state)));
    for (; next < end && mayBegin(next); next++) {
      const grown = growRound(refinery, features, next, plan.round, null);
      // The error reaches the code that awaits the promise later; until then it must not count as unhandled.
      grown.catch(() => undefined);
      growing.push(grown);
    }
    const first = growing.shift();
    if (first === undefined) break;
    refinery.nextLoop();
    const grown = await first;
    count.close("rounds");
    const { hits, bestShadowGains } = hitsOf(grown.gains, grown.candidateClass, grown.shadowClass);
    state = recordRound(state, hits);
    const total = sumOf(grown.gains) || 1;
    active.forEach((index, position) => {
      gains[index]! += grown.gains[position]! / total;
      shadowGains[index]! += bestShadowGains[grown.candidateClass[position]!]! / total;
    });
  }
  const relevantIndexes = new Set(relevant(state));
  return candidates.map((feature, index) => {
    const { hits, rounds, decision } = state.candidates[index]!;
    return {
      feature,
      hits,
      rounds,
      isRelevant: relevantIndexes.has(index) && (decision === "confirmed" || !isOfText(task.table.features[feature]!)),
      isHinted: decision !== "rejected",
      gain: gains[index]! / Math.max(1, rounds),
      shadowGain: shadowGains[index]! / Math.max(1, rounds),
    };
  });
}

interface GrownRound {
  /** Gains of the features, then of the shadows. */
  gains: Float64Array;
  candidateClass: readonly number[];
  shadowClass: readonly number[];
}

/** Grows a forest on features and shadows in parallel chunks, whose gains are added in order. */
async function growRound(
  { task, taskId, units, facts, plan: { chunkCount } }: Refinery,
  features: readonly number[],
  round: number,
  { treeCount, minLeafRows }: ForestSize,
  featuresPerSplit: number | null,
): Promise<GrownRound> {
  const candidateClass = features.map((feature) =>
    cardinalityClass(
      facts[feature]!.presentCodeCount,
      task.table.features[feature]!.kind === "category" ? "category" : "number",
    ),
  );
  const copied = chooseShadows(candidateClass, deriveSeed(task.seed, SHADOW_CHOICE, round));
  const shadowOf = copied.map((position) => features[position]!);
  const chunks = await Promise.all(
    evenRanges(treeCount, chunkCount).map(({ firstTree: treeFrom, endTree: treeTo }) => {
      const trees = { round, treeFrom, treeTo, minLeafRows, featuresPerSplit };
      const request = { taskId, candidates: features, shadowOf, ...trees };
      return units.run(`round ${round} trees ${treeFrom} to ${treeTo}`, "growBesideShadows", request);
    }),
  );
  const gains = new Float64Array(features.length + shadowOf.length);
  for (const chunk of chunks) for (let at = 0; at < gains.length; at++) gains[at]! += chunk.gains[at]!;
  return { gains, candidateClass, shadowClass: copied.map((position) => candidateClass[position]!) };
}

/** The gain that 95% of the shadows of each class stay below. */
function shadowQuantiles({ gains, candidateClass, shadowClass }: GrownRound): Map<number, number> {
  const byClass = Map.groupBy(shadowClass.keys(), (position) => shadowClass[position]!);
  return new Map(
    [...byClass].map(([cardinality, positions]): [number, number] => {
      const sorted = positions.map((position) => gains[candidateClass.length + position]!).sort((a, b) => a - b);
      return [cardinality, sorted[Math.floor(SHADOW_QUANTILE * (sorted.length - 1))]!];
    }),
  );
}

/** Shuffles the strongest groups of near copies, and all relevant ones by the forests, fold by fold. */
async function shuffleGroups(refinery: Refinery, forests: readonly ForestEvidence[]): Promise<ShuffledGroups> {
  const { task, taskId, threads, count, facts, plan, units } = refinery;
  if (forests.length === 0) return { groups: [], isTimeUp: false };
  if (count.leftOf("permutation") === 0 && refinery.isPast(SHUFFLING_SHARE, "shuffling")) {
    return { groups: [], isTimeUp: true };
  }
  refinery.nextLoop();
  const byGain = [...forests].sort((a, b) => b.gain - a.gain || a.feature - b.feature);
  const candidates = byGain.map(({ feature }) => feature);
  const leaders = await units.run("groups", "groupFeatures", { taskId, features: candidates });
  count.close("permutation");
  const groupOf = joinTexts(task.table, candidates, leaders);
  const members = [...Map.groupBy(candidates.keys(), groupOf).values()];
  const isStrong = (position: number) =>
    byGain[position]!.isRelevant || facts[candidates[position]!]!.pValue < SCREEN_RATE / candidates.length;
  const groups = members
    .filter((positions, rank) => rank < CLUSTERS_BY_GAIN || positions.some(isStrong))
    .slice(0, MOST_CLUSTERS);
  // Each unit grows the fold's forest. On many rows walking takes longer: there idle threads share the groups.
  const cuts = task.selection.length > MANY_ROWS ? Math.max(1, Math.floor(threads / task.folds.length)) : 1;
  const folds = await Promise.all(
    task.folds.map((_, fold) =>
      units.share(`shuffled fold ${fold}`, async (ask) => {
        const shuffledIn = (cut: number) => groups.map((columns, group) => (group % cuts === cut ? columns : []));
        const lossesByCut = await Promise.all(
          Array.from({ length: cuts }, (_, cut) =>
            ask("shuffleGroups", { taskId, candidates, groups: shuffledIn(cut), fold, size: plan.permutation }),
          ),
        );
        return groups.map((_, group) => lossesByCut[group % cuts]![group]!);
      }),
    ),
  );
  count.close("permutation");
  const shuffled = groups.map((positions, group) => ({
    features: positions.map((position) => candidates[position]!),
    folds: folds.map((losses) => losses[group]!),
  }));
  return { groups: shuffled, isTimeUp: false };
}

/**
 * The group of each position: near copies together, and all features of a text. These depend
 * on each other (a longer text has more words and a larger score), and one of them shuffled
 * alone leads to leaves of few rows, which looks like a signal.
 */
function joinTexts(
  { features }: Table,
  candidates: readonly number[],
  leaders: readonly number[],
): (position: number) => number {
  const groups = Int32Array.from(leaders);
  const groupOf = (position: number): number => {
    let group = position;
    while (groups[group] !== group) group = groups[group]!;
    return group;
  };
  const columnOf = (position: number) => features[candidates[position]!]!.column;
  const texts = new Set(features.flatMap((feature) => (isOfText(feature) ? [feature.column] : [])));
  const first = new Map<number, number>();
  for (const position of candidates.keys()) {
    const column = columnOf(position);
    if (!texts.has(column)) continue;
    if (first.has(column)) groups[groupOf(position)] = groupOf(first.get(column)!);
    else first.set(column, position);
  }
  return groupOf;
}
