// `cupel audit`: prints who did what on a service, oldest first, whether the service runs or not.
import { type AuditEvent, type AuditFilter, auditAfter } from "../../../data/audit.ts";
import { EXIT } from "../../common/exit-codes.ts";
import type { Console } from "../console.ts";
import { openToList, requireState } from "./beside-server.ts";

export interface AuditOptions {
  dataFolder: string;
  /** Times in the database's form; null for no bound. */
  since: string | null;
  until: string | null;
  /** One JSON object per line, with every field. */
  json: boolean;
}

/** Rows read at once. */
const BATCH_ROWS = 1_000;

/**
 * Prints a line per event. Reads in batches, so that the server's writes never wait for a slow reader of the output.
 *
 * @throws InputError where the folder is not the state of a service
 */
export async function auditCommand(options: AuditOptions, console: Console): Promise<number> {
  const { dataFolder, since, until, json } = options;
  requireState(dataFolder);
  const filter: AuditFilter = { from: since ?? undefined, to: until ?? undefined };
  const database = await openToList(dataFolder);
  try {
    let lastId = 0;
    for (;;) {
      const events = auditAfter(database, lastId, filter, BATCH_ROWS);
      for (const event of events) console.print(json ? jsonOf(event) : textOf(event));
      if (events.length < BATCH_ROWS) return EXIT.done;
      lastId = events.at(-1)!.id;
    }
  } finally {
    database.close();
  }
}

function jsonOf({ id: _, ...event }: AuditEvent): string {
  return JSON.stringify(event);
}

function textOf({ time, action, email, userKey, apiKeyId, objectKey, detail, address, requestId }: AuditEvent): string {
  const who = email ?? userKey ?? (requestId === null ? "command line" : "nobody");
  const parts = [
    `${time}  ${action.padEnd(26)}  ${who}`,
    apiKeyId === null ? "" : `by API key ${apiKeyId}`,
    address === null ? "" : `from ${address}`,
    objectKey === null ? "" : `on ${objectKey}`,
    detail === null ? "" : `(${detail})`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}
