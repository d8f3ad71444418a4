// A job's run without a limit of memory.
import { type JobRun, startRun } from "../../src/jobs/job-run.ts";
import type { WorkerPool } from "../../workers/pool.ts";

export function startUnlimited(pool: WorkerPool, startedOn: string | null, knownMs: number | null = null): JobRun {
  return startRun(pool, startedOn, knownMs, {
    mostBytes: Number.POSITIVE_INFINITY,
    require: () => undefined,
    correct: () => true,
    release: () => undefined,
  });
}
