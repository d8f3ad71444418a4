// How many jobs there are, by kind and state, and how long the oldest waits: for the figures of the service.
import { QUEUES, type QueueName } from "./claims.ts";
import type { Database } from "./database/database.ts";

export type JobKind = "refinement" | "dataset" | "training" | "prediction";

const TABLES = {
  refinement: "refinements",
  dataset: "datasets",
  training: "trainingJobs",
  prediction: "predictions",
} as const satisfies Record<JobKind, QueueName>;

/**
 * States of stages have numbers in them: what is under way is told by the claim. Each index …States holds all that its query
 * asks for, without which a count would read every row of the table.
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
};

const KINDS = Object.keys(TABLES) as JobKind[];

/**
 * Jobs by kind and state; deleted ones do not count. States are those of the API, but OPEN for what is not started, WAITING
 * for what waits for a place, and RUNNING for what has one.
 */
export function countJobs(database: Database) {
  return KINDS.flatMap((kind) =>
    database.client
      .query<{ state: string; count: number }, []>(COUNTS[kind])
      .all()
      .map((row) => ({ kind, ...row })),
  );
}

/** By kind, when the job that waits longest was queued; null where none waits. Costs an index look-up for each user. */
export function oldestWaiting(database: Database) {
  return KINDS.map((kind) => {
    const { waiting, since } = QUEUES[TABLES[kind]];
    const question = `SELECT min(since) AS since FROM (
      SELECT (SELECT ${since} FROM ${TABLES[kind]} WHERE userKey = users.key AND ${waiting} ORDER BY ${since} LIMIT 1) AS since
      FROM users)`;
    return { kind, ...database.client.query<{ since: string | null }, []>(question).get()! };
  });
}

/** How a job ended; null where it has not, and is left for the next start. */
export function endOfJob(database: Database, kind: JobKind, key: string): string | null {
  const column = kind === "refinement" ? "state" : "status";
  const question = `SELECT ${column} AS state FROM ${TABLES[kind]} WHERE key = ? AND claimed = 0`;
  return database.client.query<{ state: string }, [string]>(question).get(key)?.state ?? null;
}
