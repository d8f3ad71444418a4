// How the run ended, as a word with its colour, and as a plain sentence where it did not end as planned.

import type { Markup } from "../charts/markup.ts";
import { html, plainName } from "../charts/markup.ts";
import type { RunStatus, RunSummary } from "../summary.ts";

const STATUS: Readonly<Record<RunStatus, { word: string; tone: string; heading: string }>> = {
  COMPLETED: { word: "Completed", tone: "done", heading: "The run completed" },
  TIMED_OUT: { word: "Stopped at the time limit", tone: "early", heading: "The run was stopped at its time limit" },
  NOT_COMPLETED: { word: "Not completed", tone: "early", heading: "The run was not completed" },
  CANCELLED: { word: "Cancelled", tone: "early", heading: "The run was cancelled" },
  FAILED: { word: "Failed", tone: "failed", heading: "The run failed" },
};

/** A state's word in its colour. */
export function statusWord(status: RunStatus): Markup {
  const { word, tone } = STATUS[status];
  return html`<span class="chip ${tone}">${word}</span>`;
}

/** What happened and what is here all the same; for a completed run its reason, quietly. */
export function statusBanner(summary: RunSummary): Markup {
  const { tone, heading } = STATUS[summary.status];
  const reason = plainName(summary.statusReason, 600);
  if (summary.status === "COMPLETED") return html`<p class="reason">${reason}</p>`;
  const kept = summary.versions.length;
  const rest =
    kept === 0
      ? "No model was kept."
      : `What had been found by then was kept: ${kept === 1 ? "one version" : `${kept} versions`}, usable like any other.`;
  return html`<div class="banner ${tone}" role="note"><strong>${heading}.</strong> ${reason} ${rest}</div>`;
}
