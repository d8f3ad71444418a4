// The state of a run of attempts: its input, its attempts so far, when it ends (D08), and which may be versions.

import type { Cost } from "../../engine/judging/costs.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import type { AttemptSpec } from "../../engine/search/attempts.ts";
import { type Contender, chooseFinalists, rankVersions } from "../../engine/search/ranking.ts";
import type { BaseFound } from "../../engine/search/refit.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import type { AttemptAnswer } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { formatTimeLimit } from "../common/format.ts";
import type { ProgressView } from "../progress/progress-view.ts";
import type { RunStatus } from "../summary/summary.ts";
import type { JobControl } from "../work/job-control.ts";
import type { Journal } from "../work/units.ts";
import type { BaselineRecord } from "./baselines.ts";

/**
 * Options that a job sets also belong in `identityOf` of
 * src/jobs/flow-training.ts, which finds the journal after a restart.
 */
export interface TrainOptions {
  numberOfBuckets: number;
  scalingFactor: number;
  /** The accuracy to reach; null runs the whole plan. */
  target: number | null;
  /**
   * The accuracy below which a single attempt continues to improve (D08), which the run has to reach (D185); by default
   * the target.
   */
  attemptTarget?: number | null;
  timeLimitSeconds: number;
  /** For one attempt; ten minutes by default. */
  attemptSeconds?: number;
  seed: number;
  /** Learning rows of the sample that a larger table is searched on; by default the time limit decides (D135). */
  searchRows?: number;
  /** Most trees of a forest, where memory is short (D91). */
  mostTrees?: number | undefined;
  /** The aim by which versions are ranked and decide; accuracy by default. */
  objective?: Objective;
  /** Costs of wrong decisions, for the objective "cost". */
  costs?: readonly Cost[] | null;
  /** With two classes, the one for precision, recall and F1; by default the last in sort order. */
  positiveLabel?: string | null;
}

export interface TrainListener {
  /**
   * Before the first attempt. `baselinePerformance`: accuracy of always
   * answering the most frequent class, on the holdout.
   */
  plan(attemptsTotal: number, baselinePerformance: number): void;
  /** Once per attempt, those of an earlier process first; `best` so far, by the order of D42. */
  attempt(record: EndedAttempt, best: FinishedAttempt | null): void;
}

export interface CompetitionContext {
  taskId: number;
  task: TrainingTask;
  options: TrainOptions;
  pool: WorkerPool;
  progress: ProgressView;
  control: JobControl;
  /** Keeps finished attempts and baselines for a restart; null for none. */
  journal: Journal | null;
  listener: TrainListener | null;
  /** When attempts must end. */
  deadlineMs: number;
  /** Receives the fits that the versions will most likely need, before these are known. */
  beginFits(bases: readonly BaseFound[]): void;
  /** Why the run only uses what the journal holds; null to go on. */
  closingReason: string | null;
}

export interface EndedAttempt {
  spec: AttemptSpec;
  outcome: FinishedOutcome | { status: "failed" | "stopped"; note: string };
}

export interface FinishedOutcome {
  status: "finished";
  answer: AttemptAnswer;
}

export type FinishedAttempt = Contender & { spec: AttemptSpec; answer: AttemptAnswer };

export interface Competition {
  status: RunStatus;
  statusReason: string;
  attemptsTotal: number;
  /** In the order of the plan. */
  records: EndedAttempt[];
  finalists: FinishedAttempt[];
  /** Best first, at most three. */
  ranked: FinishedAttempt[];
  /** Runs beside the plan; never rejected. */
  baselines: Promise<BaselineRecord[]>;
}

export interface CompetitionState {
  context: CompetitionContext;
  plan: readonly AttemptSpec[];
  records: EndedAttempt[];
  best: FinishedAttempt | null;
  lastGainMs: number;
  isStalled: boolean;
}

export function isCutShort(state: CompetitionState): boolean {
  const { control, deadlineMs } = state.context;
  return Atomics.load(control.stopFlag, 0) !== 0 || (state.records.length > 0 && performance.now() >= deadlineMs);
}

/** Why the run ends now; null if another round may begin. */
export function reasonToEnd(state: CompetitionState): Pick<Competition, "status" | "statusReason"> | null {
  const { options, control, deadlineMs, closingReason } = state.context;
  if (state.isStalled) return missed(options, "No attempt improved for long.");
  const endedCount = endedOf(state.records).length;
  if (Atomics.load(control.stopFlag, 0) !== 0) {
    const hasFinished = state.records.some(({ outcome }) => outcome.status === "finished");
    const kept = hasFinished ? "; what had finished was kept" : "";
    return { status: "CANCELLED", statusReason: `The run was stopped${kept}.` };
  }
  if (isTargetReached(state))
    return { status: "COMPLETED", statusReason: `The target of ${options.target} was reached.` };
  if (closingReason !== null && state.records.length < state.plan.length) {
    return { status: "NOT_COMPLETED", statusReason: closingReason };
  }
  if (performance.now() >= deadlineMs && endedCount < state.plan.length) {
    return {
      status: "TIMED_OUT",
      statusReason: `The time limit of ${formatTimeLimit(options.timeLimitSeconds)} came after ${endedCount} of ${state.plan.length} attempts.`,
    };
  }
  return null;
}

export function endOfPlan({ context: { options } }: CompetitionState): Pick<Competition, "status" | "statusReason"> {
  const reason = "Every attempt of the plan was made.";
  return options.target === null ? { status: "COMPLETED", statusReason: reason } : missed(options, reason);
}

/** Nobody asked for a target that a refinement recommends (D185). */
function missed({ target, attemptTarget }: TrainOptions, reason: string): Pick<Competition, "status" | "statusReason"> {
  return attemptTarget === null
    ? { status: "COMPLETED", statusReason: `${reason} No version reached the recommended target of ${target}.` }
    : { status: "NOT_COMPLETED", statusReason: `${reason} No version reached the target of ${target}.` };
}

export function isTargetReached(state: CompetitionState): boolean {
  const { target } = state.context.options;
  if (target === null) return false;
  const [champion] = rankVersions(chooseFinalists(finishedOf(state.records)));
  return champion !== undefined && champion.answer.holdout.accuracy >= target;
}

/** Attempts that may be versions, in the order of the plan. */
export function finishedOf(records: readonly EndedAttempt[]): FinishedAttempt[] {
  const better = new Set(
    records.map(({ outcome }) => (outcome.status === "finished" ? outcome.answer.betterMember?.attempt : undefined)),
  );
  return records
    .flatMap(({ spec, outcome }) => (mayBeVersion(outcome) ? [finished(spec, outcome.answer)] : []))
    .map((attempt) => (better.has(attempt.attempt) ? { ...attempt, hasBeatenStack: true } : attempt))
    .sort((a, b) => a.attempt - b.attempt);
}

export function finished(spec: AttemptSpec, answer: AttemptAnswer): FinishedAttempt {
  const { falseDecisions, score, rarestRowCount, logLoss, decisions } = answer.holdout;
  const { settings, outOfFoldLogLoss } = answer;
  const ranked = answer.decider.objective === "accuracy" ? {} : { score, rarestRowCount };
  return {
    attempt: spec.attempt,
    settings,
    outOfFoldLogLoss,
    falseDecisions,
    ...ranked,
    logLoss,
    decisions,
    spec,
    answer,
  };
}

/** Attempts that neither time nor a request cut short. */
export function endedOf(records: readonly EndedAttempt[]): EndedAttempt[] {
  return records.filter(({ outcome }) => outcome.status !== "stopped");
}

/** Leaves out attempts that ended early, since another did better, and stacks worse than one of their members. */
export function mayBeVersion(outcome: EndedAttempt["outcome"]): outcome is FinishedOutcome {
  if (outcome.status !== "finished") return false;
  return outcome.answer.earlyEnd === undefined && outcome.answer.betterMember === undefined;
}
