// Units of work: answered from the journal if they were done before a
// restart, else on the pool, again if a thread dies.
import type { Limits, Work, WorkKind } from "../../workers/messages.ts";
import { WorkerLost, type WorkerPool } from "../../workers/pool.ts";

/** Retries of a unit whose thread dies. */
const MOST_RETRIES = 2;

/** The answers of finished units, from which a restarted process goes on: a file, or a map in tests. */
export interface Journal {
  /** Undefined where the unit is not finished. */
  find(unitId: string): unknown;
  append(unitId: string, answer: unknown): void;
}

/**
 * Returns the remembered answer of a unit, or else that of `compute`, which is remembered first: a killed process loses
 * only units that were running. Rejects with an error of `compute` or of the journal; nothing is remembered then.
 */
export async function remembered<T>(
  journal: Journal | null,
  unitId: string,
  compute: () => T | Promise<T>,
): Promise<T> {
  const known = journal?.find(unitId);
  if (known !== undefined) return known as T;
  const answer = await compute();
  journal?.append(unitId, answer);
  return answer;
}

/** Like `remembered`, without waiting. */
export function rememberedNow<T>(journal: Journal | null, unitId: string, compute: () => T): T {
  const known = journal?.find(unitId);
  if (known !== undefined) return known as T;
  const answer = compute();
  journal?.append(unitId, answer);
  return answer;
}

/** Like `pool.run`, but retries if the thread dies. */
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
