// Counts of rows that are scored one by one: gathered in memory, and written every few seconds in one transaction.
import type { Database } from "../../data/database/database.ts";
import { addShadowCounts, type ShadowCounts, type ShadowId } from "../../data/shadow-counts.ts";
import { addWatchCounts, dayOf, type VersionId } from "../../data/watch-counts.ts";
import type { FileCounts } from "../../engine/watch/file-counts.ts";
import { addCounts, areAlike, type ScoredCounts } from "../../engine/watch/scored-counts.ts";

/**
 * A kill loses the counts of at most this time. Writing those of every request would cost each a synced transaction.
 */
const FLUSH_MS = 5_000;
/** Versions and days that are gathered at once; one more is written with them. */
const MOST_GATHERED = 100;

interface Gathered extends VersionId {
  time: Date;
  counts: ScoredCounts;
}

/** A scorer whose counts are yet to be taken. */
interface Followed extends VersionId {
  time: Date;
  /** The end of the day of `time`, in ms. */
  dayEnd: number;
}

interface GatheredShadow extends ShadowCounts {
  id: ShadowId;
  day: string;
}

interface RowCountServices {
  database: Database;
  now(): Date;
  /** Receives faults of ours. */
  report(fault: unknown, where: string): void;
}

export class RowCounts {
  private readonly services: RowCountServices;
  private readonly gathered = new Map<string, Gathered>();
  private readonly followed = new Map<FileCounts, Followed>();
  private readonly shadows = new Map<string, GatheredShadow>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isFailing = false;

  constructor(services: RowCountServices) {
    this.services = services;
  }

  /** Takes over `counts`. Costs microseconds, unless very many versions are in use. */
  add(id: VersionId, counts: ScoredCounts): void {
    this.gather(id, counts, this.services.now());
    this.flushLater();
  }

  /** Takes a scorer's counts when it writes: nothing is added up for each request. */
  follow({ modelKey, version }: VersionId, source: FileCounts): void {
    const time = this.services.now();
    const known = this.followed.get(source);
    if (known !== undefined) {
      if (time.getTime() < known.dayEnd) {
        known.time = time;
        return;
      }
      this.gatherFrom(source, known);
    }
    if (this.followed.size >= MOST_GATHERED) this.flush();
    this.followed.set(source, { modelKey, version, time, dayEnd: endOfDay(time) });
    this.flushLater();
  }

  private gatherFrom(source: FileCounts, { time, ...id }: Followed): void {
    this.followed.delete(source);
    const counts = source.take();
    if (counts.rowCount > 0) this.gather(id, counts, time);
  }

  private flushLater(): void {
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  private gather({ modelKey, version }: VersionId, counts: ScoredCounts, time: Date): void {
    const key = keyOf({ modelKey, version }, time);
    const gathered = this.gathered.get(key);
    if (gathered === undefined) {
      if (this.gathered.size >= MOST_GATHERED) this.write();
      // If nothing can be written, the newest counts are the ones still reported.
      if (this.gathered.size >= MOST_GATHERED) this.gathered.delete(this.gathered.keys().next().value!);
      this.gathered.set(key, { modelKey, version, time, counts });
    } else if (areAlike(gathered.counts, counts)) {
      addCounts(gathered.counts, counts);
      gathered.time = time;
    } else {
      this.write();
      this.gathered.set(key, { modelKey, version, time, counts });
    }
  }

  /** Counts how often a shadow decided as the model that answered. */
  addShadow(id: ShadowId, counts: ShadowCounts): void {
    const day = dayOf(this.services.now());
    const key = `${Object.values(id).join(" ")} ${day}`;
    if (!this.shadows.has(key) && this.shadows.size >= MOST_GATHERED) this.flush();
    const known = this.shadows.get(key) ?? { id, day, rowCount: 0, agreedCount: 0, unansweredCount: 0 };
    known.rowCount += counts.rowCount;
    known.agreedCount += counts.agreedCount;
    known.unansweredCount += counts.unansweredCount;
    if (this.shadows.size < MOST_GATHERED || this.shadows.has(key)) this.shadows.set(key, known);
    this.flushLater();
  }

  /** Writes the gathered counts; never throws. Those that cannot be written are kept for the next time. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [source, known] of [...this.followed]) this.gatherFrom(source, known);
    this.write();
  }

  private write(): void {
    if (this.gathered.size === 0 && this.shadows.size === 0) return;
    const { database, report } = this.services;
    try {
      database.write(() => {
        for (const { counts, time, ...id } of this.gathered.values()) addWatchCounts(database, id, counts, time);
        for (const { id, day, ...counts } of this.shadows.values()) addShadowCounts(database, id, day, counts);
      });
      this.gathered.clear();
      this.shadows.clear();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) report(error, "counts of rows");
      this.isFailing = true;
    }
  }
}

function endOfDay(time: Date): number {
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() + 1);
}

function keyOf({ modelKey, version }: VersionId, time: Date): string {
  return `${modelKey} ${version} ${dayOf(time)}`;
}
