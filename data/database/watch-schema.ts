// The tables of what models are given over time, as drizzle sees them: see data/watch-counts.ts.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { WatchState } from "../../engine/outcomes/health.ts";
import type { OutcomeCounts } from "../../engine/outcomes/outcomes.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";
import type { WatchFigures } from "./records.ts";

/** Counts of the rows that a version scored on a day, by UTC. */
export const watchDays = sqliteTable(
  "watchDays",
  {
    modelKey: text().notNull(),
    version: integer().notNull(),
    day: text().notNull(),
    counts: text({ mode: "json" }).$type<ScoredCounts>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.modelKey, table.version, table.day] })],
);

/** One for each prediction whose labels came later: see data/outcomes.ts. */
export const predictionOutcomes = sqliteTable("predictionOutcomes", {
  predictionKey: text().primaryKey(),
  userKey: text().notNull(),
  modelKey: text().notNull(),
  version: integer().notNull(),
  addedOn: text().notNull(),
  /** The file of labels, and its size; null once it was removed with the prediction's files. */
  path: text(),
  bytes: integer(),
  /** As they were asked for; null for the model's label, and for the rows' order. */
  labelColumn: text(),
  keyColumn: text(),
  /** False where another threshold than the trained one had decided. */
  asTrained: integer({ mode: "boolean" }).notNull(),
  counts: text({ mode: "json" }).$type<OutcomeCounts>().notNull(),
  /** False where the first record of the file of labels is data. */
  hasHeader: integer({ mode: "boolean" }).notNull().default(true),
});

/** One for each version that has scored rows since they are counted. */
export const watchedVersions = sqliteTable(
  "watchedVersions",
  {
    modelKey: text().notNull(),
    version: integer().notNull(),
    /** Counts rows of all days; days that are no longer kept are included. */
    rowCount: integer().notNull(),
    lastUsedOn: text().notNull(),
    /**
     * Null until it was judged the first time; then since when it is in this state, and the day it was last judged on.
     */
    state: text().$type<WatchState>(),
    stateSince: text(),
    judgedOn: text(),
    /** Describes the newest stretch of days that was judged. */
    figures: text({ mode: "json" }).$type<WatchFigures>(),
  },
  (table) => [primaryKey({ columns: [table.modelKey, table.version] })],
);
