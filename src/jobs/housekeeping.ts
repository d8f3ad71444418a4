// What comes with time beside jobs: uploads that never came, and files and audit events that are kept no longer.
import { rm } from "node:fs/promises";
import { setImmediate as otherRequests } from "node:timers/promises";
import { removeAuditBefore } from "../../data/audit.ts";
import type { Database } from "../../data/database.ts";
import { expireDatasetUploads } from "../../data/datasets.ts";
import {
  expireRefinementUploads,
  releaseDeletedDatasets,
  releaseDeletedRefinements,
  releaseFinishedPredictions,
} from "../../data/retention.ts";
import type { StateFolder } from "../../data/state-folder.ts";
import { SIGNED_URL_LIFETIME_SECONDS } from "../auth/signed-urls.ts";
import type { StorageSettings } from "../quotas.ts";

/** An upload that began before its address lapsed may still be under way for this long. */
const UPLOAD_GRACE_MS = 3_600_000;
const CLEANING_MS = 600_000;
/** Between two rounds, by which the clock of the day may go otherwise than the one that nobody sets. */
const LARGEST_JUMP_MS = 60_000;
/** Audit events that one transaction removes at most: some 20 ms. */
const MOST_EVENTS = 5_000;
const DAY_MS = 86_400_000;

export interface HousekeepingServices {
  database: Database;
  state: StateFolder;
  storage: Pick<StorageSettings, "keepDeletedDays" | "keepResultsDays" | "keepAuditDays">;
  report(fault: unknown, where: string): void;
}

/** Removes nothing in its first ten minutes, nor in the ten after the clock of the day was set: a wrong one would cost files. */
export class Housekeeping {
  private readonly services: HousekeepingServices;
  private dayMs: number;
  private steadyMs: number;
  private dueMs: number;
  private cleaning: Promise<void> = Promise.resolve();
  private isCleaning = false;
  private isStopping = false;

  constructor(services: HousekeepingServices, dayMs: number = Date.now(), steadyMs: number = performance.now()) {
    this.services = services;
    this.dayMs = dayMs;
    this.steadyMs = steadyMs;
    this.dueMs = steadyMs + CLEANING_MS;
  }

  /** Costs a look at an index or two; where the time has come, cleaning begins and goes on beside other work. Never throws. */
  round(dayMs: number = Date.now(), steadyMs: number = performance.now()): void {
    const jumpMs = Math.abs(dayMs - this.dayMs - (steadyMs - this.steadyMs));
    this.dayMs = dayMs;
    this.steadyMs = steadyMs;
    if (jumpMs > LARGEST_JUMP_MS) this.dueMs = steadyMs + CLEANING_MS;
    const expired = this.attempt("expired uploads", () => this.expireUploads(dayMs));
    const isDue = steadyMs >= this.dueMs && !this.isCleaning;
    if (isDue) this.dueMs = steadyMs + CLEANING_MS;
    if (expired.length > 0 || isDue)
      this.cleaning = this.cleaning.then(() => this.clean(expired, isDue ? dayMs : null));
  }

  /** Resolves once nothing is being removed. */
  settled(): Promise<void> {
    return this.cleaning;
  }

  /** As `settled`, after a few more files at most; what is left waits for the next start. */
  stop(): Promise<void> {
    this.isStopping = true;
    return this.settled();
  }

  /** Gives the files of what will never be started. */
  private expireUploads(dayMs: number): string[] {
    const { database } = this.services;
    const now = new Date(dayMs);
    const lapsedBy = new Date(dayMs - UPLOAD_GRACE_MS);
    expireDatasetUploads(database, lapsedBy, now);
    return expireRefinementUploads(database, new Date(lapsedBy.getTime() - SIGNED_URL_LIFETIME_SECONDS * 1_000), now);
  }

  private async clean(paths: readonly string[], dayMs: number | null): Promise<void> {
    this.isCleaning = true;
    await this.remove(paths);
    const { database, storage } = this.services;
    const { keepDeletedDays, keepResultsDays, keepAuditDays } = storage;
    if (dayMs !== null && keepDeletedDays !== null) {
      const deletedBy = new Date(dayMs - keepDeletedDays * DAY_MS);
      // Datasets first: what they were made of may go with them.
      await this.removeAll(() => releaseDeletedDatasets(database, deletedBy));
      await this.removeAll(() => releaseDeletedRefinements(database, deletedBy));
    }
    if (dayMs !== null && keepResultsDays !== null) {
      await this.removeAll(() => releaseFinishedPredictions(database, new Date(dayMs - keepResultsDays * DAY_MS)));
    }
    if (dayMs !== null && keepAuditDays !== null) {
      await this.removeEvents(new Date(dayMs - keepAuditDays * DAY_MS));
    }
    this.isCleaning = false;
  }

  private async removeEvents(before: Date): Promise<void> {
    const { database, report } = this.services;
    try {
      while (!this.isStopping && removeAuditBefore(database, before, MOST_EVENTS) === MOST_EVENTS)
        await otherRequests();
    } catch (error) {
      report(error, "audit trail");
    }
  }

  /** A few rows at a time, so that requests come in between. */
  private async removeAll(release: () => string[]): Promise<void> {
    while (!this.isStopping) {
      const paths = this.attempt("retention", release);
      if (paths.length === 0) return;
      await this.remove(paths);
    }
  }

  /** What cannot be removed is named by nobody any more: the next start tries again. */
  private async remove(paths: readonly string[]): Promise<void> {
    const { state, report } = this.services;
    for (const path of paths) {
      await rm(state.locate(path), { force: true }).catch((error) => report(error, "retention"));
    }
  }

  private attempt(what: string, work: () => string[]): string[] {
    try {
      return work();
    } catch (error) {
      this.services.report(error, what);
      return [];
    }
  }
}
