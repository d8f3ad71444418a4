// Ends the jobs of a user who is removed: nobody could cancel them, or reach what they make.
import type { Database } from "../database/database.ts";
import { cancelRefinement } from "../refinements/refinements.ts";
import { findSuccessor, keepRowsNamed, stepSuccessor } from "../successors.ts";
import { cancelTrainingJob } from "../training-jobs.ts";

const REMOVED = "The user who asked for it was removed.";

/**
 * All that wait or run are CANCELLED; datasets and predictions, which have no such state, are FAILED. A server that
 * works on one stops within a second or two.
 */
export function endJobsOf(database: Database, userKey: string, now: Date): void {
  database.write(() => {
    const { client } = database;
    const keysOf = (table: string, open: string) =>
      client.query<{ key: string }, [string]>(`SELECT key FROM ${table} WHERE userKey = ? AND ${open}`).all(userKey);
    for (const { key } of keysOf("refinements", "finishedOn IS NULL")) cancelRefinement(database, userKey, key, now);
    for (const { key } of keysOf("trainingJobs", "status IN ('PENDING', 'RUNNING')")) {
      cancelTrainingJob(database, userKey, key, now);
    }
    for (const { key } of keysOf("successors", "finishedOn IS NULL")) {
      const successor = findSuccessor(database, key)!;
      stepSuccessor(database, successor, { status: "CANCELLED", errorReason: REMOVED }, now);
      keepRowsNamed(database, successor);
    }
    client.run(
      `UPDATE plannedTrainings SET status = 'CANCELLED', errorReason = ?2
        WHERE userKey = ?1 AND status IN ('WAITING', 'PREPARING')`,
      [userKey, REMOVED],
    );
    const failed = "status = 'FAILED', errorReason = ?2, claimed = 0";
    const values = [userKey, REMOVED, now.toISOString()];
    client.run(`UPDATE datasets SET ${failed}, processedOn = ?3 WHERE userKey = ?1 AND status = 'PROCESSING'`, values);
    client.run(
      `UPDATE predictions SET ${failed}, finishedOn = ?3 WHERE userKey = ?1 AND status IN ('PENDING', 'RUNNING')`,
      values,
    );
  });
}
