// Running units of work: from the journal where they were done before a restart, else on the pool, again where a thread dies.
import type { Limits, Work, WorkKind } from "../../workers/messages.ts";
import { WorkerLost, type WorkerPool } from "../../workers/pool.ts";

/** A unit whose thread dies is given out again this often. */
const MOST_RETRIES = 2;

/** Where the answers of finished units are kept, so that a restarted process goes on from them. */
export interface UnitMemory {
  /** Undefined where the unit is not finished. */
  find(unitId: string): unknown;
  append(unitId: string, answer: unknown): void;
}

/**
 * What is remembered of a unit, else what `compute` gives: that counts once it is remembered, so a killed process loses only
 * what was under way. Rejects with what `compute` or the memory throws; nothing is remembered then.
 */
export async function remembered<T>(
  memory: UnitMemory | null,
  unitId: string,
  compute: () => T | Promise<T>,
): Promise<T> {
  const known = memory?.find(unitId);
  if (known !== undefined) return known as T;
  const answer = await compute();
  memory?.append(unitId, answer);
  return answer;
}

/** As `pool.run`, but that a thread that dies is no reason to give up yet. */
export async function runUnit<K extends WorkKind>(
  pool: WorkerPool,
  work: K,
  request: Work[K]["request"],
  limits: Limits,
): Promise<Work[K]["answer"]> {
  for (let retry = 0; ; retry++) {
    try {
      return await pool.run(work, request, limits);
    } catch (error) {
      if (!(error instanceof WorkerLost) || retry === MOST_RETRIES) throw error;
    }
  }
}
