// Retention: drops expired files from their rows, a few at a time; the caller then removes the files.
//
// The row changes first: a process that is killed in between leaves a file that no row names, which the next start
// removes. Each function returns paths that no row names any more.
import { and, eq, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Database } from "./database/database.ts";
import { datasets, predictions, refinementFiles, refinements } from "./database/schema.ts";
import { releaseOutcomeFiles } from "./outcomes.ts";
import { listRefinementFiles } from "./refinements/refinement-files.ts";

/** Most rows of one transaction: other writers wait for it. */
export const MOST_RELEASED = 100;

/** Files of datasets deleted by then. A file shared with a refinement stays while the refinement has it. */
export function releaseDeletedDatasets(database: Database, deletedBy: Date): string[] {
  return database.write(() => {
    const isDeleted = and(isNotNull(datasets.filePath), lte(datasets.deletedOn, deletedBy.toISOString()));
    const found = database.orm
      .select({ key: datasets.key, path: datasets.filePath, refinementKey: datasets.featureRefinementKey })
      .from(datasets)
      .where(and(isDeleted, isNotNull(datasets.deletedOn)))
      .limit(MOST_RELEASED)
      .all();
    if (found.length === 0) return [];
    const keys = found.map(({ key }) => key);
    database.orm.update(datasets).set({ filePath: null }).where(inArray(datasets.key, keys)).run();
    return found.flatMap(({ path, refinementKey }) => {
      const kept = refinementKey === null ? [] : listRefinementFiles(database, refinementKey);
      return kept.some((file) => file.path === path) ? [] : [path!];
    });
  });
}

/** Files of refinements deleted by then. A file shared with a dataset stays while the dataset has it. */
export function releaseDeletedRefinements(database: Database, deletedBy: Date): string[] {
  return database.write(() => {
    const isDataset = sql`EXISTS (SELECT 1 FROM ${datasets}
      WHERE ${datasets.featureRefinementKey} = ${refinements.key} AND ${datasets.filePath} = ${refinementFiles.path})`;
    const found = database.orm
      .select({ file: refinementFiles })
      .from(refinements)
      .innerJoin(refinementFiles, eq(refinementFiles.refinementKey, refinements.key))
      .where(
        and(
          lte(refinements.deletedOn, deletedBy.toISOString()),
          isNotNull(refinements.deletedOn),
          sql`NOT ${isDataset}`,
        ),
      )
      .limit(MOST_RELEASED)
      .all();
    return found.map(({ file }) => dropRefinementFile(database, file));
  });
}

/** Inputs, results and later labels of predictions that had ended by then; the predictions and all counts stay. */
export function releaseFinishedPredictions(database: Database, finishedBy: Date): string[] {
  return database.write(() => {
    const isFinished = and(lte(predictions.finishedOn, finishedBy.toISOString()), isNotNull(predictions.inputPath));
    const found = database.orm
      .select({ key: predictions.key, inputPath: predictions.inputPath, resultPath: predictions.resultPath })
      .from(predictions)
      .where(and(isFinished, isNull(predictions.deletedOn)))
      .limit(MOST_RELEASED)
      .all();
    if (found.length === 0) return [];
    const keys = found.map(({ key }) => key);
    const none = { inputPath: null, inputBytes: null, resultPath: null, resultBytes: null };
    database.orm.update(predictions).set(none).where(inArray(predictions.key, keys)).run();
    const labels = releaseOutcomeFiles(database, keys);
    return [...labels, ...found.flatMap(({ inputPath, resultPath }) => [inputPath, resultPath])].filter(
      (path) => path !== null,
    );
  });
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
