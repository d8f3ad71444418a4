// The queues of jobs, one per kind: which job comes next, fairly across users.
import type { Database } from "./database.ts";

/** Keys of the jobs that a restart interrupted. */
export interface Recovery {
  /** Jobs that wait again. */
  resumed: string[];
  /** Interrupted too often, or cancelled before. */
  ended: string[];
}

interface Queue {
  table: string;
  /** Must match the condition of the table's partial index …Waiting word for word, or SQLite does not use the index. */
  waiting: string;
  since: string;
}

export const QUEUES = {
  refinement: {
    table: "refinements",
    waiting: "claimed = 0 AND queuedOn IS NOT NULL AND finishedOn IS NULL",
    since: "queuedOn",
  },
  dataset: {
    table: "datasets",
    waiting: "claimed = 0 AND status = 'PROCESSING' AND deletedOn IS NULL",
    since: "createdOn",
  },
  training: {
    table: "trainingJobs",
    waiting: "claimed = 0 AND status IN ('PENDING', 'RUNNING')",
    since: "createdOn",
  },
  prediction: {
    table: "predictions",
    waiting: "claimed = 0 AND status = 'PENDING' AND deletedOn IS NULL",
    since: "createdOn",
  },
  successor: {
    table: "successors",
    waiting: "claimed = 0 AND status IN ('JOINING', 'COMPARING')",
    since: "createdOn",
  },
} as const satisfies Record<string, Queue>;

export type JobKind = keyof typeof QUEUES;

export const JOB_KINDS = Object.keys(QUEUES) as JobKind[];

/**
 * The oldest waiting job of the user who has the fewest claimed jobs of that kind; null where none waits. Costs two
 * index look-ups per user, however many jobs wait.
 */
export function findNextWaiting(database: Database, kind: JobKind): string | null {
  return database.client.query<{ key: string }, []>(nextWaitingSql(kind)).get()?.key ?? null;
}

/** Lets `claim` take the next job into work, in one transaction; null where none waits. */
export function claimNext<Job>(database: Database, kind: JobKind, claim: (key: string) => Job): Job | null {
  return database.write(() => {
    const key = findNextWaiting(database, kind);
    return key === null ? null : claim(key);
  });
}

/**
 * Returns all claimed jobs to their queues at a regular stop, which is no restart. Call it once no flow works any more.
 */
export function releaseClaims(database: Database): void {
  database.write(() => {
    for (const kind of JOB_KINDS) {
      database.client.run(`UPDATE ${QUEUES[kind].table} SET ${waitingAgain(kind)} WHERE claimed = 1`);
    }
  });
}

/**
 * Call it once after a start, before the first claim. Each interrupted job waits again, with one restart more, unless
 * `end` ends it and returns true. `only`: the key of the one job to recover while others run.
 */
export function recoverJobs(
  database: Database,
  kind: JobKind,
  only: string | undefined,
  end: (job: { key: string; restarts: number }) => boolean,
): Recovery {
  return database.write(() => {
    const { client } = database;
    const { table } = QUEUES[kind];
    const recovery: Recovery = { resumed: [], ended: [] };
    const interrupted = client
      .query<{ key: string; restarts: number }, [string | null]>(
        `SELECT key, restarts FROM ${table} WHERE claimed = 1 AND (?1 IS NULL OR key = ?1)`,
      )
      .all(only ?? null);
    for (const job of interrupted) {
      const isEnded = end(job);
      recovery[isEnded ? "ended" : "resumed"].push(job.key);
      if (isEnded) continue;
      client.run(`UPDATE ${table} SET ${waitingAgain(kind)}, restarts = restarts + 1 WHERE key = ?`, [job.key]);
    }
    return recovery;
  });
}

/** A prediction begins anew; other jobs go on from their journals. */
function waitingAgain(kind: JobKind): string {
  return kind === "prediction" ? "claimed = 0, status = 'PENDING', startedOn = NULL" : "claimed = 0";
}

/** Notes how long a claimed job has worked so far, for a restart after which the clock is behind. */
export function noteElapsed(database: Database, kind: "refinement" | "training", key: string, elapsedMs: number): void {
  database.client
    .query<unknown, [number, string]>(
      `UPDATE ${QUEUES[kind].table} SET elapsedMs = max(?, coalesce(elapsedMs, 0)) WHERE key = ? ` +
        "AND claimed = 1 AND finishedOn IS NULL",
    )
    .run(elapsedMs, key);
}

/** Returns a claimed refinement to its queue, which is no restart. Call it once its flow works no more. */
export function releaseRefinement(database: Database, key: string): void {
  database.client
    .query<unknown, [string]>(`UPDATE refinements SET claimed = 0 WHERE key = ? AND claimed = 1 AND finishedOn IS NULL`)
    .run(key);
}

export function nextWaitingSql(kind: JobKind): string {
  const { table, waiting, since } = QUEUES[kind];
  return `SELECT job.key
    FROM (
      SELECT
        (SELECT id FROM ${table} WHERE userKey = users.key AND ${waiting} ORDER BY ${since}, id LIMIT 1) AS id,
        (SELECT count(*) FROM ${table} WHERE userKey = users.key AND claimed = 1) AS claimedCount
      FROM users
    ) AS candidate
    JOIN ${table} AS job ON job.id = candidate.id
    ORDER BY candidate.claimedCount, job.${since}, job.id
    LIMIT 1`;
}
