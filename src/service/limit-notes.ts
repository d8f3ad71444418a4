// Notes limits that were hit in the audit trail, with few rows however often that happens.
import type { Database } from "../../data/database/database.ts";
import { actorOf, noteAudit } from "../api/audited.ts";
import { createRequestLimit } from "../auth/request-limit.ts";
import type { ProblemCode } from "../http/problem-codes.ts";
import type { Answered } from "../routing/answer.ts";

const LIMITS: ReadonlySet<ProblemCode | null> = new Set([
  "TOO_MANY_REQUESTS",
  "BODY_TOO_LARGE",
  "QUOTA_EXCEEDED",
  "STORAGE_FULL",
] as const);

/**
 * Each code and caller (or address) gets one row a minute. This limit holds for all callers together, because
 * addresses cost an attacker nothing.
 */
const MOST_ROWS_PER_MINUTE = 60;

/** `steadyMs` is a monotonic clock. The function throws if the database does. */
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
