// Records who did what: a change in its own transaction, a download before its first byte.

import { type AuditActor, type NewAuditEvent, recordAudit } from "../../data/audit.ts";
import type { AuditAction } from "../../data/database/audit-actions.ts";
import type { Caller } from "../auth/bearer.ts";
import type { Call } from "../routing/route.ts";
import { backlogOf } from "../storage/audit-backlog.ts";
import { storageFault, unlessDisk } from "../storage/storage-fault.ts";
import type { Services } from "./services.ts";

type AuditServices = Pick<Services, "database" | "now">;

type AuditedCall = Pick<Call<unknown, unknown, unknown, Caller | null>, "caller" | "clientAddress" | "requestId">;

/** Actions that free room, end work or withdraw rights: done even if the disk has no room for their row. */
const DONE_WITHOUT_ROW: ReadonlySet<AuditAction> = new Set([
  "REFINEMENT_CANCELLED",
  "REFINEMENT_DELETED",
  "DATASET_DELETED",
  "TRAINING_PLAN_CANCELLED",
  "TRAINING_CANCELLED",
  "MODEL_DELETED",
  "PREDICTION_DELETED",
  "OUTCOMES_DELETED",
  "API_KEY_REVOKED",
  "USER_DISABLED",
  "USER_PASSWORD_CHANGED",
] as const);

/**
 * Makes a change and records it, in one transaction. If the disk has no room for the row, an
 * action of DONE_WITHOUT_ROW is done all the same (D89), and the row is held in memory. `change`
 * is synchronous; `eventOf` returns null if nothing changed.
 */
export function audited<T>(
  { database, now }: AuditServices,
  call: AuditedCall,
  change: () => T,
  eventOf: (result: T) => NewAuditEvent | null,
): T {
  const done = { event: null as NewAuditEvent | null };
  const changed = (record: (event: NewAuditEvent) => void) =>
    database.write(() => {
      const result = change();
      done.event = eventOf(result);
      if (done.event !== null) record(done.event);
      return result;
    });
  try {
    return changed((event) => recordAudit(database, actorOf(call), event, now()));
  } catch (fault) {
    if (storageFault(fault) === null || done.event === null || !DONE_WITHOUT_ROW.has(done.event.action)) throw fault;
    const result = changed(() => undefined);
    if (done.event !== null) backlogOf(database).hold({ actor: actorOf(call), event: done.event, time: now() });
    return result;
  }
}

/**
 * As `audited`, for a change that makes something: the answer is kept in the same transaction, for repeats under the
 * request's `Idempotency-Key` (D115). `make` throws where it makes nothing.
 */
export function created<T, Answer extends object>(
  services: AuditServices,
  call: AuditedCall & Pick<Call, "once" | "headers">,
  make: () => T,
  eventOf: (made: T) => NewAuditEvent | null,
  answerOf: (made: T) => Answer,
): Answer {
  const answered = () => {
    const made = make();
    const answer = answerOf(made);
    call.once.answerIs(call.headers, answer);
    return { made, answer };
  };
  return audited(services, call, answered, ({ made }) => eventOf(made)).answer;
}

/** Records an event without a change. On a full disk the row is held in memory (D89). */
export function noteAudit({ database, now }: AuditServices, actor: AuditActor, event: NewAuditEvent): void {
  const backlog = backlogOf(database);
  const time = now();
  const write = () => {
    recordAudit(database, actor, event, time);
    return true;
  };
  // After rows that wait: all are written in order of time.
  const isWritten = backlog.held.length === 0 && unlessDisk(write) === true;
  if (!isWritten) backlog.hold({ actor, event, time });
}

/** Records a download before the first byte of its answer: each range and each HEAD too, but no 304. */
export function noteDownload(
  services: AuditServices,
  call: AuditedCall,
  answer: Response,
  action: AuditAction,
  objectKey: string,
  detail: string | null,
): Response {
  if (answer.status === 304) return answer;
  try {
    noteAudit(services, actorOf(call), { action, objectKey, detail });
    return answer;
  } catch (fault) {
    void answer.body?.cancel();
    throw fault;
  }
}

/** The caller; without one, the address and the request alone. */
export function actorOf({ caller, clientAddress, requestId }: AuditedCall): AuditActor {
  const { userKey = null, email = null, apiKeyId = null } = caller ?? {};
  return { userKey, email, apiKeyId, address: plainAddress(clientAddress), requestId };
}

/** A dual-stack socket shows an IPv4 address as `::ffff:192.0.2.7`. */
function plainAddress(address: string | null): string | null {
  return address?.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "") ?? null;
}
