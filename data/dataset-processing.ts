// Datasets for the flow that processes them: claim, complete, fail, and go on after a restart.
import { and, eq, isNull } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { ClassCount } from "../engine/profile/profile.ts";
import type { Warning } from "../engine/warning.ts";
import { claimNext, type Recovery, recoverJobs } from "./database/claims.ts";
import type { Database } from "./database/database.ts";
import type { DatasetColumn } from "./database/records.ts";
import { datasets } from "./database/schema.ts";
import { MOST_RESTARTS, RESTARTED_TOO_OFTEN } from "./database/states.ts";
import type { Dataset } from "./datasets.ts";

/** The facts about a dataset that processing finds. */
export interface DatasetFacts {
  labelColumn: string;
  positiveLabel: string | null;
  classes: readonly ClassCount[];
  rowCount: number;
  columnCount: number;
  columns: readonly DatasetColumn[];
  warnings: readonly Warning[];
}

/** Takes the next PROCESSING dataset into work; null where none waits. */
export function claimNextDataset(database: Database): Dataset | null {
  return claimNext(
    database,
    "dataset",
    (key) => database.orm.update(datasets).set({ claimed: true }).where(eq(datasets.key, key)).returning().get()!,
  );
}

/** PROCESSING becomes COMPLETED. False for a dataset that is not claimed. */
export function completeDataset(database: Database, key: string, facts: DatasetFacts, now: Date): boolean {
  return change(database, key, {
    ...facts,
    status: "COMPLETED",
    processedOn: now.toISOString(),
    claimed: false,
  });
}

/** PROCESSING becomes FAILED. `errorCode` where the file is at fault. */
export function failDataset(
  database: Database,
  key: string,
  errorReason: string,
  now: Date,
  errorCode: string | null = null,
): boolean {
  const processedOn = now.toISOString();
  return change(database, key, { status: "FAILED", errorReason, errorCode, processedOn, claimed: false });
}

/** See `recoverJobs`; FAILED at the fourth interruption. */
export function recoverDatasets(database: Database, now: Date, only?: string): Recovery {
  return recoverJobs(
    database,
    "dataset",
    only,
    ({ key, restarts }) => restarts >= MOST_RESTARTS && failDataset(database, key, RESTARTED_TOO_OFTEN, now),
  );
}

function change(database: Database, key: string, values: SQLiteUpdateSetSource<typeof datasets>): boolean {
  const isInWork = and(
    eq(datasets.key, key),
    eq(datasets.status, "PROCESSING"),
    eq(datasets.claimed, true),
    isNull(datasets.deletedOn),
  );
  return database.orm.update(datasets).set(values).where(isInWork).returning({ key: datasets.key }).get() !== undefined;
}
