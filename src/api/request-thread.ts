// A thread for work that a request waits for: one piece after the other, beside the threads of jobs.
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import { untilCancelled, type Work, type WorkKind } from "../../workers/messages.ts";
import { WorkerLost, WorkerPool } from "../../workers/pool.ts";
import { ApiError } from "../http/problem.ts";

/** Grace after the time of a piece before the thread is ended. */
const OVERDUE_MS = 5_000;

export class RequestThread {
  private readonly pool: WorkerPool;

  constructor(spawnWorker: () => Worker) {
    this.pool = new WorkerPool(spawnWorker, 1, OVERDUE_MS);
  }

  /**
   * Waits for its turn. `failed` is said where the time is up, or the thread ends before it answers.
   *
   * @throws ApiError UNAVAILABLE
   */
  run<K extends WorkKind>(
    work: K,
    request: Work[K]["request"],
    failed: string,
    mostSeconds: number = Number.POSITIVE_INFINITY,
  ): Promise<Work[K]["answer"]> {
    const limits = { ...untilCancelled(new Int32Array(new SharedArrayBuffer(4))), mostSeconds };
    return this.pool.run(work, request, limits).catch((error) => {
      const isOver = error instanceof WorkerLost || error instanceof OutOfTime || error instanceof Cancelled;
      throw isOver ? Object.assign(soonAgain("UNAVAILABLE", failed), { cause: error }) : error;
    });
  }

  /** Ends the thread; later work is refused. */
  close(): void {
    this.pool.close();
  }
}

/** A refusal that is worth another try in a few seconds. */
export function soonAgain(code: "BUSY" | "UNAVAILABLE", detail: string): ApiError {
  return new ApiError(code, detail, { headers: { "retry-after": "5" } });
}
