// Retention: drops expired files, and those of removed users, from their rows; the caller then removes the files.
//
// The row changes first: a process that is killed in between leaves a file that no row names, which the next start
// sets aside. Each function returns paths that no row names any more.
import { and, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "./database/database.ts";
import { datasets, models, predictions, refinementFiles, refinements, users } from "./database/schema.ts";
import { successors } from "./database/successor-schema.ts";
import { statePaths } from "./files/state-folder.ts";
import { releaseOutcomeFiles } from "./outcomes.ts";
import { listRefinementFiles } from "./refinements/refinement-files.ts";
import { hasRemovedName } from "./users.ts";

/** Most rows of one transaction: other writers wait for it. */
export const MOST_RELEASED = 100;

/**
 * Marks all that removed users own as deleted, and returns the files of some of their predictions, models and kept rows
 * to be removed. The files of their datasets and refinements are overdue from then on. Call it again and again: a job
 * that was stopped may still leave a model.
 */
export function releaseThingsOfRemoved(database: Database, now: Date): string[] {
  return database.write(() => {
    const deletedOn = now.toISOString();
    for (const table of [datasets, refinements, successors] as const) {
      const isOpen = and(isNull(table.deletedOn), inArray(table.userKey, removedUsers(database)));
      database.orm.update(table).set({ deletedOn }).where(isOpen).run();
    }
    const isOwned = inArray(predictions.userKey, removedUsers(database));
    // Predictions whose files are gone are marked all at once, since a round ends once nothing is released.
    const hasNone = and(isOwned, isNull(predictions.deletedOn), isNull(predictions.inputPath));
    database.orm.update(predictions).set({ deletedOn }).where(hasNone).run();
    const files = [...releasePredictions(database, isOwned, deletedOn), ...releaseKeptRows(database)];
    const isModel = and(isNull(models.deletedOn), inArray(models.userKey, removedUsers(database)));
    const gone = database.orm.select({ key: models.key }).from(models).where(isModel).limit(MOST_RELEASED).all();
    const keys = gone.map(({ key }) => key);
    if (keys.length > 0) {
      database.orm.update(models).set({ deletedOn, shadowKey: null }).where(inArray(models.key, keys)).run();
    }
    return [...files, ...keys.map(statePaths.modelFolder)];
  });
}

/** Rows that successors of removed users had kept aside. */
function releaseKeptRows(database: Database): string[] {
  const isKept = and(isNotNull(successors.keptPath), inArray(successors.userKey, removedUsers(database)));
  const found = database.orm.select({ path: successors.keptPath }).from(successors).where(isKept).all();
  if (found.length === 0) return [];
  database.orm.update(successors).set({ keptPath: null, keptBytes: null }).where(isKept).run();
  return found.map(({ path }) => path!);
}

function removedUsers({ orm }: Database) {
  return orm.select({ key: users.key }).from(users).where(hasRemovedName);
}

/** `deletedBy`: null where deleted things keep their files, except those of removed users. */
function isOverdue(database: Database, table: typeof datasets | typeof refinements, deletedBy: Date | null) {
  const isOld = deletedBy === null ? undefined : lte(table.deletedOn, deletedBy.toISOString());
  return and(isNotNull(table.deletedOn), or(isOld, inArray(table.userKey, removedUsers(database))));
}

/** Files of datasets deleted by then. A file shared with a refinement stays while the refinement has it. */
export function releaseDeletedDatasets(database: Database, deletedBy: Date): string[] {
  return database.write(() => {
    const isDeleted = and(isNotNull(datasets.filePath), isOverdue(database, datasets, deletedBy));
    const expired = database.orm
      .select({ key: datasets.key, path: datasets.filePath, refinementKey: datasets.featureRefinementKey })
      .from(datasets)
      .where(isDeleted)
      .limit(MOST_RELEASED)
      .all();
    if (expired.length === 0) return [];
    const keys = expired.map(({ key }) => key);
    database.orm.update(datasets).set({ filePath: null }).where(inArray(datasets.key, keys)).run();
    return expired.flatMap(({ path, refinementKey }) => {
      const kept = refinementKey === null ? [] : listRefinementFiles(database, refinementKey);
      return kept.some((file) => file.path === path) ? [] : [path!];
    });
  });
}

/** Files of refinements deleted by then. A file shared with a dataset stays while the dataset has it. */
export function releaseDeletedRefinements(database: Database, deletedBy: Date | null): string[] {
  return database.write(() => {
    const isDataset = sql`EXISTS (SELECT 1 FROM ${datasets}
      WHERE ${datasets.featureRefinementKey} = ${refinements.key} AND ${datasets.filePath} = ${refinementFiles.path})`;
    const expired = database.orm
      .select({ file: refinementFiles })
      .from(refinements)
      .innerJoin(refinementFiles, eq(refinementFiles.refinementKey, refinements.key))
      .where(and(isOverdue(database, refinements, deletedBy), sql`NOT ${isDataset}`))
      .limit(MOST_RELEASED)
      .all();
    return expired.map(({ file }) => dropRefinementFile(database, file));
  });
}

/** Inputs, results and later labels of predictions that had ended by then; the predictions and all counts stay. */
export function releaseFinishedPredictions(database: Database, finishedBy: Date): string[] {
  return database.write(() => {
    const isFinished = and(lte(predictions.finishedOn, finishedBy.toISOString()), isNotNull(predictions.inputPath));
    return releasePredictions(database, isFinished, null);
  });
}

/** `deletedOn`: null for predictions that stay. */
function releasePredictions(database: Database, isMeant: SQL | undefined, deletedOn: string | null): string[] {
  const expired = database.orm
    .select({ key: predictions.key, inputPath: predictions.inputPath, resultPath: predictions.resultPath })
    .from(predictions)
    .where(and(isMeant, isNull(predictions.deletedOn)))
    .limit(MOST_RELEASED)
    .all();
  if (expired.length === 0) return [];
  const keys = expired.map(({ key }) => key);
  const none = { inputPath: null, inputBytes: null, resultPath: null, resultBytes: null };
  database.orm
    .update(predictions)
    .set({ ...none, deletedOn })
    .where(inArray(predictions.key, keys))
    .run();
  const labels = releaseOutcomeFiles(database, keys);
  const files = expired.flatMap(({ inputPath, resultPath }) => [inputPath, resultPath]);
  return [...labels, ...files].filter((path) => path !== null);
}

function dropRefinementFile(
  database: Database,
  { refinementKey, kind, purpose, path }: typeof refinementFiles.$inferSelect,
): string {
  const isFile = and(
    eq(refinementFiles.refinementKey, refinementKey),
    eq(refinementFiles.kind, kind),
    eq(refinementFiles.purpose, purpose),
  );
  database.orm.delete(refinementFiles).where(isFile).run();
  return path;
}
