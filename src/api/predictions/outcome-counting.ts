// Labels that came later, counted on a thread of their own, one file after
// the other: a large result takes seconds to read.
import { Cancelled, OutOfTime } from "../../../engine/stop-signal.ts";
import { untilCancelled } from "../../../workers/messages.ts";
import { WorkerLost, WorkerPool } from "../../../workers/pool.ts";
import { OUTCOME_SECONDS } from "../../http/limits.ts";
import { ApiError } from "../../http/problem.ts";
import type { OutcomeCounting } from "../services.ts";

/** Files under way or waiting at most. */
const MOST_AT_ONCE = 4;
/** Grace before the thread is ended. */
const OVERDUE_MS = 5_000;

export function createOutcomeCounting(spawnWorker: () => Worker): OutcomeCounting {
  const pool = new WorkerPool(spawnWorker, 1, OVERDUE_MS);
  let underWay = 0;
  return {
    count: async (request) => {
      if (underWay >= MOST_AT_ONCE) throw later("BUSY", "Too many files of labels are being counted; wait a moment.");
      underWay++;
      try {
        const limits = { ...untilCancelled(new Int32Array(new SharedArrayBuffer(4))), mostSeconds: OUTCOME_SECONDS };
        return await pool.run("countOutcomes", request, limits);
      } catch (error) {
        const isOver = error instanceof WorkerLost || error instanceof OutOfTime || error instanceof Cancelled;
        throw isOver ? later("UNAVAILABLE", "The labels could not be counted now. Send them again in a while.") : error;
      } finally {
        underWay--;
      }
    },
    close: () => pool.close(),
  };
}

function later(code: "BUSY" | "UNAVAILABLE", detail: string): ApiError {
  return new ApiError(code, detail, { headers: { "retry-after": "5" } });
}
