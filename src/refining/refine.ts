// A refinement: which columns carry signal, decided on TRAIN, with the blind TEST as a judge that may only refuse.
import { type Estimate, wilsonInterval } from "../../engine/judging/metrics.ts";
import { positiveClassOf } from "../../engine/judging/positive-class.ts";
import { AMPLE_BUDGETS, estimateBudget } from "../../engine/refinement/budget.ts";
import { accuracyOf, type RowScores } from "../../engine/refinement/cross-validation.ts";
import type { ColumnDecision, KeepReason } from "../../engine/refinement/decision.ts";
import { explainDecisions } from "../../engine/refinement/decision-reasons.ts";
import { type FeatureEvidence, isRelevant } from "../../engine/refinement/evidence.ts";
import type { FeatureFacts } from "../../engine/refinement/feature-facts.ts";
import { openRefinement } from "../../engine/refinement/open-task.ts";
import { canJudge, planRefinement, sureSteps } from "../../engine/refinement/plan.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import { featuresOfColumns } from "../../engine/table/table.ts";
import type { CheckAnswer } from "../../workers/refine.ts";
import { formatTimeLimit } from "../common/format.ts";
import type { RefinementState } from "../summary/refinement-summary.ts";
import { stayingWords } from "../words/staying-words.ts";
import { judgeMajority } from "../work/majority.ts";
import { remembered } from "../work/units.ts";
import { AllColumns } from "./all-columns.ts";
import { gatherEvidence } from "./refinement-evidence.ts";
import type { RefineContext, RefineOptions, RefineOutcome, RefineSource } from "./refinement-job.ts";
import {
  type BlindResult,
  Checkpoints,
  isInferior,
  MOST_WORSE,
  performanceRows,
  validate,
} from "./refinement-models.ts";
import { dropNearCopies } from "./refinement-redundancy.ts";
import { targetsAbove } from "./refinement-target.ts";
import { StepCount, timeCheck, UnitRunner } from "./refinement-units.ts";
import { columnsOf, columnsWhere, type Refinery } from "./refinery.ts";

/** Share of the announced time after which near copies are not looked for. */
const REDUNDANCY_SHARE = 0.85;

/**
 * Refines the columns of a table. A cancelled, overdue or failed run is an outcome; rejects with an
 * InputError if no class has the positive label. The same source, options and seed give the same
 * decisions on any number of threads, unless the announced time runs out.
 */
export async function refine(
  source: RefineSource,
  options: RefineOptions,
  context: RefineContext,
): Promise<RefineOutcome> {
  const run = new RefinementRun(source, options, context);
  try {
    await run.complete();
    return run.outcome("REFINEMENT_COMPLETED", null);
  } catch (error) {
    if (error instanceof Cancelled) return run.outcome("CANCELLED", "The refinement was cancelled.");
    if (error instanceof OutOfTime) {
      return run.outcome("TIMEOUT", `The time limit of ${formatTimeLimit(options.timeLimitSeconds)} came first.`);
    }
    return run.outcome("ERROR", error instanceof Error ? error.message : "unknown fault", error);
  } finally {
    run.close();
  }
}

/** One refinement: what is known so far, stage by stage. */
class RefinementRun {
  private readonly source: RefineSource;
  private readonly options: RefineOptions;
  private readonly context: RefineContext;
  private readonly refinery: Refinery;
  private readonly budgetSeconds: number;
  private readonly isTimeShort: boolean;
  private facts: FeatureFacts[] = [];
  private checked: CheckAnswer = { checks: [], overlap: 0 };
  /** Features that the evidence decides on; null if there are too few rows. */
  private judged: readonly number[] | null = null;
  /** With all columns, best first. */
  private baselineResults: readonly BlindResult[] = [];
  private checkpoints: Checkpoints | null = null;
  private evidence: ReadonlyMap<number, FeatureEvidence> = new Map();
  /** Why columns stay that have no evidence of their own. */
  private keptWithoutEvidence: KeepReason = "KEPT_FEW_ROWS";
  private representatives: ReadonlyMap<number, number> = new Map();
  private readonly accuracyEffects = new Map<number, number>();
  /** Cross-validation of all columns, and of those accepted so far. */
  private allScores: RowScores | null = null;
  private currentScores: RowScores | null = null;
  private holdoutEstimate: Estimate | null = null;
  private loop = 0;

  constructor(source: RefineSource, options: RefineOptions, context: RefineContext) {
    this.source = source;
    this.options = options;
    this.context = context;
    const { listener, pool, startMs, cancelFlag, journal } = context;
    const positiveClass = positiveClassOf(source.table.labels, options.positiveLabel ?? null);
    const task = openRefinement(source, options.numberOfBuckets, options.seed, positiveClass);
    const nowMs = performance.now();
    const deadlineMs = startMs + options.timeLimitSeconds * 1000;
    const neededSeconds = estimateBudget(task, pool.size);
    this.isTimeShort = options.timeLimitSeconds < AMPLE_BUDGETS * neededSeconds;
    this.budgetSeconds = Math.min(neededSeconds, Math.max(1, (deadlineMs - nowMs) / 1000));
    listener.state("SETUP_BUCKETING");
    this.refinery = {
      task,
      taskId: pool.openTask(task),
      threads: pool.size,
      plan: planRefinement(task),
      units: new UnitRunner(pool, journal, { cancelFlag, deadlineMs }),
      count: new StepCount(listener.progress),
      facts: this.facts,
      nextLoop: () => {
        this.loop++;
        // Loops that begin before the baseline is measured show it once it is there.
        if (this.checkpoints !== null) listener.state(`REFINING_LOOP_${this.loop}`);
      },
      isPast: timeCheck(journal, nowMs, this.budgetSeconds),
    };
  }

  async complete(): Promise<void> {
    const setUp = this.setUp();
    // Models of all columns wait for the checks only where these may take one away.
    const early = this.options.removeLeaks ? null : this.modelAll();
    await setUp;
    this.context.listener.state("MEASURE_INITIAL_THRESHOLD");
    await this.measure(early ?? this.modelAll());
    await this.chooseRelevant();
    await this.removeNearCopies();
    await this.conclude();
  }

  close(): void {
    this.context.pool.closeTask(this.refinery.taskId);
  }

  private async setUp(): Promise<void> {
    const { task, taskId, count, plan, units } = this.refinery;
    const measure = ({ from, to }: { from: number; to: number }) =>
      units.runFirst(`facts ${from} to ${to}`, "measureFeatures", { taskId, from, to });
    const blocks = await Promise.all(plan.blocks.map(measure));
    this.facts.push(...blocks.flat());
    const request = { taskId, columns: this.source.columns, facts: this.facts, removeLeaks: this.options.removeLeaks };
    this.checked = await units.runFirst("checks", "checkColumns", request);
    if (canJudge(task)) {
      const columns = this.columnsWhere(({ removal, keep }) => removal === null && keep === null);
      this.judged = featuresOfColumns(task.table, columns);
    }
    const known = { judgedCount: this.judged?.length ?? 0, isTimeShort: this.isTimeShort };
    // Remembered, so that a restart does not change the total.
    count.open(await remembered(this.context.journal, "counted steps", () => sureSteps(task, known)));
  }

  /** The evidence for each column, beside the models of all columns. */
  private async measure(models: AllColumns): Promise<void> {
    const { refinery, judged } = this;
    const baselineMeasured = this.measureBaseline(models);
    refinery.nextLoop();
    const validated = models.validation.then((scores) => {
      this.allScores = scores;
      this.currentScores = scores;
    });
    const evidence = judged === null ? new Map<number, FeatureEvidence>() : gatherEvidence(refinery, judged);
    [this.evidence] = await Promise.all([evidence, baselineMeasured, validated]);
  }

  private async measureBaseline(models: AllColumns): Promise<void> {
    const { refinery, context } = this;
    models.show();
    this.baselineResults = await models.baseline;
    this.checkpoints = new Checkpoints(refinery, { columns: models.columns, results: this.baselineResults });
    this.showRows();
    for (let loop = 1; loop <= this.loop; loop++) context.listener.state(`REFINING_LOOP_${loop}`);
  }

  /**
   * Decides which columns stay: those with a signal; if these are refused, also those with a hint of one; else all that
   * pass the checks.
   */
  private async chooseRelevant(): Promise<void> {
    const sound = this.columnsWhere(({ removal }) => removal === null);
    const proposals: { columns: ReadonlySet<number>; words: string }[] = [];
    if (this.judged !== null) {
      const withSignal = this.withEvidence(isRelevant);
      if (withSignal.size === 0) this.keptWithoutEvidence = "KEPT_NO_SIGNAL_FOUND";
      else {
        proposals.push({ columns: this.withFixed(withSignal), words: "columns with a signal" });
        const hinted = this.withEvidence((evidence) => isRelevant(evidence) || evidence.isHinted);
        if (hinted.size > withSignal.size) {
          proposals.push({ columns: this.withFixed(hinted), words: "columns with a signal or a hint of one" });
        }
      }
    }
    if (sound.size > (proposals.at(-1)?.columns.size ?? 0)) {
      proposals.push({ columns: sound, words: "columns that pass the checks" });
    }
    for (const [index, { columns, words }] of proposals.entries()) {
      if (await this.propose(columns, words, `proposal ${index}`)) break;
    }
  }

  /** True if cross-validation and the blind test accept the set, or it is all columns; else notes which refused it. */
  private async propose(columns: ReadonlySet<number>, words: string, name: string): Promise<boolean> {
    const { refinery, checkpoints } = this;
    if (columns.size === this.allColumns().size) return true;
    if (columns.size === 0 || !checkpoints!.areLeft) return false;
    // With spare threads the blind test scores the columns meanwhile; its
    // result is read only if cross-validation agrees.
    const earlyResults = this.context.pool.size > 1 ? checkpoints!.score(columns, name) : null;
    const [scores] = await Promise.all([validate(refinery, columns, name), earlyResults]);
    if (isInferior(scores, this.allScores!)) {
      this.keptWithoutEvidence = "KEPT_FALLBACK";
      return false;
    }
    const results = earlyResults ?? checkpoints!.score(columns, name);
    if (!(await this.passesBlindTest(columns, words, scores, MOST_WORSE.withoutSignal, results))) {
      this.keptWithoutEvidence = "KEPT_VETO";
      return false;
    }
    return true;
  }

  /** Shows a set to the blind test, and adopts it unless that refuses it. */
  private async passesBlindTest(
    columns: ReadonlySet<number>,
    words: string,
    scores: RowScores,
    mostWorse: number,
    results: Promise<BlindResult[]>,
  ) {
    const before = this.checkpoints!.current.columns;
    const accepted = this.checkpoints!.propose({ columns, results: await results }, words, mostWorse);
    if (!accepted) return false;
    const effect = accuracyOf(this.currentScores!) - accuracyOf(scores);
    for (const column of before) if (!columns.has(column)) this.accuracyEffects.set(column, effect);
    this.currentScores = scores;
    this.showRows();
    return true;
  }

  private showRows(): void {
    const { published } = this.checkpoints!;
    this.context.listener.rows(performanceRows(this.baselineResults), performanceRows(published));
  }

  /** Where no column shows a signal, models only guess, and do not tell whether a copy is needed. */
  private async removeNearCopies(): Promise<void> {
    const { refinery, checkpoints } = this;
    if (this.keptWithoutEvidence === "KEPT_NO_SIGNAL_FOUND") return;
    const { columns } = checkpoints!.current;
    if (checkpoints!.areLeft && this.evidence.size > 0 && !refinery.isPast(REDUNDANCY_SHARE, "near copies")) {
      refinery.nextLoop();
      const reduction = await dropNearCopies(refinery, columns, this.currentScores!, this.evidence);
      const words = "one of each group of near copies";
      if (reduction === null) return;
      const results = checkpoints!.score(reduction.columns, "near copies");
      if (await this.passesBlindTest(reduction.columns, words, reduction.scores, MOST_WORSE.nearCopies, results)) {
        this.representatives = reduction.representatives;
      }
    }
  }

  private async conclude(): Promise<void> {
    const { task, count } = this.refinery;
    const { listener, writeFiles } = this.context;
    listener.state("CREATING_RESULT");
    const { columns, results } = this.checkpoints!.current;
    const { reserve } = results[0]!.score;
    this.holdoutEstimate = reserve && wilsonInterval(reserve.rowCount - reserve.falseDecisions, reserve.rowCount);
    if (task.reserve.length > 0) count.close("result");
    const kept = this.source.columns.filter(({ index, isKey }) => columns.has(index) || isKey === true);
    await writeFiles?.(kept.map(({ name }) => name));
    count.close("result");
  }

  /** `reason`: null where it is what stays. */
  outcome(state: RefinementState, reason: string | null, error: unknown = null): RefineOutcome {
    const { checkpoints, refinery, source } = this;
    const hasAnswer =
      state === "REFINEMENT_COMPLETED" ||
      (state === "TIMEOUT" && (checkpoints?.readings ?? []).some(({ accepted }) => accepted));
    const keptColumns = hasAnswer ? checkpoints!.current.columns : null;
    const { learning, test, table } = refinery.task;
    // Always answering the most frequent class of TRAIN, judged on TEST.
    const majority = judgeMajority(table.classes, table.labels.length, learning, test);
    const targetOf = targetsAbove(majority.accuracy, table, source.train);
    const columns = keptColumns === null ? [] : this.explain(keptColumns);
    const used = new Set(source.columns.filter((column) => column.used).map(({ name }) => name));
    return {
      state,
      stateReason: reason ?? stayingWords(columns, used),
      error,
      partial: hasAnswer && state === "TIMEOUT",
      kept: keptColumns,
      columns,
      baseline: performanceRows(this.baselineResults),
      current: checkpoints === null ? [] : performanceRows(checkpoints.published),
      reached: keptColumns === null ? [] : performanceRows(checkpoints!.current.results),
      checkpoints: checkpoints?.readings ?? [],
      majority,
      baselineTarget: targetOf(this.baselineResults, this.allScores),
      reachedTarget: keptColumns === null ? null : targetOf(checkpoints!.current.results, this.currentScores),
      holdoutEstimate: this.holdoutEstimate,
      overlap: this.checked.overlap,
      budgetSeconds: this.budgetSeconds,
      progressCompleted: refinery.count.done,
      progressTotal: refinery.count.total,
    };
  }

  private explain(kept: ReadonlySet<number>): ColumnDecision[] {
    return explainDecisions({
      columns: this.source.columns,
      features: this.refinery.task.table.features,
      checks: this.checked.checks,
      facts: this.facts,
      evidence: this.evidence,
      kept,
      keptWithoutEvidence: this.keptWithoutEvidence,
      representatives: this.representatives,
      accuracyEffects: this.accuracyEffects,
    });
  }

  private modelAll(): AllColumns {
    return new AllColumns(this.refinery, this.allColumns(), (state) => this.context.listener.state(state));
  }

  /** Every column with a feature, except leaks removed on request. */
  private allColumns(): Set<number> {
    const leaks = this.columnsWhere(({ removal }) => removal?.reason === "TARGET_LEAK");
    const columns = columnsOf(this.refinery.task, this.refinery.task.table.features.keys());
    return new Set([...columns].filter((column) => !leaks.has(column)));
  }

  private columnsWhere(isChosen: (check: CheckAnswer["checks"][number]) => boolean): Set<number> {
    return columnsWhere(this.refinery.task, this.checked.checks, isChosen);
  }

  private withEvidence(isChosen: (evidence: FeatureEvidence) => boolean): Set<number> {
    const features = [...this.evidence].flatMap(([feature, evidence]) => (isChosen(evidence) ? [feature] : []));
    return columnsOf(this.refinery.task, features);
  }

  /** With the columns that stay in any case. */
  private withFixed(columns: ReadonlySet<number>): Set<number> {
    return new Set([...columns, ...this.columnsWhere(({ removal, keep }) => removal === null && keep !== null)]);
  }
}
