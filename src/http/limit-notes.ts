// Limits that were hit, for the audit trail: few rows, however often somebody runs against one.
import type { Database } from "../../data/database/database.ts";
import { createRequestLimit } from "../auth/request-limit.ts";
import type { Answered } from "./answer.ts";
import { actorOf, noteAudit } from "./audited.ts";
import type { ProblemCode } from "./problem-codes.ts";

const LIMITS: ReadonlySet<ProblemCode | null> = new Set([
  "TOO_MANY_REQUESTS",
  "BODY_TOO_LARGE",
  "QUOTA_EXCEEDED",
  "STORAGE_FULL",
] as const);

/** Each code and caller (or address) gets one row a minute, and all together this many: addresses cost an attacker nothing. */
const MOST_ROWS_PER_MINUTE = 60;

/** Writes down the refusals that are limits; `steadyMs` is a monotonic clock. Throws where the database does. */
export function createLimitNotes(
  database: Database,
  steadyMs: () => number,
  now: () => Date,
): (request: Answered) => void {
  const ofEach = createRequestLimit(steadyMs, 1);
  const ofAll = createRequestLimit(steadyMs, MOST_ROWS_PER_MINUTE);
  return ({ code, caller, address, requestId }) => {
    if (!LIMITS.has(code)) return;
    if (ofEach.admit(`${code} ${caller?.userKey ?? address}`) !== null || ofAll.admit("") !== null) return;
    const actor = actorOf({ caller, clientAddress: address, requestId });
    noteAudit({ database, now }, actor, { action: "LIMIT_HIT", objectKey: null, detail: code });
  };
}
