// How a run of attempts stands: whether it ends, why, and who may be a version.
import type { AttemptSpec } from "../../engine/attempts.ts";
import { chooseFinalists, rankVersions } from "../../engine/ranking.ts";
import type { AttemptAnswer } from "../../workers/messages.ts";
import type { AttemptRecord, Competition, CompetitionState, FinishedAttempt, FinishedOutcome } from "./competition.ts";

export function isCutShort(state: CompetitionState): boolean {
  const { control, deadlineMs } = state.context;
  return Atomics.load(control.attemptsFlag, 0) !== 0 || (state.records.length > 0 && performance.now() >= deadlineMs);
}

/** Why the run ends here, or null where another round may begin. */
export function endOf(state: CompetitionState): Pick<Competition, "status" | "statusReason"> | null {
  const { options, control, deadlineMs, closingReason = null } = state.context;
  if (state.isStalled) {
    return {
      status: "NOT_COMPLETED",
      statusReason: `No attempt improved for long enough below the target of ${options.target}.`,
    };
  }
  if (Atomics.load(control.attemptsFlag, 0) !== 0) {
    return { status: "CANCELLED", statusReason: "The run was stopped; what had finished was kept." };
  }
  if (isTargetReached(state))
    return { status: "COMPLETED", statusReason: `The target of ${options.target} was reached.` };
  if (closingReason !== null && state.records.length < state.plan.length) {
    return { status: "NOT_COMPLETED", statusReason: closingReason };
  }
  if (performance.now() >= deadlineMs && state.records.length < state.plan.length) {
    return {
      status: "TIMED_OUT",
      statusReason: `The time limit of ${options.timeLimitSeconds} s came after ${state.records.length} of ${state.plan.length} attempts.`,
    };
  }
  return null;
}

export function endOfPlan({ context: { options } }: CompetitionState): Pick<Competition, "status" | "statusReason"> {
  return options.target === null
    ? { status: "COMPLETED", statusReason: "Every attempt of the plan was made." }
    : {
        status: "NOT_COMPLETED",
        statusReason: `Every attempt of the plan was made and none of the versions reached the target of ${options.target}.`,
      };
}

export function isTargetReached(state: CompetitionState): boolean {
  const { target } = state.context.options;
  if (target === null) return false;
  const [champion] = rankVersions(chooseFinalists(finishedOf(state)));
  return champion !== undefined && champion.answer.holdout.accuracy >= target;
}

export function finishedOf(state: CompetitionState): FinishedAttempt[] {
  return state.records
    .flatMap(({ spec, outcome }) => (mayBeVersion(outcome) ? [finished(spec, outcome.answer)] : []))
    .sort((a, b) => a.attempt - b.attempt);
}

export function finished(spec: AttemptSpec, answer: AttemptAnswer): FinishedAttempt {
  const { falseDecisions, score, logLoss, decisions } = answer.holdout;
  const { settings, outOfFoldLogLoss } = answer;
  const ranked = answer.decider.objective === "accuracy" ? {} : { score };
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

/** An attempt that ended early was found to be worse than another of its family. */
export function mayBeVersion(outcome: AttemptRecord["outcome"]): outcome is FinishedOutcome {
  return outcome.status === "finished" && outcome.answer.earlyEnd === undefined;
}
