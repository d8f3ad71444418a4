// Writing down who did what: a change together with itself, a download before its first byte.

import { type AuditActor, type NewAuditEvent, recordAudit } from "../../data/audit.ts";
import type { AuditAction } from "../../data/audit-actions.ts";
import type { Database } from "../../data/database.ts";
import type { Caller } from "../auth/bearer.ts";
import type { Call } from "./route.ts";

export interface AuditServices {
  database: Database;
  now(): Date;
}

type AuditedCall = Pick<Call<unknown, unknown, unknown, Caller | null>, "caller" | "clientAddress" | "requestId">;

/**
 * Makes a change and writes it down, in one transaction: both are kept, or neither. `change` is synchronous; `eventOf` gives
 * null where it changed nothing.
 */
export function audited<T>(
  { database, now }: AuditServices,
  call: AuditedCall,
  change: () => T,
  eventOf: (result: T) => NewAuditEvent | null,
): T {
  return database.write(() => {
    const result = change();
    const event = eventOf(result);
    if (event !== null) recordAudit(database, actorOf(call), event, now());
    return result;
  });
}

/** For what changes nothing. Where it cannot be written down it must not happen: this throws. */
function noteAudit({ database, now }: AuditServices, call: AuditedCall, event: NewAuditEvent): void {
  recordAudit(database, actorOf(call), event, now());
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
  noteAudit(services, call, { action, objectKey, detail });
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
