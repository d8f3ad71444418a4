// Audit rows that the disk refused: held in memory until it takes them.
import { type AuditActor, type NewAuditEvent, recordAudit } from "../../data/audit.ts";
import type { Database } from "../../data/database/database.ts";
import { oncePer } from "../../data/database/once-per.ts";
import { unlessDisk } from "./storage-fault.ts";

/** About 600 bytes each: 6 MB. */
const MOST_HELD = 10_000;

interface HeldRow {
  actor: AuditActor;
  event: NewAuditEvent;
  time: Date;
}

/** The held rows of one database. */
class AuditBacklog {
  private readonly rows: HeldRow[] = [];
  private readonly database: Database;
  /** Rows dropped because too many were held. */
  lostCount = 0;

  constructor(database: Database) {
    this.database = database;
  }

  get held(): readonly HeldRow[] {
    return this.rows;
  }

  hold(row: HeldRow): void {
    if (this.rows.length < MOST_HELD) this.rows.push(row);
    else this.lostCount++;
  }

  /**
   * Writes the held rows in order of time; returns how many, 0 if the disk takes nothing yet. Throws any other fault.
   */
  flush(): number {
    if (this.rows.length === 0) return 0;
    const write = this.database.client.transaction(() => {
      for (const { actor, event, time } of this.rows) recordAudit(this.database, actor, event, time);
      return true;
    });
    // Not `database.write`, which gives the reserve up: these rows can wait.
    return unlessDisk(() => write.immediate()) === true ? this.rows.splice(0).length : 0;
  }
}

/** One for each database, as long as it is open. */
export const backlogOf = oncePer((database: Database) => new AuditBacklog(database));
