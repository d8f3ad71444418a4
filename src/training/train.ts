// A training: the competition, then the versions are confirmed on further re-splits and refitted on all rows.

import { MOST_CURVES } from "../../engine/explain/effect-curves.ts";
import { ACCURACY, type Aim, estimateAchieved } from "../../engine/judging/estimate.ts";
import { paysToShare } from "../../engine/search/attempt-units.ts";
import type { GrowthTask } from "../../engine/search/grow.ts";
import { type BaseFound, basesOf, type Confirmation } from "../../engine/search/refit.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { confirmingParts } from "../../engine/splits/holdout.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import { sumOf } from "../../engine/sums.ts";
import { type Limits, type ModelAbout, type TableAnswer, untilCancelled } from "../../workers/messages.ts";
import { WorkerLost, type WorkerPool } from "../../workers/pool.ts";
import { DEFAULT_TIME_CAPS } from "../common/limits.ts";
import type { ProgressView } from "../progress/progress-view.ts";
import type { JobControl } from "../work/job-control.ts";
import { againstGuess, guessByRank, isBetter, targetWarning } from "../work/majority.ts";
import { type Journal, remembered, runUnit } from "../work/units.ts";
import { BaseFits } from "./base-fits.ts";
import type { BaselineRecord } from "./baselines.ts";
import { compete } from "./competition.ts";
import { type Competition, finishedOf, type TrainListener, type TrainOptions } from "./competition-state.ts";
import { growVersion } from "./growing.ts";
import { importanceOf } from "./importance-of.ts";
import {
  confirmedDecisions,
  confirmingRows,
  finalSettings,
  type KeptVersion,
  settingsToConfirm,
} from "./kept-version.ts";
import { openSearch } from "./open-search.ts";
import { TimePlan } from "./time-plan.ts";

/** Refits are not cut short; a thread that takes longer than this is taken for hanging. */
const REFIT_LIMIT_SECONDS = 4 * 3_600;

/** Curves of effects that are one unit of work, at least. */
const CURVES_PER_UNIT = 2;

export interface TrainResult {
  task: TrainingTask;
  competition: Competition;
  baselines: readonly BaselineRecord[];
  versions: readonly KeptVersion[];
}

/** The caller's side of keeping versions. */
export interface VersionKeeper {
  /** The content of the model file except the fitted part. */
  describe(kept: KeptVersion, task: TrainingTask): ModelAbout | Promise<ModelAbout>;
  /** Stores the bytes of a version's model file. */
  store(kept: KeptVersion, bytes: Uint8Array): Promise<void>;
  /** Called with the error of a version that could not be refitted, if others could. */
  dropped?(error: unknown): void;
}

export interface TrainContext {
  pool: WorkerPool;
  progress: ProgressView;
  control: JobControl;
  keeper: VersionKeeper;
  /**
   * Keeps finished attempts, confirmations and baselines of one table and options, so that
   * a restart comes to the same versions; null for none.
   */
  journal: Journal | null;
  listener: TrainListener | null;
  /** Why the run only makes versions of what the journal holds; null to go on. */
  closingReason: string | null;
}

/**
 * Trains on a table. Rejects with Cancelled only if `control.giveUpFlag` was set; else with what the journal or the
 * keeper throws, or with the error of a refit if all failed.
 */
export async function train(source: TableAnswer, options: TrainOptions, context: TrainContext): Promise<TrainResult> {
  const { pool, progress, control } = context;
  const time = new TimePlan(performance.now(), control.startMs + options.timeLimitSeconds * 1000);
  const search = await openSearch(source, options, context, time.endMs);
  const { task } = search;
  const { isSample } = task;
  const taskId = pool.openTask(task);
  const growth = search.growth === null ? null : { task: search.growth, taskId: pool.openTask(search.growth) };
  try {
    const guessing = targetWarning(task, options.target);
    if (guessing !== null) progress.note(`warning: ${guessing.message}`);
    // A target that guessing reaches ends no run (D73).
    const target = guessing === null ? options.target : null;
    const searchOptions = { ...options, target, mostTrees: task.mostTrees };
    const deadlineMs = time.attemptsEndMs(isSample);
    // Unless memory is short (D91), threads that stacks and confirmations leave idle begin fits that come later.
    const beginsEarly = !isSample && options.mostTrees === undefined;
    const { table, split } = task;
    const isShared = paysToShare(split.learning.length, table.features.length, table.labels.length);
    const fits = new BaseFits(pool, taskId, beginsEarly && isShared && pool.size > 1);
    const beginFits = (bases: readonly BaseFound[]) => {
      if (!beginsEarly || pool.size === 1 || Atomics.load(control.stopFlag, 0) !== 0) return;
      const limits = confirmLimits(control, time.confirmEndMs(isSample, 0));
      for (const part of confirmingParts(task.parts)) fits.begin(bases, part, limits);
      fits.begin(bases, null, refitLimits(control));
    };
    const competition = await compete({ ...context, taskId, task, options: searchOptions, deadlineMs, beginFits });
    const refitMs = estimateRefits(competition, pool.size);
    const confirmEndMs = time.confirmEndMs(isSample, refitMs);
    const finish: FinishContext = { ...context, taskId, task, growth, confirmEndMs, fits };
    const confirming = confirmVersions(finish, competition);
    if (beginsEarly) {
      fits.begin(competition.ranked.map(finalSettings).flatMap(basesOf), null, refitLimits(control));
    }
    const confirmed = await confirming;
    const grown = await growChampion(finish, competition, confirmed, time.growthEndMs(performance.now(), refitMs));
    const versions = await refitVersions(finish, grown);
    const { status, statusReason } = endWith(versions, competition, task, target);
    const baselines = await competition.baselines;
    return { task, competition: { ...competition, status, statusReason }, versions, baselines };
  } catch (error) {
    // Ends the work that is still under way.
    pool.cancel(control.stopFlag);
    pool.cancel(control.giveUpFlag);
    throw error;
  } finally {
    pool.closeTask(taskId);
    if (growth !== null) pool.closeTask(growth.taskId);
  }
}

/** For a large table: the first version with models of more rows, if these gain and the time allows. */
async function growChampion(
  { pool, growth, progress, control, closingReason }: FinishContext,
  competition: Competition,
  versions: readonly KeptVersion[],
  deadlineMs: number,
): Promise<readonly KeptVersion[]> {
  const [champion, ...others] = versions;
  if (growth === null || champion === undefined) return versions;
  if (competition.status === "CANCELLED" || closingReason !== null) return versions;
  const growing = { ...growth, pool, progress, cancelFlag: flagOfConfirming(control), deadlineMs };
  const grown = await growVersion(growing, champion, finishedOf(competition.records));
  return grown === null ? versions : [grown, ...others];
}

/** Milliseconds of all refits: each base takes about as long as its attempt. */
function estimateRefits({ ranked, records }: Competition, workers: number): number {
  const attempts = new Set(
    ranked.flatMap(({ attempt, settings }) =>
      settings.algorithm === "stack" ? settings.members.map((member) => member.attempt) : [attempt],
    ),
  );
  const seconds = records.flatMap(({ spec, outcome }) =>
    outcome.status === "finished" && attempts.has(spec.attempt) ? [outcome.answer.seconds] : [],
  );
  return 1000 * Math.max(0, ...seconds, sumOf(seconds) / workers);
}

interface FinishContext extends TrainContext {
  taskId: number;
  task: TrainingTask;
  /** The whole of a large table; null where the task has all rows. */
  growth: { task: GrowthTask; taskId: number } | null;
  /** When confirming must end, so that refits can begin. */
  confirmEndMs: number;
  fits: BaseFits;
}

async function confirmVersions(context: FinishContext, competition: Competition): Promise<KeptVersion[]> {
  const versions = competition.ranked.map(
    (attempt, index): KeptVersion => ({
      version: index + 1,
      attempt,
      confirmed: null,
      objectiveConfirmed: null,
      confirmations: [],
      effects: [],
    }),
  );
  if (competition.status === "CANCELLED" || versions.length === 0) return versions;
  const parts = confirmingParts(context.task.parts);
  context.progress.stage("Confirming", versions.length * parts.length);
  // Threads that would be idle share the columns; each cut scores the version once more.
  const cuts = Math.max(1, Math.floor(context.pool.size / (versions.length * parts.length)));
  return Promise.all(
    versions.map(async (version) => {
      const confirmedParts = await Promise.all(
        parts.map((part, place) => confirmOn(context, version, { part, place, cuts })),
      );
      const confirmations = confirmedParts.filter((one) => one !== null);
      const isWhole = confirmations.length === parts.length;
      return isWhole ? { ...version, confirmations, ...confirmedEstimates(confirmations, context.task) } : version;
    }),
  );
}

/** Null if time ran out, the run was stopped, or threads died before it was done. */
async function confirmOn(
  context: FinishContext,
  version: KeptVersion,
  { part: judgingPart, place, cuts }: { part: number; place: number; cuts: number },
): Promise<Confirmation | null> {
  const { taskId, pool, progress, control, journal, fits, confirmEndMs, closingReason } = context;
  const unitId = `confirm ${version.attempt.attempt} on ${judgingPart}`;
  if (closingReason !== null && journal?.find(unitId) === undefined) return null;
  const found = settingsToConfirm(version.attempt, place);
  const limits = confirmLimits(control, confirmEndMs);
  try {
    return await remembered(journal, unitId, async () => {
      const bases = await fits.of(found, judgingPart, limits);
      const request = { taskId, found, bases, judgingPart, decider: version.attempt.answer.decider };
      const judged = { ...request, measuresColumns: cuts === 1 };
      if (cuts === 1) return await runUnit(pool, "confirm", judged, limits);
      const parts = Array.from({ length: cuts }, (_, part) => ({ part, of: cuts }));
      const [confirmed, ...measured] = await Promise.all([
        runUnit(pool, "confirm", judged, limits),
        ...parts.map((columns) => runUnit(pool, "measureColumns", { ...request, columns }, limits)),
      ]);
      return { ...confirmed, importance: measured.flat() };
    });
  } catch (error) {
    const isGivenUp = Atomics.load(control.giveUpFlag, 0) !== 0;
    if (error instanceof OutOfTime || error instanceof WorkerLost) return null;
    if (error instanceof Cancelled && !isGivenUp) return null;
    throw error;
  } finally {
    progress.advance();
  }
}

function confirmLimits(control: JobControl, deadlineMs: number): Limits {
  return { cancelFlag: flagOfConfirming(control), deadlineMs, mostSeconds: DEFAULT_TIME_CAPS.attemptSeconds };
}

/** A first request to stop skips confirming and growing, unless it has already ended the attempts. */
function flagOfConfirming({ stopFlag, giveUpFlag }: JobControl): Int32Array {
  return Atomics.load(stopFlag, 0) === 0 ? stopFlag : giveUpFlag;
}

/** The parts share no row, so their rows are pooled. */
function confirmedEstimates(
  confirmations: readonly Confirmation[],
  task: TrainingTask,
): Pick<KeptVersion, "confirmed" | "objectiveConfirmed"> {
  const judged = confirmingRows(task);
  if (judged.rows.length === 0) return { confirmed: null, objectiveConfirmed: null };
  const decisions = confirmedDecisions(confirmations);
  const estimate = (aim: Aim) => estimateAchieved(aim, decisions, judged, task.clusters);
  return { confirmed: estimate(ACCURACY), objectiveConfirmed: estimate(task) };
}

/**
 * Refits all versions, then stores them. A version that cannot be refitted is dropped; those
 * after it move up and are refitted under their new numbers.
 */
async function refitVersions(
  context: FinishContext,
  versions: readonly KeptVersion[],
): Promise<readonly KeptVersion[]> {
  const { progress, control, keeper } = context;
  for (let remaining = versions; ; ) {
    if (remaining.length > 0) progress.stage("Refitting on all rows", remaining.length);
    const refits = await Promise.allSettled(remaining.map((version) => refitOne(context, version)));
    const refitted = refits.flatMap((refit) => (refit.status === "fulfilled" ? [refit.value] : []));
    const faults = refits.flatMap((refit) => (refit.status === "rejected" ? [refit.reason] : []));
    if (faults.length === 0) {
      for (const { version, bytes } of refitted) await keeper.store(version, bytes);
      return refitted.map(({ version }) => version);
    }
    if (refitted.length === 0 || Atomics.load(control.giveUpFlag, 0) !== 0) throw faults[0];
    for (const fault of faults) keeper.dropped?.(fault);
    progress.note(
      `warning: ${faults.length} of ${remaining.length} versions could not be refitted on all rows and are dropped`,
    );
    remaining = refitted.map(({ version }, index) => ({ ...version, version: index + 1 }));
  }
}

async function refitOne(
  { task, taskId, growth, pool, progress, control, keeper, fits }: FinishContext,
  version: KeptVersion,
): Promise<{ version: KeptVersion; bytes: Uint8Array }> {
  const limits = refitLimits(control);
  const found = finalSettings(version.attempt);
  const bases = version.bases ?? (await fits.of(found, null, limits));
  const about = await keeper.describe(version, task);
  const byImportance = importanceOf(version.confirmations).map(({ column }) => column);
  const request = { taskId: version.bases === undefined ? taskId : growth!.taskId, found, bases, about };
  const curveCount = Math.min(MOST_CURVES, task.table.features.length);
  // Each unit codes and groups the rows once more, so there are no more of them than threads.
  const perUnit = Math.max(CURVES_PER_UNIT, Math.ceil(curveCount / pool.size));
  const drawn = Array.from({ length: Math.ceil(curveCount / perUnit) }, (_, unit) => {
    const curves = { from: unit * perUnit, to: (unit + 1) * perUnit };
    return runUnit(pool, "effects", { ...request, byImportance, curves }, limits);
  });
  const [{ bytes }, ...effects] = await Promise.all([runUnit(pool, "pack", request, limits), ...drawn]);
  progress.advance();
  return { version: { ...version, effects: effects.flat() }, bytes };
}

function refitLimits({ giveUpFlag }: JobControl): Limits {
  return { ...untilCancelled(giveUpFlag), mostSeconds: REFIT_LIMIT_SECONDS };
}

/**
 * A run is not COMPLETED if the version that reached the target is dropped, or
 * its champion is no better than guessing (D73).
 */
function endWith(
  versions: readonly KeptVersion[],
  { status, statusReason, ranked }: Competition,
  task: TrainingTask,
  target: number | null,
): Pick<Competition, "status" | "statusReason"> {
  const [champion] = versions;
  if (status !== "COMPLETED" || champion === undefined) return { status, statusReason };
  const { attempt } = champion;
  if (target !== null && attempt !== ranked[0] && attempt.answer.holdout.accuracy < target) {
    const reason = `A version reached the target of ${target}, but could not be refitted on all rows; the others were kept.`;
    return { status: "NOT_COMPLETED", statusReason: reason };
  }
  if (againstGuess(champion, task).every(isBetter)) return { status, statusReason };
  const sentence = `But the champion is no better than ${guessByRank(task)}.`;
  return { status: "NOT_COMPLETED", statusReason: `${statusReason} ${sentence}` };
}
