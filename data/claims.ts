// The queues of jobs: whose job comes next, fairly across users.
import type { Database } from "./database/database.ts";

/** Keys of the jobs that a restart of the program had interrupted. */
export interface Recovery {
  /** Will be claimed again. */
  resumed: string[];
  /** Interrupted too often, or their cancel had been requested. */
  ended: string[];
}

interface Queue {
  /** Must match the condition of the table's partial index …Waiting word for word, or SQLite does not use the index. */
  waiting: string;
  since: string;
}

export const QUEUES = {
  refinements: {
    waiting: "claimed = 0 AND queuedOn IS NOT NULL AND finishedOn IS NULL",
    since: "queuedOn",
  },
  datasets: { waiting: "claimed = 0 AND status = 'PROCESSING' AND deletedOn IS NULL", since: "createdOn" },
  trainingJobs: { waiting: "claimed = 0 AND status IN ('PENDING', 'RUNNING')", since: "createdOn" },
  predictions: { waiting: "claimed = 0 AND status = 'PENDING' AND deletedOn IS NULL", since: "createdOn" },
} as const satisfies Record<string, Queue>;

export type QueueName = keyof typeof QUEUES;

/**
 * The oldest waiting job of the user who has the fewest claimed jobs of that kind; null where none waits. Jobs that a restart
 * interrupted wait like others. Costs two index look-ups per user, however many jobs wait. Call it inside a write.
 */
export function findNextWaiting(database: Database, queue: QueueName): string | null {
  return database.client.query<{ key: string }, []>(nextWaitingSql(queue)).get()?.key ?? null;
}

/**
 * Returns all claimed jobs to their queues at a regular stop, which does not count as a restart. Call it once no flow works
 * any more.
 */
export function releaseClaims(database: Database): void {
  database.write(() => {
    for (const queue of Object.keys(QUEUES) as QueueName[]) {
      database.client.run(`UPDATE ${queue} SET ${waitingAgain(queue)} WHERE claimed = 1`);
    }
  });
}

/**
 * Call it once after a start, before the first claim. Each job that a restart interrupted waits again, with one restart
 * more, unless `end` ends it and says so. `only` names the one job that is meant, where others go on.
 */
export function recoverJobs(
  database: Database,
  queue: QueueName,
  only: string | undefined,
  end: (job: { key: string; restarts: number }) => boolean,
): Recovery {
  return database.write(() => {
    const { client } = database;
    const recovery: Recovery = { resumed: [], ended: [] };
    const interrupted = client
      .query<{ key: string; restarts: number }, [string | null]>(
        `SELECT key, restarts FROM ${queue} WHERE claimed = 1 AND (?1 IS NULL OR key = ?1)`,
      )
      .all(only ?? null);
    for (const job of interrupted) {
      const isEnded = end(job);
      recovery[isEnded ? "ended" : "resumed"].push(job.key);
      if (isEnded) continue;
      client.run(`UPDATE ${queue} SET ${waitingAgain(queue)}, restarts = restarts + 1 WHERE key = ?`, [job.key]);
    }
    return recovery;
  });
}

/** A prediction begins anew; other jobs go on from their journals. */
function waitingAgain(queue: QueueName): string {
  return queue === "predictions" ? "claimed = 0, status = 'PENDING', startedOn = NULL" : "claimed = 0";
}

/**
 * Notes how long a claimed job has worked so far. Now and then is enough: the next process uses it, should the clock be set
 * back before that begins.
 */
export function noteElapsed(
  database: Database,
  queue: "refinements" | "trainingJobs",
  key: string,
  elapsedMs: number,
): void {
  database.client
    .query<unknown, [number, string]>(
      `UPDATE ${queue} SET elapsedMs = max(?, coalesce(elapsedMs, 0)) WHERE key = ? AND claimed = 1 AND finishedOn IS NULL`,
    )
    .run(elapsedMs, key);
}

/** Returns one claimed job to its queue, which does not count as a restart. Call it once its flow works no more. */
export function releaseClaim(database: Database, queue: "refinements", key: string): void {
  database.client
    .query<unknown, [string]>(`UPDATE ${queue} SET claimed = 0 WHERE key = ? AND claimed = 1 AND finishedOn IS NULL`)
    .run(key);
}

export function nextWaitingSql(queue: QueueName): string {
  const { waiting, since } = QUEUES[queue];
  return `SELECT job.key
    FROM (
      SELECT
        (SELECT id FROM ${queue} WHERE userKey = users.key AND ${waiting} ORDER BY ${since}, id LIMIT 1) AS id,
        (SELECT count(*) FROM ${queue} WHERE userKey = users.key AND claimed = 1) AS claimedCount
      FROM users
    ) AS candidate
    JOIN ${queue} AS job ON job.id = candidate.id
    ORDER BY candidate.claimedCount, job.${since}, job.id
    LIMIT 1`;
}
