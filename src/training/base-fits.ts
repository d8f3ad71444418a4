// The fits of versions on some rows, each made once and shared by all versions that need it.
import type { BaseModel } from "../../engine/families/base-algorithms.ts";
import { basesOf, type FoundSettings } from "../../engine/search/refit.ts";
import type { Limits } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { runUnit } from "../jobs/units.ts";

export class BaseFits {
  private readonly pool: WorkerPool;
  private readonly taskId: number;
  private readonly judgingPart: number | null;
  private readonly fits = new Map<string, Promise<BaseModel>>();

  /** `judgingPart`: the fold that is left out; null to fit on all rows. */
  constructor(pool: WorkerPool, taskId: number, judgingPart: number | null) {
    this.pool = pool;
    this.taskId = taskId;
    this.judgingPart = judgingPart;
  }

  /** Hands out the fits that these versions need; whoever asks for one later gets its fault. */
  begin(versions: readonly FoundSettings[], limits: Limits): void {
    for (const found of versions) this.of(found, limits).catch(() => undefined);
  }

  /** The bases of a version in the order of `basesOf`; the limits of the first caller hold. Rejects as the pool does. */
  of(found: FoundSettings, limits: Limits): Promise<BaseModel[]> {
    const { pool, taskId, judgingPart, fits } = this;
    const asked = basesOf(found).map((base) => {
      const key = JSON.stringify(base);
      const fit = fits.get(key) ?? runUnit(pool, "fit", { taskId, base, judgingPart }, limits);
      fits.set(key, fit);
      return fit;
    });
    return Promise.all(asked);
  }
}
