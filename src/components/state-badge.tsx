// The state of a job or file as a word with a colour and a shape, so that colour is never alone.

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

/** Drawn in a square of 12. */
const MARKS: Readonly<Record<Tone, string>> = {
  pending: "M6 2.2a3.8 3.8 0 1 0 .01 0Z",
  running: "M2.5 1.8v8.4L10 6Z",
  done: "M2 6.4l2.8 2.8L10 3.4",
  early: "M2.6 2.6h6.8v6.8H2.6Z",
  failed: "M2.6 2.6l6.8 6.8M9.4 2.6l-6.8 6.8",
};

export function wordsOf(state: string): { word: string; tone: Tone; doing: string } {
  const [, word = state, tone = "pending", doing = "Working"] =
    STATES.find(([start]) => state.startsWith(start)) ?? ([] as Partial<StateWords>);
  return { word, tone, doing };
}

/** Whether a job has ended. A PENDING dataset waits for its file. */
export function isOver(state: string): boolean {
  return !["pending", "running"].includes(wordsOf(state).tone);
}

export function StateBadge({ state }: { state: string }) {
  const { tone, word } = wordsOf(state);
  return <Badge tone={tone} word={word} />;
}

export function Badge({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span class={`badge ${tone}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={MARKS[tone]} />
      </svg>
      {word}
    </span>
  );
}
