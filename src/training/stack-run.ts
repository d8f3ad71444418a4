// The stacks of a round on the pool: all keep the same members, and their fits run side by side (D133).
import type { FittedStack } from "../../engine/search/qualify-stack.ts";
import { baseOf } from "../../engine/search/refit.ts";
import { partsWithWeights, type StackRows, weightFoldCount } from "../../engine/search/stack-rows.ts";
import type { StackBase } from "../../engine/search/stack-votes.ts";
import { type AttemptAnswer, type Limits, untilCancelled } from "../../workers/messages.ts";
import { DEFAULT_TIME_CAPS } from "../common/limits.ts";
import { runUnit } from "../work/units.ts";
import type { CompetitionContext } from "./competition-state.ts";

/** Attempts that a stack needs. */
const LEAST_BASES = 2;

/** The stacks of a round. They fit a few weights only, so they are made even after the time for attempts. */
export class StackRound {
  private readonly context: CompetitionContext;
  private readonly bases: readonly StackBase[];
  private readonly limits: Limits;
  private choice: Promise<{ members: StackBase[]; seconds: number }> | null = null;

  constructor(context: CompetitionContext, bases: readonly StackBase[]) {
    this.context = context;
    this.bases = bases;
    const { control, options } = context;
    const { attemptSeconds: mostSeconds = DEFAULT_TIME_CAPS.attemptSeconds } = options;
    this.limits = { ...untilCancelled(control.stopFlag), mostSeconds, urgency: 1 };
  }

  /** Begins the members' fits for versions. To be called once all stacks are asked for: their own fits go first. */
  beginFits(): void {
    // The error reaches the code that asked for the stack; until then it must not count as unhandled.
    this.choice?.then(
      ({ members }) => this.context.beginFits(members.map(baseOf)),
      () => undefined,
    );
  }

  /** Rejects as the pool does, and where there are too few attempts. */
  async qualify(withMains: boolean): Promise<AttemptAnswer> {
    const { context, bases, limits } = this;
    const { taskId, pool, task } = context;
    if (bases.length < LEAST_BASES) throw new Error("a stack needs two attempts that finished");
    this.choice ??= this.chooseMembers();
    const { members, seconds } = await this.choice;
    let used = seconds;
    const fit = async (rows: StackRows): Promise<FittedStack> => {
      const stackFit = await runUnit(pool, "stackFit", { taskId, withMains, members, rows }, limits);
      used += stackFit.seconds;
      return { stacking: stackFit.stacking, mains: stackFit.mains };
    };
    const [final, found, folds, confirming] = await Promise.all([
      fit("all"),
      fit("learning"),
      Promise.all(Array.from({ length: weightFoldCount(task) }, (_, fold) => fit(fold))),
      Promise.all(partsWithWeights(task).map((without) => fit({ without }))),
    ]);
    const fits = { folds, found, final, confirming };
    const answer = await runUnit(pool, "stack", { taskId, withMains, members, fits }, limits);
    return { ...answer, seconds: used + answer.seconds };
  }

  private async chooseMembers() {
    const { context, bases, limits } = this;
    const { taskId, pool } = context;
    const { members, seconds } = await runUnit(pool, "stackMembers", { taskId, bases }, limits);
    return { members: members.map((place) => bases[place]!), seconds };
  }
}
