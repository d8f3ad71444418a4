// The state of a job or file as a word with a colour and a shape: none of them alone.

export type Tone = "pending" | "running" | "done" | "early" | "failed";

/** The words of every state that the API knows, of whatever kind of thing; those of a refinement go by their beginning (D07). */
const STATES: readonly (readonly [start: string, word: string, tone: Tone])[] = [
  ["PENDING", "Waiting", "pending"],
  ["PROCESSING", "Processing", "running"],
  ["RUNNING", "Running", "running"],
  ["SETUP_BUCKETING", "Bucketing", "running"],
  ["SETUP_", "Reading", "running"],
  ["MEASURE_INITIAL_THRESHOLD", "Measuring", "running"],
  ["BASELINE_RUN_", "Baseline", "running"],
  ["REFINING_LOOP_", "Refining", "running"],
  ["CREATING_RESULT", "Writing", "running"],
  ["REFINEMENT_COMPLETED", "Completed", "done"],
  ["COMPLETED", "Completed", "done"],
  ["TIMED_OUT", "Time was up", "early"],
  ["TIMEOUT", "Time was up", "early"],
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

function toneOf(state: string): Tone {
  return STATES.find(([start]) => state.startsWith(start))?.[2] ?? "pending";
}

/** Whether nothing more will happen by itself. A PENDING dataset waits for its file. */
export function isOver(state: string): boolean {
  return !["pending", "running"].includes(toneOf(state));
}

export function wordOf(state: string): string {
  return STATES.find(([start]) => state.startsWith(start))?.[1] ?? state;
}

/** `word` in place of the usual one. */
export function StateBadge({ state, word }: { state: string; word?: string }) {
  return <Badge tone={toneOf(state)} word={word ?? wordOf(state)} />;
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
