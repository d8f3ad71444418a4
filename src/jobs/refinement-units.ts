// A refinement's units of work: run within its time, and counted.
import type { Stage } from "../../engine/refinement/plan.ts";
import { OutOfTime } from "../../engine/stop-signal.ts";
import type { Work, WorkKind } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { remembered, runUnit, type UnitMemory } from "./units.ts";

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
 * The count of units by stage. Closing adds exactly one, a stage that ends early closes what it did not need: so the count
 * never falls, and equals the total at the end.
 */
export class UnitCount {
  readonly total: number;
  private completed = 0;
  private readonly open: Map<Stage, number>;
  private readonly onChange: (completed: number, total: number) => void;

  constructor(
    stages: readonly { stage: Stage; unitCount: number }[],
    onChange: (completed: number, total: number) => void,
  ) {
    this.open = new Map(stages.map(({ stage, unitCount }) => [stage, unitCount]));
    this.total = stages.reduce((sum, { unitCount }) => sum + unitCount, 0);
    this.onChange = onChange;
    onChange(0, this.total);
  }

  get done(): number {
    return this.completed;
  }

  close(stage: Stage): void {
    const left = this.open.get(stage) ?? 0;
    if (left === 0) return;
    this.open.set(stage, left - 1);
    this.completed++;
    this.onChange(this.completed, this.total);
  }

  closeStage(stage: Stage): void {
    while ((this.open.get(stage) ?? 0) > 0) this.close(stage);
  }

  closeAll(): void {
    for (const stage of this.open.keys()) this.closeStage(stage);
  }
}
