// How a job is stopped from outside, and from when its time counts.

/** Stops a job from outside: first to keep the best so far, then to give up. Flags are shared; not 0 means stop. */
export interface JobControl {
  /** `performance.now()` from which the time limit counts; negative where the job began before this process. */
  startMs: number;
  /** Attempts under way are dropped and no more are begun. */
  attemptsFlag: Int32Array;
  /** Confirming and refitting are dropped too. */
  finishFlag: Int32Array;
}

/** Of a job that begins now, or began at `startMs`. */
export function newJobControl(startMs: number = performance.now()): JobControl {
  const flag = () => new Int32Array(new SharedArrayBuffer(4));
  return { startMs, attemptsFlag: flag(), finishFlag: flag() };
}
