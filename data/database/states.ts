// The states of every resource, which are final, and how a refinement may advance.

export const REFINEMENT_END_STATES = ["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "CANCELLED"] as const;
export type RefinementEndState = (typeof REFINEMENT_END_STATES)[number];

/** The stages of a running refinement in order; `_n` counts from 1. */
export type RefinementStageState =
  | "SETUP_READING"
  | "SETUP_BUCKETING"
  | "MEASURE_INITIAL_THRESHOLD"
  | `BASELINE_RUN_${number}`
  | `REFINING_LOOP_${number}`
  | "CREATING_RESULT";
export type RefinementState = "PENDING" | RefinementStageState | RefinementEndState;

/** The files of a refinement. */
export const FILE_KINDS = ["TRAIN", "TEST"] as const;
/** The kinds of file that a signed address accepts: a refinement's, a dataset's, or rows to predict. */
export const UPLOAD_KINDS = [...FILE_KINDS, "DATASET", "PREDICTION"] as const;
export type UploadKind = (typeof UPLOAD_KINDS)[number];

export const DATASET_STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED"] as const;
export type DatasetStatus = (typeof DATASET_STATUSES)[number];

export const TRAINING_STATUSES = [
  "PENDING",
  "RUNNING",
  "COMPLETED",
  "TIMED_OUT",
  "NOT_COMPLETED",
  "CANCELLED",
  "FAILED",
] as const;
export type TrainingStatus = (typeof TRAINING_STATUSES)[number];

export const PREDICTION_STATUSES = ["PENDING", "RUNNING", "COMPLETED", "FAILED", "TIMEOUT"] as const;
export type PredictionStatus = (typeof PREDICTION_STATUSES)[number];

/** The states of a training that follows a refinement. */
export const PLANNED_STATUSES = ["WAITING", "PREPARING", "STARTED", "CANCELLED", "FAILED"] as const;
export type PlannedStatus = (typeof PLANNED_STATUSES)[number];

export const SUCCESSOR_STATUSES = [
  "JOINING",
  "READING",
  "TRAINING",
  "COMPARING",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
] as const;
export type SuccessorStatus = (typeof SUCCESSOR_STATUSES)[number];

/** When a successor takes the champion's place: by a person, or by itself where the comparison finds it better. */
export const PROMOTION_RULES = ["BY_HAND", "WHEN_BETTER"] as const;
export type PromotionRule = (typeof PROMOTION_RULES)[number];

/** A job does not go on after more restarts than this (D08). */
export const MOST_RESTARTS = 3;
/** For a training job with finished attempts: the further restarts only make models of them (D09). */
export const MOST_CLOSING_RESTARTS = 2 * MOST_RESTARTS;
export const RESTARTED_TOO_OFTEN =
  "The service was restarted in the middle of this job more than 3 times. Start a new one.";

const STAGES: readonly RegExp[] = [
  /^PENDING$/,
  /^SETUP_(READING|BUCKETING)$/,
  /^MEASURE_INITIAL_THRESHOLD$/,
  /^BASELINE_RUN_([1-9]\d*)$/,
  /^REFINING_LOOP_([1-9]\d*)$/,
  /^CREATING_RESULT$/,
];

export function isRefinementEnd(state: RefinementState): state is RefinementEndState {
  return (REFINEMENT_END_STATES as readonly string[]).includes(state);
}

/**
 * Whether a refinement may advance from one state to the other (contract 3.1): within its
 * stage, or to the next. An end is never reached by advancing.
 */
export function mayAdvance(from: RefinementState, to: RefinementState): boolean {
  const [fromStage, fromStep] = placeOf(from);
  const [toStage, toStep] = placeOf(to);
  if (fromStage < 0 || toStage < 0) return false;
  return toStage === fromStage ? toStep > fromStep : toStage === fromStage + 1;
}

/** Stage and step within it; stage -1 for an end. */
function placeOf(state: RefinementState): [stage: number, step: number] {
  const stage = STAGES.findIndex((pattern) => pattern.test(state));
  if (stage < 0) return [-1, 0];
  const step = STAGES[stage]!.exec(state)![1];
  if (step === "READING") return [stage, 1];
  if (step === "BUCKETING") return [stage, 2];
  return [stage, Number(step ?? 0)];
}
