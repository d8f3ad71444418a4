// Lines of models: a first model with its successors, which of them answers at
// the first one's address, and who decides beside it.
import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { type Database, perDatabase } from "./database/database.ts";
import { models } from "./database/schema.ts";
import { findOwnedModel, type ModelDetail } from "./models.ts";

type Model = ModelDetail["model"];

export interface ModelLine {
  /** The first model: its address is the line's. */
  first: Model;
  /** The one that answers there. */
  answeringKey: string;
  /** All that are not deleted, the first one too, oldest first. */
  models: Model[];
}

const statements = perDatabase((orm) => {
  const isListed = and(eq(models.userKey, sql.placeholder("userKey")), isNull(models.deletedOn));
  const isOfLine = or(eq(models.key, sql.placeholder("first")), eq(models.firstModelKey, sql.placeholder("first")));
  return {
    answering: orm
      .select({ answeringKey: models.answeringKey, shadowKey: models.shadowKey })
      .from(models)
      .where(and(eq(models.key, sql.placeholder("key")), isListed))
      .prepare(),
    line: orm
      .select()
      .from(models)
      .where(and(isOfLine, isListed))
      .orderBy(asc(models.createdOn), asc(models.id))
      .prepare(),
  };
});

/**
 * Which model answers what is asked of this one, and which decides it too.
 * Null for an unknown, foreign or deleted model.
 */
export function findAnswering(
  database: Database,
  userKey: string,
  key: string,
): { modelKey: string; shadowKey: string | null } | null {
  const found = statements(database).answering.get({ userKey, key });
  return found === undefined ? null : { modelKey: found.answeringKey ?? key, shadowKey: found.shadowKey };
}

/**
 * The line of a model; one whose first model is deleted begins a line of its
 * own. Null for an unknown, foreign or deleted model.
 */
export function findLine(database: Database, userKey: string, key: string): ModelLine | null {
  const model = findOwnedModel(database, userKey, key)?.model ?? null;
  if (model === null) return null;
  const { firstModelKey } = model;
  const first = (firstModelKey === null ? null : findOwnedModel(database, userKey, firstModelKey)?.model) ?? model;
  const models = statements(database).line.all({ userKey, first: first.key });
  return { first, answeringKey: first.answeringKey ?? first.key, models };
}

/**
 * Puts a model into the line of another. Both keep answering at their own addresses. For use inside the write that
 * compares them.
 */
export function joinLine(database: Database, key: string, firstModelKey: string): void {
  database.orm.update(models).set({ firstModelKey }).where(eq(models.key, key)).run();
}

/**
 * Makes a model the one that answers at its line's address. Idempotent: `isMoved` is false if it was the one already.
 * Null as `findLine`.
 */
export function promoteModel(
  database: Database,
  userKey: string,
  key: string,
): { line: ModelLine; isMoved: boolean } | null {
  return database.write(() => {
    const line = findLine(database, userKey, key);
    if (line === null) return null;
    const isMoved = line.answeringKey !== key;
    const answeringKey = key === line.first.key ? null : key;
    if (isMoved) database.orm.update(models).set({ answeringKey }).where(eq(models.key, line.first.key)).run();
    return { line: { ...line, answeringKey: key }, isMoved };
  });
}

/**
 * Has the model `shadowKey` score every row that the model `key` is asked for, without its answers being sent; null
 * ends that. False for an unknown, foreign or deleted model.
 */
export function setShadow(database: Database, userKey: string, key: string, shadowKey: string | null): boolean {
  const isOwned = and(eq(models.key, key), eq(models.userKey, userKey), isNull(models.deletedOn));
  const changed = database.orm.update(models).set({ shadowKey }).where(isOwned).returning({ key: models.key });
  return changed.get() !== undefined;
}
