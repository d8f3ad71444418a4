// How often a model and its shadow decide alike, counted by day; never a row.
import { and, desc, eq, gt, gte, inArray, lt, or, sql } from "drizzle-orm";
import type { Database } from "./database/database.ts";
import { models } from "./database/schema.ts";
import { shadowDays } from "./database/successor-schema.ts";
import type { VersionId } from "./watch-counts.ts";

export interface ShadowId extends VersionId {
  shadowKey: string;
  shadowVersion: number;
}

export interface ShadowCounts {
  rowCount: number;
  agreedCount: number;
  /** Rows that the shadow could not take. */
  unansweredCount: number;
}

/** Adds to what the day has. */
export function addShadowCounts(database: Database, id: ShadowId, day: string, counts: ShadowCounts): void {
  const { modelKey, version, shadowKey, shadowVersion } = shadowDays;
  database.orm
    .insert(shadowDays)
    .values({ ...id, day, ...counts })
    .onConflictDoUpdate({
      target: [modelKey, version, shadowKey, shadowVersion, shadowDays.day],
      set: {
        rowCount: sql`${shadowDays.rowCount} + ${counts.rowCount}`,
        agreedCount: sql`${shadowDays.agreedCount} + ${counts.agreedCount}`,
        unansweredCount: sql`${shadowDays.unansweredCount} + ${counts.unansweredCount}`,
      },
    })
    .run();
}

/** Counts of a version from a day on, one entry for each shadow; the one with the newest rows first. */
export function shadowCountsOf(
  database: Database,
  { modelKey, version }: VersionId,
  from: string,
): (ShadowCounts & Pick<ShadowId, "shadowKey" | "shadowVersion"> & { from: string; to: string })[] {
  const { shadowKey, shadowVersion, day } = shadowDays;
  const sum = (column: typeof shadowDays.rowCount) => sql<number>`sum(${column})`;
  return database.orm
    .select({
      ...{ shadowKey, shadowVersion },
      from: sql<string>`min(${day})`,
      to: sql<string>`max(${day})`,
      rowCount: sum(shadowDays.rowCount),
      agreedCount: sql<number>`sum(${shadowDays.agreedCount})`,
      unansweredCount: sql<number>`sum(${shadowDays.unansweredCount})`,
    })
    .from(shadowDays)
    .where(and(eq(shadowDays.modelKey, modelKey), eq(shadowDays.version, version), gte(day, from)))
    .groupBy(shadowKey, shadowVersion)
    .orderBy(desc(sql`max(${day})`), shadowKey, shadowVersion)
    .all();
}

/** Removes counts of days before `day`, and of deleted models. A few bytes a day, so all at once. */
export function removeShadowDays(database: Database, day: string): void {
  const deleted = database.orm.select({ key: models.key }).from(models).where(gt(models.deletedOn, ""));
  const isOfDeleted = or(inArray(shadowDays.modelKey, deleted), inArray(shadowDays.shadowKey, deleted));
  database.orm
    .delete(shadowDays)
    .where(or(lt(shadowDays.day, day), isOfDeleted))
    .run();
}
