// How a run or refinement ended: a word in its colour, and a banner if it did not complete.
import { html, type Markup, plainName } from "../common/markup.ts";
import type { RefinementState, RefinementSummary } from "../summary/refinement-summary.ts";
import type { RunStatus, RunSummary } from "../summary/summary.ts";

interface Ending {
  word: string;
  tone: "done" | "early" | "failed";
  /** Continues "The run" or "The refinement"; empty if it completed. */
  happened: string;
}

const COMPLETED: Ending = { word: "Completed", tone: "done", happened: "" };
const TIMED_OUT: Ending = {
  word: "Stopped at the time limit",
  tone: "early",
  happened: "was stopped at its time limit",
};
const FAILED: Ending = { word: "Failed", tone: "failed", happened: "failed" };

const ENDINGS: Readonly<Record<RunStatus | RefinementState, Ending>> = {
  COMPLETED,
  REFINEMENT_COMPLETED: COMPLETED,
  TIMED_OUT,
  TIMEOUT: TIMED_OUT,
  NOT_COMPLETED: { word: "Not completed", tone: "early", happened: "was not completed" },
  CANCELLED: { word: "Cancelled", tone: "early", happened: "was cancelled" },
  FAILED,
  ERROR: FAILED,
};

export function statusWord(status: RunStatus | RefinementState): Markup {
  const { word, tone } = ENDINGS[status];
  return html`<span class="chip ${tone}">${word}</span>`;
}

/** How a run ended, why, and what was kept. */
export function statusBanner({ status, statusReason, versions }: RunSummary): Markup {
  const kept = versions.length === 1 ? "one version" : `${versions.length} versions`;
  const rest = versions.length === 0 ? "No model was kept." : `The best models so far were kept: ${kept}.`;
  return banner("The run", status, statusReason, rest);
}

/** How a refinement ended, why, and what is shown. */
export function refinementBanner({ state, stateReason, partial }: RefinementSummary): Markup {
  const rest = partial
    ? "The findings so far are shown. Columns that were not judged yet are kept."
    : "There is no result; what was measured so far is shown.";
  return banner("The refinement", state, stateReason, rest);
}

/** If it completed, the reason alone. */
function banner(what: string, status: RunStatus | RefinementState, reason: string, rest: string): Markup {
  const { tone, happened } = ENDINGS[status];
  const why = plainName(reason, 600);
  if (happened === "") return html`<p class="reason">${why}</p>`;
  return html`<div class="banner ${tone}" role="note"><strong>${what} ${happened}.</strong> ${why} ${rest}</div>`;
}
