// Rows of the audit trail that the disk did not take: held in memory, and written once it does.
import { type AuditActor, type NewAuditEvent, recordAudit } from "../../data/audit.ts";
import type { Database } from "../../data/database/database.ts";
import { storageFault } from "../storage/storage-fault.ts";

/** Of about 600 bytes each. */
const MOST_HELD = 10_000;

interface HeldRow {
  actor: AuditActor;
  event: NewAuditEvent;
  time: Date;
}

export interface AuditBacklog {
  readonly held: readonly HeldRow[];
  /** Rows that there was no place for. */
  readonly lostCount: number;
  hold(row: HeldRow): void;
  /** Writes all that is held, in the order of time; gives how many, 0 where the disk takes nothing yet. Throws any other fault. */
  flush(): number;
}

const backlogs = new WeakMap<Database, AuditBacklog>();

/** Of a database, as long as it is open. */
export function backlogOf(database: Database): AuditBacklog {
  let backlog = backlogs.get(database);
  if (backlog === undefined) {
    backlog = createBacklog(database);
    backlogs.set(database, backlog);
  }
  return backlog;
}

function createBacklog(database: Database): AuditBacklog {
  const held: HeldRow[] = [];
  let lostCount = 0;
  return {
    held,
    get lostCount() {
      return lostCount;
    },
    hold: (row) => {
      if (held.length < MOST_HELD) held.push(row);
      else lostCount++;
    },
    flush: () => {
      if (held.length === 0) return 0;
      try {
        // Not the write that gives the reserve up: these rows can wait.
        database.client
          .transaction(() => {
            for (const { actor, event, time } of held) recordAudit(database, actor, event, time);
          })
          .immediate();
      } catch (fault) {
        if (storageFault(fault) === null) throw fault;
        return 0;
      }
      return held.splice(0).length;
    },
  };
}
