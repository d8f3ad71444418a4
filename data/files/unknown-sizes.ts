// Sizes that rows of an earlier form of the database do not have: measured once, from the files.
import { statSync } from "node:fs";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { models, modelVersions, predictions } from "../database/schema.ts";
import { type StateFolder, statePaths } from "./state-folder.ts";

/** A missing file counts as 0 bytes. Call it once after a start; it reads every row that is not deleted. */
export function measureUnknownSizes(database: Database, { locate }: StateFolder): void {
  const sizeOf = (path: string | null) =>
    path === null ? null : (statSync(locate(path), { throwIfNoEntry: false })?.size ?? 0);
  database.write(() => {
    const unknown = sql`(${predictions.inputBytes} IS NULL AND ${predictions.inputPath} IS NOT NULL)`;
    const inputs = database.orm
      .select()
      .from(predictions)
      .where(and(unknown, isNull(predictions.deletedOn)))
      .all();
    for (const { key, inputPath, resultPath } of inputs) {
      const sizes = { inputBytes: sizeOf(inputPath), resultBytes: sizeOf(resultPath) };
      database.orm.update(predictions).set(sizes).where(eq(predictions.key, key)).run();
    }
    const isUnknown = and(isNull(models.sizeBytes), isNull(models.deletedOn));
    for (const { key } of database.orm.select({ key: models.key }).from(models).where(isUnknown).all()) {
      const versions = database.orm.select().from(modelVersions).where(eq(modelVersions.modelKey, key)).all();
      const paths = [
        ...versions.map(({ filePath }) => filePath),
        statePaths.modelSummary(key),
        statePaths.modelReport(key),
      ];
      const sizeBytes = paths.reduce((sum, path) => sum + sizeOf(path)!, 0);
      database.orm.update(models).set({ sizeBytes }).where(eq(models.key, key)).run();
    }
  });
}
