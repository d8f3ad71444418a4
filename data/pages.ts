// A page of a list, what of a list is looked for, and how long a job took.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

export interface Page {
  /** Items to skip. */
  offset: number;
  /** Most items to give. */
  limit: number;
}

export interface Found {
  /** What a name must have in it, in whatever case (of ASCII letters); empty or left out for all. */
  search?: string | undefined;
}

/** The condition of it, for a prepared statement with the placeholder `search`. */
export function nameHas(name: SQLWrapper): SQL {
  return sql`instr(lower(${name}), lower(${sql.placeholder("search")})) > 0`;
}

export interface Paged<T> {
  items: T[];
  /** Items of the whole list. */
  total: number;
}

/** What most changes of a job can answer. */
export interface Times {
  startedOn: string | null;
  finishedOn: string | null;
  /** As noted last, by a clock that nobody sets. */
  elapsedMs: number | null;
}

/** Whole seconds of processing, as below. */
export function elapsedSeconds(times: Times, now: Date, runningMs: number | null = null): number {
  return Math.floor(processingMs(times, now, runningMs) / 1000);
}

/**
 * What a job has taken: 0 while it waits, frozen once it has finished, never negative. `runningMs` is that of a job which
 * this process works on; without it dates count, and never less than what was noted.
 */
export function processingMs(
  { startedOn, finishedOn, elapsedMs }: Times,
  now: Date,
  runningMs: number | null = null,
): number {
  if (startedOn === null) return 0;
  if (finishedOn !== null) return elapsedMs ?? Math.max(0, Date.parse(finishedOn) - Date.parse(startedOn));
  return runningMs ?? Math.max(0, now.getTime() - Date.parse(startedOn), elapsedMs ?? 0);
}
