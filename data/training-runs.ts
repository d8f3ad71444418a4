// Training jobs for their flow: claim, note attempts, end with a model, go on after a restart.
import { and, asc, eq, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { claimNext, type Recovery, recoverJobs } from "./database/claims.ts";
import { type Database, perDatabase } from "./database/database.ts";
import { processingMs } from "./database/pages.ts";
import type { AttemptRecord, VerdictRecord } from "./database/records.ts";
import { trainingAttempts, trainingJobs } from "./database/schema.ts";
import { MOST_CLOSING_RESTARTS, MOST_RESTARTS, RESTARTED_TOO_OFTEN } from "./database/states.ts";
import { insertModel, type NewModel } from "./models.ts";
import type { TrainingJob } from "./training-jobs.ts";

/** The best attempt so far, by the order of D42. */
export interface BestAttempt {
  performance: number;
  falseDecisions: number;
  algorithm: string;
}

/** How a run ends. COMPLETED always has a model; other ends may keep one (D09). */
export type TrainingEnd = (
  | { status: "COMPLETED"; model: NewModel }
  | { status: "TIMED_OUT" | "NOT_COMPLETED" | "CANCELLED"; model: NewModel | null }
  | { status: "FAILED"; model: null }
) & {
  errorReason: string | null;
  /** All attempts as finally judged (finalists, versions); null leaves those noted before. */
  attempts: readonly AttemptRecord[] | null;
  /** Left out, the one noted before stays. */
  verdict?: VerdictRecord;
};

const statements = perDatabase((orm) => ({
  job: orm
    .select()
    .from(trainingJobs)
    .where(eq(trainingJobs.key, sql.placeholder("key")))
    .prepare(),
  attempts: orm
    .select({ record: trainingAttempts.record })
    .from(trainingAttempts)
    .where(eq(trainingAttempts.trainingJobKey, sql.placeholder("key")))
    .orderBy(asc(trainingAttempts.attempt))
    .prepare(),
}));

/**
 * Claims the next waiting job: PENDING becomes RUNNING and its time starts; one that a restart interrupted goes on with
 * the attempts it has (`restarts` above 0). Null where none waits.
 */
export function claimNextTrainingJob(database: Database, now: Date): TrainingJob | null {
  return claimNext(database, "training", (key) => {
    const startedOn = sql`coalesce(${trainingJobs.startedOn}, ${now.toISOString()})`;
    const claimed = database.orm.update(trainingJobs).set({ claimed: true, status: "RUNNING", startedOn });
    return claimed.where(eq(trainingJobs.key, key)).returning().get()!;
  });
}

/** True once the user asked for a stop, and where no flow works on the job any more. */
export function isTrainingCancelled(database: Database, key: string): boolean {
  const found = statements(database).job.get({ key });
  return found === undefined || found.cancelRequested || found.status !== "RUNNING";
}

/** False for a job that is not claimed and RUNNING. */
export function setTrainingPlan(
  database: Database,
  key: string,
  plan: { attemptsTotal: number; baselinePerformance: number | null },
): boolean {
  return change(database, key, plan);
}

/** The verdict before there are models. False for a job that is not claimed and RUNNING. */
export function setTrainingVerdict(database: Database, key: string, verdict: VerdictRecord): boolean {
  return change(database, key, { verdict });
}

/**
 * Notes and counts a finished, failed or stopped attempt, and sets the best so far (null leaves it). An
 * attempt that is noted again is replaced and not counted again.
 */
export function recordTrainingAttempt(
  database: Database,
  key: string,
  record: AttemptRecord,
  best: BestAttempt | null,
): boolean {
  return database.write(() => {
    const { attempt } = record;
    const isThis = and(eq(trainingAttempts.trainingJobKey, key), eq(trainingAttempts.attempt, attempt));
    const earlier = database.orm.select().from(trainingAttempts).where(isThis).get()?.record;
    const counted = (status: AttemptRecord["status"]) =>
      Number(record.status === status) - Number(earlier?.status === status);
    const changed = change(database, key, {
      attemptsCompleted: sql`${trainingJobs.attemptsCompleted} + ${counted("finished")}`,
      attemptsFailed: sql`${trainingJobs.attemptsFailed} + ${counted("failed")}`,
      ...(best === null
        ? {}
        : {
            bestPerformance: best.performance,
            bestFalseDecisions: best.falseDecisions,
            bestAlgorithm: best.algorithm,
          }),
    });
    if (changed) putAttempt(database, key, record);
    return changed;
  });
}

/** In order of their numbers. */
export function listTrainingAttempts(database: Database, key: string): AttemptRecord[] {
  return statements(database)
    .attempts.all({ key })
    .map(({ record }) => record);
}

/**
 * Ends a RUNNING job: inserts the model with its versions, the attempts as finally judged, and the job's figures, in
 * one transaction. A job whose cancel was requested ends as CANCELLED in any case. False where the job is not claimed
 * and RUNNING, and for CANCELLED without a request. `elapsedMs` null: by the dates.
 */
export function finishTrainingJob(
  database: Database,
  key: string,
  end: TrainingEnd,
  now: Date,
  elapsedMs: number | null = null,
): boolean {
  return database.write(() => {
    const job = statements(database).job.get({ key });
    if (job === undefined || job.status !== "RUNNING" || !job.claimed) return false;
    if (end.status === "CANCELLED" && !job.cancelRequested) return false;
    const { model, attempts, verdict } = end;
    if (model !== null) insertModel(database, job, model, now);
    for (const record of attempts ?? []) putAttempt(database, key, record);
    const champion = model?.versions[0];
    return change(database, key, {
      status: job.cancelRequested ? "CANCELLED" : end.status,
      errorReason: job.cancelRequested ? null : end.errorReason,
      finishedOn: job.finishedOn ?? now.toISOString(),
      elapsedMs: processingMs(job, now, elapsedMs),
      claimed: false,
      modelKey: model?.key ?? null,
      achievedPerformance: champion?.achievedPerformance ?? null,
      trainingPerformance: champion?.trainingPerformance ?? null,
      testPerformance: champion?.testPerformance ?? null,
      ...(verdict !== undefined && { verdict }),
    });
  });
}

/**
 * See `recoverJobs`. A cancelled job goes on too, so that it keeps its models. At the fourth interruption a job without
 * a finished attempt ends, FAILED or CANCELLED; one with finished attempts goes on, and its flow ends it with those.
 */
export function recoverTrainingJobs(database: Database, now: Date, only?: string): Recovery {
  const failed = { status: "FAILED", model: null, errorReason: RESTARTED_TOO_OFTEN, attempts: null } as const;
  return recoverJobs(database, "training", only, ({ key, restarts }) => {
    const { attemptsCompleted } = statements(database).job.get({ key })!;
    const mostRestarts = attemptsCompleted === 0 ? MOST_RESTARTS : MOST_CLOSING_RESTARTS;
    return restarts >= mostRestarts && finishTrainingJob(database, key, failed, now);
  });
}

function putAttempt(database: Database, trainingJobKey: string, record: AttemptRecord): void {
  database.orm
    .insert(trainingAttempts)
    .values({ trainingJobKey, attempt: record.attempt, record })
    .onConflictDoUpdate({ target: [trainingAttempts.trainingJobKey, trainingAttempts.attempt], set: { record } })
    .run();
}

/** Changes a job that is claimed and RUNNING. */
function change(database: Database, key: string, values: SQLiteUpdateSetSource<typeof trainingJobs>): boolean {
  const isInWork = and(eq(trainingJobs.key, key), eq(trainingJobs.status, "RUNNING"), eq(trainingJobs.claimed, true));
  const changed = database.orm.update(trainingJobs).set(values).where(isInWork).returning({ key: trainingJobs.key });
  return changed.get() !== undefined;
}
