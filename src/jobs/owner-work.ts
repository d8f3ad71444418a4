// Work that the server begins for a user who asked for it earlier: recorded as the user's, though no request does it.
import { randomUUID } from "node:crypto";
import { type NewAuditEvent, recordAudit } from "../../data/audit.ts";
import type { Database } from "../../data/database/database.ts";
import type { ColumnSettings } from "../../data/database/records.ts";
import type { Dataset } from "../../data/datasets.ts";
import { insertTrainingJob, type NewTrainingJob } from "../../data/training-jobs.ts";
import { findUser } from "../../data/users.ts";

type RequestedTraining = Omit<NewTrainingJob, "key" | "userKey" | "datasetKey" | keyof ColumnSettings>;

/** Queues a training on a COMPLETED dataset, with its choice of columns; returns the job's key. */
export function beginTraining(
  database: Database,
  dataset: Dataset,
  request: RequestedTraining,
  detail: string | null,
): string {
  const { key: datasetKey, userKey, groupColumn, timeColumn, keepKeyColumns, withoutColumns, columnChoices } = dataset;
  const columns = { groupColumn, timeColumn, keepKeyColumns, withoutColumns, columnChoices };
  const now = new Date();
  const job = insertTrainingJob(database, { key: randomUUID(), userKey, datasetKey, ...columns, ...request }, now)!;
  auditAsOwner(database, userKey, { action: "TRAINING_STARTED", objectKey: job.key, detail }, now);
  return job.key;
}

/** Without an address: no request did it. */
export function auditAsOwner(database: Database, userKey: string, event: NewAuditEvent, now: Date): void {
  const email = findUser(database, userKey)?.email ?? null;
  recordAudit(database, { userKey, email, apiKeyId: null, address: null, requestId: null }, event, now);
}
