// The competition: the plan's attempts in rounds on the worker pool, each round's stacks last, until a reason to end.

import { algorithmName } from "../../engine/families/algorithms.ts";
import { ATTEMPTS_PER_ROUND, type AttemptSpec, planAttempts } from "../../engine/search/attempts.ts";
import { chooseFinalists, isToldByFew, MAX_VERSIONS, rankVersions } from "../../engine/search/ranking.ts";
import { basesOf } from "../../engine/search/refit.ts";
import { type StackBase, stackPositions } from "../../engine/search/stack-votes.ts";
import { isBase } from "../../engine/search/training-task.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import type { AttemptAnswer } from "../../workers/messages.ts";
import { majorityOf } from "../work/majority.ts";
import { remembered } from "../work/units.ts";
import { AttemptRun } from "./attempt-run.ts";
import { type BaselineRecord, startBaselines } from "./baselines.ts";
import {
  type Competition,
  type CompetitionContext,
  type CompetitionState,
  type EndedAttempt,
  endedOf,
  endOfPlan,
  type FinishedAttempt,
  finished,
  finishedOf,
  isCutShort,
  isTargetReached,
  mayBeVersion,
  reasonToEnd,
} from "./competition-state.ts";
import { foundSettings } from "./kept-version.ts";
import { StackRound } from "./stack-run.ts";

/** With a target, a run whose best attempt has not improved for this share of its limit has stalled. */
const STALL_SHARE = 0.25;
const LEAST_STALL_SECONDS = 60;
const STALL_CHECK_MS = 1_000;
/** Attempts that a stack rests on at most. */
const MOST_BASES = 40;

/**
 * Runs the plan in rounds until it is done, the target is reached, nothing improves any more, time is up, or it is
 * cancelled. Attempts in the journal count as done. Rejects with what the journal throws.
 */
export async function compete(context: CompetitionContext): Promise<Competition> {
  const { task, options, progress, listener, closingReason } = context;
  const plan = planOf(context);
  const state: CompetitionState = {
    context,
    plan,
    records: [],
    best: null,
    lastGainMs: performance.now(),
    isStalled: false,
  };
  progress.stage("Training", plan.length);
  listener?.plan(plan.length, majorityOf(task).accuracy);
  recallAttempts(state);
  let baselines: Promise<BaselineRecord[]> | null = null;
  const beginBaselines = (free: Promise<void>) => {
    baselines ??= startBaselines({ ...context, seed: options.seed }, free);
  };
  const stallWatch = setInterval(() => watchForStall(state), STALL_CHECK_MS);
  try {
    for (let first = 0; closingReason === null && first < plan.length; first += ATTEMPTS_PER_ROUND) {
      const specs = plan.slice(first, first + ATTEMPTS_PER_ROUND);
      if (!mayBegin(state, specs)) break;
      await runRound(state, specs, beginBaselines);
    }
  } finally {
    clearInterval(stallWatch);
  }
  if (state.records.length > 0 && closingReason === null) beginBaselines(Promise.resolve());
  const finalists = chooseFinalists(finishedOf(state.records));
  return {
    ...(reasonToEnd(state) ?? endOfPlan(state)),
    attemptsTotal: plan.length,
    records: state.records.sort((a, b) => a.spec.attempt - b.spec.attempt),
    finalists,
    ranked: rankVersions(finalists),
    baselines: baselines ?? Promise.resolve([]),
  };
}

function planOf({ task, options }: CompetitionContext): AttemptSpec[] {
  return planAttempts({
    learningRowCount: task.split.learning.length,
    featureCount: task.table.features.length,
    classCount: task.table.labels.length,
    numberOfBuckets: options.numberOfBuckets,
    scalingFactor: options.scalingFactor,
    hasStacks: stackPositions(task) !== null,
    hasTexts: task.table.texts !== undefined,
    tunesWeights: options.objective === "balanced-accuracy" || options.objective === "f1",
    mostTrees: options.mostTrees,
    seed: options.seed,
  });
}

function mayBegin(state: CompetitionState, specs: readonly AttemptSpec[]): boolean {
  // Completes a round that an earlier process began: the target counts at the end of a round (D08).
  if (specs.some((spec) => isDone(state, spec))) return true;
  if (reasonToEnd(state) === null) return true;
  // Makes at least one attempt: reading alone may have taken the time.
  return state.records.length === 0 && !isCutShort(state);
}

/**
 * Makes the attempts of a round that are not done yet, stacks last. Calls `beginBaselines` with a promise of the first
 * thread that runs out of attempts.
 */
async function runRound(
  state: CompetitionState,
  specs: readonly AttemptSpec[],
  beginBaselines: (free: Promise<void>) => void,
): Promise<void> {
  const waiting = specs.filter((spec) => !isDone(state, spec));
  const runs = waiting.filter(isBase).map((spec) => new AttemptRun(state.context, spec));
  const { strong = [], weak = [] } = Object.groupBy(runs, ({ spec }) => (spec.isWeak ? "weak" : "strong"));
  await strongThenWeak(state, specs, { strong, weak }, beginBaselines);
  await runStacks(state, waiting);
}

/**
 * Weak attempts fit their first folds beside the strong ones. Whether more folds follow depends on all strong ones, so
 * they wait for these: then the attempts are the same on any number of threads, also after a restart.
 */
async function strongThenWeak(
  state: CompetitionState,
  specs: readonly AttemptSpec[],
  { strong, weak }: { strong: AttemptRun[]; weak: AttemptRun[] },
  beginBaselines: (free: Promise<void>) => void,
): Promise<void> {
  const threads = handOut(state, [
    ...strong.map((run) => () => complete(state, run, [])),
    // All at once: one that began late would keep the others waiting.
    async () => void (await Promise.all(weak.map((run) => run.begin()))),
  ]);
  // `Promise.all` below reports the errors. Unhandled, a rejection of this promise would end a server.
  beginBaselines(Promise.race(threads).catch(() => undefined));
  await Promise.all(threads);
  const others = stackBases(state.records.filter(({ spec }) => !specs.includes(spec) || !spec.isWeak));
  const completions = weak.map((run) => () => complete(state, run, others));
  await Promise.all(handOut(state, completions));
}

/** Records all that an earlier process finished, even if time is up by now. */
function recallAttempts(state: CompetitionState): void {
  for (const spec of state.plan) {
    const outcome = state.context.journal?.find(unitOf(spec)) as EndedAttempt["outcome"] | undefined;
    if (outcome !== undefined) record(state, { spec, outcome });
  }
}

function isDone({ records }: CompetitionState, { attempt }: AttemptSpec): boolean {
  return records.some(({ spec }) => spec.attempt === attempt);
}

/** Runs the pieces in order, as many at once as there are threads, until none is left or the run is cut short. */
function handOut(state: CompetitionState, pieces: (() => Promise<void>)[]): Promise<void>[] {
  return Array.from({ length: state.context.pool.size }, async () => {
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      if (isCutShort(state)) return;
      await piece();
    }
  });
}

/** `others`: attempts whose results may end this one early. */
async function complete(state: CompetitionState, run: AttemptRun, others: readonly StackBase[]): Promise<void> {
  const { spec } = run;
  record(state, { spec, outcome: await runAttempt(state, spec, () => run.complete(others)) });
}

/** Makes the stacks of a round from all attempts that have finished, even if the time limit cut the round short. */
async function runStacks(state: CompetitionState, waiting: readonly AttemptSpec[]): Promise<void> {
  const stackCount = waiting.filter((spec) => !isBase(spec)).length;
  if (stackCount > 0 && waiting.at(-1) === state.plan.at(-1)) beginFits(state, stackCount);
  const stacks = new StackRound(state.context, stackBases(state.records));
  const attempts = waiting.map(async (spec) => {
    const { settings } = spec;
    if (settings.algorithm !== "stack" || Atomics.load(state.context.control.stopFlag, 0) !== 0) return;
    record(state, { spec, outcome: await runAttempt(state, spec, () => stacks.qualify(settings.withMains)) });
  });
  stacks.beginFits();
  await Promise.all(attempts);
}

/**
 * Before the last stacks are made, begins the fits of the attempts that will probably be versions beside them. They
 * will not if a stack decides every row as one of them does. With few held-out rows the stacks determine the versions
 * (D137), so nothing can be begun.
 */
function beginFits({ context, records }: CompetitionState, stackCount: number): void {
  const contenders = finishedOf(records);
  if (contenders.some(isToldByFew)) return;
  const likely = rankVersions(chooseFinalists(contenders, { expectsStack: true })).slice(0, MAX_VERSIONS - stackCount);
  context.beginFits(likely.map(foundSettings).flatMap(basesOf));
}

/** Remembers only attempts that ended by themselves, so that a restart makes those that were cut short. */
async function runAttempt(
  state: CompetitionState,
  spec: AttemptSpec,
  qualify: () => Promise<AttemptAnswer>,
): Promise<EndedAttempt["outcome"]> {
  try {
    return await remembered(state.context.journal, unitOf(spec), () => outcomeOf(state, qualify));
  } catch (error) {
    if (error instanceof Cancelled) return { status: "stopped", note: "the run was stopped" };
    if (error instanceof OutOfTime) return { status: "stopped", note: error.message };
    throw error;
  }
}

/** The attempt's own limit stops it alone. Rejects with Cancelled or OutOfTime where the whole run was cut short. */
async function outcomeOf(
  { context: { deadlineMs } }: CompetitionState,
  qualify: () => Promise<AttemptAnswer>,
): Promise<EndedAttempt["outcome"]> {
  try {
    return { status: "finished", answer: await qualify() };
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    if (!(error instanceof OutOfTime)) {
      return { status: "failed", note: error instanceof Error ? error.message : "unknown fault" };
    }
    if (performance.now() >= deadlineMs) throw error;
    return { status: "stopped", note: error.message };
  }
}

/** The finished attempts that a stack may rest on: the best by out-of-fold log-loss, in the order of the plan. */
function stackBases(records: readonly EndedAttempt[]): StackBase[] {
  return records
    .flatMap(({ spec, outcome }) => {
      if (!isBase(spec) || outcome.status !== "finished" || outcome.answer.votes === null) return [];
      const { settings, votes, outOfFoldLogLoss } = outcome.answer;
      if (settings.algorithm === "stack") return [];
      const { attempt, buckets, seed } = spec;
      return [{ attempt, buckets, seed, settings, votes, outOfFoldLogLoss }];
    })
    .sort((a, b) => a.outOfFoldLogLoss - b.outOfFoldLogLoss || a.attempt - b.attempt)
    .slice(0, MOST_BASES)
    .sort((a, b) => a.attempt - b.attempt);
}

function unitOf({ attempt }: AttemptSpec): string {
  return `attempt ${attempt}`;
}

function record(state: CompetitionState, done: EndedAttempt): void {
  const { spec, outcome } = done;
  state.records.push(done);
  if (mayBeVersion(outcome)) noteGain(state, finished(spec, outcome.answer));
  if (outcome.status !== "stopped") report(state);
  state.context.listener?.attempt(done, state.best);
}

function report({ context: { progress }, plan, records, best }: CompetitionState): void {
  const ended = endedOf(records);
  const failed = ended.filter(({ outcome }) => outcome.status === "failed").length;
  if (best !== null) progress.best(best.answer.holdout.accuracy, best.falseDecisions, algorithmName(best.settings));
  progress.attempts(ended.length, plan.length, failed);
  progress.advance();
}

/** The best is by D42; only fewer wrong decisions keep a run from stalling. */
function noteGain(state: CompetitionState, attempt: FinishedAttempt): void {
  const { best } = state;
  if (best === null || attempt.falseDecisions < best.falseDecisions) state.lastGainMs = performance.now();
  state.best = best === null ? attempt : rankVersions([best, attempt])[0]!;
}

function watchForStall(state: CompetitionState): void {
  const { options, pool, control } = state.context;
  if (options.target === null || state.best === null || isTargetReached(state)) return;
  const patienceMs = Math.max(LEAST_STALL_SECONDS, options.timeLimitSeconds * STALL_SHARE) * 1000;
  if (state.isStalled || performance.now() - state.lastGainMs < patienceMs) return;
  state.isStalled = true;
  pool.cancel(control.stopFlag);
}
