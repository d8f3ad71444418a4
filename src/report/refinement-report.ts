// The page that `cupel refine` leaves: one HTML file without scripts or references, drawn from the refinement alone.

import type { Content, Markup } from "../charts/markup.ts";
import { html, name, plainName } from "../charts/markup.ts";
import { formatAmount, formatBytes, formatCount, formatDuration } from "../format.ts";
import type { RefinementFile, RefinementSummary } from "../refinement-summary.ts";
import type { ClassCount, ColumnSummary } from "../summary.ts";
import { renderPage } from "./page.ts";
import { checkpointsFigure } from "./refinement-checkpoints.ts";
import { decisionsTable, flaggedColumns, removedColumns } from "./refinement-columns.ts";
import {
  beforeAfterFigure,
  comparisonCard,
  expectationCard,
  performanceTable,
  refinementFigures,
} from "./refinement-performance.ts";
import { hasResult, outcomeInWords, refinementBanner, refinementStateWord } from "./refinement-words.ts";
import { targetOptions } from "./target-option.ts";
import { warningsSection } from "./warnings.ts";

const GLOSSARY: readonly (readonly [string, string])[] = [
  [
    "Blind test",
    "Rows that no model learned from: the TEST file, or a fifth of TRAIN where there is none. Models on all columns and on the kept ones are compared on it, three times at most after the start.",
  ],
  [
    "Untouched rows",
    "A tenth of TRAIN that is put aside at the start and read once, at the very end. Nothing was chosen by them, so their accuracy is the one to expect.",
  ],
  [
    "Target reached",
    "The accuracy to ask of a training on the kept columns, its recommended threshold: cross-validated accuracy or the lower end of the blind test's, whichever is less, less what chance takes on a training's own held-out rows, but always more than the most frequent answer reaches; there is none where that may reach as much.",
  ],
  [
    "Alone",
    "A test whether column and label are independent. A small p says that so strong a connection is rarely seen by chance.",
  ],
  [
    "In forests",
    "Random forests grow on the columns and on shuffled copies of them, the shadows. A column that gains more than the best shadow of its kind in most rounds carries something.",
  ],
  [
    "Shuffled",
    "What predictions on unseen rows lose when the column is shuffled. It finds columns that tell something only together with others.",
  ],
  [
    "Noise level",
    "What the best of as many columns without any signal would reach: for the tests at a false discovery rate of 2% by Benjamini and Hochberg (1995), for forests the best shadow.",
  ],
  ["Interval", "In brackets: where the true accuracy lies with 95% confidence, by Wilson (1927)."],
];

/** The whole page as text. `columns` may hold the label's; `classes` are those of TRAIN. The same input gives the same bytes. */
export function renderRefinementReport(
  summary: RefinementSummary,
  columns: readonly ColumnSummary[],
  classes: readonly ClassCount[],
): string {
  return renderPage({
    title: `${plainName(summary.label, 60)} · ${plainName(summary.train.name, 60)} · Cupel refinement`,
    cupelVersion: summary.cupelVersion,
    places: [
      ["performance", "Before and after"],
      ["columns", "Columns"],
      ["warnings", "Warnings"],
      ["made", "How it was made"],
    ],
    body: html`${firstScreen(summary)}
${performanceSection(summary)}
${columnsSection(summary, columns, classes)}
${warningsSection(summary.warnings, "refinement.json")}
${provenanceSection(summary)}`,
  });
}

function firstScreen(summary: RefinementSummary): Markup {
  const { train, test, columns } = summary;
  const facts: Content[] = [
    name(train.name, 80),
    ...(test === null ? [] : [html`blind test ${name(test.name, 80)}`]),
    formatAmount(train.rows, "row"),
    ...(columns.length === 0 ? [] : [formatAmount(columns.length, "column")]),
  ];
  return html`<section class="answer" aria-labelledby="answer">
<p class="eyebrow">${facts.map((fact) => html`<span>${fact}</span>`)}${refinementStateWord(summary.state)}</p>
<h1 id="answer">Which columns tell of <em>${name(summary.label, 60)}</em></h1>
${refinementBanner(summary)}
${hasResult(summary) ? withResult(summary) : withoutResult(summary)}
</section>
`;
}

function withResult(summary: RefinementSummary): Markup {
  const { keptColumns, columns } = summary;
  return html`<div class="headline">
<div class="verdict"><p class="big"><strong>${formatCount(keptColumns.length)}</strong> <span>of ${formatAmount(columns.length, "column")} kept</span></p>
<p>${outcomeInWords(summary)}</p></div>
${refinementFigures(summary)}
</div>
${beforeAfterFigure(summary)}
<div class="cards">
<section class="card"><h2>Is it as good as before?</h2>${comparisonCard(summary)}</section>
<section class="card"><h2>What can I expect?</h2>${expectationCard(summary)}</section>
<section class="card"><h2>What do I do next?</h2>${nextSteps(summary)}</section>
</div>`;
}

function withoutResult(summary: RefinementSummary): Markup {
  return html`${beforeAfterFigure(summary)}<div class="cards"><section class="card"><h2>No column was chosen</h2><p>${outcomeInWords(summary)}</p></section>
<section class="card"><h2>What do I do next?</h2>${nextSteps(summary)}</section></div>`;
}

function nextSteps(summary: RefinementSummary): Markup {
  const { files, columns, warnings } = summary;
  const train = files.find(({ kind }) => kind === "TRAIN");
  const flagged = columns.filter(({ flags }) => flags.length > 0).length;
  const training = [
    train === undefined ? "cupel run TRAIN.csv" : html`cupel run ${name(train.file, 80)}`,
    ...targetOptions(summary),
    "--no-refine",
  ];
  const mayGoOn = summary.state === "TIMEOUT" || summary.state === "CANCELLED";
  const steps: (Markup | null)[] = [
    mayGoOn ? html`<li>Type the same command again: it goes on where this one stopped.</li>` : null,
    flagged > 0
      ? html`<li>Look at <a href="#columns">${formatAmount(flagged, "flagged column")}</a> first.</li>`
      : null,
    hasResult(summary)
      ? html`<li>Train on ${train === undefined ? "all columns" : "the kept columns"}:${command(training)}</li>`
      : html`<li>${mayGoOn ? "Or train" : "Mend what stopped it, or train"} on all columns:${command(training)}</li>`,
    warnings.length > 0
      ? html`<li>Read <a href="#warnings">${formatAmount(warnings.length, "warning")}</a> about the data.</li>`
      : null,
  ];
  return html`<ol class="steps">${steps}</ol>`;
}

function command(parts: readonly Content[]): Markup {
  return html`<code class="command">${parts.map((part, i) => html`${i === 0 ? null : " "}<span>${part}</span>`)}</code>`;
}

function performanceSection(summary: RefinementSummary): Markup {
  const blind =
    summary.test === null
      ? html`a fifth of ${name(summary.train.name, 60)} that no model learned from`
      : html`all of ${name(summary.test.name, 60)}`;
  return html`<section id="performance" aria-labelledby="performance-title"><h2 id="performance-title">Before and after</h2>
<p class="lead">Judged on the ${formatAmount(summary.testRows, "row")} of the blind test: ${blind}.</p>
${performanceTable(summary)}
<h3>Step by step</h3>
${checkpointsFigure(summary)}
</section>
`;
}

function columnsSection(
  refinement: RefinementSummary,
  columns: readonly ColumnSummary[],
  classes: readonly ClassCount[],
): Markup {
  const heading = html`<h2 id="columns-title">Columns</h2>`;
  if (refinement.columns.length === 0) {
    return html`<section id="columns" aria-labelledby="columns-title">${heading}<p class="missing">The refinement ended before it was decided on the columns.</p></section>\n`;
  }
  return html`<section id="columns" aria-labelledby="columns-title">${heading}
<h3>What was removed, and why</h3>
${removedColumns(refinement)}
${flaggedColumns(refinement)}
<h3>Column by column</h3>
${decisionsTable({ refinement, columns, classes, rowCount: refinement.train.rows, jsonFile: "refinement.json" })}
</section>
`;
}

function provenanceSection(summary: RefinementSummary): Markup {
  const { activities } = summary;
  const trail =
    activities.length === 0
      ? null
      : html`<h3>States it went through</h3><ol class="trail">${activities.map(({ timestamp, state }) => html`<li><time>${name(timestamp, 40)}</time> ${name(state, 60)}</li>`)}</ol>`;
  return html`<section id="made" aria-labelledby="made-title"><h2 id="made-title">How it was made</h2>
<dl class="pairs made">${facts(summary).map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
${trail}
<h3>What the figures mean</h3>
<dl class="glossary">${GLOSSARY.map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`)}</dl>
</section>
`;
}

function facts(summary: RefinementSummary): [string, Content][] {
  const { train, test, files, progressCompleted, progressTotal } = summary;
  const blindFifth: [string, Content] = [
    "TEST",
    `none: ${formatAmount(summary.testRows, "row")} of TRAIN served as the blind test`,
  ];
  return [
    ...fileFacts("TRAIN", train),
    ...(test === null ? [blindFifth] : fileFacts("TEST", test)),
    ["Label", name(summary.label)],
    ...files.map(({ kind, file, sizeBytes }): [string, Content] => [
      `Reduced ${kind}`,
      html`${name(file)}, ${formatBytes(sizeBytes)}`,
    ]),
    ["Seed", String(summary.seed)],
    ["Buckets", formatCount(summary.numberOfBuckets)],
    ["Workers", formatCount(summary.workers)],
    ["Time", `${formatDuration(summary.elapsedSeconds)} of about ${formatDuration(summary.budgetSeconds)} announced`],
    [
      "Steps done",
      progressTotal === null
        ? formatCount(progressCompleted)
        : `${formatCount(progressCompleted)} of ${formatCount(progressTotal)}`,
    ],
    ["Made with", `Cupel ${summary.cupelVersion}`],
  ];
}

function fileFacts(kind: string, file: RefinementFile): [string, Content][] {
  return [
    [kind, html`${name(file.name)}, ${formatAmount(file.rows, "row")}, ${formatBytes(file.sizeBytes)}`],
    [`SHA-256 of ${kind}`, html`<code class="hash">${name(file.sha256)}</code>`],
  ];
}
