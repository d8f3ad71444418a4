// How a job is stopped from outside, and when its time began.

/**
 * Stops a job in two steps: first it keeps the best so far, then it gives
 * up. Flags are shared memory; not 0 means stop.
 */
export interface JobControl {
  /** `performance.now()` at the job's start; negative where it began before this process. */
  startMs: number;
  /** The first step: a training drops running attempts and starts no more, other jobs end. */
  stopFlag: Int32Array;
  /** The second step: drops confirming and refitting too. */
  giveUpFlag: Int32Array;
}

export function newJobControl(startMs: number = performance.now()): JobControl {
  const flag = () => new Int32Array(new SharedArrayBuffer(4));
  return { startMs, stopFlag: flag(), giveUpFlag: flag() };
}
