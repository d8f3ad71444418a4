// The states of every resource, which of them are final, and which changes a refinement may make.

export const REFINEMENT_END_STATES = ["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "CANCELLED"] as const;
export type RefinementEndState = (typeof REFINEMENT_END_STATES)[number];

/** What a running refinement goes through, in this order; `_n` counts from 1. */
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

/** After that many restarts of the program in the middle of one job, the job goes on no more (D08). */
export const MOST_RESTARTS = 3;
/** The same where a training job has attempts that finished: further ones to make models of them, and nothing else (D09). */
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
 * True where section 3.1 of the contract lets a refinement advance from one state to the other: within its stage, or to the
 * next one. Ends are not reached by advancing.
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
