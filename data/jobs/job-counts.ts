// How many jobs there are, by kind and state, and how long the oldest waits: for the figures of the service.

import { JOB_KINDS, type JobKind, QUEUES } from "../database/claims.ts";
import type { Database } from "../database/database.ts";

/**
 * Whether a job runs is told by its claim: states of stages have numbers in them. Each index
 * …States covers its query; without it a count would read every row.
 */
const COUNTS: Readonly<Record<JobKind, string>> = {
  refinement: `SELECT CASE
      WHEN state IN ('REFINEMENT_COMPLETED', 'ERROR', 'TIMEOUT', 'CANCELLED') THEN state
      WHEN claimed = 1 THEN 'RUNNING'
      WHEN queuedOn IS NULL THEN 'OPEN'
      ELSE 'WAITING' END AS state, count(*) AS count
    FROM refinements INDEXED BY refinementStates WHERE deletedOn IS NULL GROUP BY 1`,
  dataset: `SELECT CASE
      WHEN status = 'PENDING' THEN 'OPEN'
      WHEN status <> 'PROCESSING' THEN status
      WHEN claimed = 1 THEN 'RUNNING'
      ELSE 'WAITING' END AS state, count(*) AS count
    FROM datasets INDEXED BY datasetStates WHERE deletedOn IS NULL GROUP BY 1`,
  training: `SELECT CASE
      WHEN status NOT IN ('PENDING', 'RUNNING') THEN status
      WHEN claimed = 1 THEN 'RUNNING'
      ELSE 'WAITING' END AS state, count(*) AS count
    FROM trainingJobs INDEXED BY trainingJobStates GROUP BY 1`,
  prediction: `SELECT CASE WHEN status = 'PENDING' THEN 'WAITING' ELSE status END AS state, count(*) AS count
    FROM predictions INDEXED BY predictionStates WHERE deletedOn IS NULL GROUP BY 1`,
  successor: `SELECT CASE
      WHEN status IN ('COMPLETED', 'FAILED', 'CANCELLED') THEN status
      WHEN claimed = 1 THEN 'RUNNING'
      ELSE 'WAITING' END AS state, count(*) AS count
    FROM successors INDEXED BY successorStates WHERE deletedOn IS NULL GROUP BY 1`,
};

/**
 * Jobs by kind and state; deleted ones do not count. States are those of the API, but OPEN where
 * not started, WAITING where queued, and RUNNING where at work.
 */
export function countJobs(database: Database) {
  return JOB_KINDS.flatMap((kind) =>
    database.client
      .query<{ state: string; count: number }, []>(COUNTS[kind])
      .all()
      .map((row) => ({ kind, ...row })),
  );
}

/** When the job that has waited longest was queued, by kind; null where none waits. Costs an index look-up per user. */
export function oldestWaiting(database: Database) {
  return JOB_KINDS.map((kind) => {
    const { table, waiting, since } = QUEUES[kind];
    const question = `SELECT min(since) AS since FROM (
      SELECT (SELECT ${since} FROM ${table} WHERE userKey = users.key AND ${waiting} ORDER BY ${since} LIMIT 1) AS since
      FROM users)`;
    return { kind, ...database.client.query<{ since: string | null }, []>(question).get()! };
  });
}

/** The state in which a job ended; null where it has not. */
export function endOfJob(database: Database, kind: JobKind, key: string): string | null {
  const column = kind === "refinement" ? "state" : "status";
  const question = `SELECT ${column} AS state FROM ${QUEUES[kind].table} WHERE key = ? AND claimed = 0`;
  return database.client.query<{ state: string }, [string]>(question).get(key)?.state ?? null;
}
