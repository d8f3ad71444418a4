// Training jobs for their user: create, find, list, cancel.
import { and, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { type Database, perDatabase } from "./database/database.ts";
import { datasetNameOf, type Page, type Paged, pagesOf, processingMs, type Sorted } from "./database/pages.ts";
import type { ColumnSettings } from "./database/records.ts";
import { datasets, models, trainingJobs } from "./database/schema.ts";
import type { TrainingStatus } from "./database/states.ts";

export type TrainingJob = typeof trainingJobs.$inferSelect;

export interface NewTrainingJob
  extends Pick<TrainingJob, "key" | "userKey" | "datasetKey" | "targetPerformance" | "scalingFactor">,
    Pick<TrainingJob, "seed" | "timeLimitSeconds">,
    Partial<ColumnSettings>,
    Partial<Pick<TrainingJob, "objective" | "costs">> {}

const statements = perDatabase((orm) => {
  const ofUser = eq(trainingJobs.userKey, sql.placeholder("userKey"));
  const ofDataset = and(eq(trainingJobs.datasetKey, sql.placeholder("datasetKey")), ofUser);
  const jobs = () => orm.select().from(trainingJobs).$dynamic();
  return {
    owned: jobs()
      .where(and(eq(trainingJobs.key, sql.placeholder("key")), ofUser))
      .prepare(),
    verdict: orm
      .select({ verdict: trainingJobs.verdict })
      .from(trainingJobs)
      .where(and(ofDataset, isNotNull(trainingJobs.verdict)))
      .orderBy(desc(trainingJobs.createdOn), desc(trainingJobs.id))
      .limit(1)
      .prepare(),
    list: pagesOf(orm, jobs(), trainingJobs, ofUser, {
      datasetName: sql`${datasetNameOf(trainingJobs.datasetKey)} COLLATE NOCASE`,
      achievedPerformance: sql`${trainingJobs.achievedPerformance}`,
    }),
    listOfDataset: pagesOf(orm, jobs(), trainingJobs, ofDataset),
  };
});

/** PENDING. Null where the user has no such dataset, or it is not COMPLETED (D29). */
export function insertTrainingJob(database: Database, job: NewTrainingJob, now: Date): TrainingJob | null {
  return database.write(() => {
    const isReady = and(
      eq(datasets.key, job.datasetKey),
      eq(datasets.userKey, job.userKey),
      eq(datasets.status, "COMPLETED"),
      isNull(datasets.deletedOn),
    );
    if (database.orm.select({ key: datasets.key }).from(datasets).where(isReady).get() === undefined) return null;
    return database.orm
      .insert(trainingJobs)
      .values({
        ...job,
        status: "PENDING",
        createdOn: now.toISOString(),
        cancelRequested: false,
        attemptsCompleted: 0,
        attemptsFailed: 0,
        claimed: false,
        restarts: 0,
      })
      .returning()
      .get();
  });
}

/**
 * The status that clients see: CANCELLED from the cancel on, though the flow still has to stop and to keep the best
 * three models (D09). `finishTrainingJob` ends such a job as CANCELLED in any case.
 */
export function trainingStatus({ status, cancelRequested }: TrainingJob): TrainingStatus {
  return cancelRequested && status === "RUNNING" ? "CANCELLED" : status;
}

/** Null for an unknown or foreign one. */
export function findOwnedTrainingJob(database: Database, userKey: string, key: string): TrainingJob | null {
  return statements(database).owned.get({ userKey, key }) ?? null;
}

/** The training that made a model, whoever the owner; null for an unknown model. */
export function findModelTraining(database: Database, modelKey: string): TrainingJob | null {
  const model = database.orm.select({ key: models.trainingJobKey }).from(models).where(eq(models.key, modelKey)).get();
  if (model === undefined) return null;
  return database.orm.select().from(trainingJobs).where(eq(trainingJobs.key, model.key)).get() ?? null;
}

/** By key, whoever the owner. */
export function trainingJobsOf(database: Database, keys: readonly string[]): ReadonlyMap<string, TrainingJob> {
  const rows = database.orm
    .select()
    .from(trainingJobs)
    .where(inArray(trainingJobs.key, [...keys]))
    .all();
  return new Map(rows.map((row) => [row.key, row]));
}

/** The verdict of the newest job on a dataset whose rows were looked at; null where there is none. */
export function newestVerdict(database: Database, userKey: string, datasetKey: string): TrainingJob["verdict"] {
  return statements(database).verdict.get({ userKey, datasetKey })?.verdict ?? null;
}

/** Newest first (D49) unless sorted: all of the user's, or those of one dataset. */
export function listTrainingJobs(
  database: Database,
  userKey: string,
  page: Page & Sorted,
  datasetKey: string | null = null,
): Paged<TrainingJob> {
  const { list, listOfDataset } = statements(database);
  return datasetKey === null ? list({ userKey }, page) : listOfDataset({ userKey, datasetKey }, page);
}

/**
 * A waiting job becomes CANCELLED. A running one is CLOSING: clients see CANCELLED, and the flow has to be told to
 * stop. Cancelling again returns the same; a job that ended otherwise is NOT_CANCELLABLE (D27). Freezes the job's time
 * at `elapsedMs`, or by dates where that is null.
 */
export function cancelTrainingJob(
  database: Database,
  userKey: string,
  key: string,
  now: Date,
  elapsedMs: number | null = null,
): "CANCELLED" | "CLOSING" | "NOT_CANCELLABLE" | "NOT_FOUND" {
  return database.write(() => {
    const job = findOwnedTrainingJob(database, userKey, key);
    if (job === null) return "NOT_FOUND";
    if (job.status === "CANCELLED") return "CANCELLED";
    if (trainingStatus(job) === "CANCELLED") return "CLOSING";
    if (job.status !== "PENDING" && job.status !== "RUNNING") return "NOT_CANCELLABLE";
    const isWaiting = job.status === "PENDING";
    const took = { finishedOn: now.toISOString(), elapsedMs: processingMs(job, now, elapsedMs) };
    const cancellation = { cancelRequested: true, ...took };
    database.orm
      .update(trainingJobs)
      .set(isWaiting ? { ...cancellation, status: "CANCELLED" } : cancellation)
      .where(eq(trainingJobs.key, key))
      .run();
    return isWaiting ? "CANCELLED" : "CLOSING";
  });
}
