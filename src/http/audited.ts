// Writing down who did what: a change together with itself, a download before its first byte.

import { type AuditActor, type NewAuditEvent, recordAudit } from "../../data/audit.ts";
import type { AuditAction } from "../../data/audit-actions.ts";
import type { Services } from "../api/services.ts";
import type { Caller } from "../auth/bearer.ts";
import { storageFault, unlessDisk } from "../storage/storage-fault.ts";
import { backlogOf } from "./audit-backlog.ts";
import type { Call } from "./route.ts";

type AuditServices = Pick<Services, "database" | "now">;

type AuditedCall = Pick<Call<unknown, unknown, unknown, Caller | null>, "caller" | "clientAddress" | "requestId">;

/** What makes room, ends work or takes rights away: it goes on where the disk has room for the change, but not for its row. */
const FIRST_OF_ALL: ReadonlySet<AuditAction> = new Set([
  "REFINEMENT_CANCELLED",
  "REFINEMENT_DELETED",
  "DATASET_DELETED",
  "TRAINING_CANCELLED",
  "MODEL_DELETED",
  "PREDICTION_DELETED",
  "API_KEY_REVOKED",
  "USER_DISABLED",
  "USER_PASSWORD_CHANGED",
] as const);

/**
 * Makes a change and writes it down, in one transaction: both are kept, or neither. On a disk that takes no row, what comes
 * first of all is done without it (D89): the row is held in memory and written once there is room. `change` is synchronous;
 * `eventOf` gives null where it changed nothing.
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
    if (storageFault(fault) === null || done.event === null || !FIRST_OF_ALL.has(done.event.action)) throw fault;
    const result = changed(() => undefined);
    if (done.event !== null) backlogOf(database).hold({ actor: actorOf(call), event: done.event, time: now() });
    return result;
  }
}

/** For what changes nothing: it happens on a disk that takes nothing too, and the row is held until it does (D89). */
export function noteAudit({ database, now }: AuditServices, actor: AuditActor, event: NewAuditEvent): void {
  const backlog = backlogOf(database);
  const time = now();
  const write = () => {
    recordAudit(database, actor, event, time);
    return true;
  };
  // Behind rows that wait, so that all are written in the order of time.
  const isWritten = backlog.held.length === 0 && unlessDisk(write) === true;
  if (!isWritten) backlog.hold({ actor, event, time });
}

/**
 * An answer that brings a file, written down before its first byte; each part of one that is fetched in parts is written down,
 * and so is a HEAD. Nothing is where the client has the file already.
 */
export function noteDownload(
  services: AuditServices,
  call: AuditedCall,
  answer: Response,
  action: AuditAction,
  objectKey: string,
  detail: string | null,
): Response {
  if (answer.status === 304) return answer;
  noteAudit(services, actorOf(call), { action, objectKey, detail });
  return answer;
}

/** Of the caller, or of nobody in particular from the same address. */
export function actorOf({ caller, clientAddress, requestId }: AuditedCall): AuditActor {
  const { userKey = null, email = null, apiKeyId = null } = caller ?? {};
  return { userKey, email, apiKeyId, address: plainAddress(clientAddress), requestId };
}

/** A socket for both families shows an address of IPv4 in IPv6 clothes. */
function plainAddress(address: string | null): string | null {
  return address?.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "") ?? null;
}
