// Predictions: create, find, list, delete; for their flow also claim, complete, fail, and go on after a restart.
import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { ClassCount } from "../engine/profile/profile.ts";
import type { Warning } from "../engine/warning.ts";
import type { ScoredCounts } from "../engine/watch/scored-counts.ts";
import type { WatchReport } from "../engine/watch/watch-report.ts";
import { claimNext, type Recovery, recoverJobs } from "./database/claims.ts";
import { type Database, perDatabase } from "./database/database.ts";
import { deleteOwned, type Page, type Paged, pagesOf, type Sorted } from "./database/pages.ts";
import { predictionShifts, predictions } from "./database/schema.ts";
import { MOST_RESTARTS, RESTARTED_TOO_OFTEN } from "./database/states.ts";
import { findOwnedModel } from "./models.ts";
import { addWatchCounts, type VersionId } from "./watch-counts.ts";

export type Prediction = typeof predictions.$inferSelect;

export interface NewPrediction extends Pick<Prediction, "key" | "userKey" | "modelKey" | "version" | "filterColumns"> {
  inputPath: string;
  inputBytes: number;
  /** False where the first record is data; true by default. */
  hasHeader?: boolean;
  /** The client's name for the input, without folders. */
  fileName?: string | null;
  /** Reasons to give for each row of the result; none by default. */
  reasonCount?: number;
  /** The column by which labels that come later find their rows; none by default. */
  keyColumn?: string | null;
  /** The model that was asked, where another one of its line answers. */
  askedModelKey?: string | null;
}

export interface PredictionEnd {
  resultPath: string;
  resultBytes: number;
  rowCount: number;
  /** Rows by predicted label. */
  labelCounts?: readonly ClassCount[];
  /** Rows by tenths of confidence. */
  confidenceCounts?: readonly number[];
  /** Above which probability the positive label was predicted; null where there are more than two labels. */
  threshold?: number | null;
  warnings: readonly Warning[];
  /** The file beside the training rows. */
  watch?: WatchReport;
  /** Added to the counts of its version's day; left out where nothing is watched. */
  counts?: ScoredCounts;
}

const statements = perDatabase((orm) => {
  const isListed = and(eq(predictions.userKey, sql.placeholder("userKey")), isNull(predictions.deletedOn));
  const isOfModel = and(
    or(
      eq(predictions.modelKey, sql.placeholder("modelKey")),
      eq(predictions.askedModelKey, sql.placeholder("modelKey")),
    ),
    isListed,
  );
  const rows = () => orm.select().from(predictions).$dynamic();
  return {
    owned: rows()
      .where(and(eq(predictions.key, sql.placeholder("key")), isListed))
      .prepare(),
    list: pagesOf(orm, rows(), predictions, isListed, {
      fileName: sql`${predictions.fileName} COLLATE NOCASE`,
      rowCount: sql`${predictions.rowCount}`,
    }),
    listOfModel: pagesOf(orm, rows(), predictions, isOfModel),
  };
});

/** PENDING. Null where the user has no such model, or the model no such version. */
export function insertPrediction(database: Database, prediction: NewPrediction, now: Date): Prediction | null {
  return database.write(() => {
    const detail = findOwnedModel(database, prediction.userKey, prediction.modelKey);
    if (detail === null || !detail.versions.some(({ version }) => version === prediction.version)) return null;
    return database.orm
      .insert(predictions)
      .values({
        ...prediction,
        datasetKey: detail.model.datasetKey,
        status: "PENDING",
        warnings: [],
        createdOn: now.toISOString(),
        claimed: false,
        restarts: 0,
      })
      .returning()
      .get();
  });
}

/** Null for an unknown, foreign or deleted one. */
export function findOwnedPrediction(database: Database, userKey: string, key: string): Prediction | null {
  return statements(database).owned.get({ userKey, key }) ?? null;
}

/** Newest first unless sorted: all of the user's, or those that one model made or was asked for. */
export function listPredictions(
  database: Database,
  userKey: string,
  page: Page & Sorted,
  modelKey: string | null = null,
): Paged<Prediction> {
  const { list, listOfModel } = statements(database);
  return modelKey === null ? list({ userKey }, page) : listOfModel({ userKey, modelKey }, page);
}

/** Idempotent. One that waits is never begun; one that runs is FAILED, so that its flow cannot complete it. */
export function deletePrediction(database: Database, userKey: string, key: string, now: Date): "DELETED" | "NOT_FOUND" {
  return database.write(() => {
    const outcome = deleteOwned<Prediction, never>(database, "predictions", [userKey, key], now, () => null);
    if (outcome === "DELETED") failPrediction(database, key, "FAILED", "It was deleted while it ran.", now);
    return outcome;
  });
}

/** Takes the next prediction into work: PENDING becomes RUNNING. Null where none waits. */
export function claimNextPrediction(database: Database, now: Date): Prediction | null {
  return claimNext(database, "prediction", (key) => {
    const claimed = { claimed: true, status: "RUNNING", startedOn: now.toISOString() } as const;
    return database.orm.update(predictions).set(claimed).where(eq(predictions.key, key)).returning().get()!;
  });
}

/** RUNNING becomes COMPLETED, and its rows are counted, once. False for one that is not claimed and RUNNING. */
export function completePrediction(database: Database, key: string, end: PredictionEnd, now: Date): boolean {
  const { watch, counts, ...result } = end;
  const values = { ...result, status: "COMPLETED", finishedOn: now.toISOString(), claimed: false } as const;
  return database.write(() => {
    const isDone = change(database, key, values);
    if (isDone && counts !== undefined) addWatchCounts(database, versionOf(database, key), counts, now);
    if (isDone && watch !== undefined) {
      database.orm.insert(predictionShifts).values({ predictionKey: key, report: watch }).run();
    }
    return isDone;
  });
}

function versionOf(database: Database, key: string): VersionId {
  const { modelKey, version } = predictions;
  return database.orm.select({ modelKey, version }).from(predictions).where(eq(predictions.key, key)).get()!;
}

/** Null for predictions of earlier versions, and those that are not completed. */
export function findShift(database: Database, key: string): WatchReport | null {
  const isOfKey = eq(predictionShifts.predictionKey, key);
  return database.orm.select().from(predictionShifts).where(isOfKey).get()?.report ?? null;
}

/** RUNNING becomes FAILED or TIMEOUT. */
export function failPrediction(
  database: Database,
  key: string,
  status: "FAILED" | "TIMEOUT",
  errorReason: string,
  now: Date,
): boolean {
  return change(database, key, { status, errorReason, finishedOn: now.toISOString(), claimed: false });
}

/** See `recoverJobs`: RUNNING becomes PENDING again (D10), FAILED at the fourth interruption. */
export function recoverPredictions(database: Database, now: Date, only?: string): Recovery {
  return recoverJobs(
    database,
    "prediction",
    only,
    ({ key, restarts }) =>
      restarts >= MOST_RESTARTS && failPrediction(database, key, "FAILED", RESTARTED_TOO_OFTEN, now),
  );
}

/** Changes a prediction that is claimed and RUNNING. */
function change(database: Database, key: string, values: SQLiteUpdateSetSource<typeof predictions>): boolean {
  const isInWork = and(eq(predictions.key, key), eq(predictions.status, "RUNNING"), eq(predictions.claimed, true));
  const changed = database.orm.update(predictions).set(values).where(isInWork).returning({ key: predictions.key });
  return changed.get() !== undefined;
}
