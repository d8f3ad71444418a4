// How a long computation learns that it should end: kernels look at it in their outer loops.

/** Asked about every 10 ms of work or oftener. */
export interface StopSignal {
  /** True once the work was cancelled: its result is of no use, so leave at once by `throw new Cancelled()`. */
  cancelled(): boolean;
  /** True once the time allowed is over: return the best answer reached so far, whole and usable. */
  timeIsUp(): boolean;
}

/** Thrown by a kernel that was cancelled. */
export class Cancelled extends Error {
  constructor() {
    super("cancelled");
    this.name = "Cancelled";
  }
}

/** Thrown where the time was up before there was an answer that can stand beside others. */
export class OutOfTime extends Error {
  constructor() {
    super("not finished in time");
    this.name = "OutOfTime";
  }
}

/** A signal that never fires. */
export const neverStop: StopSignal = { cancelled: () => false, timeIsUp: () => false };

/** Leaves by exception when the work was cancelled. */
export function throwIfCancelled(stop: StopSignal): void {
  if (stop.cancelled()) throw new Cancelled();
}

/** Leaves by exception where the time is up: what a kernel returned by then may be cut short. */
export function throwIfOutOfTime(stop: StopSignal): void {
  if (stop.timeIsUp()) throw new OutOfTime();
}

/** Leaves by exception when the work was cancelled or the time is up. */
export function throwIfStopped(stop: StopSignal): void {
  throwIfCancelled(stop);
  throwIfOutOfTime(stop);
}
