// Counts of the rows that versions of models were given, by day: add, list, trim; and each version's last judged state.
import { and, desc, eq, gt, gte, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { WatchState } from "../engine/outcomes/health.ts";
import { addCounts, areAlike, keptCounts, type ScoredCounts } from "../engine/watch/scored-counts.ts";
import { type Database, perDatabase } from "./database/database.ts";
import type { WatchFigures } from "./database/records.ts";
import { models, modelVersions } from "./database/schema.ts";
import { watchDays, watchedVersions } from "./database/watch-schema.ts";

/** A version of a model. */
export interface VersionId {
  modelKey: string;
  version: number;
}

export type WatchedVersion = typeof watchedVersions.$inferSelect;
export type WatchedFile = WatchedVersion & { filePath: string; createdOn: string };

const statements = perDatabase((orm) => {
  const isVersion = and(
    eq(watchDays.modelKey, sql.placeholder("modelKey")),
    eq(watchDays.version, sql.placeholder("version")),
  );
  const isWatched = and(
    eq(watchedVersions.modelKey, sql.placeholder("modelKey")),
    eq(watchedVersions.version, sql.placeholder("version")),
  );
  return {
    day: orm
      .select({ counts: watchDays.counts })
      .from(watchDays)
      .where(and(isVersion, eq(watchDays.day, sql.placeholder("day"))))
      .prepare(),
    days: orm
      .select({ day: watchDays.day, counts: watchDays.counts })
      .from(watchDays)
      .where(and(isVersion, gte(watchDays.day, sql.placeholder("from"))))
      .orderBy(watchDays.day)
      .prepare(),
    watched: orm.select().from(watchedVersions).where(isWatched).prepare(),
    writeDay: orm
      .insert(watchDays)
      .values({
        modelKey: sql.placeholder("modelKey"),
        version: sql.placeholder("version"),
        day: sql.placeholder("day"),
        counts: sql.placeholder("counts"),
      })
      .onConflictDoUpdate({
        target: [watchDays.modelKey, watchDays.version, watchDays.day],
        set: { counts: sql`excluded.counts` },
      })
      .prepare(),
    addRows: orm
      .insert(watchedVersions)
      .values({
        modelKey: sql.placeholder("modelKey"),
        version: sql.placeholder("version"),
        rowCount: sql.placeholder("rowCount"),
        lastUsedOn: sql.placeholder("lastUsedOn"),
      })
      .onConflictDoUpdate({
        target: [watchedVersions.modelKey, watchedVersions.version],
        set: { rowCount: sql`${watchedVersions.rowCount} + excluded.rowCount`, lastUsedOn: sql`excluded.lastUsedOn` },
      })
      .prepare(),
  };
});

/** The day of a time, by UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/**
 * Adds counts to those of the day of `time`. Inside the transaction that ends a prediction, its rows count exactly
 * once. Counts that another program counted otherwise are replaced: they cannot be added up.
 */
export function addWatchCounts(database: Database, id: VersionId, counts: ScoredCounts, time: Date): void {
  if (counts.rowCount === 0) return;
  const { modelKey, version } = id;
  const day = dayOf(time);
  database.write(() => {
    const kept = keptCounts(counts);
    const known = statements(database).day.get({ modelKey, version, day })?.counts;
    const sum = known !== undefined && areAlike(known, kept) ? known : null;
    if (sum !== null) addCounts(sum, kept);
    const { writeDay, addRows } = statements(database);
    writeDay.run({ modelKey, version, day, counts: sum ?? kept });
    addRows.run({ modelKey, version, rowCount: counts.rowCount, lastUsedOn: time.toISOString() });
  });
}

/** Days from `from` on that have rows, oldest first. */
export function listWatchDays(
  database: Database,
  { modelKey, version }: VersionId,
  from: string,
): { day: string; counts: ScoredCounts }[] {
  return statements(database).days.all({ modelKey, version, from });
}

/** Null where the version has scored nothing that was counted. */
export function findWatchedVersion(database: Database, { modelKey, version }: VersionId): WatchedVersion | null {
  return statements(database).watched.get({ modelKey, version }) ?? null;
}

/** Versions of models that are not deleted, the one used last first. */
export function recentlyUsedVersions(database: Database, most: number): WatchedVersion[] {
  const { orm } = database;
  return orm
    .select({ watched: watchedVersions })
    .from(watchedVersions)
    .innerJoin(models, and(eq(models.key, watchedVersions.modelKey), isNull(models.deletedOn)))
    .orderBy(desc(watchedVersions.lastUsedOn), watchedVersions.modelKey, watchedVersions.version)
    .limit(most)
    .all()
    .map(({ watched }) => watched);
}

/**
 * Versions that are to be judged on a day and have not been, with their files, and when they were made; `most` at most.
 */
export function versionsToJudge(database: Database, day: string, most: number): WatchedFile[] {
  const isOfVersion = and(
    eq(modelVersions.modelKey, watchedVersions.modelKey),
    eq(modelVersions.version, watchedVersions.version),
  );
  return database.orm
    .select({ watched: watchedVersions, filePath: modelVersions.filePath, createdOn: models.createdOn })
    .from(watchedVersions)
    .innerJoin(modelVersions, isOfVersion)
    .innerJoin(models, and(eq(models.key, watchedVersions.modelKey), isNull(models.deletedOn)))
    .where(or(isNull(watchedVersions.judgedOn), lt(watchedVersions.judgedOn, day)))
    .orderBy(watchedVersions.modelKey, watchedVersions.version)
    .limit(most)
    .all()
    .map(({ watched, ...file }) => ({ ...watched, ...file }));
}

/** Notes how a version was judged on a day. True where its state is another one than before. */
export function noteWatchState(
  database: Database,
  { modelKey, version }: VersionId,
  judged: { state: WatchState; figures: WatchFigures | null },
  now: Date,
): boolean {
  return database.write(() => {
    const { state, figures } = judged;
    const known = findWatchedVersion(database, { modelKey, version });
    if (known === null) return false;
    const isChanged = known.state !== state;
    const since = isChanged ? { stateSince: now.toISOString() } : {};
    database.orm
      .update(watchedVersions)
      .set({ state, figures, judgedOn: dayOf(now), ...since })
      .where(and(eq(watchedVersions.modelKey, modelKey), eq(watchedVersions.version, version)))
      .run();
    return isChanged;
  });
}

/** Has a version judged with the next round, since labels came or went. */
export function judgeAgain(database: Database, { modelKey, version }: VersionId, now: Date): void {
  const values = { modelKey, version, rowCount: 0, lastUsedOn: now.toISOString() };
  database.orm
    .insert(watchedVersions)
    .values(values)
    .onConflictDoUpdate({
      target: [watchedVersions.modelKey, watchedVersions.version],
      set: { judgedOn: null },
    })
    .run();
}

/** Removes counts of days before `day`, and of deleted models; returns how many days, `most` at most. */
export function removeWatchDays(database: Database, day: string, most: number): number {
  return database.write(() => {
    const { orm, client } = database;
    const deleted = orm.select({ key: models.key }).from(models).where(gt(models.deletedOn, ""));
    const old = orm
      .select({ rowid: sql`rowid` })
      .from(watchDays)
      .where(or(lt(watchDays.day, day), inArray(watchDays.modelKey, deleted)))
      .limit(most);
    orm.delete(watchDays).where(inArray(sql`rowid`, old)).run();
    const { removed } = client.query<{ removed: number }, []>("SELECT changes() AS removed").get()!;
    orm.delete(watchedVersions).where(inArray(watchedVersions.modelKey, deleted)).run();
    return removed;
  });
}
