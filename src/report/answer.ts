// The first section of the report: how good is it, can I trust it, what does it use, what do I do next.

import type { DoubtRecord } from "../../data/database/records.ts";
import { championOf } from "../charts/measures.ts";
import { formatAmount, formatPercent } from "../common/format.ts";
import { html, type Markup, name, plainName } from "../common/markup.ts";
import type { RunSummary, VersionSummary } from "../summary/summary.ts";
import { comparison, evidence, headline, optimised, trustParts } from "./answer-parts.ts";
import { command } from "./page.ts";
import { verdictChip } from "./shown-verdict.ts";
import { statusBanner, statusWord } from "./status.ts";

const LONGEST_OPTION = 190;

export function answerSection(summary: RunSummary): Markup {
  const champion = championOf(summary);
  const facts = [
    name(summary.file.name, 80),
    formatAmount(summary.rows - summary.rowsWithoutLabel, "labelled row"),
    formatAmount(summary.columnCount, "column"),
    formatAmount(summary.classes.length, "class", "classes"),
  ];
  return html`<section class="answer" aria-labelledby="answer">
<p class="eyebrow">${facts.map((fact) => html`<span>${fact}</span>`)}${statusWord(summary.status)}</p>
<h1 id="answer">Predicting <em>${name(summary.label, 60)}</em></h1>
${statusBanner(summary)}
${champion === null ? withoutModel(summary) : withModel(summary, champion)}
</section>
`;
}

function withModel(summary: RunSummary, champion: VersionSummary): Markup {
  const { verdict } = summary;
  const way = ({ option }: DoubtRecord) =>
    option === null ? null : html`<code class="command">${plainName(option, LONGEST_OPTION)}</code>`;
  return html`${headline(summary, champion, { more: optimised(summary, champion) })}
<section class="card trust"><h2>Can I trust it? ${verdictChip(verdict)}</h2>${trustParts(summary, champion, way)}</section>
${comparison(summary, champion)}
<div class="cards pair">
<section class="card"><h2>What does it use?</h2>${evidence(champion, summary, html`<a href="#versions">below</a>`)}</section>
<section class="card"><h2>What do I do next?</h2>${nextSteps(summary)}</section>
</div>`;
}

function withoutModel(summary: RunSummary): Markup {
  return html`<div class="cards"><section class="card"><h2>No model was kept</h2>
<p>No attempt led to a model. Always answering <em>${name(summary.baseline.label, 60)}</em> would be right for ${formatPercent(summary.baseline.accuracy)} of the held-out rows.</p></section>
<section class="card"><h2>What do I do next?</h2>${nextSteps(summary)}</section></div>`;
}

function nextSteps(summary: RunSummary): Markup {
  const missed = summary.targetPerformance !== null && summary.status !== "COMPLETED";
  const warningCount = summary.warnings.length;
  const remedied = summary.verdict.doubts.some(({ level, option }) => level === "serious" && option !== null);
  const steps: (Markup | null)[] = [
    remedied ? html`<li>Settle the doubts: run it again with the options beside them.</li>` : null,
    summary.versions.length > 0
      ? html`<li>Score new rows:${command(["cupel predict model.cupel NEW.csv", "--out RESULT.csv"])}</li>`
      : html`<li>Give the run more time, or correct what stopped it, then start it again.</li>`,
    summary.predictions.length > 0
      ? html`<li>See the <a href="#predictions">predictions already written</a>.</li>`
      : null,
    warningCount > 0
      ? html`<li>Read <a href="#warnings">${formatAmount(warningCount, "warning")}</a> about the data.</li>`
      : null,
    missed && summary.versions.length > 0
      ? html`<li>For a better model, give the run more time or a larger scaling factor, or add rows.</li>`
      : null,
  ];
  return html`<ol class="steps">${steps}</ol>`;
}
