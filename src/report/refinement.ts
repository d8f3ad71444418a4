// The section of a run's report on its refinement: what it did to the columns, and whether the rest is as good.

import type { Markup } from "../charts/markup.ts";
import { html } from "../charts/markup.ts";
import { formatAmount } from "../format.ts";
import type { RefinementSummary } from "../refinement-summary.ts";
import { checkpointsFigure } from "./refinement-checkpoints.ts";
import { removedColumns } from "./refinement-columns.ts";
import {
  beforeAfterFigure,
  comparisonCard,
  expectationCard,
  performanceTable,
  refinementFigures,
} from "./refinement-performance.ts";
import { hasResult, outcomeInWords, refinementBanner, refinementStateWord } from "./refinement-words.ts";

/** Stands between the answer and the competition; the decisions by column are in the section on columns. */
export function refinementSection(summary: RefinementSummary): Markup {
  return html`<section id="refinement" aria-labelledby="refinement-title"><h2 id="refinement-title">Refinement ${refinementStateWord(summary.state)}</h2>
<p class="lead">${outcomeInWords(summary)}${summary.columns.length === 0 ? null : html` Why each column stays or goes is told <a href="#columns">column by column</a>.`}</p>
${refinementBanner(summary)}
${hasResult(summary) ? figures(summary) : beforeAfterFigure(summary)}
<h3>Models before and after</h3>
<p class="lead">Judged on the ${formatAmount(summary.testRows, "row")} of the blind test.</p>
${performanceTable(summary)}
<h3>Step by step</h3>
${checkpointsFigure(summary)}
</section>
`;
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
