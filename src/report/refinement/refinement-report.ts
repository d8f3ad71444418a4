// The page that `cupel refine` writes: one HTML file without scripts or references.

import { type Row, section } from "../../charts/pictures.ts";
import { formatAmount, formatBytes, formatCount, formatDuration } from "../../common/format.ts";
import { type Content, html, type Markup, name, plainName } from "../../common/markup.ts";
import type { RefinementFile, RefinementSummary } from "../../summary/refinement-summary.ts";
import type { ClassCount, ColumnSummary } from "../../summary/summary.ts";
import { command, renderPage } from "../page.ts";
import { BY_WILSON, madeSection } from "../provenance.ts";
import { refinementBanner, statusWord } from "../status.ts";
import { warningsSection } from "../warnings.ts";
import { checkpointsFigure } from "./refinement-checkpoints.ts";
import { decisionsTable, flaggedColumns, removedColumns } from "./refinement-columns.ts";
import {
  beforeAfterFigure,
  comparisonCard,
  expectationCard,
  refinementFigures,
  resultTable,
} from "./refinement-performance.ts";
import { hasResult, outcomeInWords } from "./refinement-words.ts";
import { targetOptions } from "./target-option.ts";

const GLOSSARY: readonly (readonly [string, string])[] = [
  [
    "Blind test",
    "Rows that no model learned from: the TEST file, or a fifth of TRAIN without one. " +
      "It compares models on all columns with models on the kept ones, at most three times after the start.",
  ],
  [
    "Untouched rows",
    "A tenth of TRAIN that is set aside at the start and read once, at the very end. " +
      "Nothing was chosen by them, so their accuracy owes nothing to luck in choosing.",
  ],
  [
    "Target reached",
    "The target recommended for a training on the kept columns. " +
      "It is the cross-validated accuracy or the lower end of the blind test's interval, whichever is less, " +
      "minus a margin for chance on the training's own held-out rows. " +
      "It is always above the accuracy of the most frequent answer; if that may reach as much, there is no target.",
  ],
  [
    "Alone",
    "A test whether column and label are independent. " +
      "A small p means that chance rarely gives such a strong connection.",
  ],
  [
    "In forests",
    "Random forests grow on the columns and on shuffled copies of them, the shadows. " +
      "A column that gains more than the best shadow of its kind in most rounds helps to predict the label.",
  ],
  [
    "Shuffled",
    "What predictions on unseen rows lose when the column is shuffled. " +
      "This finds columns that help only together with others.",
  ],
  [
    "Noise level",
    "What the best of as many columns without a signal would reach. " +
      "For the tests it is set by a false discovery rate of 2% (Benjamini and " +
      "Hochberg, 1995), for forests by the best shadow.",
  ],
  ["Interval", BY_WILSON],
];

/**
 * The whole page as text. `columns` may include the label; `classes` are TRAIN's. The same input gives the same bytes.
 */
export function renderRefinementReport(
  summary: RefinementSummary,
  columns: readonly ColumnSummary[],
  classes: readonly ClassCount[],
): string {
  return renderPage({
    title: `${plainName(summary.label, 60)} · ${plainName(summary.train.name, 60)} · Cupel refinement`,
    cupelVersion: summary.cupelVersion,
    opening: firstScreen(summary),
    sections: [
      ["performance", "Before and after", performanceSection(summary)],
      ["columns", "Columns", columnsSection(summary, columns, classes)],
      ["warnings", "Warnings", warningsSection(summary.warnings, "refinement.json")],
      ["made", "How it was made", provenanceSection(summary)],
    ],
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
<p class="eyebrow">${facts.map((fact) => html`<span>${fact}</span>`)}${statusWord(summary.state)}</p>
<h1 id="answer">Which columns predict <em>${name(summary.label, 60)}</em></h1>
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
  const mayGoOn = summary.server === undefined && (summary.state === "TIMEOUT" || summary.state === "CANCELLED");
  const steps: (Markup | null)[] = [
    mayGoOn ? html`<li>Type the same command again: it continues where this one stopped.</li>` : null,
    flagged > 0
      ? html`<li>Look at <a href="#columns">${formatAmount(flagged, "flagged column")}</a> first.</li>`
      : null,
    hasResult(summary)
      ? html`<li>Train on ${train === undefined ? "all columns" : "the kept columns"}:${command(training)}</li>`
      : html`<li>${mayGoOn ? "Or train" : "Correct what stopped it, or train"} on all columns:${command(training)}</li>`,
    warnings.length > 0
      ? html`<li>Read <a href="#warnings">${formatAmount(warnings.length, "warning")}</a> about the data.</li>`
      : null,
  ];
  return html`<ol class="steps">${steps}</ol>`;
}

function performanceSection(summary: RefinementSummary): Markup {
  const blind =
    summary.test === null
      ? html`a fifth of ${name(summary.train.name, 60)} that no model learned from`
      : html`all of ${name(summary.test.name, 60)}`;
  return section(
    "performance",
    "Before and after",
    html`<p class="lead">Judged on the ${formatAmount(summary.testRows, "row")} of the blind test: ${blind}.</p>
${resultTable(summary)}
<h3>Step by step</h3>
${checkpointsFigure(summary)}`,
  );
}

function columnsSection(
  refinement: RefinementSummary,
  columns: readonly ColumnSummary[],
  classes: readonly ClassCount[],
): Markup {
  if (refinement.columns.length === 0) {
    const none = html`<p class="missing">The refinement ended before it decided on the columns.</p>`;
    return section("columns", "Columns", none);
  }
  return section(
    "columns",
    "Columns",
    html`<h3>What was removed, and why</h3>
${removedColumns(refinement)}
${flaggedColumns(refinement)}
<h3>Column by column</h3>
${decisionsTable({ refinement, columns, classes, rowCount: refinement.train.rows, jsonFile: "refinement.json" })}`,
  );
}

function provenanceSection(summary: RefinementSummary): Markup {
  const { activities } = summary;
  const trail =
    activities.length === 0
      ? null
      : html`<h3>States it went through</h3><ol class="trail">${activities.map(({ timestamp, state }) => html`<li><time>${name(timestamp, 40)}</time> ${name(state, 60)}</li>`)}</ol>`;
  return madeSection(facts(summary), trail, GLOSSARY);
}

function facts(summary: RefinementSummary): Row[] {
  const { train, test, files, progressCompleted, progressTotal, workers, server, budgetSeconds } = summary;
  const budget = budgetSeconds === undefined ? "" : ` of about ${formatDuration(budgetSeconds)} announced`;
  const blindFifth: Row = ["TEST", `none: ${formatAmount(summary.testRows, "row")} of TRAIN are the blind test`];
  return [
    ...fileFacts("TRAIN", train),
    ...(test === null ? [blindFifth] : fileFacts("TEST", test)),
    ["Label", name(summary.label)],
    ...files.map(
      ({ kind, file, sizeBytes }): Row => [`Reduced ${kind}`, html`${name(file)}, ${formatBytes(sizeBytes)}`],
    ),
    ["Seed", String(summary.seed)],
    ["Buckets", formatCount(summary.numberOfBuckets)],
    ...(workers === undefined ? [] : [["Workers", formatCount(workers)] as const]),
    ...(server === undefined ? [] : [["Server", name(server.url)] as const]),
    ["Time", `${formatDuration(summary.elapsedSeconds)}${budget}`],
    [
      "Steps done",
      progressTotal === null
        ? formatCount(progressCompleted)
        : `${formatCount(progressCompleted)} of ${formatCount(progressTotal)}`,
    ],
    ["Made with", `Cupel ${summary.cupelVersion}`],
  ];
}

function fileFacts(kind: string, file: RefinementFile): Row[] {
  return [
    [kind, html`${name(file.name)}, ${formatAmount(file.rows, "row")}, ${formatBytes(file.sizeBytes)}`],
    [`SHA-256 of ${kind}`, html`<code class="hash">${name(file.sha256)}</code>`],
  ];
}
