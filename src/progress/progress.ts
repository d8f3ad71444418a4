// The choice of how a run shows its progress.
import { plainProgress } from "./plain-progress.ts";
import type { ProgressView } from "./progress-view.ts";
import { terminalProgress, terminalTraits } from "./terminal.ts";

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

function repeatByTimer(run: () => void, everyMs: number): () => void {
  const timer = setInterval(run, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
