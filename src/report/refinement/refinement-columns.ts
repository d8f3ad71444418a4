// The columns of a refinement, one row each: distribution, decision and
// evidence; kept ones by importance, then removed ones.
import type { ColumnDecision } from "../../../engine/refinement/decision.ts";
import { type ClassGroups, classGroups, groupLegend } from "../../charts/class-groups.ts";
import { disclosure, figureTable, table, undefinedFigure } from "../../charts/pictures.ts";
import { distributionCell } from "../../charts/sparkline.ts";
import { formatAmount, formatCount, formatPercent } from "../../common/format.ts";
import { type Content, html, type Markup, name, plainName } from "../../common/markup.ts";
import { decimalNumber } from "../../common/numbers.ts";
import type { ClassCount, ColumnSummary } from "../../summary/summary.ts";
import { readingInWords } from "../../words/reading-words.ts";
import {
  EVIDENCE_FIGURE_HEADS,
  evidenceCells,
  evidenceFigures,
  evidenceHeads,
  evidenceLegend,
} from "./evidence-bars.ts";
import { isJudged, type NoiseLevels, noiseLevels } from "./noise-levels.ts";
import {
  ALL_FLAGS,
  decisionCell,
  flagAdvice,
  flagChip,
  hasResult,
  lowerFirst,
  type RefinementOutcome,
  removalsByReason,
} from "./refinement-words.ts";

/** Columns listed: nobody reads a page of ten thousand rows. */
export const LISTED = 200;
/** Columns named beside a flag or reason; the table has the others. */
const NAMED = 4;
/** Cells of a row. */
const WIDTH = 8;

/** The data of the table: the decisions, and what reading the file found about the same columns. */
export interface ColumnsView {
  refinement: RefinementOutcome;
  columns: readonly ColumnSummary[];
  classes: readonly ClassCount[];
  /** Rows in which missing cells were counted. */
  rowCount: number;
  /** The file with the columns that are not listed. */
  jsonFile: "summary.json" | "refinement.json";
}

/** A column's decision, and what reading found about it. */
interface Entry {
  decision: ColumnDecision;
  /** Null if the file that was read lacks the column. */
  summary: ColumnSummary | null;
}

/** The columns that a person should check, by flag; null if none is flagged. */
export function flaggedColumns({ columns }: RefinementOutcome): Markup | null {
  const found = ALL_FLAGS.map((flag) => ({ flag, flagged: columns.filter(({ flags }) => flags.includes(flag)) }));
  const present = found.filter(({ flagged }) => flagged.length > 0);
  if (present.length === 0) return null;
  return html`<h3>Columns to check</h3><ul class="flagged">${present.map(({ flag, flagged }) => html`<li>${flagChip(flag)} ${namesOf(flagged)}<small>${flagAdvice(flag)}${flag === "TARGET_LEAK_SUSPECT" ? strengths(flagged) : null}</small></li>`)}</ul>`;
}

/** Removed columns by reason: how many, and the first names. */
export function removedColumns({ columns, state }: RefinementOutcome): Markup {
  const groups = removalsByReason(columns);
  if (groups.length === 0) {
    return html`<p>${state === "REFINEMENT_COMPLETED" ? "No column was removed." : "No column was removed before it ended."}</p>`;
  }
  return html`<ul class="removed">${groups.map(({ words, columns: removed }) => html`<li><em>${formatCount(removed.length)}</em> ${lowerFirst(words)}<small>${namesOf(removed)}</small></li>`)}</ul>`;
}

/** The table of columns with its legends and the figures behind the bars. */
export function decisionsTable(view: ColumnsView): Markup {
  const { refinement, classes } = view;
  const entries = entriesOf(view);
  const listed = mostImportant(entries);
  const beyond = entries.length - listed.length;
  const keptEntries = listed.filter(({ decision }) => decision.decision === "KEEP").sort(byImportance);
  const removedEntries = listed.filter(({ decision }) => decision.decision === "REMOVE");
  const levels = noiseLevels(refinement.columns);
  const groups = classGroups(classes);
  const write = (entry: Entry) => columnRow(entry, view, groups, levels);
  const head = html`<tr><th scope="col">Column</th><th scope="col">Distribution by class</th><th scope="col">Decision</th>${evidenceHeads()}<th scope="col" class="num">Missing</th><th scope="col" class="num">Distinct</th></tr>`;
  const undone = hasResult(refinement)
    ? null
    : html`<p class="note">These decisions stood when the refinement ended; none was carried out.</p>`;
  return html`${undone}${classes.length === 0 ? null : groupLegend(groups)}${evidenceLegend()}
${table(
  "Columns of the file",
  head,
  html`${labelRows(view, groups)}${group("Kept, most important first", keptEntries.map(write))}${group("Removed, in the order of the file", removedEntries.map(write))}`,
  "columns decisions",
)}
${beyond > 0 ? html`<p class="note">The most important columns and those with a flag are listed; ${formatAmount(beyond, "more column")} ${beyond === 1 ? "is" : "are"} in ${view.jsonFile} only.</p>` : null}
${disclosure("Table behind the bars", figuresTable([...keptEntries, ...removedEntries], refinement))}`;
}

/** Joins decisions with what reading found, by name; columns of the same name are joined in order. */
function entriesOf({ refinement, columns }: ColumnsView): Entry[] {
  const byName = Map.groupBy(
    columns.filter(({ role }) => role === "feature"),
    (column) => column.name,
  );
  return refinement.columns.map((decision) => ({ decision, summary: byName.get(decision.name)?.shift() ?? null }));
}

/** Picks flagged columns first, then the most important; returns them in the order of the file. */
function mostImportant(entries: readonly Entry[]): Entry[] {
  const isFlagged = ({ decision }: Entry) => (decision.flags.length > 0 ? 0 : 1);
  return [...entries]
    .sort((a, b) => isFlagged(a) - isFlagged(b) || byImportance(a, b))
    .slice(0, LISTED)
    .sort((a, b) => a.decision.position - b.decision.position);
}

/** Most important first; columns of equal importance: kept before removed, then in the order of the file. */
function byImportance({ decision: a }: Entry, { decision: b }: Entry): number {
  return (
    (b.importance ?? -1) - (a.importance ?? -1) ||
    (a.decision === b.decision ? 0 : a.decision === "KEEP" ? -1 : 1) ||
    a.position - b.position
  );
}

function group(heading: string, rows: readonly Markup[]): Content {
  if (rows.length === 0) return null;
  return html`<tr class="apart"><th scope="rowgroup" colspan="${WIDTH}">${heading}</th></tr>${rows}`;
}

/** The label's own row, if reading counted it. */
function labelRows({ columns, rowCount }: ColumnsView, groups: ClassGroups): Content {
  return columns
    .filter(({ role }) => role === "label")
    .map(
      (label) =>
        html`<tr><th scope="row">${name(label.name)}<small>${label.kind}</small></th><td>${distributionCell(label, groups)}</td><td><span class="chip copper">Label</span></td><td></td><td></td><td></td>${cellsOfCounts(label, rowCount)}</tr>\n`,
    );
}

function columnRow(entry: Entry, view: ColumnsView, groups: ClassGroups, levels: NoiseLevels): Markup {
  const { decision, summary } = entry;
  const reason = whyUnmeasured(decision, view.refinement);
  const share = decision.importance === null ? null : ` · ${formatPercent(decision.importance)} of gain`;
  return html`<tr${decision.decision === "KEEP" ? null : html` class="dropped"`}><th scope="row">${name(decision.name)}<small>${readingInWords({ ...summary, kind: decision.kind })}${share}</small></th><td>${distributionCell(summary, groups)}</td><td>${decisionCell(decision)}${leftOut(entry)}</td>${evidenceCells(decision, levels, reason)}${cellsOfCounts(summary, view.rowCount)}</tr>\n`;
}

/** Says so if training could not use a kept column. */
function leftOut({ decision, summary }: Entry): Content {
  if (decision.decision === "REMOVE" || summary === null || summary.used || summary.reason === null) return null;
  return html`<small>Not used in training: ${plainName(summary.reason, 240)}</small>`;
}

/** Cells for missing and distinct values. */
export function cellsOfCounts(summary: ColumnSummary | null, rowCount: number): Content {
  if (summary === null) {
    const unread = undefinedFigure("the column was not counted");
    return html`<td class="num">${unread}</td><td class="num">${unread}</td>`;
  }
  const { missing, distinct } = summary;
  const share = missing === 0 ? null : html` <small>${formatPercent(missing / Math.max(1, rowCount))}</small>`;
  return html`<td class="num">${formatCount(missing)}${share}</td><td class="num">${formatCount(distinct)}</td>`;
}

/** All figures of the columns that have at least one. */
function figuresTable(entries: readonly Entry[], refinement: RefinementOutcome): Markup {
  const measured = entries.filter(({ decision }) => isMeasured(decision));
  const without = entries.length - measured.length;
  const note =
    without === 0 ? null : html`<p class="note">${formatAmount(without, "column")} without any figure left out.</p>`;
  const behind = figureTable(
    "Evidence by column",
    ["Column", ...EVIDENCE_FIGURE_HEADS],
    measured.map(({ decision }) => [
      name(decision.name),
      ...evidenceFigures(decision, whyUnmeasured(decision, refinement)),
    ]),
    "tall figures-behind",
  );
  return html`${behind}${note}`;
}

function isMeasured({ importance, stability, evidence }: ColumnDecision): boolean {
  return importance !== null || stability !== null || Object.values(evidence).some((figure) => figure !== null);
}

function whyUnmeasured(column: ColumnDecision, refinement: RefinementOutcome): string {
  if (column.reason === "KEPT_FEW_ROWS") return "not measured: too few rows, or too few of rare labels";
  if (column.reason === "DUPLICATE_OF") return "not measured: a copy of another column";
  if (column.decision === "REMOVE" && (column.evidence.pValue === null || !isJudged(column)))
    return "not measured: the column failed the checks first";
  if (column.reason === "KEPT_SUSPECT" || column.reason === "KEPT_MISSING_INFORMATIVE")
    return "not measured: the checks keep the column";
  if (!hasResult(refinement) || refinement.partial) return "not measured: the refinement ended before";
  if (column.evidence.hits === null && isJudged(column))
    return "not measured: the screen before the forests left the column out";
  return "not measured for this column";
}

function namesOf(columns: readonly ColumnDecision[]): Markup {
  const beyond = columns.length - NAMED;
  return html`${columns.slice(0, NAMED).map((column, i) => html`${i === 0 ? null : ", "}${name(column.name, 40)}`)}${beyond > 0 ? ` and ${formatCount(beyond)} more` : null}`;
}

/** How much each suspect predicts alone, and what cross-validation loses without it. */
function strengths(columns: readonly ColumnDecision[]): Content {
  return columns.slice(0, NAMED).map(({ name: column, evidence: { strength, accuracyEffect } }) => {
    if (strength === null) return null;
    const without =
      accuracyEffect === null
        ? null
        : ` Without it, cross-validated accuracy is ${decimalNumber(Math.abs(accuracyEffect) * 100, 1)} points ${accuracyEffect < 0 ? "higher" : "lower"}.`;
    return html` <bdi>${plainName(column, 40)}</bdi> alone decides ${formatPercent(strength)} of what the most frequent answer gets wrong.${without}`;
  });
}
