// Models with their versions: find, list, move the champion, delete. A training job inserts them when it ends.
import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { WatchState } from "../engine/outcomes/health.ts";
import { type Database, perDatabase } from "./database/database.ts";
import { datasetNameOf, deleteOwned, type Page, type Paged, pagesOf, type Sorted } from "./database/pages.ts";
import type { VerdictRecord } from "./database/records.ts";
import { models, modelVersions, predictions, trainingJobs } from "./database/schema.ts";
import { watchedVersions } from "./database/watch-schema.ts";
import { isModelInSuccession } from "./successors.ts";
import type { TrainingJob } from "./training-jobs.ts";

type Model = typeof models.$inferSelect;
export type ModelVersion = typeof modelVersions.$inferSelect;
/** With the figures of its champion, and the state that this was last judged to be in; null where it has not been. */
export type ModelListItem = Model &
  Pick<ModelVersion, "achievedPerformance" | "trainingPerformance" | "testPerformance"> & {
    watchState: WatchState | null;
  };
export interface ModelDetail {
  model: Model;
  /** Best first; the champion is `model.championVersion`. */
  versions: ModelVersion[];
  /** The verdict on its training; null where that has none. */
  verdict: VerdictRecord | null;
  /** The state that the champion was last judged to be in; null where it has not been. */
  watchState: WatchState | null;
}

export type NewModelVersion = Omit<ModelVersion, "modelKey" | "version" | "name" | "note">;

/** Changes of a name and a note; null removes, what is left out stays. */
export interface Naming {
  name?: string | null;
  note?: string | null;
}

export interface NewModel {
  key: string;
  /** One to three, best first: they become v1, the champion, to v3. */
  versions: readonly [NewModelVersion, ...NewModelVersion[]];
  /** All its files together. */
  sizeBytes: number;
}

const statements = perDatabase((orm) => {
  const isListed = and(eq(models.userKey, sql.placeholder("userKey")), isNull(models.deletedOn));
  const isOfDataset = and(eq(models.datasetKey, sql.placeholder("datasetKey")), isListed);
  const { achievedPerformance, trainingPerformance, testPerformance } = modelVersions;
  const isChampion = and(eq(modelVersions.modelKey, models.key), eq(modelVersions.version, models.championVersion));
  const watchState = sql<WatchState | null>`(SELECT "state" FROM ${watchedVersions} AS w
    WHERE w."modelKey" = ${models.key} AND w."version" = ${models.championVersion})`;
  // Nothing is asked any more of a model that was replaced: its last state would stay for ever (D122).
  const isInState = and(isListed, isNull(models.answeringKey), sql`${watchState} = ${sql.placeholder("state")}`);
  const champion = orm
    .select({ version: models.championVersion })
    .from(models)
    .where(and(eq(models.key, sql.placeholder("key")), isListed));
  const items = () =>
    orm
      .select({ ...getTableColumns(models), achievedPerformance, trainingPerformance, testPerformance, watchState })
      .from(models)
      .innerJoin(modelVersions, isChampion)
      .$dynamic();
  const sorts = {
    name: sql`coalesce(${models.name}, ${datasetNameOf(models.datasetKey)}) COLLATE NOCASE`,
    testPerformance: sql`(SELECT "testPerformance" FROM ${modelVersions} AS v
      WHERE v."modelKey" = ${models.key} AND v."version" = ${models.championVersion})`,
  };
  return {
    owned: orm
      .select()
      .from(models)
      .where(and(eq(models.key, sql.placeholder("key")), isListed))
      .prepare(),
    // Without a join: SQLite plans one with parameters anew at each use, which takes ten times as long.
    champion: orm
      .select({ version: modelVersions.version, filePath: modelVersions.filePath })
      .from(modelVersions)
      .where(and(eq(modelVersions.modelKey, sql.placeholder("key")), eq(modelVersions.version, champion)))
      .prepare(),
    versions: orm
      .select()
      .from(modelVersions)
      .where(eq(modelVersions.modelKey, sql.placeholder("key")))
      .orderBy(asc(modelVersions.version))
      .prepare(),
    verdict: orm
      .select({ verdict: trainingJobs.verdict })
      .from(trainingJobs)
      .where(eq(trainingJobs.key, sql.placeholder("jobKey")))
      .prepare(),
    list: pagesOf(orm, items(), models, isListed, sorts),
    listInState: pagesOf(orm, items(), models, isInState, sorts),
    watchState: orm
      .select({ state: watchedVersions.state })
      .from(watchedVersions)
      .where(
        and(
          eq(watchedVersions.modelKey, sql.placeholder("key")),
          eq(watchedVersions.version, sql.placeholder("version")),
        ),
      )
      .prepare(),
    listOfDataset: pagesOf(orm, items(), models, isOfDataset),
  };
});

/** For use inside the write that ends the training job. */
export function insertModel(database: Database, job: TrainingJob, model: NewModel, now: Date): void {
  const { key: modelKey, versions, sizeBytes } = model;
  const { userKey, datasetKey, key: trainingJobKey } = job;
  const createdOn = now.toISOString();
  database.orm
    .insert(models)
    .values({ key: modelKey, userKey, datasetKey, trainingJobKey, championVersion: 1, createdOn, sizeBytes })
    .run();
  database.orm
    .insert(modelVersions)
    .values(versions.map((version, index) => ({ ...version, modelKey, version: index + 1 })))
    .run();
}

/** Null for an unknown, foreign or deleted one. */
export function findOwnedModel(database: Database, userKey: string, key: string): ModelDetail | null {
  const { owned, versions, verdict, watchState } = statements(database);
  const model = owned.get({ userKey, key });
  if (model === undefined) return null;
  const job = verdict.get({ jobKey: model.trainingJobKey });
  const watched = watchState.get({ key, version: model.championVersion });
  return { model, versions: versions.all({ key }), verdict: job?.verdict ?? null, watchState: watched?.state ?? null };
}

/** The version that scores rows. Null for an unknown, foreign or deleted model. */
export function findOwnedChampion(
  database: Database,
  userKey: string,
  key: string,
): { version: number; filePath: string } | null {
  return statements(database).champion.get({ userKey, key }) ?? null;
}

/** Finds versions of deleted models and of any owner too: the flows of jobs need them. */
export function findModelVersion(database: Database, key: string, version: number): ModelVersion | null {
  return (
    statements(database)
      .versions.all({ key })
      .find((known) => known.version === version) ?? null
  );
}

/**
 * Lists the user's models whose champion was last judged to be in this state, sorted as by `listModels`. A model at
 * whose address a successor answers is left out.
 */
export function listModelsInState(
  database: Database,
  userKey: string,
  page: Page & Sorted,
  state: WatchState,
): Paged<ModelListItem> {
  return statements(database).listInState({ userKey, state }, page);
}

/** Newest first unless sorted: all of the user's, or those of one dataset. */
export function listModels(
  database: Database,
  userKey: string,
  page: Page & Sorted,
  datasetKey: string | null = null,
): Paged<ModelListItem> {
  const { list, listOfDataset } = statements(database);
  return datasetKey === null ? list({ userKey }, page) : listOfDataset({ userKey, datasetKey }, page);
}

/**
 * Makes another version of the job's model the champion; idempotent (D20). The job's figures become those of the new
 * champion (D41). Predictions keep the version they were made with.
 */
export function moveChampion(
  database: Database,
  userKey: string,
  trainingJobKey: string,
  version: number,
): { outcome: "MOVED"; modelKey: string } | { outcome: "NOT_FOUND" | "NO_MODEL" | "NO_VERSION" } {
  return database.write(() => {
    const isJob = and(eq(trainingJobs.key, trainingJobKey), eq(trainingJobs.userKey, userKey));
    const job = database.orm.select({ modelKey: trainingJobs.modelKey }).from(trainingJobs).where(isJob).get();
    if (job === undefined) return { outcome: "NOT_FOUND" };
    const detail = job.modelKey === null ? null : findOwnedModel(database, userKey, job.modelKey);
    if (detail === null) return { outcome: "NO_MODEL" };
    const champion = detail.versions.find((known) => known.version === version);
    if (champion === undefined) return { outcome: "NO_VERSION" };
    const { modelKey, achievedPerformance, trainingPerformance, testPerformance } = champion;
    database.orm.update(models).set({ championVersion: version }).where(eq(models.key, modelKey)).run();
    database.orm
      .update(trainingJobs)
      .set({ achievedPerformance, trainingPerformance, testPerformance })
      .where(isJob)
      .run();
    return { outcome: "MOVED", modelKey };
  });
}

/**
 * Names a model, or one of its versions. Null for an unknown, foreign or deleted model, and a version that it has not.
 */
export function nameModel(
  database: Database,
  userKey: string,
  { modelKey, version }: { modelKey: string; version: number | null },
  { name, note }: Naming,
): ModelDetail | null {
  return database.write(() => {
    const detail = findOwnedModel(database, userKey, modelKey);
    if (detail === null) return null;
    if (version !== null && !detail.versions.some((known) => known.version === version)) return null;
    const values = { ...(name !== undefined && { name }), ...(note !== undefined && { note }) };
    if (Object.keys(values).length === 0) return detail;
    if (version === null) database.orm.update(models).set(values).where(eq(models.key, modelKey)).run();
    else {
      const isVersion = and(eq(modelVersions.modelKey, modelKey), eq(modelVersions.version, version));
      database.orm.update(modelVersions).set(values).where(isVersion).run();
    }
    return findOwnedModel(database, userKey, modelKey);
  });
}

/** Names that models have, by key, deleted ones' too; models without a name are left out. */
export function modelNames(database: Database, keys: readonly string[]): ReadonlyMap<string, string> {
  const { key, name } = models;
  const isNamed = and(inArray(key, [...keys]), isNotNull(name));
  const rows = database.orm.select({ key, name }).from(models).where(isNamed).all();
  return new Map(rows.map((row) => [row.key, row.name!]));
}

/**
 * Hides the model; its job and predictions stay, and it shadows no other any more.
 * Idempotent. IN_USE while a prediction waits for it or runs, or a successor of it is under
 * way; ANSWERS while it answers at another model's address, ANSWERED while another one answers at its own.
 */
export function deleteModel(
  database: Database,
  userKey: string,
  key: string,
  now: Date,
): "DELETED" | "IN_USE" | "ANSWERS" | "ANSWERED" | "NOT_FOUND" {
  return deleteOwned(database, "models", [userKey, key], now, ({ answeringKey }: Pick<Model, "answeringKey">) => {
    const isUnfinished = sql`${predictions.status} IN ('PENDING', 'RUNNING')`;
    const isUse = and(eq(predictions.modelKey, key), isNull(predictions.deletedOn), isUnfinished);
    const use = database.orm.select({ key: predictions.key }).from(predictions).where(isUse).limit(1).get();
    if (use !== undefined || isModelInSuccession(database, key)) return "IN_USE";
    const isAnswering = and(eq(models.answeringKey, key), isNull(models.deletedOn));
    if (database.orm.select({ key: models.key }).from(models).where(isAnswering).get() !== undefined) return "ANSWERS";
    if (answeringKey !== null) return "ANSWERED";
    database.orm.update(models).set({ shadowKey: null }).where(eq(models.shadowKey, key)).run();
    return null;
  });
}
