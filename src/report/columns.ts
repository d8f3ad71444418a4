// The data profile: one row per column with its distribution by class, what is missing, and whether it was used and why.

import type { Content, Markup } from "../charts/markup.ts";
import { html, name, plainName } from "../charts/markup.ts";
import { table } from "../charts/pictures.ts";
import { distributionCell } from "../charts/sparkline.ts";
import { formatAmount, formatCount, formatPercent } from "../format.ts";
import type { RefinementSummary } from "../refinement-summary.ts";
import type { ColumnSummary, RunSummary } from "../summary.ts";
import type { ClassGroups } from "./class-groups.ts";
import { classGroups, groupLegend } from "./class-groups.ts";
import { decisionsTable, flaggedColumns } from "./refinement-columns.ts";

/** Columns listed: a page of ten thousand rows serves nobody. */
const LISTED = 200;

/** The table of columns: with the decisions and evidence of the refinement where there was one, else in the order of the file. */
export function columnsSection(summary: RunSummary): Markup {
  const { columns, refinement } = summary;
  if (refinement && refinement.columns.length > 0) return refinedColumns(summary, refinement);
  const features = columns.filter(({ role }) => role === "feature");
  const used = features.filter((column) => column.used).length;
  const listed = columns.slice(0, LISTED);
  const beyond = columns.length - listed.length;
  const groups = classGroups(summary.classes);
  const head = html`<tr><th scope="col">Column</th><th scope="col">Distribution by class</th><th scope="col">Decision</th><th scope="col" class="num">Missing</th><th scope="col" class="num">Distinct</th></tr>`;
  return html`<section id="columns" aria-labelledby="columns-title"><h2 id="columns-title">Columns</h2>
<p class="lead">${formatCount(used)} of ${formatAmount(features.length, "column")} used${used < features.length ? `, ${formatCount(features.length - used)} dropped` : ""}. Open a distribution for its figures.</p>
${groupLegend(groups)}
${table(
  "Columns of the file",
  head,
  listed.map((column) => row(column, summary, groups)),
  "columns",
)}
${beyond > 0 ? html`<p class="note">${formatAmount(beyond, "more column")} ${beyond === 1 ? "is" : "are"} in summary.json.</p>` : null}
</section>
`;
}

function refinedColumns(summary: RunSummary, refinement: RefinementSummary): Markup {
  const { columns, classes, rows: rowCount } = summary;
  const kept = refinement.columns.filter(({ decision }) => decision === "KEEP").length;
  const total = refinement.columns.length;
  return html`<section id="columns" aria-labelledby="columns-title"><h2 id="columns-title">Columns</h2>
<p class="lead">${formatCount(kept)} of ${formatAmount(total, "column")} kept by the refinement${kept < total ? `, ${formatCount(total - kept)} removed` : ""}. Open a distribution for its figures.</p>
${flaggedColumns(refinement)}
<h3>Column by column</h3>
${decisionsTable({ refinement, columns, classes, rowCount, jsonFile: "summary.json" })}
</section>
`;
}

function row(column: ColumnSummary, summary: RunSummary, groups: ClassGroups): Markup {
  const missing =
    column.missing === 0
      ? "0"
      : html`${formatCount(column.missing)} <small>${formatPercent(column.missing / Math.max(1, summary.rows))}</small>`;
  return html`<tr${column.used || column.role === "label" ? null : html` class="dropped"`}><th scope="row">${name(column.name)}<small>${column.kind}</small></th><td>${distributionCell(column, groups)}</td><td>${decision(column)}</td><td class="num">${missing}</td><td class="num">${formatCount(column.distinct)}</td></tr>\n`;
}

function decision({ role, used, reason }: ColumnSummary): Content {
  const word = role === "label" ? "Label" : used ? "Used" : "Dropped";
  const tone = role === "label" ? "copper" : used ? "done" : "pending";
  return html`<span class="chip ${tone}">${word}</span>${reason === null ? null : html`<small>${plainName(reason, 240)}</small>`}`;
}
