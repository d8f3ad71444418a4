// The offline report of a run: one HTML file without scripts or references.

import { plainName } from "../common/markup.ts";
import type { RunSummary } from "../summary/summary.ts";
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
  const besides = summary.verdict.doubts.length > 0 ? " beside the doubts at the top" : "";
  return renderPage({
    title: `${plainName(summary.label, 60)} · ${plainName(summary.file.name, 60)} · Cupel report`,
    cupelVersion: summary.cupelVersion,
    opening: answerSection(summary),
    sections: [
      ["refinement", "Refinement", summary.refinement ? refinementSection(summary.refinement) : null],
      ["competition", "Competition", competitionSection(summary)],
      ["versions", "Versions", versionsSection(summary)],
      ["learned", "Learned", effectsSection(summary)],
      ["columns", "Columns", columnsSection(summary)],
      ["predictions", "Predictions", predictionsSection(summary)],
      ["warnings", "Warnings", warningsSection(summary.warnings, "summary.json", besides)],
      ["made", "How it was made", provenanceSection(summary)],
    ],
  });
}
