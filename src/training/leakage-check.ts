// The dependence and leakage check before training, beside the refinement:
// would something flatter the figures of this table?
import { DEPENDENCE_PARTS, joinParts } from "../../engine/row-dependence/dependence.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { type LeakageAnswer, type LeakageRequest, type TableAnswer, untilCancelled } from "../../workers/messages.ts";
import { WorkerLost, type WorkerPool } from "../../workers/pool.ts";
import { remembered, runUnit, type UnitMemory } from "../jobs/units.ts";

/** The check ends by then with its findings so far; or after a tenth of the run's time, if that is shorter. */
const MOST_CHECK_SECONDS = 10;
const CHECK_SHARE = 0.1;

export interface LeakageCheckSettings {
  pool: WorkerPool;
  cancelFlag: Int32Array;
  timeLimitSeconds: number;
  seed: number;
  /** As a training job has it; null to forget the answer. */
  memory: UnitMemory | null;
}

/** Null if the check was cut off. `rowCount`: rows of TRAIN, the first of the table. */
export async function checkLeakage(
  { table, judgedBy }: Pick<TableAnswer, "table" | "judgedBy">,
  rowCount: number,
  { pool, cancelFlag, timeLimitSeconds, seed, memory }: LeakageCheckSettings,
): Promise<LeakageAnswer | null> {
  const parts = judgedBy.group === null && judgedBy.time === null ? DEPENDENCE_PARTS : [];
  const mostSeconds = Math.min(MOST_CHECK_SECONDS, CHECK_SHARE * timeLimitSeconds);
  let seconds = 0;
  const limits = {
    ...untilCancelled(cancelFlag),
    get mostSeconds() {
      return mostSeconds - seconds;
    },
  };
  const ask = async (part: LeakageRequest["part"]) => {
    const answer = await runUnit(pool, "findLeakage", { table, rowCount, seed, part }, limits);
    seconds += answer.seconds;
    return answer;
  };
  try {
    return await remembered(memory, "look", async () => {
      const [{ leaks }, ...others] = await Promise.all([ask("leaks"), ...parts.map(ask)]);
      const answers = others.flatMap(({ dependence }) => dependence ?? []);
      return { leaks, dependence: answers.length === 0 ? null : joinParts(answers), seconds };
    });
  } catch (error) {
    if (error instanceof Cancelled || error instanceof WorkerLost) return null;
    throw error;
  }
}
