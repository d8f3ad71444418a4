// Grows the champion of a large table, found on a sample: it learns from more
// and more rows while that gains and time allows.

import { GRADIENT_BOOSTING } from "../../engine/boosting/boosting-settings.ts";
import type { BaseModel } from "../../engine/families/base-algorithms.ts";
import type { GrownMember, GrowthTask } from "../../engine/search/grow.ts";
import { type BaseFound, basesOf } from "../../engine/search/refit.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import { type GrowAnswer, untilCancelled } from "../../workers/messages.ts";
import { WorkerLost, type WorkerPool } from "../../workers/pool.ts";
import type { ProgressView } from "../progress/progress-view.ts";
import { runUnit } from "../work/units.ts";
import { type FinishedAttempt, finished } from "./competition-state.ts";
import { foundSettings, type KeptVersion } from "./kept-version.ts";

/** Factor of rows from one rung to the next. */
const RUNG_GROWTH = 4;
/** A rung that time cuts short is worth its fit if it has this many times the rows of the one before. */
const LEAST_RUNG_GROWTH = 1.5;
/** Log-loss, on rows put aside, that a rung must remove for another to follow. */
const LEAST_GAIN = 1e-3;
/**
 * Factor of time per row: a fit takes a little more than in proportion,
 * because caches hold a smaller share of the rows.
 */
const COST_MARGIN = 1.25;

export interface GrowContext {
  pool: WorkerPool;
  taskId: number;
  task: GrowthTask;
  progress: ProgressView;
  cancelFlag: Int32Array;
  /** When the last fit must have ended. */
  deadlineMs: number;
}

/** A member and the best model that it has so far. */
interface Member {
  found: BaseFound;
  attempt: number;
  weight: number;
  best: GrowAnswer | null;
  /** Set once more rows gain nothing, or do not fit into the time. */
  isDone: boolean;
  /** Set while a thread fits it. */
  isBusy: boolean;
}

/**
 * Grows the members of a version, those of most weight first on each rung. A fit begins only if there is enough time
 * for it, estimated from the member's last fit and the number of rows. Null if a member with weight has no model, or
 * if no model learned from more rows than the sample has.
 */
export async function growVersion(
  context: GrowContext,
  version: KeptVersion,
  attempts: readonly FinishedAttempt[],
): Promise<KeptVersion | null> {
  const { task, progress, pool, taskId } = context;
  const members = membersOf(version, attempts);
  progress.stage("Learning from more rows", null);
  try {
    await Promise.all(Array.from({ length: pool.size }, () => growNext(context, members)));
    const grown = members.flatMap(({ found, attempt, best }): GrownMember[] =>
      best === null ? [] : [{ found, attempt, grown: best }],
    );
    const sampleCount = task.split.learning.length;
    if (members.some(({ best, weight }) => best === null && weight > 0)) return null;
    if (!grown.some((member) => member.grown.rowCount > sampleCount)) return null;
    const found = foundSettings(version.attempt);
    const limits = untilCancelled(context.cancelFlag);
    const answer = await runUnit(pool, "judgeGrown", { taskId, found, members: grown }, limits);
    const attempt = finished(version.attempt.spec, answer);
    return { ...version, attempt, bases: modelsOf(attempt, grown) };
  } catch (error) {
    if (error instanceof OutOfTime || error instanceof WorkerLost || error instanceof Cancelled) return null;
    throw error;
  }
}

/** The models of the members that the grown version has, in its order. */
function modelsOf({ settings }: FinishedAttempt, grown: readonly GrownMember[]): BaseModel[] {
  const kept = settings.algorithm === "stack" ? settings.members.map(({ attempt }) => attempt) : null;
  return grown.filter(({ attempt }) => kept?.includes(attempt) ?? true).map(({ grown: { model } }) => model);
}

/**
 * The members of a stack and one more: a base that hardly helped on the sample may help once all have learned from
 * more rows. Boosting gains most from these.
 */
function membersOf(version: KeptVersion, attempts: readonly FinishedAttempt[]): Member[] {
  const { settings, attempt } = version.attempt;
  const fresh = (found: BaseFound, ofAttempt: number, weight: number): Member => {
    return { found, attempt: ofAttempt, weight, best: null, isDone: false, isBusy: false };
  };
  const bases = basesOf(foundSettings(version.attempt));
  if (settings.algorithm !== "stack") return [fresh(bases[0]!, attempt, 1)];
  const members = settings.members
    .map((member, at) => fresh(bases[at]!, member.attempt, member.weight))
    .sort((a, b) => b.weight - a.weight || a.attempt - b.attempt);
  const [other] = attempts
    .filter(({ settings: { algorithm } }) => algorithm === GRADIENT_BOOSTING)
    .filter((finished) => !members.some((member) => member.attempt === finished.attempt))
    .sort((a, b) => a.outOfFoldLogLoss - b.outOfFoldLogLoss || a.attempt - b.attempt);
  if (other === undefined) return members;
  const [found] = basesOf(foundSettings(other));
  return [...members, fresh(found!, other.attempt, 0)];
}

/** Fits one member after the other until no member's next rung fits into the time. */
async function growNext(context: GrowContext, members: readonly Member[]): Promise<void> {
  const { pool, taskId, cancelFlag, deadlineMs } = context;
  const limits = { ...untilCancelled(cancelFlag), deadlineMs };
  for (let next = nextFit(context, members); next !== null; next = nextFit(context, members)) {
    const { member, rowCount } = next;
    member.isBusy = true;
    try {
      const grown = await runUnit(pool, "grow", { taskId, base: member.found, rowCount }, limits);
      const { best } = member;
      member.isDone = best !== null && grown.logLoss > best.logLoss * (1 - LEAST_GAIN);
      if (best === null || grown.logLoss < best.logLoss) member.best = grown;
    } catch (error) {
      const isMissed = member.best === null && member.weight > 0;
      if (!(error instanceof OutOfTime || error instanceof WorkerLost) || isMissed) throw error;
      member.isDone = true;
    } finally {
      member.isBusy = false;
    }
  }
}

/** The next fit with the fewest rows, of the member with most weight. */
function nextFit(
  { task, deadlineMs }: GrowContext,
  members: readonly Member[],
): { member: Member; rowCount: number } | null {
  const free = members.filter((member) => !member.isBusy && !member.isDone);
  free.sort((a, b) => (a.best?.rowCount ?? 0) - (b.best?.rowCount ?? 0));
  for (const member of free) {
    if (member.best === null) return { member, rowCount: task.split.learning.length };
    const { rowCount, seconds } = member.best;
    const secondsLeft = (deadlineMs - performance.now()) / 1000;
    const affordable = Math.floor((rowCount * secondsLeft) / (seconds * COST_MARGIN));
    const wanted = RUNG_GROWTH * rowCount;
    // If the remaining rows are too few for a rung of their own, they join this one.
    const next = Math.min(LEAST_RUNG_GROWTH * wanted > task.pool.length ? task.pool.length : wanted, affordable);
    if (next >= LEAST_RUNG_GROWTH * rowCount) return { member, rowCount: next };
    member.isDone = true;
  }
  return null;
}
