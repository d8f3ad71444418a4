// Chooses how progress is shown: redrawn on a terminal, plain lines elsewhere.
import { plainProgress } from "./plain-progress.ts";
import type { ProgressView } from "./progress-view.ts";
import { terminalProgress, terminalTraits } from "./terminal.ts";

interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

export function chooseProgress(stream: ProgressStream, timeLimitSeconds: number | null = null): ProgressView {
  const clock = { now: () => performance.now(), timeLimitSeconds };
  const traits = terminalTraits(stream, process.env);
  if (traits === null) return plainProgress((text) => stream.write(text), clock);
  const view = terminalProgress(stream, traits, clock, repeatByTimer);
  // Whatever ends the process, the cursor must not stay hidden.
  process.once("exit", () => view.finish());
  return view;
}

function repeatByTimer(run: () => void, everyMs: number): () => void {
  const timer = setInterval(run, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
