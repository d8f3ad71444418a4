// The dependence and leakage check before training, beside the refinement:
// would something flatter the figures of this table?
import { DEPENDENCE_QUESTIONS, joinAnswers } from "../../engine/row-dependence/dependence.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import { type LeakageAnswer, type LeakageQuestion, type TableAnswer, untilCancelled } from "../../workers/messages.ts";
import { WorkerLost, type WorkerPool } from "../../workers/pool.ts";
import { type Journal, remembered, runUnit } from "../work/units.ts";

/**
 * The check ends after these seconds of the processor with its findings so far; or after a tenth of the run's time, if
 * that is shorter.
 */
const MOST_CHECK_SECONDS = 10;
const CHECK_SHARE = 0.1;
/** With this many rows or fewer, one unit answers all questions: a second would repeat the random judging. */
const FEW_ROWS = 2_000;

export interface LeakageCheckSettings {
  pool: WorkerPool;
  cancelFlag: Int32Array;
  timeLimitSeconds: number;
  seed: number;
  /** As a training job has it; null to forget the answer. */
  journal: Journal | null;
}

/** Null if the check was cut off. `rowCount`: rows of TRAIN, the first of the table. */
export async function checkLeakage(
  { table, judgedBy }: Pick<TableAnswer, "table" | "judgedBy">,
  rowCount: number,
  { pool, cancelFlag, timeLimitSeconds, seed, journal }: LeakageCheckSettings,
): Promise<LeakageAnswer | null> {
  const isSplitAtRandom = judgedBy.group === null && judgedBy.time === null;
  const ofRows = DEPENDENCE_QUESTIONS.filter((question) => question !== "texts" || table.texts !== undefined);
  const questions: readonly LeakageQuestion[] = ["leaks", "marks", ...(isSplitAtRandom ? ofRows : [])];
  const mostSeconds = Math.min(MOST_CHECK_SECONDS, CHECK_SHARE * timeLimitSeconds);
  let seconds = 0;
  const limits = {
    ...untilCancelled(cancelFlag),
    byProcessor: true,
    get mostSeconds() {
      return mostSeconds - seconds;
    },
  };
  const ask = async (asked: readonly LeakageQuestion[]) => {
    const answer = await runUnit(pool, "findLeakage", { table, rowCount, seed, questions: asked }, limits);
    seconds += answer.seconds;
    return answer;
  };
  try {
    return await remembered(journal, "look", async () => {
      const answers = await Promise.all(unitsOf(questions, rowCount).map(ask));
      const found = answers.flatMap(({ dependence }) => dependence ?? []);
      const leaks = answers.flatMap((answer) => answer.leaks);
      const isCut = answers.some((answer) => answer.isCut);
      const dependence = found.length === 0 ? null : joinAnswers(found);
      const cutBy = mostSeconds < MOST_CHECK_SECONDS ? "TIME_LIMIT" : "OWN_LIMIT";
      return { leaks, isCut, dependence, seconds, ...((isCut || dependence?.outOfTime === true) && { cutBy }) };
    });
  } catch (error) {
    if (error instanceof Cancelled || error instanceof OutOfTime || error instanceof WorkerLost) return null;
    throw error;
  }
}

/** A unit for each question, so that threads share them; of few rows one for all. */
function unitsOf(questions: readonly LeakageQuestion[], rowCount: number): (readonly LeakageQuestion[])[] {
  return rowCount <= FEW_ROWS ? [questions] : questions.map((question) => [question]);
}
