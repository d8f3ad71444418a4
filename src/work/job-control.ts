// How a job is stopped from outside, and when its time began.

/**
 * Stops a job in two steps: first it keeps the best so far, then it gives
 * up. Flags are shared memory; not 0 means stop.
 */
export interface JobControl {
  /** `performance.now()` at the job's start; negative where it began before this process. */
  startMs: number;
  /** Drops running attempts and starts no more. */
  attemptsFlag: Int32Array;
  /** Drops confirming and refitting too. */
  finishFlag: Int32Array;
}

export function newJobControl(startMs: number = performance.now()): JobControl {
  const flag = () => new Int32Array(new SharedArrayBuffer(4));
  return { startMs, attemptsFlag: flag(), finishFlag: flag() };
}
