// The section of a run's report on its refinement: what it removed, and whether the rest is as good.

import { section } from "../../charts/pictures.ts";
import { formatAmount } from "../../common/format.ts";
import { html, type Markup } from "../../common/markup.ts";
import type { RefinementSummary } from "../../summary/refinement-summary.ts";
import { refinementBanner, statusWord } from "../status.ts";
import { checkpointsFigure } from "./refinement-checkpoints.ts";
import { removedColumns } from "./refinement-columns.ts";
import {
  beforeAfterFigure,
  comparisonCard,
  expectationCard,
  refinementFigures,
  resultTable,
} from "./refinement-performance.ts";
import { hasResult, outcomeInWords } from "./refinement-words.ts";

/** The decisions themselves are in the section on columns. */
export function refinementSection(summary: RefinementSummary): Markup {
  return section(
    "refinement",
    html`Refinement ${statusWord(summary.state)}`,
    html`<p class="lead">${outcomeInWords(summary)}${summary.columns.length === 0 ? null : html` See <a href="#columns">why each column stays or goes</a>.`}</p>
${refinementBanner(summary)}
${hasResult(summary) ? figures(summary) : beforeAfterFigure(summary)}
<h3>Models before and after</h3>
<p class="lead">Judged on the ${formatAmount(summary.testRows, "row")} of the blind test.</p>
${resultTable(summary)}
<h3>Step by step</h3>
${checkpointsFigure(summary)}`,
  );
}

function figures(summary: RefinementSummary): Markup {
  return html`<div class="spaced">${refinementFigures(summary)}</div>
${beforeAfterFigure(summary)}
<div class="cards">
<div class="card"><h3>Is it as good as before?</h3>${comparisonCard(summary)}</div>
<div class="card"><h3>What can I expect?</h3>${expectationCard(summary)}</div>
<div class="card"><h3>What was removed, and why?</h3>${removedColumns(summary)}</div>
</div>`;
}
