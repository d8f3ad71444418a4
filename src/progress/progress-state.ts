// The content of a progress view, in words: the stage, how much of it is done, the time left, the best so far.

import { formatAmount, formatCount, formatDuration, formatPercent } from "../common/format.ts";
import { printable } from "../common/printable.ts";

/** For the estimate of the time left. */
export interface ProgressClock {
  /** Monotonic milliseconds. */
  now: () => number;
  /** Counted from the creation of the view; null for no limit. */
  timeLimitSeconds: number | null;
}

export class ProgressState {
  name = "";
  total: number | null = null;
  done = 0;
  /** "best 94.2%, 58 wrong": of attempts or, during a refinement, of its models; empty before the first. */
  bestWords = "";
  /** The best one's algorithm. */
  bestAlgorithm = "";
  /** "12 of 21 attempts, 1 failed"; empty before the competition. */
  attemptWords = "";
  private readonly clock: ProgressClock;
  private readonly startedMs: number;
  private stageStartedMs: number;
  private lastUnitMs: number;

  constructor(clock: ProgressClock) {
    this.clock = clock;
    this.startedMs = clock.now();
    this.stageStartedMs = this.startedMs;
    this.lastUnitMs = this.startedMs;
  }

  stage(name: string, total: number | null): void {
    // A best before the first attempt belongs to the refinement: the run cannot keep its models.
    if (this.attemptWords === "") {
      this.bestWords = "";
      this.bestAlgorithm = "";
    }
    this.name = printable(name);
    this.total = total;
    this.done = 0;
    this.stageStartedMs = this.clock.now();
    this.lastUnitMs = this.stageStartedMs;
  }

  advance(by: number): void {
    this.done = this.total === null ? this.done + by : Math.min(this.total, this.done + by);
    this.lastUnitMs = this.clock.now();
  }

  best(accuracy: number, falseDecisions: number, algorithm: string): void {
    this.bestWords = `best ${formatPercent(accuracy)}, ${formatCount(falseDecisions)} wrong`;
    this.bestAlgorithm = printable(algorithm);
  }

  attempts(done: number, total: number, failed: number): void {
    const failures = failed === 0 ? "" : `, ${formatCount(failed)} failed`;
    this.attemptWords = `${formatCount(done)} of ${formatAmount(total, "attempt")}${failures}`;
  }

  /** Share of the stage that is done; null where its length is unknown. */
  share(): number | null {
    return this.total === null ? null : this.total === 0 ? 1 : this.done / this.total;
  }

  /** "12 of 21", "1,204", or nothing before the first unit of a stage of unknown length. */
  countWords(): string {
    if (this.total !== null) return `${formatCount(this.done)} of ${formatCount(this.total)}`;
    return this.done === 0 ? "" : formatCount(this.done);
  }

  /**
   * "2 min 10 s left", estimated from the finished units and bounded by the time limit;
   * empty before the first unit and once the stage is done.
   */
  timeLeftWords(): string {
    if (this.total !== null && this.done >= this.total) return "";
    const now = this.clock.now();
    const { timeLimitSeconds } = this.clock;
    const limitLeft = timeLimitSeconds === null ? null : timeLimitSeconds - (now - this.startedMs) / 1000;
    const paceLeft = this.paceLeft(now);
    if (paceLeft === null) return "";
    return `${wholeSeconds(limitLeft === null ? paceLeft : Math.min(paceLeft, limitLeft))} left`;
  }

  /** Counts down between two units, rather than growing until the next one. */
  private paceLeft(now: number): number | null {
    if (this.total === null || this.done === 0) return null;
    const msPerUnit = (this.lastUnitMs - this.stageStartedMs) / this.done;
    return Math.max(0, (this.total - this.done) * msPerUnit - (now - this.lastUnitMs)) / 1000;
  }
}

function wholeSeconds(seconds: number): string {
  return formatDuration(Math.max(1, Math.ceil(seconds)));
}
