// The tables of successors and shadows, as drizzle sees them: see
// data/successors.ts, data/model-lines.ts and data/shadow-counts.ts.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PairedDecisions } from "../../engine/successor/paired-decisions.ts";
import type { SuccessorSource } from "./records.ts";
import type { PromotionRule, SuccessorStatus } from "./states.ts";

export const successors = sqliteTable("successors", {
  id: integer().primaryKey(),
  key: text().notNull(),
  userKey: text().notNull(),
  firstModelKey: text().notNull(),
  /** The model that answered when the successor was asked for, and its champion then. */
  championKey: text().notNull(),
  championVersion: integer().notNull(),
  promote: text().$type<PromotionRule>().notNull(),
  status: text().$type<SuccessorStatus>().notNull(),
  /** Predictions whose labelled rows are used, oldest first. */
  sources: text({ mode: "json" }).$type<readonly SuccessorSource[]>().notNull(),
  /** The champion's dataset. */
  sourceDatasetKey: text().notNull(),
  /** The joined rows; null while JOINING. */
  datasetKey: text(),
  /** Null until TRAINING. */
  trainingJobKey: text(),
  /** Null until COMPARING. */
  challengerKey: text(),
  challengerVersion: integer(),
  /** The newest labelled rows; removed once both models have decided them. */
  keptPath: text(),
  keptBytes: integer(),
  /** How many rows of the champion's dataset are used, its last ones; null for all. */
  oldRows: integer(),
  /** How many these were. */
  trainRows: integer(),
  /** Champion and challenger on the kept rows; null until COMPLETED. */
  comparison: text({ mode: "json" }).$type<PairedDecisions>(),
  /** When it was made the one that answers, by its rule. */
  promotedOn: text(),
  errorReason: text(),
  createdOn: text().notNull(),
  finishedOn: text(),
  deletedOn: text(),
  claimed: integer({ mode: "boolean" }).notNull(),
  restarts: integer().notNull(),
});

/** Rows of a day, by UTC, that a model answered and its shadow decided. */
export const shadowDays = sqliteTable(
  "shadowDays",
  {
    modelKey: text().notNull(),
    version: integer().notNull(),
    shadowKey: text().notNull(),
    shadowVersion: integer().notNull(),
    day: text().notNull(),
    rowCount: integer().notNull(),
    agreedCount: integer().notNull(),
    /** Rows that the shadow could not take. */
    unansweredCount: integer().notNull(),
  },
  ({ modelKey, version, shadowKey, shadowVersion, day }) => [
    primaryKey({ columns: [modelKey, version, shadowKey, shadowVersion, day] }),
  ],
);
