// The look before training, which runs beside the refinement: would something flatter the figures of this table?
import { Cancelled } from "../../engine/stop-signal.ts";
import { type LookAnswer, type TableAnswer, untilCancelled } from "../../workers/messages.ts";
import { WorkerLost, type WorkerPool } from "../../workers/pool.ts";
import { remembered, runUnit, type UnitMemory } from "../jobs/units.ts";

/** A look ends by then with its findings so far; or after a tenth of the run's time, if that is shorter. */
const MOST_LOOK_SECONDS = 10;
const LOOK_SHARE = 0.1;

export interface LookSettings {
  pool: WorkerPool;
  cancelFlag: Int32Array;
  timeLimitSeconds: number;
  seed: number;
  /** As a training job has it; null to forget the answer. */
  memory: UnitMemory | null;
}

/** Null if the look was cut off. `rowCount`: rows of TRAIN, the first of the table. */
export async function lookFirst(
  { table, judgedBy }: Pick<TableAnswer, "table" | "judgedBy">,
  rowCount: number,
  { pool, cancelFlag, timeLimitSeconds, seed, memory }: LookSettings,
): Promise<LookAnswer | null> {
  const asksForDependence = judgedBy.group === null && judgedBy.time === null;
  const mostSeconds = Math.min(MOST_LOOK_SECONDS, LOOK_SHARE * timeLimitSeconds);
  const limits = { ...untilCancelled(cancelFlag), mostSeconds };
  try {
    return await remembered(memory, "look", async () => {
      const ask = (asksForLeaks: boolean) => {
        const request = { table, rowCount, seed, asksForLeaks, asksForDependence: !asksForLeaks && asksForDependence };
        return runUnit(pool, "look", request, limits);
      };
      const [{ leaks, seconds }, other] = await Promise.all([ask(true), asksForDependence ? ask(false) : null]);
      return { leaks, dependence: other?.dependence ?? null, seconds: seconds + (other?.seconds ?? 0) };
    });
  } catch (error) {
    if (error instanceof Cancelled || error instanceof WorkerLost) return null;
    throw error;
  }
}
