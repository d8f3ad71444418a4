// Refinements for their flow: claim, advance, count, end, and go on after a restart.
import { and, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { claimNext, type Recovery, recoverJobs } from "../database/claims.ts";
import { type Database, perDatabase } from "../database/database.ts";
import { processingMs } from "../database/pages.ts";
import type { PerformanceRecord, RefinementResult } from "../database/records.ts";
import { type FileKind, refinements } from "../database/schema.ts";
import {
  isRefinementEnd,
  MOST_RESTARTS,
  mayAdvance,
  RESTARTED_TOO_OFTEN,
  type RefinementStageState,
  type RefinementState,
} from "../database/states.ts";
import type { StoredFile } from "../files/file-store.ts";
import { putRefinementFile } from "./refinement-files.ts";
import { addActivity, type Refinement, withoutResult } from "./refinements.ts";

/** How a run under way ends. A TIMEOUT may have a partial result. */
export type RefinementEnd =
  | { state: "REFINEMENT_COMPLETED"; result: RefinementResult; files: readonly ResultFile[] }
  | { state: "TIMEOUT"; errorReason: string; result: RefinementResult | null; files: readonly ResultFile[] }
  | { state: "ERROR"; errorReason: string }
  | { state: "CANCELLED" };

interface ResultFile extends StoredFile {
  kind: FileKind;
}

const isUnderWay = and(eq(refinements.claimed, true), isNull(refinements.finishedOn))!;

const statements = perDatabase((orm) => ({
  state: orm
    .select({
      state: refinements.state,
      claimed: refinements.claimed,
      cancelRequested: refinements.cancelRequested,
      startedOn: refinements.startedOn,
      finishedOn: refinements.finishedOn,
      elapsedMs: refinements.elapsedMs,
    })
    .from(refinements)
    .where(eq(refinements.key, sql.placeholder("key")))
    .prepare(),
}));

/**
 * Claims the next waiting refinement. A fresh one enters SETUP_READING and its time starts; one that a restart
 * interrupted keeps state, start and progress (`restarts` above 0). Null where none waits.
 */
export function claimNextRefinement(database: Database, now: Date): Refinement | null {
  return claimNext(database, "refinement", (key) => {
    const { state } = statements(database).state.get({ key })!;
    const isFresh = state === "PENDING";
    const startedOn = now.toISOString();
    const row = database.orm
      .update(refinements)
      .set(isFresh ? { claimed: true, state: "SETUP_READING", startedOn } : { claimed: true })
      .where(eq(refinements.key, key))
      .returning(withoutResult)
      .get()!;
    if (isFresh) addActivity(database, key, "SETUP_READING", startedOn);
    return row;
  });
}

/** True once the user asked for a stop, and where the refinement is not under way any more. */
export function isRefinementCancelled(database: Database, key: string): boolean {
  const found = statements(database).state.get({ key });
  return found === undefined || found.cancelRequested || isRefinementEnd(found.state);
}

/**
 * Enters a later state and adds it to the trail. False where section 3.1 forbids it: the refinement
 * has ended or, after a restart, has been through this state.
 */
export function enterRefinementState(database: Database, key: string, state: RefinementStageState, now: Date): boolean {
  return database.write(() => {
    const found = statements(database).state.get({ key });
    if (found === undefined || !found.claimed || found.state === "PENDING" || !mayAdvance(found.state, state))
      return false;
    enter(database, key, state, now, {});
    return true;
  });
}

/** Announces the number of units. False where it is announced already: it stays as it is. */
export function setRefinementTotal(database: Database, key: string, total: number): boolean {
  return change(
    database,
    key,
    { progressTotal: total, progressCompleted: sql`coalesce(${refinements.progressCompleted}, 0)` },
    isNull(refinements.progressTotal),
  );
}

/** One more unit is finished. False where the total is reached or unknown. */
export function addRefinementProgress(database: Database, key: string): boolean {
  return change(
    database,
    key,
    { progressCompleted: sql`coalesce(${refinements.progressCompleted}, 0) + 1` },
    lt(sql`coalesce(${refinements.progressCompleted}, 0)`, refinements.progressTotal),
  );
}

/** Sets the rows that are given, in one write. */
export function setRefinementRows(
  database: Database,
  key: string,
  rows: { baselineRows?: readonly PerformanceRecord[]; currentRows?: readonly PerformanceRecord[] },
): boolean {
  return change(database, key, rows);
}

/**
 * Ends a run, with its files, in one transaction. False where section 3.1 forbids it: an ended or unclaimed refinement,
 * REFINEMENT_COMPLETED from another state than CREATING_RESULT, CANCELLED
 * without a request. `elapsedMs` null: by the dates.
 */
export function finishRefinement(
  database: Database,
  key: string,
  end: RefinementEnd,
  now: Date,
  elapsedMs: number | null = null,
): boolean {
  return database.write(() => {
    const refinement = statements(database).state.get({ key });
    if (refinement === undefined || !refinement.claimed || isRefinementEnd(refinement.state)) return false;
    if (end.state === "REFINEMENT_COMPLETED" && refinement.state !== "CREATING_RESULT") return false;
    if (end.state === "CANCELLED" && !refinement.cancelRequested) return false;
    enter(database, key, end.state, now, {
      finishedOn: now.toISOString(),
      elapsedMs: processingMs(refinement, now, elapsedMs),
      claimed: false,
      ...("errorReason" in end ? { errorReason: end.errorReason } : {}),
      ...("result" in end ? { result: end.result } : {}),
      ...(end.state === "REFINEMENT_COMPLETED" ? { progressCompleted: sql`${refinements.progressTotal}` } : {}),
    });
    for (const file of "files" in end ? end.files : []) {
      putRefinementFile(database, key, file.kind, "RESULT", file, now);
    }
    return true;
  });
}

/** See `recoverJobs`: CANCELLED where requested, ERROR at the fourth interruption. */
export function recoverRefinements(database: Database, now: Date, only?: string): Recovery {
  const failed = { state: "ERROR", errorReason: RESTARTED_TOO_OFTEN } as const;
  return recoverJobs(database, "refinement", only, ({ key, restarts }) => {
    const { cancelRequested } = statements(database).state.get({ key })!;
    if (cancelRequested) return finishRefinement(database, key, { state: "CANCELLED" }, now);
    return restarts >= MOST_RESTARTS && finishRefinement(database, key, failed, now);
  });
}

type Changes = SQLiteUpdateSetSource<typeof refinements>;

function enter(database: Database, key: string, state: RefinementState, now: Date, others: Changes): void {
  database.orm
    .update(refinements)
    .set({ ...others, state })
    .where(eq(refinements.key, key))
    .run();
  addActivity(database, key, state, now.toISOString());
}

/** Changes a refinement that is under way, where `condition` holds. */
function change(database: Database, key: string, values: Changes, condition?: SQL): boolean {
  const changed = database.orm
    .update(refinements)
    .set(values)
    .where(and(eq(refinements.key, key), isUnderWay, condition))
    .returning({ key: refinements.key });
  return changed.get() !== undefined;
}
