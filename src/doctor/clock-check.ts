// Checks the clock: it cannot be before the program was built, or before the newest entry of the database.
import type { Database as Client } from "bun:sqlite";
import { statSync } from "node:fs";
import { type Finding, ok, problem } from "./finding.ts";

/** Clocks kept by network time differ by seconds. */
const TOLERANCE_MS = 5 * 60_000;

const REMEDY =
  "Set the clock, best by network time (timedatectl). Tokens, upload addresses and time limits depend on it.";

/** Only columns that every form of the database has. */
const NEWEST = `SELECT max(at) AS newest FROM (
  SELECT max(createdOn) AS at FROM users
  UNION ALL SELECT max(createdOn) FROM apiKeys
  UNION ALL SELECT max(timestamp) FROM refinementActivities
  UNION ALL SELECT max(createdOn, coalesce(processedOn, '')) FROM datasets
  UNION ALL SELECT max(createdOn, coalesce(finishedOn, '')) FROM trainingJobs
  UNION ALL SELECT max(createdOn, coalesce(finishedOn, '')) FROM predictions
)`;

/** @param client null where the database cannot be read */
export function checkClock(client: Client | null, now: Date): Finding {
  const time = now.toISOString();
  const built = statSync(process.execPath).mtime;
  if (now.getTime() < built.getTime() - TOLERANCE_MS) {
    return problem(
      "clock",
      `It says ${time}, which is before this program was built (${built.toISOString()}).`,
      REMEDY,
    );
  }
  const newest = client?.query<{ newest: string | null }, []>(NEWEST).get()?.newest ?? null;
  if (newest !== null && now.getTime() < Date.parse(newest) - TOLERANCE_MS) {
    return problem("clock", `It says ${time}, but the database has an entry of ${newest}.`, REMEDY);
  }
  return ok("clock", `It is ${time}.`);
}
