// Who may become a version, and in which order: qualifying by out-of-fold
// log-loss, then fewest wrong decisions on the holdout.
import { entryOf, familyOf, type ModelSettings } from "../families/algorithms.ts";
import { PART_COUNT, SMALL_TABLE_ROWS } from "../splits/holdout.ts";

/** Attempts that the holdout may choose among: a longer list wins by luck (D50). */
export const MAX_FINALISTS = 6;
/** Stacks among them. */
const MAX_STACKS = 2;
/** Up to this many held-out rows that tell, as small tables have, a lead over the stack is luck (D137). */
export const FEW_HELD_OUT_ROWS = SMALL_TABLE_ROWS / PART_COUNT;
/** Versions that a run keeps. */
export const MAX_VERSIONS = 3;

/** The facts of an attempt that ranking uses. */
export interface Contender {
  attempt: number;
  settings: ModelSettings;
  outOfFoldLogLoss: number;
  /** On the holdout. */
  falseDecisions: number;
  /** How a run's objective other than accuracy is met on the holdout; left out where fewest wrong decisions count. */
  score?: number;
  /** Held-out rows of the rarest label, on which such a score mostly rests; left out where all rows count alike. */
  rarestRowCount?: number;
  logLoss: number;
  decisions: Uint8Array;
  /** Set for the member that a refused stack is worse than (D72). */
  hasBeatenStack?: boolean;
}

/**
 * The finalists (D50): the two best stacks, each family's best other attempt by out-of-fold log-loss and the best
 * extra-trees, six at most. Without a stack, now or expected, the strongest others fill the list. In the order of their
 * out-of-fold score.
 */
export function chooseFinalists<C extends Contender>(contenders: readonly C[], { expectsStack = false } = {}): C[] {
  const byScore = [...contenders].sort((a, b) => a.outOfFoldLogLoss - b.outOfFoldLogLoss || a.attempt - b.attempt);
  const seats = seatsOf(byScore, expectsStack);
  const leader = byScore.find(isStack) ?? byScore.find(({ hasBeatenStack }) => hasBeatenStack === true);
  const finalists = leader !== undefined && isToldByFew(leader) ? withLeader(leader, byScore, seats) : seats;
  return byScore.filter((contender) => finalists.has(contender));
}

/** Whether so few held-out rows tell contenders apart that a lead is luck. */
export function isToldByFew({ rarestRowCount, decisions }: Contender): boolean {
  return (rarestRowCount ?? decisions.length) <= FEW_HELD_OUT_ROWS;
}

function seatsOf<C extends Contender>(byScore: readonly C[], expectsStack: boolean): Set<C> {
  const stacks = byScore.filter(isStack).slice(0, MAX_STACKS);
  const singles = byScore.filter((contender) => !isStack(contender));
  const seats = new Set<C>(stacks);
  const seated = new Set<string>();
  for (const contender of singles) {
    const family = familyOf(contender.settings);
    const { settings } = contender;
    const isExtraTrees = settings.algorithm === "forest" && settings.variant === "extra-trees";
    if (!seated.has(family) || (isExtraTrees && !seated.has("extra-trees"))) seats.add(contender);
    seated.add(family);
    if (isExtraTrees) seated.add("extra-trees");
  }
  if (stacks.length > 0 || expectsStack) return seats;
  for (const contender of singles) if (seats.size < MAX_FINALISTS) seats.add(contender);
  return seats;
}

/**
 * If few held-out rows tell (D137), leaves out those that would rank above the leader, so that it becomes the champion.
 * The strongest of the others whose decisions differ from its own fill the versions.
 */
function withLeader<C extends Contender>(leader: C, byScore: readonly C[], seats: ReadonlySet<C>): Set<C> {
  const below = byScore.filter((contender) => isStack(contender) || compareContenders(contender, leader) > 0);
  const finalists = new Set([leader, ...below.filter((contender) => seats.has(contender))]);
  for (const contender of below) {
    const { length } = rankVersions([...finalists]);
    if (length === MAX_VERSIONS || finalists.size === MAX_FINALISTS) break;
    if (!isStack(contender) && rankVersions([...finalists, contender]).length > length) finalists.add(contender);
  }
  return finalists;
}

function isStack({ settings }: Contender): boolean {
  return settings.algorithm === "stack";
}

/**
 * The versions, best first: finalists by fewest wrong decisions on the holdout, or by the score of another objective.
 * Among equals, one that always answers the same class comes last, a stack first, then the lower log-loss, then the
 * cheaper model (D42). Finalists that decide every row alike count once.
 */
export function rankVersions<C extends Contender>(finalists: readonly C[]): C[] {
  const ranked = [...finalists].sort(compareContenders);
  const distinct = ranked.filter(
    (contender, index) => !ranked.slice(0, index).some((better) => decidesAlike(better, contender)),
  );
  return distinct.slice(0, MAX_VERSIONS);
}

function compareContenders(a: Contender, b: Contender): number {
  return (
    (b.score ?? 0) - (a.score ?? 0) ||
    a.falseDecisions - b.falseDecisions ||
    Number(alwaysAnswersAlike(a.decisions)) - Number(alwaysAnswersAlike(b.decisions)) ||
    Number(b.settings.algorithm === "stack") - Number(a.settings.algorithm === "stack") ||
    a.logLoss - b.logLoss ||
    entryOf(a.settings).costRank - entryOf(b.settings).costRank ||
    a.attempt - b.attempt
  );
}

function alwaysAnswersAlike(decisions: Uint8Array): boolean {
  return decisions.every((decision) => decision === decisions[0]);
}

function decidesAlike(a: Contender, b: Contender): boolean {
  return a.falseDecisions === b.falseDecisions && a.decisions.every((decision, row) => decision === b.decisions[row]);
}
