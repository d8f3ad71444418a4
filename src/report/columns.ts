// The columns of a run, one row each: distribution by class, missing values, and whether it was used and why.

import { type Content, html, type Markup, name, plainName } from "../charts/markup.ts";
import { section, table } from "../charts/pictures.ts";
import { distributionCell } from "../charts/sparkline.ts";
import { formatAmount, formatCount } from "../format.ts";
import type { RefinementSummary } from "../refinement-summary.ts";
import type { ColumnSummary, RunSummary } from "../summary.ts";
import { readingInWords } from "../words/reading-words.ts";
import { type ClassGroups, classGroups, groupLegend } from "./class-groups.ts";
import { countCells, decisionsTable, flaggedColumns, LISTED } from "./refinement/refinement-columns.ts";
import { tellingWords } from "./telling-words.ts";

/** The table of columns: with decisions and evidence after a refinement, otherwise in the order of the file. */
export function columnsSection(summary: RunSummary): Markup {
  const { columns, refinement } = summary;
  if (refinement && refinement.columns.length > 0) return refinedColumns(summary, refinement);
  const features = columns.filter(({ role }) => role === "feature");
  const used = features.filter((column) => column.used).length;
  const listed = columns.slice(0, LISTED);
  const beyond = columns.length - listed.length;
  const groups = classGroups(summary.classes);
  const head = html`<tr><th scope="col">Column</th><th scope="col">Distribution by class</th><th scope="col">Decision</th><th scope="col" class="num">Missing</th><th scope="col" class="num">Distinct</th></tr>`;
  return section(
    "columns",
    "Columns",
    html`<p class="lead">${formatCount(used)} of ${formatAmount(features.length, "column")} used${used < features.length ? `, ${formatCount(features.length - used)} dropped` : ""}. Open a distribution for its figures.</p>
${groupLegend(groups)}
${table(
  "Columns of the file",
  head,
  listed.map((column) => row(column, summary, groups)),
  "columns",
)}
${beyond > 0 ? html`<p class="note">${formatAmount(beyond, "more column")} ${beyond === 1 ? "is" : "are"} in summary.json.</p>` : null}
${wordsOf(summary)}`,
  );
}

function wordsOf({ columns, classes }: RunSummary): Content {
  const words = tellingWords({ columns, classes, rest: "in summary.json" });
  return words === null ? null : html`<h3>Telling words</h3>${words}`;
}

function refinedColumns(summary: RunSummary, refinement: RefinementSummary): Markup {
  const { columns, classes, rows: rowCount } = summary;
  const kept = refinement.columns.filter(({ decision }) => decision === "KEEP").length;
  const total = refinement.columns.length;
  return section(
    "columns",
    "Columns",
    html`<p class="lead">${formatCount(kept)} of ${formatAmount(total, "column")} kept by the refinement${kept < total ? `, ${formatCount(total - kept)} removed` : ""}. Open a distribution for its figures.</p>
${flaggedColumns(refinement)}
<h3>Column by column</h3>
${decisionsTable({ refinement, columns, classes, rowCount, jsonFile: "summary.json" })}
${wordsOf(summary)}`,
  );
}

function row(column: ColumnSummary, summary: RunSummary, groups: ClassGroups): Markup {
  return html`<tr${column.used || column.role === "label" ? null : html` class="dropped"`}><th scope="row">${name(column.name)}<small>${readingInWords(column)}</small></th><td>${distributionCell(column, groups)}</td><td>${decision(column)}</td>${countCells(column, summary.rows)}</tr>\n`;
}

function decision({ role, used, reason }: ColumnSummary): Content {
  const word = role === "label" ? "Label" : used ? "Used" : "Dropped";
  const tone = role === "label" ? "copper" : used ? "done" : "pending";
  return html`<span class="chip ${tone}">${word}</span>${reason === null ? null : html`<small>${plainName(reason, 240)}</small>`}`;
}
