// The fits of versions on some rows, each made once and shared by all versions that need it.
import type { BaseModel } from "../../engine/families/base-algorithms.ts";
import { type BaseFound, basesOf, type FoundSettings } from "../../engine/search/refit.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import type { Limits } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { runUnit } from "../jobs/units.ts";

export class BaseFits {
  private readonly pool: WorkerPool;
  private readonly taskId: number;
  private readonly fits = new Map<string, Promise<BaseModel>>();

  constructor(pool: WorkerPool, taskId: number) {
    this.pool = pool;
    this.taskId = taskId;
  }

  /** Hands fits out before somebody asks for them, who then gets their fault. */
  begin(bases: readonly BaseFound[], judgingPart: number | null, limits: Limits): void {
    for (const base of bases) this.fit(base, judgingPart, limits).catch(() => undefined);
  }

  /**
   * The bases of a version in the order of `basesOf`; the limits of the first caller hold. `judgingPart`: the fold that
   * is left out; null to fit on all rows. Rejects as the pool does.
   */
  of(found: FoundSettings, judgingPart: number | null, limits: Limits): Promise<BaseModel[]> {
    return Promise.all(basesOf(found).map((base) => this.fit(base, judgingPart, limits)));
  }

  private fit(base: BaseFound, judgingPart: number | null, limits: Limits): Promise<BaseModel> {
    const { pool, taskId, fits } = this;
    const key = JSON.stringify([base, judgingPart]);
    const known = fits.get(key);
    if (known !== undefined) return known;
    const fit = runUnit(pool, "fit", { taskId, base, judgingPart }, limits);
    fits.set(key, fit);
    // A run that stopped its attempts may still confirm and refit: then it is asked for again.
    fit.catch((error) => {
      if (error instanceof Cancelled) fits.delete(key);
    });
    return fit;
  }
}
