// The columns of a run, one row each: distribution by class, missing values, and whether it was used and why.

import { type ClassGroups, classGroups, groupLegend } from "../charts/class-groups.ts";
import { section, table } from "../charts/pictures.ts";
import { distributionCell } from "../charts/sparkline.ts";
import { formatAmount, formatCount } from "../common/format.ts";
import { type Content, html, type Markup, name, plainName } from "../common/markup.ts";
import type { RefinementSummary } from "../summary/refinement-summary.ts";
import type { ColumnSummary, RunSummary } from "../summary/summary.ts";
import { readingInWords } from "../words/reading-words.ts";
import { cellsOfCounts, decisionsTable, flaggedColumns, LISTED } from "./refinement/refinement-columns.ts";
import { tellingWordTables } from "./telling-words.ts";

/** The table of columns: with decisions and evidence after a refinement, otherwise in the order of the file. */
export function columnsSection(summary: RunSummary): Markup {
  const { columns, classes } = summary;
  const refinement = summary.refinement && summary.refinement.columns.length > 0 ? summary.refinement : null;
  const areUsed =
    refinement === null
      ? columns.filter(({ role }) => role === "feature").map(({ used }) => used)
      : refinement.columns.map((column) => column.decision === "KEEP");
  const usedCount = areUsed.filter(Boolean).length;
  const [kept, gone] = refinement === null ? ["used", "dropped"] : ["kept by the refinement", "removed"];
  const words = tellingWordTables({ columns, classes, rest: "in summary.json" });
  return section(
    "columns",
    "Columns",
    html`<p class="lead">${formatCount(usedCount)} of ${formatAmount(areUsed.length, "column")} ${kept}${usedCount < areUsed.length ? `, ${formatCount(areUsed.length - usedCount)} ${gone}` : ""}. Open a distribution for its figures.</p>
${refinement === null ? columnTable(summary) : refinedColumns(summary, refinement)}
${words === null ? null : html`<h3>Telling words</h3>${words}`}`,
  );
}

function columnTable(summary: RunSummary): Markup {
  const listed = summary.columns.slice(0, LISTED);
  const beyond = summary.columns.length - listed.length;
  const groups = classGroups(summary.classes);
  const head = html`<tr><th scope="col">Column</th><th scope="col">Distribution by class</th><th scope="col">Decision</th><th scope="col" class="num">Missing</th><th scope="col" class="num">Distinct</th></tr>`;
  return html`${groupLegend(groups)}
${table(
  "Columns of the file",
  head,
  listed.map((column) => row(column, summary, groups)),
  "columns",
)}
${beyond > 0 ? html`<p class="note">${formatAmount(beyond, "more column")} ${beyond === 1 ? "is" : "are"} in summary.json.</p>` : null}`;
}

function refinedColumns({ columns, classes, rows: rowCount }: RunSummary, refinement: RefinementSummary): Markup {
  return html`${flaggedColumns(refinement)}
<h3>Column by column</h3>
${decisionsTable({ refinement, columns, classes, rowCount, jsonFile: "summary.json" })}`;
}

function row(column: ColumnSummary, summary: RunSummary, groups: ClassGroups): Markup {
  return html`<tr${column.used || column.role === "label" ? null : html` class="dropped"`}><th scope="row">${name(column.name)}<small>${readingInWords(column)}</small></th><td>${distributionCell(column, groups)}</td><td>${decision(column)}</td>${cellsOfCounts(column, summary.rows)}</tr>\n`;
}

function decision({ role, used, reason }: ColumnSummary): Content {
  const word = role === "label" ? "Label" : used ? "Used" : "Dropped";
  const tone = role === "label" ? "copper" : used ? "done" : "pending";
  return html`<span class="chip ${tone}">${word}</span>${reason === null ? null : html`<small>${plainName(reason, 240)}</small>`}`;
}
