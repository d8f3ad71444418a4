// What a person hears of a run while it lasts: the view that the work reports to, and the choice of its form.
import { plainProgress } from "./plain-progress.ts";
import { terminalProgress, terminalTraits } from "./terminal.ts";

/** Where a run reports its progress. Calls are cheap: a view decides itself how often it shows something. */
export interface ProgressView {
  /** A new stage begins, of `total` units, or of unknown length. */
  stage(name: string, total: number | null): void;
  /** Units of the stage were finished. */
  advance(by?: number): void;
  /** A line worth keeping, such as a warning. */
  note(line: string): void;
  /** The best attempt so far, on the held-out rows. */
  best(accuracy: number, falseDecisions: number, algorithm: string): void;
  attempts(done: number, total: number, failed: number): void;
  /** Takes down what is shown. Later calls do nothing. */
  finish(): void;
}

/** Standard error, or what stands for it. */
interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/**
 * The view that suits the stream: redrawn lines on a terminal that can, plain lines elsewhere. `timeLimitSeconds` bounds
 * the estimate of the time left.
 */
export function chooseProgress(stream: ProgressStream, timeLimitSeconds: number | null = null): ProgressView {
  const clock = { now: () => performance.now(), timeLimitSeconds };
  const traits = terminalTraits(stream, process.env);
  if (traits === null) return plainProgress((text) => stream.write(text), clock);
  const view = terminalProgress(stream, traits, clock, repeatByTimer);
  // A run that leaves by an exception or by process.exit must not leave the cursor hidden.
  process.once("exit", () => view.finish());
  return view;
}

/** Says nothing. */
export const silentProgress: ProgressView = {
  stage: () => {},
  advance: () => {},
  note: () => {},
  best: () => {},
  attempts: () => {},
  finish: () => {},
};

function repeatByTimer(run: () => void, everyMs: number): () => void {
  const timer = setInterval(run, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
