// The audit trail: who did what to which thing, when and from where. Rows
// are added, never changed, and removed when old.
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  lt,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import type { AuditAction } from "./database/audit-actions.ts";
import { type Database, perDatabase } from "./database/database.ts";
import type { Page, Paged } from "./database/pages.ts";
import { auditEvents } from "./database/schema.ts";

export type AuditEvent = typeof auditEvents.$inferSelect;

/** Who did it. All null: the command line, by whoever may use the state folder. */
export type AuditActor = Pick<AuditEvent, "userKey" | "email" | "apiKeyId" | "address" | "requestId">;

export interface NewAuditEvent extends Pick<AuditEvent, "action" | "objectKey"> {
  detail?: string | null;
}

/** Times are ISO-8601 texts as in the database. */
export interface AuditFilter {
  from?: string | undefined;
  /** Before this. */
  to?: string | undefined;
  action?: AuditAction | undefined;
  userKey?: string | undefined;
}

export const COMMAND_LINE: AuditActor = { userKey: null, email: null, apiKeyId: null, address: null, requestId: null };

const statements = perDatabase((orm) => {
  const { id: _id, ...columns } = getTableColumns(auditEvents);
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, sql.placeholder(name)]));
  return {
    insert: orm
      .insert(auditEvents)
      .values(values as { time: Placeholder; action: Placeholder })
      .prepare(),
  };
});

/** For use inside the write that makes the change, so that neither is kept without the other. */
export function recordAudit(database: Database, actor: AuditActor, event: NewAuditEvent, now: Date): void {
  statements(database).insert.run({ ...actor, detail: null, ...event, time: now.toISOString() });
}

/** Newest first. */
export function listAudit(database: Database, filter: AuditFilter, { offset, limit }: Page): Paged<AuditEvent> {
  const where = conditionOf(filter);
  const { orm } = database;
  const newest = [desc(auditEvents.time), desc(auditEvents.id)];
  const items = orm
    .select()
    .from(auditEvents)
    .where(where)
    .orderBy(...newest)
    .limit(limit)
    .offset(offset)
    .all();
  return { items, total: orm.select({ total: count() }).from(auditEvents).where(where).get()!.total };
}

/** The next events after number `id` (0 to begin), in the order written: reads all of them without holding all. */
export function auditAfter(database: Database, id: number, filter: AuditFilter, limit: number): AuditEvent[] {
  const where = and(gt(auditEvents.id, id), conditionOf(filter));
  return database.orm.select().from(auditEvents).where(where).orderBy(asc(auditEvents.id)).limit(limit).all();
}

/** Removes at most `most` events from before `time`, so that other writers get their turn; returns how many. */
export function removeAuditBefore(database: Database, time: Date, most: number): number {
  return database.write(() => {
    const { orm } = database;
    const old = orm.select({ id: auditEvents.id }).from(auditEvents).where(lt(auditEvents.time, time.toISOString()));
    orm
      .delete(auditEvents)
      .where(inArray(auditEvents.id, old.limit(most)))
      .run();
    return database.client.query<{ removed: number }, []>("SELECT changes() AS removed").get()!.removed;
  });
}

function conditionOf({ from, to, action, userKey }: AuditFilter): SQL | undefined {
  return and(
    from === undefined ? undefined : gte(auditEvents.time, from),
    to === undefined ? undefined : lt(auditEvents.time, to),
    action === undefined ? undefined : eq(auditEvents.action, action),
    userKey === undefined ? undefined : eq(auditEvents.userKey, userKey),
  );
}
