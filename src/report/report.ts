// The offline report of a run: one HTML file without scripts or references.

import { html, plainName } from "../charts/markup.ts";
import type { RunSummary } from "../summary.ts";
import { answerSection } from "./answer.ts";
import { columnsSection } from "./columns.ts";
import { competitionSection } from "./competition.ts";
import { effectsSection } from "./effects.ts";
import { renderPage } from "./page.ts";
import { predictionsSection } from "./predictions.ts";
import { provenanceSection } from "./provenance.ts";
import { refinementSection } from "./refinement/refinement.ts";
import { versionsSection } from "./versions.ts";
import { warningsSection } from "./warnings.ts";

/**
 * The whole page as text. The same summary gives the same bytes. Its content security policy admits its own style sheet
 * and nothing else.
 */
export function renderReport(summary: RunSummary): string {
  const predictions = predictionsSection(summary);
  const learned = effectsSection(summary);
  const refinement = summary.refinement ? refinementSection(summary.refinement) : null;
  return renderPage({
    title: `${plainName(summary.label, 60)} · ${plainName(summary.file.name, 60)} · Cupel report`,
    cupelVersion: summary.cupelVersion,
    places: [
      ...(refinement !== null ? ([["refinement", "Refinement"]] as const) : []),
      ["competition", "Competition"],
      ["versions", "Versions"],
      ...(learned !== null ? ([["learned", "Learned"]] as const) : []),
      ["columns", "Columns"],
      ...(predictions !== null ? ([["predictions", "Predictions"]] as const) : []),
      ["warnings", "Warnings"],
      ["made", "How it was made"],
    ],
    body: html`${answerSection(summary)}
${refinement}
${competitionSection(summary)}
${versionsSection(summary)}
${learned}
${columnsSection(summary)}
${predictions}
${warningsSection(summary.warnings, "summary.json", summary.verdict.doubts.length > 0 ? " beside the doubts at the top" : "")}
${provenanceSection(summary)}`,
  });
}
