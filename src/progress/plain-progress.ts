// Progress as plain lines, for a pipe or a log.

import { printable } from "../common/printable.ts";
import { type ProgressClock, ProgressState } from "./progress-state.ts";
import type { ProgressView } from "./progress-view.ts";

/** At most one line in this time is written to a pipe. */
const LEAST_MS_BETWEEN_LINES = 5000;
/** After this time a line is written even if little was done. */
const MOST_MS_BETWEEN_LINES = 60_000;
const LEAST_SHARE_BETWEEN_LINES = 0.1;

/**
 * One line per stage, then one per tenth done, at most every five seconds, and at least every minute in which units
 * finish. `write` is given whole lines with their line end.
 */
export function plainProgress(write: (text: string) => void, clock: ProgressClock): ProgressView {
  const state = new ProgressState(clock);
  let shownMs = clock.now();
  let shownShare = 0;
  let finished = false;
  const line = (text: string) => {
    if (!finished) write(`${text}\n`);
  };
  const show = () => {
    shownMs = clock.now();
    shownShare = state.share() ?? 0;
    line(statusLine(state));
  };
  return {
    stage(name, total) {
      state.stage(name, total);
      show();
    },
    advance(by = 1) {
      state.advance(by);
      const waited = clock.now() - shownMs;
      const gained = (state.share() ?? 0) - shownShare;
      if (waited < LEAST_MS_BETWEEN_LINES) return;
      if (gained >= LEAST_SHARE_BETWEEN_LINES || waited >= MOST_MS_BETWEEN_LINES) show();
    },
    note: (text) => line(printable(text)),
    best: (accuracy, falseDecisions, algorithm) => state.best(accuracy, falseDecisions, algorithm),
    attempts: (done, total, failed) => state.attempts(done, total, failed),
    finish() {
      finished = true;
    },
  };
}

function statusLine(state: ProgressState): string {
  if (state.done === 0) return state.total === null ? state.name : `${state.name}: ${state.countWords()}`;
  const left = state.timeLeftWords();
  const parts = [
    `${state.name}: ${state.countWords()}`,
    left,
    state.bestWords,
    state.bestAlgorithm,
    state.attemptWords,
  ];
  return parts.filter((part) => part !== "").join("; ");
}
