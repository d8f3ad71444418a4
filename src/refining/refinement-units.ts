// A refinement's units of work: run within its time, and counted.
import type { Stage } from "../../engine/refinement/plan.ts";
import { OutOfTime } from "../../engine/stop-signal.ts";
import type { Work, WorkKind } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { remembered, rememberedNow, runUnit, type UnitMemory } from "../jobs/units.ts";

export interface UnitLimits {
  cancelFlag: Int32Array;
  deadlineMs: number;
}

/** Gives the units of one refinement to the pool, within its time. */
export class UnitRunner {
  private readonly pool: WorkerPool;
  private readonly memory: UnitMemory | null;
  private readonly limits: UnitLimits;

  constructor(pool: WorkerPool, memory: UnitMemory | null, limits: UnitLimits) {
    this.pool = pool;
    this.memory = memory;
    this.limits = limits;
  }

  /** Rejects with Cancelled, with OutOfTime once the deadline has passed, or with the fault of the unit. */
  run<K extends WorkKind>(unitId: string, work: K, request: Work[K]["request"]): Promise<Work[K]["answer"]> {
    const limits = { ...this.limits, mostSeconds: Number.POSITIVE_INFINITY };
    return remembered(this.memory, unitId, async () => {
      const answer = await runUnit(this.pool, work, request, limits);
      // Past the deadline kernels return what they have: not the answer that another run would get.
      if (performance.now() >= limits.deadlineMs) throw new OutOfTime();
      return answer;
    });
  }
}

/**
 * Tells whether a share of the announced time has passed. The answer of each stage is remembered, so that a restarted
 * refinement takes the same way.
 */
export function timeCheck(
  memory: UnitMemory | null,
  startMs: number,
  seconds: number,
): (share: number, stage: string) => boolean {
  return (share, stage) =>
    rememberedNow(memory, `time past for ${stage}`, () => performance.now() > startMs + share * seconds * 1000);
}

/**
 * How many steps are done of those that are certain to come. Each adds one as it ends, and nothing else does: so the count
 * never falls or jumps, and equals the total at the end. A step is at least one unit; units that end together are one step.
 */
export class StepCount {
  /** Null until it is known. */
  total: number | null = null;
  done = 0;
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
  }

  /** Whether steps of the stage are counted that are not done: these are done whatever the clock says. */
  isOpen(stage: Stage): boolean {
    return (this.left.get(stage) ?? 0) > 0;
  }

  /** A step of the stage is done; where all that were certain are, a further one does not count. */
  close(stage: Stage): void {
    if (!this.isOpen(stage)) return;
    this.left.set(stage, this.left.get(stage)! - 1);
    this.onChange(++this.done, this.total!);
  }
}
