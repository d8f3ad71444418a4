// The fits of versions on all rows, or on all but a part's. Each is made once, for all versions that need it.
import type { BaseModel } from "../../engine/families/base-algorithms.ts";
import { type BaseFound, basesOf, type FoundSettings } from "../../engine/search/refit.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import type { Forest } from "../../engine/trees/forest.ts";
import { evenRanges } from "../../engine/trees/forest-ranges.ts";
import type { Limits } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { runUnit } from "../work/units.ts";

/** Trees that a thread grows at least: each codes the table's rows anew. */
const TREES_PER_FIT = 50;

export class BaseFits {
  private readonly pool: WorkerPool;
  private readonly taskId: number;
  private readonly cutsForests: boolean;
  private readonly fits = new Map<string, Promise<BaseModel>>();

  /** `cutsForests`: threads share the trees of a forest; the same bytes, in some more memory. */
  constructor(pool: WorkerPool, taskId: number, cutsForests: boolean) {
    this.pool = pool;
    this.taskId = taskId;
    this.cutsForests = cutsForests;
  }

  /** Hands out fits before anyone asks for them, forests that threads share last. Who asks for a fit gets its fault. */
  begin(bases: readonly BaseFound[], judgingPart: number | null, limits: Limits): void {
    const inOrder = [...bases].sort((a, b) => this.cutsOf(a) - this.cutsOf(b));
    for (const base of inOrder) this.fit(base, judgingPart, limits).catch(() => undefined);
  }

  /**
   * The bases of a version in the order of `basesOf`; the limits of the first caller hold. `judgingPart`: the part that
   * is left out; null to fit on all rows. Rejects as the pool does.
   */
  of(found: FoundSettings, judgingPart: number | null, limits: Limits): Promise<BaseModel[]> {
    return Promise.all(basesOf(found).map((base) => this.fit(base, judgingPart, limits)));
  }

  private fit(base: BaseFound, judgingPart: number | null, limits: Limits): Promise<BaseModel> {
    const { fits } = this;
    const key = JSON.stringify([base, judgingPart]);
    const known = fits.get(key);
    if (known !== undefined) return known;
    const fit = this.make(base, judgingPart, limits);
    fits.set(key, fit);
    // A run that was asked to stop may still confirm and refit, and then asks again.
    fit.catch((error) => {
      if (error instanceof Cancelled) fits.delete(key);
    });
    return fit;
  }

  /** How many threads share a fit: only forests are cut. */
  private cutsOf({ settings }: BaseFound): number {
    const treeCount = this.cutsForests && settings.algorithm === "forest" ? settings.treeCount : 0;
    return Math.max(1, Math.floor(treeCount / TREES_PER_FIT));
  }

  private async make(base: BaseFound, judgingPart: number | null, limits: Limits): Promise<BaseModel> {
    const { pool, taskId } = this;
    const request = { taskId, base, judgingPart };
    const { settings } = base;
    const cuts = this.cutsOf(base);
    if (cuts === 1 || settings.algorithm !== "forest") return runUnit(pool, "fit", request, limits);
    const ranges = evenRanges(settings.treeCount, cuts);
    const grown = await Promise.all(ranges.map((trees) => runUnit(pool, "fit", { ...request, trees }, limits)));
    return runUnit(pool, "fit", { ...request, grown: grown as Forest[] }, { ...limits, urgency: 1 });
  }
}
