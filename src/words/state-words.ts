// States of jobs and files in words, and whether a job has ended.

export type Tone = "pending" | "running" | "done" | "early" | "failed";

type StateWords = readonly [start: string, word: string, tone: Tone, doing?: string];

/**
 * Words for every state of the API, found by the start of its name (D07);
 * `doing` says what a stage of a refinement does.
 */
const STATES: readonly StateWords[] = [
  ["PENDING", "Waiting", "pending", "Waiting for other jobs to finish"],
  ["PROCESSING", "Processing", "running"],
  ["RUNNING", "Running", "running"],
  ["SETUP_BUCKETING", "Bucketing", "running", "Reading the files and their columns"],
  ["SETUP_", "Reading", "running", "Reading the files and their columns"],
  ["MEASURE_INITIAL_THRESHOLD", "Measuring", "running", "Measuring how often the most frequent answer is right"],
  ["BASELINE_RUN_", "Baseline", "running", "Training models on all columns, for comparison"],
  ["REFINING_LOOP_", "Refining", "running", "Comparing columns with noise"],
  ["CREATING_RESULT", "Writing", "running", "Writing the reduced files"],
  ["REFINEMENT_COMPLETED", "Completed", "done"],
  ["COMPLETED", "Completed", "done"],
  ["TIMED_OUT", "Time limit", "early"],
  ["TIMEOUT", "Time limit", "early"],
  ["NOT_COMPLETED", "Not completed", "early"],
  ["CANCELLED", "Cancelled", "early"],
  ["FAILED", "Failed", "failed"],
  ["ERROR", "Failed", "failed"],
];

export function wordsOf(state: string): { word: string; tone: Tone; doing: string } {
  const [, word = state, tone = "pending", doing = "Working"] =
    STATES.find(([start]) => state.startsWith(start)) ?? ([] as Partial<StateWords>);
  return { word, tone, doing };
}

/** Whether a job has ended. A PENDING dataset waits for its file. */
export function isOver(state: string): boolean {
  return !["pending", "running"].includes(wordsOf(state).tone);
}
