// A training job: the competition, then the versions confirmed on further re-splits and refitted on all rows.
import { assignParts, CONFIRMING_PARTS, foldSplits, HOLDOUT_PART, splitByPart } from "../../engine/holdout.ts";
import { type Estimate, wilsonInterval } from "../../engine/metrics.ts";
import type { Arena } from "../../engine/qualify.ts";
import type { Confirmation, FoundSettings } from "../../engine/refit.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import { type ModelAbout, type TableAnswer, untilCancelled } from "../../workers/messages.ts";
import { WorkerLost, type WorkerPool } from "../../workers/pool.ts";
import { ATTEMPT_LIMIT_SECONDS } from "../limits.ts";
import type { ProgressView } from "../progress-view.ts";
import type { BaselineRecord } from "./baselines.ts";
import {
  type Competition,
  compete,
  type FinishedAttempt,
  type TrainListener,
  type TrainOptions,
} from "./competition.ts";
import type { JobControl } from "./job-control.ts";
import { remembered, runUnit, type UnitMemory } from "./units.ts";

/** Share of the time left after reading that attempts may use; the rest is for confirming and refitting. */
const ATTEMPTS_SHARE = 0.65;

/** A kept version. */
export interface KeptVersion {
  version: number;
  attempt: FinishedAttempt;
  /** Accuracy on two further re-splits; null where the run was stopped before. */
  confirmed: Estimate | null;
  confirmations: readonly Confirmation[];
}

export interface TrainResult {
  arena: Arena;
  competition: Competition;
  baselines: readonly BaselineRecord[];
  versions: readonly KeptVersion[];
}

/** What the caller does with versions. */
export interface VersionKeeper {
  /** What the model file says of a version, its fitted part aside. */
  describe(kept: KeptVersion, arena: Arena): ModelAbout;
  /** Stores the bytes of a version's model file. */
  store(kept: KeptVersion, bytes: Uint8Array): Promise<void>;
}

/** Where a training job runs, and who hears of it. */
export interface TrainContext {
  pool: WorkerPool;
  progress: ProgressView;
  control: JobControl;
  keeper: VersionKeeper;
  /**
   * Where finished attempts, confirmations and baselines are kept, so that a restarted process goes on from them to the same
   * versions; null to forget them. One for each table and options.
   */
  memory: UnitMemory | null;
  listener: TrainListener | null;
}

/**
 * Trains on a table that was read. Rejects with Cancelled only where `control.finishFlag` was set, else with what the memory
 * or the keeper throws, or a refit that fails.
 */
export async function train(source: TableAnswer, options: TrainOptions, context: TrainContext): Promise<TrainResult> {
  const { pool, control, keeper } = context;
  const endMs = control.startMs + options.timeLimitSeconds * 1000;
  const deadlineMs = Date.now() + (endMs - Date.now()) * ATTEMPTS_SHARE;
  const arena = openingArena(source, options);
  const arenaId = pool.openArena(arena);
  try {
    const competition = await compete({ ...context, arenaId, arena, options, deadlineMs });
    const confirmEndMs = endMs - refitMs(competition, pool.size);
    const finish: FinishContext = { ...context, arenaId, arena, confirmEndMs };
    const versions = await confirmVersions(finish, competition);
    await refitVersions(finish, versions, keeper);
    return { arena, competition, versions, baselines: await competition.baselines };
  } catch (error) {
    // What is still under way would work for nobody.
    pool.cancel(control.attemptsFlag);
    pool.cancel(control.finishFlag);
    throw error;
  } finally {
    pool.closeArena(arenaId);
  }
}

/** About what the refits will take, which are never cut short: each as long as its attempt took. */
function refitMs({ ranked }: Competition, workers: number): number {
  const seconds = ranked.map(({ answer }) => answer.seconds);
  return 1000 * Math.max(0, ...seconds, seconds.reduce((sum, each) => sum + each, 0) / workers);
}

function openingArena({ table }: TableAnswer, options: TrainOptions): Arena {
  const classCount = table.labels.length;
  const parts = assignParts(table.classes, classCount, options.seed);
  const split = splitByPart(parts, HOLDOUT_PART);
  const folds = foldSplits(split.learning, table.classes, classCount, options.seed);
  const { numberOfBuckets, target, attemptTarget = target } = options;
  return { table, parts, split, folds, numberOfBuckets, target: attemptTarget };
}

interface FinishContext extends TrainContext {
  arenaId: number;
  arena: Arena;
  /** When confirming must end, so that refits can begin. */
  confirmEndMs: number;
}

async function confirmVersions(context: FinishContext, competition: Competition): Promise<KeptVersion[]> {
  const kept = competition.ranked.map(
    (attempt, index): KeptVersion => ({
      version: index + 1,
      attempt,
      confirmed: null,
      confirmations: [],
    }),
  );
  if (competition.status === "CANCELLED" || kept.length === 0) return kept;
  context.progress.stage("Confirming", kept.length * CONFIRMING_PARTS.length);
  return Promise.all(
    kept.map(async (version) => {
      const parts = await Promise.all(CONFIRMING_PARTS.map((part) => confirmOn(context, version, part)));
      const confirmations = parts.filter((part) => part !== null);
      const isWhole = confirmations.length === parts.length;
      return isWhole ? { ...version, confirmations, confirmed: pooledEstimate(confirmations) } : version;
    }),
  );
}

/** Null where the time was up, somebody stopped the run, or threads died of it, before it was done. */
async function confirmOn(
  context: FinishContext,
  version: KeptVersion,
  judgingPart: number,
): Promise<Confirmation | null> {
  const { arenaId, pool, progress, control, memory, confirmEndMs } = context;
  const request = { arenaId, found: foundSettings(version), judgingPart };
  // A first request to stop skips what is left to confirm, unless it was what ended the attempts.
  const cancelFlag = Atomics.load(control.attemptsFlag, 0) === 0 ? control.attemptsFlag : control.finishFlag;
  const limits = { cancelFlag, deadlineMs: confirmEndMs, mostSeconds: ATTEMPT_LIMIT_SECONDS };
  try {
    const unitId = `confirm ${version.attempt.attempt} on ${judgingPart}`;
    return await remembered(memory, unitId, () => runUnit(pool, "confirm", request, limits));
  } catch (error) {
    const isGivenUp = Atomics.load(control.finishFlag, 0) !== 0;
    if (error instanceof OutOfTime || error instanceof WorkerLost) return null;
    if (error instanceof Cancelled && !isGivenUp) return null;
    throw error;
  } finally {
    progress.advance();
  }
}

/** The parts share no row, so their rows count together. */
function pooledEstimate(confirmations: readonly Confirmation[]): Estimate | null {
  const rowCount = confirmations.reduce((sum, part) => sum + part.rowCount, 0);
  const falseDecisions = confirmations.reduce((sum, part) => sum + part.falseDecisions, 0);
  return rowCount === 0 ? null : wilsonInterval(rowCount - falseDecisions, rowCount);
}

async function refitVersions(
  context: FinishContext,
  versions: readonly KeptVersion[],
  keeper: VersionKeeper,
): Promise<void> {
  const { arena, arenaId, pool, progress, control } = context;
  const limits = untilCancelled(control.finishFlag);
  if (versions.length > 0) progress.stage("Refitting on all rows", versions.length);
  await Promise.all(
    versions.map(async (version) => {
      const about = keeper.describe(version, arena);
      const { bytes } = await runUnit(pool, "refit", { arenaId, found: foundSettings(version), about }, limits);
      await keeper.store(version, bytes);
      progress.advance();
    }),
  );
}

function foundSettings({ attempt }: KeptVersion): FoundSettings {
  return { buckets: attempt.spec.buckets, seed: attempt.spec.seed, settings: attempt.settings };
}
