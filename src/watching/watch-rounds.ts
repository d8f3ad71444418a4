// Judges each watched version once a day, a few at a time, and reports when its state changes.
import { setImmediate as otherRequests } from "node:timers/promises";
import type { Database } from "../../data/database/database.ts";
import type { WatchFigures } from "../../data/database/records.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import { dayOf, noteWatchState, type VersionId, versionsToJudge, type WatchedFile } from "../../data/watch-counts.ts";
import { InputError } from "../../engine/input-error.ts";
import { type StretchReport, type WatchState, worstState } from "../../engine/outcomes/health.ts";
import { accuracyOfOutcomes, judgedCount } from "../../engine/outcomes/outcomes.ts";
import type { Log } from "../log/log.ts";
import { RowCounts } from "./row-counts.ts";
import { latestHealth } from "./version-health.ts";
import { versionOutcomes } from "./version-outcomes.ts";

const ROUND_MS = 60_000;
/** Versions judged in a round: one takes milliseconds, so that a day has room for tens of thousands. */
const MOST_JUDGED = 20;
/** How many months back the newest judged stretch may lie, this month included. */
const MONTHS = 3;

/** A version whose state has changed since it was last judged; the first judgement counts as a change. */
export interface WatchChange extends VersionId {
  state: WatchState;
  /** Null where it had not been judged before. */
  previousState: WatchState | null;
  /**
   * The days that the state rests on, by UTC: of rows, or of the labels
   * that showed it; null where none could be judged.
   */
  from: string | null;
  to: string | null;
}

interface Judgement extends Pick<WatchChange, "state" | "from" | "to"> {
  figures: WatchFigures | null;
}

export interface WatchRoundServices {
  database: Database;
  state: Pick<StateFolder, "locate">;
  rowCounts: Pick<RowCounts, "flush">;
  now(): Date;
  changed(change: WatchChange): void;
  /** Receives faults of the program itself. */
  report(fault: unknown, where: string): void;
}

export class WatchRounds {
  private readonly services: WatchRoundServices;
  private readonly timer: ReturnType<typeof setInterval>;
  private isStopping = false;
  private isJudging = false;

  constructor(services: WatchRoundServices) {
    this.services = services;
    this.timer = setInterval(() => void this.round(), ROUND_MS);
    this.timer.unref();
  }

  /** Judges versions that are due. Never rejects; other requests are served in between. */
  async round(): Promise<void> {
    if (this.isJudging || this.isStopping) return;
    this.isJudging = true;
    const { database, rowCounts, now, report } = this.services;
    try {
      // Rows of yesterday evening count among those of yesterday.
      rowCounts.flush();
      for (const version of versionsToJudge(database, dayOf(now()), MOST_JUDGED)) {
        if (this.isStopping) break;
        this.judge(version);
        await otherRequests();
      }
    } catch (error) {
      report(error, "watched models");
    } finally {
      this.isJudging = false;
    }
  }

  stop(): void {
    this.isStopping = true;
    clearInterval(this.timer);
  }

  private judge(version: WatchedFile): void {
    const { database, now, changed } = this.services;
    const { modelKey, version: number, state: previousState } = version;
    const { figures, ...judged } = this.judgementOf(version);
    const isChanged = noteWatchState(database, version, { state: judged.state, figures }, now());
    if (isChanged) changed({ modelKey, version: number, previousState, ...judged });
  }

  /** A model whose file cannot be read is not watched: its next user gets the error. */
  private judgementOf(version: WatchedFile): Judgement {
    try {
      const { database, now } = this.services;
      const { state: rows, stretches, model } = latestHealth(this.services, version, now(), MONTHS);
      const { counts, verdict } = versionOutcomes(database, version, model);
      const { from = null, to = null } = stretches.findLast(({ isShifted }) => isShifted !== null) ?? {};
      const state = worstState(rows, verdict.state, judgedCount(counts));
      const days = state === rows ? { from, to } : { from: verdict.since, to: verdict.since };
      const newest = stretches.findLast(({ isOver }) => isOver);
      return { state, ...days, figures: figuresOf(newest, accuracyOfOutcomes(counts)?.mean ?? null) };
    } catch (error) {
      if (!(error instanceof InputError) && (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return { state: "NOT_WATCHED", from: null, to: null, figures: null };
    }
  }
}

function figuresOf(newest: StretchReport | undefined, realAccuracy: number | null): WatchFigures | null {
  if (newest === undefined) {
    if (realAccuracy === null) return null;
    return { rowCount: 0, worstIndex: null, meanConfidence: null, expectedAccuracy: null, realAccuracy };
  }
  const { rowCount, columns, decisions, meanConfidence, expected = null } = newest;
  const indices = [...(columns ?? []), ...(decisions === null ? [] : [decisions])].map(({ index }) => index);
  const worstIndex = indices.length === 0 ? null : Math.max(...indices);
  return { rowCount, worstIndex, meanConfidence, expectedAccuracy: expected?.mean ?? null, realAccuracy };
}

/** Receives changes, and returns at once. */
interface Teller {
  tell(change: WatchChange): void;
  stop(): void;
}

interface Watching {
  rowCounts: RowCounts;
  /** Writes the gathered counts; the database is still open. */
  stop(): void;
}

/**
 * Starts watching a running service's models; changes of state go to its
 * log and its webhook, without a word of the data.
 */
export function startWatching(
  services: Pick<WatchRoundServices, "database" | "state" | "now" | "report"> & { log: Log; webhook: Teller | null },
): Watching {
  const { log, webhook, ...others } = services;
  const rowCounts = new RowCounts(others);
  const changed = (change: WatchChange) => {
    const { modelKey, version, state } = change;
    log.info("model.state", { modelKey, version, state });
    webhook?.tell(change);
  };
  const rounds = new WatchRounds({ ...others, rowCounts, changed });
  return {
    rowCounts,
    stop: () => {
      rounds.stop();
      webhook?.stop();
      rowCounts.flush();
    },
  };
}
