// Removes what is overdue: uploads that never came, unfinished ones, and files and audit events past their retention.
import { rm } from "node:fs/promises";
import { setImmediate as otherRequests } from "node:timers/promises";
import { removeAuditBefore } from "../../data/audit.ts";
import type { Database } from "../../data/database/database.ts";
import { expireDatasetUploads, nextUploadExpiry } from "../../data/datasets.ts";
import { KEPT_ASIDE_DAYS, removeAsides } from "../../data/files/set-aside.ts";
import { type StateFolder, statePaths } from "../../data/files/state-folder.ts";
import { removeKeptAnswers } from "../../data/kept-answers.ts";
import { releaseUploads } from "../../data/resumable-uploads.ts";
import {
  releaseDeletedDatasets,
  releaseDeletedRefinements,
  releaseFinishedPredictions,
  releaseThingsOfRemoved,
} from "../../data/retention.ts";
import { removeShadowDays } from "../../data/shadow-counts.ts";
import { dayOf, removeWatchDays } from "../../data/watch-counts.ts";
import { KEPT_MS } from "../routing/idempotency.ts";
import type { StorageSettings } from "../storage/quotas.ts";
import type { UploadsUnderWay } from "../storage/uploads-under-way.ts";

/** Time between two looks at a dataset whose upload began in time and still runs. */
const UNDER_WAY_MS = 1_000;
const CLEANING_MS = 600_000;
/** Largest drift allowed between wall clock and monotonic clock per round. */
const LARGEST_JUMP_MS = 60_000;
/** Most audit events or kept answers that one transaction removes: this takes some 20 ms. */
const MOST_ROWS = 5_000;
/** A year, and a month to look back at it: 600 kB for a version with 30 columns, 20 MB for the widest. */
const KEPT_WATCH_DAYS = 400;
/** Most days of versions that one transaction removes: they may have 50 kB each. */
const MOST_WATCH_DAYS = 200;
const DAY_MS = 86_400_000;

export interface HousekeepingServices {
  database: Database;
  state: StateFolder;
  storage: Pick<StorageSettings, "keepDeletedDays" | "keepResultsDays" | "keepAuditDays">;
  uploads: Pick<UploadsUnderWay, "has">;
  report(fault: unknown, where: string): void;
}

/**
 * Removes nothing in its first ten minutes, nor for ten minutes after the wall
 * clock was set: a wrong clock would cost files.
 */
export class Housekeeping {
  private readonly services: HousekeepingServices;
  private dayMs: number;
  private steadyMs: number;
  private dueMs: number;
  private expiry: ReturnType<typeof setTimeout> | undefined;
  private cleaning: Promise<void> = Promise.resolve();
  private isCleaning = false;
  private isStopping = false;

  constructor(services: HousekeepingServices, dayMs: number = Date.now(), steadyMs: number = performance.now()) {
    this.services = services;
    this.dayMs = dayMs;
    this.steadyMs = steadyMs;
    this.dueMs = steadyMs + CLEANING_MS;
  }

  /** Cheap, and never throws. If cleaning is due it starts and runs beside other work. */
  round(dayMs: number = Date.now(), steadyMs: number = performance.now()): void {
    const jumpMs = Math.abs(dayMs - this.dayMs - (steadyMs - this.steadyMs));
    this.dayMs = dayMs;
    this.steadyMs = steadyMs;
    if (jumpMs > LARGEST_JUMP_MS) this.dueMs = steadyMs + CLEANING_MS;
    this.expireUploads(dayMs);
    if (steadyMs < this.dueMs || this.isCleaning) return;
    this.dueMs = steadyMs + CLEANING_MS;
    this.cleaning = this.cleaning.then(() => this.clean(dayMs));
  }

  /** Resolves once nothing is being removed. */
  settled(): Promise<void> {
    return this.cleaning;
  }

  /** Like `settled`, but stops after a few more files; the rest waits for the next start. */
  stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.expiry);
    return this.settled();
  }

  /** Fails datasets whose upload address has expired, and sets a timer for the next one. */
  private expireUploads(dayMs: number): void {
    const { database, uploads, report } = this.services;
    clearTimeout(this.expiry);
    try {
      expireDatasetUploads(database, new Date(dayMs), (key) => uploads.has(key));
      const nextMs = nextUploadExpiry(database)?.getTime() ?? null;
      if (nextMs === null || this.isStopping) return;
      const waitMs = nextMs > dayMs ? nextMs - dayMs : UNDER_WAY_MS;
      this.expiry = setTimeout(() => this.expireUploads(Date.now()), waitMs);
      this.expiry.unref();
    } catch (error) {
      report(error, "expired uploads");
    }
  }

  private async clean(dayMs: number): Promise<void> {
    this.isCleaning = true;
    const { database, storage } = this.services;
    const { keepDeletedDays, keepResultsDays, keepAuditDays } = storage;
    await this.removeAll(() => releaseThingsOfRemoved(database, new Date(dayMs)));
    const deletedBy = new Date(dayMs - (keepDeletedDays ?? 0) * DAY_MS);
    // Datasets first: a refinement's files can only go once no dataset uses them.
    await this.removeAll(() => releaseDeletedDatasets(database, deletedBy));
    // Unless the operator says otherwise, the files of a deleted refinement can be downloaded for ever.
    await this.removeAll(() => releaseDeletedRefinements(database, keepDeletedDays === null ? null : deletedBy));
    if (keepResultsDays !== null) {
      await this.removeAll(() => releaseFinishedPredictions(database, new Date(dayMs - keepResultsDays * DAY_MS)));
    }
    await this.removeAll(() => releaseUploads(database, new Date(dayMs)).map(statePaths.unfinished));
    if (keepAuditDays !== null) {
      const before = new Date(dayMs - keepAuditDays * DAY_MS);
      await this.removeRows("audit trail", MOST_ROWS, (most) => removeAuditBefore(database, before, most));
    }
    try {
      removeAsides(this.services.state.path, new Date(dayMs - KEPT_ASIDE_DAYS * DAY_MS));
    } catch (error) {
      this.services.report(error, "files set aside");
    }
    const keptFrom = new Date(dayMs - KEPT_MS);
    await this.removeRows("kept answers", MOST_ROWS, (most) => removeKeptAnswers(database, keptFrom, most));
    const firstDay = dayOf(new Date(dayMs - KEPT_WATCH_DAYS * DAY_MS));
    await this.removeRows("counts of days", MOST_WATCH_DAYS, (most) => removeWatchDays(database, firstDay, most));
    await this.removeRows("counts of shadows", MOST_ROWS, () => {
      removeShadowDays(database, firstDay);
      return 0;
    });
    this.isCleaning = false;
  }

  /** `remove` removes at most `most`, and returns how many. */
  private async removeRows(where: string, most: number, remove: (most: number) => number): Promise<void> {
    try {
      while (!this.isStopping && remove(most) === most) await otherRequests();
    } catch (error) {
      this.services.report(error, where);
    }
  }

  /** Removes the files of a few rows at a time, so that requests are served in between. */
  private async removeAll(release: () => string[]): Promise<void> {
    const { state, report } = this.services;
    try {
      while (!this.isStopping) {
        const paths = release();
        if (paths.length === 0) return;
        for (const path of paths) {
          // No row names the file any more: if it cannot be removed, the next start sets it aside.
          await rm(state.locate(path), { force: true, recursive: true }).catch((error) => report(error, "retention"));
        }
      }
    } catch (error) {
      report(error, "retention");
    }
  }
}
