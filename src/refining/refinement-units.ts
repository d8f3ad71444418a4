// Runs a refinement's units of work within its time, and counts its steps.
import type { Stage } from "../../engine/refinement/plan.ts";
import { OutOfTime } from "../../engine/stop-signal.ts";
import type { Work, WorkKind } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { type Journal, remembered, rememberedNow, runUnit } from "../work/units.ts";

export interface UnitLimits {
  cancelFlag: Int32Array;
  deadlineMs: number;
}

type Ask = <K extends WorkKind>(work: K, request: Work[K]["request"]) => Promise<Work[K]["answer"]>;

export class UnitRunner {
  private readonly pool: WorkerPool;
  private readonly journal: Journal | null;
  private readonly limits: UnitLimits;

  constructor(pool: WorkerPool, journal: Journal | null, limits: UnitLimits) {
    this.pool = pool;
    this.journal = journal;
    this.limits = limits;
  }

  /** Rejects with Cancelled, with OutOfTime after the deadline, or with the unit's error. */
  run<K extends WorkKind>(unitId: string, work: K, request: Work[K]["request"]): Promise<Work[K]["answer"]> {
    return this.share(unitId, (ask) => ask(work, request));
  }

  /** Like `run`, before other units that wait. */
  runFirst<K extends WorkKind>(unitId: string, work: K, request: Work[K]["request"]): Promise<Work[K]["answer"]> {
    return this.share(unitId, (ask) => ask(work, request), 1);
  }

  /** Does a unit in parts, of which only the answer is remembered. Rejects as `run` does. */
  share<T>(unitId: string, make: (ask: Ask) => Promise<T>, urgency = 0): Promise<T> {
    const limits = { ...this.limits, mostSeconds: Number.POSITIVE_INFINITY, urgency };
    return remembered(this.journal, unitId, async () => {
      const answer = await make((work, request) => runUnit(this.pool, work, request, limits));
      // After the deadline, kernels return what they have; another run would get something else.
      if (performance.now() >= limits.deadlineMs) throw new OutOfTime();
      return answer;
    });
  }
}

/**
 * Tells whether a share of the announced time has passed. Remembers the answer
 * for each stage, so that a restart decides alike.
 */
export function timeCheck(
  journal: Journal | null,
  startMs: number,
  seconds: number,
): (share: number, stage: string) => boolean {
  return (share, stage) =>
    rememberedNow(journal, `time past for ${stage}`, () => performance.now() > startMs + share * seconds * 1000);
}

/**
 * Counts the steps that are certain to come. Each adds one as it ends, so the count never falls or jumps, and equals
 * the total at the end. A step is one unit, or several that end together.
 */
export class StepCount {
  /** Null until it is known. */
  total: number | null = null;
  done = 0;
  /** Steps that ended before it was known. */
  private readonly early: Stage[] = [];
  private readonly left = new Map<Stage, number>();
  private readonly onChange: (completed: number, total: number) => void;

  constructor(onChange: (completed: number, total: number) => void) {
    this.onChange = onChange;
  }

  open(steps: Readonly<Record<Stage, number>>): void {
    this.total = 0;
    for (const [stage, stepCount] of Object.entries(steps) as [Stage, number][]) {
      this.left.set(stage, stepCount);
      this.total += stepCount;
    }
    this.onChange(0, this.total);
    for (const stage of this.early.splice(0)) this.close(stage);
  }

  /** The counted steps that a stage has left: these are done whatever the clock shows. */
  leftOf(stage: Stage): number {
    return this.left.get(stage) ?? 0;
  }

  /** Counts a step of the stage as done; steps beyond the counted ones do not count. */
  close(stage: Stage): void {
    if (this.total === null) {
      this.early.push(stage);
      return;
    }
    const left = this.leftOf(stage);
    if (left === 0) return;
    this.left.set(stage, left - 1);
    this.onChange(++this.done, this.total);
  }
}
