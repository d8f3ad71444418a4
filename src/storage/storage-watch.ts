// Checks every few seconds whether the disk has room again; then restores the reserve, wakes waiting work, and logs it.
import type { Database } from "../../data/database/database.ts";
import type { StorageReserve } from "../../data/files/storage-reserve.ts";
import type { Log } from "../log/log.ts";
import { backlogOf } from "./audit-backlog.ts";
import { restoreReserve } from "./storage-room.ts";

const ROUND_MS = 5_000;

export interface StorageWatchServices {
  database: Database;
  reserve: StorageReserve;
  freeBytes(): number;
  log: Pick<Log, "info" | "warn" | "error">;
  /** Called when there is room again. */
  wake(): void;
  report(fault: unknown, where: string): void;
}

export class StorageWatch {
  private readonly services: StorageWatchServices;
  private readonly timer: ReturnType<typeof setInterval>;
  private isToldFull = false;
  private isToldHeld = false;

  constructor(services: StorageWatchServices) {
    this.services = services;
    this.timer = setInterval(() => this.round(), ROUND_MS);
    this.timer.unref();
    this.round();
  }

  /** Costs next to nothing while there is room and no row waits. Never throws. */
  round(): void {
    const { database, reserve, freeBytes, log, wake, report } = this.services;
    try {
      if (!reserve.isKept && !this.isToldFull) {
        this.isToldFull = true;
        log.warn("storage.full", { freeBytes: freeBytes() });
      }
      this.noteHeld();
      const written = backlogOf(database).flush();
      if (written > 0) {
        this.isToldHeld = false;
        log.info("audit.written", { rows: written, lostRows: backlogOf(database).lostCount });
      }
      if (!restoreReserve(database, reserve)) return;
      this.isToldFull = false;
      log.info("storage.room", { freeBytes: freeBytes() });
      wake();
    } catch (fault) {
      report(fault, "storage");
    }
  }

  /** Call it before the database is closed: audit rows that the disk still refuses go to the log alone. */
  stop(): void {
    clearInterval(this.timer);
    this.round();
    const { database, log } = this.services;
    for (const { actor, event, time } of backlogOf(database).held) {
      const { userKey, apiKeyId, requestId } = actor;
      const { action, objectKey } = event;
      log.error("audit.lost", { action, objectKey, userKey, apiKeyId, requestId, happenedOn: time.toISOString() });
    }
  }

  private noteHeld(): void {
    const { length: rows } = backlogOf(this.services.database).held;
    if (rows === 0 || this.isToldHeld) return;
    this.isToldHeld = true;
    this.services.log.warn("audit.held", { rows });
  }
}
