// One attempt on the pool. Where it pays, its fits are units of their own, which free threads share (D133); `qualify`
// then puts the pieces together. Otherwise `qualify` makes the whole attempt on one thread.

import { type BoostedFold, RoundSearch } from "../../engine/boosting/boosted-fold.ts";
import { GRADIENT_BOOSTING } from "../../engine/boosting/boosting-settings.ts";
import type { BaseModel, BaseSettings } from "../../engine/families/base-algorithms.ts";
import type { CutBy } from "../../engine/fitting/algorithm-entry.ts";
import type { AttemptPieces } from "../../engine/search/attempt-pieces.ts";
import { type AttemptUnit, cutOf, scoreUnits, type UnitMade } from "../../engine/search/attempt-units.ts";
import { bestForests, FINAL_ROWS, type ForestAttempt } from "../../engine/search/choose-forest.ts";
import type { StackBase } from "../../engine/search/stack-votes.ts";
import type { BaseSpec } from "../../engine/search/training-task.ts";
import { type GrownRange, TREES_PER_RANGE, treeRanges } from "../../engine/trees/forest-ranges.ts";
import type { AttemptAnswer, Limits } from "../../workers/messages.ts";
import { DEFAULT_TIME_CAPS } from "../common/limits.ts";
import { runUnit } from "../work/units.ts";
import type { CompetitionContext } from "./competition-state.ts";

type AttemptContext = Pick<CompetitionContext, "taskId" | "task" | "options" | "pool" | "control" | "deadlineMs">;

/** The cap on an attempt's time counts the seconds of all its units together, on whichever threads. */
export class AttemptRun {
  readonly spec: BaseSpec;
  private readonly context: AttemptContext;
  private readonly limits: Limits;
  private usedSeconds = 0;
  private firstFold: UnitMade<"first fold"> | null = null;

  constructor(context: AttemptContext, spec: BaseSpec) {
    this.context = context;
    this.spec = spec;
    const { control, deadlineMs, options } = context;
    const { attemptSeconds = DEFAULT_TIME_CAPS.attemptSeconds } = options;
    const used = () => this.usedSeconds;
    const isChain = cutOf(context.task, spec) === "rounds";
    this.limits = {
      cancelFlag: control.stopFlag,
      deadlineMs,
      get mostSeconds() {
        return attemptSeconds - used();
      },
      // An attempt that has begun goes before those that have not; steps that follow each other go before the others.
      get urgency() {
        return isChain ? 2 : Math.sign(used());
      },
    };
  }

  /** Fits the first fold, after which a weak attempt may end. A fault shows in `complete`, which fits it again. */
  async begin(): Promise<void> {
    if (cutOf(this.context.task, this.spec) !== "folds") return;
    this.firstFold = await this.make({ kind: "first fold" }).catch(() => null);
  }

  /** Rejects as the pool does. `others`: attempts whose results may end this one after the first fold. */
  async complete(others: readonly StackBase[]): Promise<AttemptAnswer> {
    const { context, spec, limits } = this;
    const { taskId, pool } = context;
    const cut = cutOf(context.task, spec);
    const request =
      cut === null
        ? { taskId, spec, others }
        : { taskId, spec, others: [], pieces: await this.makePieces(cut, others) };
    const answer = await runUnit(pool, "qualify", request, limits);
    return { ...answer, seconds: this.usedSeconds + answer.seconds };
  }

  private makePieces(cut: CutBy, others: readonly StackBase[]): Promise<AttemptPieces> {
    if (cut === "trees") return this.growForest();
    return cut === "rounds" ? this.boost() : this.fitFolds(others);
  }

  private async fitFolds(others: readonly StackBase[]): Promise<AttemptPieces> {
    const { context, spec } = this;
    const { taskId, pool, task } = context;
    if (others.length > 0) {
      this.firstFold ??= await this.make({ kind: "first fold" });
      const { scores, model } = this.firstFold;
      const request = { taskId, spec, scores, others };
      const { earlyEnd } = await runUnit(pool, "judgeFirstFold", request, this.limits);
      if (earlyEnd !== null) return { kind: "first fold", model, scores, earlyEnd };
    }
    const { firstFold } = this;
    const [learned, ...folds] = await Promise.all([
      this.make({ kind: "learning", settings: spec.settings }),
      ...task.folds.map((_, fold) =>
        fold === 0 && firstFold !== null ? firstFold : this.make({ kind: "fold", fold }),
      ),
    ]);
    return this.foldPieces(spec.settings, folds, learned.model);
  }

  private async boost(): Promise<AttemptPieces> {
    const { settings } = this.spec;
    if (settings.algorithm !== GRADIENT_BOOSTING) throw new Error("only gradient boosting has rounds");
    const search = new RoundSearch(this.context.task.folds.length, settings.roundCount);
    let learnedFold: BoostedFold | null = null;
    for (let wanted = search.wanted; wanted !== null; wanted = search.wanted) {
      const roundCount = wanted;
      // The number only rises, so the fit on all learning rows will need these rounds anyway.
      const sureRounds = search.bestRound;
      const growing = search.folds.map((before, fold) => this.addRounds(before, fold, roundCount));
      const learning: Promise<BoostedFold> | null =
        sureRounds > 0 ? this.addRounds(learnedFold, null, sureRounds) : null;
      const [grown, known]: [BoostedFold[], BoostedFold | null] = await Promise.all([Promise.all(growing), learning]);
      learnedFold = known;
      search.addGrown(grown);
    }
    const { bestRound: roundCount, folds } = search;
    const bestSettings = { ...settings, roundCount };
    const [fitted, ...scored] = await Promise.all([
      this.make(
        learnedFold === null
          ? { kind: "learning", settings: bestSettings }
          : { kind: "boosted", before: learnedFold, roundCount },
      ),
      ...folds.map((grown, fold) => this.make({ kind: "score", fold, grown: grown!, roundCount })),
    ]);
    return this.foldPieces(bestSettings, scored, fitted.model);
  }

  private async addRounds(before: BoostedFold | null, fold: number | null, roundCount: number): Promise<BoostedFold> {
    return (await this.make({ kind: "rounds", fold, before, roundCount })).grown;
  }

  /** Chooses among the candidates by their first trees, then grows the trees of the best one. */
  private async growForest(): Promise<AttemptPieces> {
    const { settings, grown } = await this.chooseForest();
    const { table, split } = this.context.task;
    const firstTree = grown === null ? 0 : TREES_PER_RANGE;
    const rangesLeft = treeRanges(settings.treeCount, split.learning.length, table.labels.length, firstTree);
    const grownRanges = await Promise.all(rangesLeft.map((range) => this.make({ kind: "trees", settings, ...range })));
    const others = grownRanges.map(({ range }) => range);
    const ranges = grown === null ? others : [grown, ...others];
    const modelScores = await this.scoresOf(ranges.map(({ forest }) => forest));
    return { kind: "trees", settings, ranges, modelScores };
  }

  /**
   * As `chooseForest` of the engine does, on all threads. `grown`: the forest's first trees, where the last rung made
   * them.
   */
  private async chooseForest(): Promise<{ settings: ForestAttempt; grown: GrownRange | null }> {
    const { spec, context } = this;
    const candidates = [spec.settings, ...spec.rivals].filter((settings) => settings.algorithm === "forest");
    if (candidates.length === 1) return { settings: candidates[0]!, grown: null };
    const tried = await Promise.all(
      candidates.map((settings) => this.make({ kind: "trial", settings, rung: "first" })),
    );
    const rivalsLeft = bestForests(
      candidates,
      tried.map(({ loss }) => loss),
    );
    const rowCount = context.task.split.learning.length;
    const hasAllRows = rowCount <= FINAL_ROWS && rivalsLeft.every(({ treeCount }) => treeCount >= TREES_PER_RANGE);
    const grownRivals = await Promise.all(
      rivalsLeft.map((settings) =>
        this.make(
          hasAllRows
            ? { kind: "trees", settings, firstTree: 0, endTree: TREES_PER_RANGE }
            : { kind: "trial", settings, rung: "final" },
        ),
      ),
    );
    const losses = grownRivals.map(({ loss }) => loss);
    const best = losses.indexOf(Math.min(...losses));
    const chosen = grownRivals[best]!;
    return { settings: rivalsLeft[best]!, grown: "range" in chosen ? chosen.range : null };
  }

  private async foldPieces(
    settings: BaseSettings,
    folds: readonly UnitMade<"fold">[],
    model: BaseModel,
  ): Promise<AttemptPieces> {
    const foldScores = folds.map(({ scores }) => scores);
    return { kind: "folds", settings, foldScores, model, modelScores: await this.scoresOf([model]) };
  }

  /** Several models are ranges of one forest. */
  private async scoresOf(models: readonly BaseModel[]): Promise<Float64Array[]> {
    const scores = await Promise.all(scoreUnits(this.context.task, models).map((unit) => this.make(unit)));
    return scores.map(({ scores }) => scores);
  }

  private async make<U extends AttemptUnit>(unit: U): Promise<UnitMade<U["kind"]>> {
    const { context, spec, limits } = this;
    const { taskId, pool } = context;
    const unitAnswer = await runUnit(pool, "attemptUnit", { taskId, spec, unit }, limits);
    this.usedSeconds += unitAnswer.seconds;
    return unitAnswer as UnitMade<U["kind"]>;
  }
}
