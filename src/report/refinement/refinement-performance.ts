// Before and after a refinement: the best models on all columns and on the kept ones, on the same blind test.
import type { PerformanceRecord } from "../../../data/database/records.ts";
import { type Estimate, wilsonInterval } from "../../../engine/judging/metrics.ts";
import { type AccuracyInterval, accuracyScale, majorityRule, targetRule } from "../../charts/accuracy-scale.ts";
import { familyIcon } from "../../charts/family-marks.ts";
import { betterThanGuessing } from "../../charts/measures.ts";
import {
  figure,
  figureOr,
  figureTable,
  pairs,
  type Row,
  responsive,
  table,
  undefinedFigure,
} from "../../charts/pictures.ts";
import {
  capitalised,
  formatAmount,
  formatCount,
  formatEstimate,
  formatInterval,
  formatPercent,
} from "../../common/format.ts";
import { type Content, html, type Markup, name } from "../../common/markup.ts";
import { hasResult, type RefinementOutcome } from "./refinement-words.ts";

/** A model's performance. While a refinement runs, the API does not name families. */
type ShownRow = Omit<PerformanceRecord, "family"> & Partial<Pick<PerformanceRecord, "family">>;

/** The row marked as best, or else the one with the fewest wrong decisions; null without rows. */
export function bestRow<R extends ShownRow>(rows: readonly R[]): R | null {
  return rows.find(({ best }) => best) ?? rows.toSorted((a, b) => a.falseDecisions - b.falseDecisions)[0] ?? null;
}

/**
 * The best row of the run if other columns reached it than all or the kept ones; null otherwise.
 * Kept columns may be worse than the best by no more than chance.
 */
function bestElsewhere(summary: RefinementOutcome): PerformanceRecord | null {
  const best = bestRow(summary.currentTopPerformances);
  const others = [bestRow(summary.keptPerformances), bestRow(summary.baselineTopPerformances)];
  return others.every((row) => best !== null && row !== null && best.falseDecisions < row.falseDecisions) ? best : null;
}

/** The accuracy of a row with its Wilson interval; null without a row or a blind test. */
export function rowEstimate(row: ShownRow | null, testRows: number): Estimate | null {
  return row === null || testRows < 1 ? null : wilsonInterval(testRows - row.falseDecisions, testRows);
}

export function refinementFigures(summary: RefinementOutcome): Markup {
  const { majority, testRows, reachedTarget } = summary;
  const before = bestRow(summary.baselineTopPerformances);
  const after = bestRow(summary.keptPerformances);
  const none = "no model was measured";
  const wrong = (row: PerformanceRecord | null) => figureOr(none, row?.falseDecisions ?? null, formatCount);
  const accuracy = (row: PerformanceRecord | null) =>
    figureOr(none, rowEstimate(row, testRows)?.mean ?? null, formatPercent);
  const figures: Row[] = [
    ["Accuracy, before and after", html`${accuracy(before)} → ${accuracy(after)}`],
    [
      "Wrong decisions, before and after",
      html`${wrong(before)} → ${wrong(after)} <small>of ${formatCount(testRows)}</small>`,
    ],
    [
      html`Always answering <em>${name(majority.label, 32)}</em>`,
      html`${formatPercent(majority.accuracy)} <small>${formatCount(majority.falseDecisions)} wrong</small>`,
    ],
    [
      "Target reached",
      reachedTarget === null
        ? undefinedFigure(withoutTarget(summary))
        : html`${formatPercent(reachedTarget)} <small>recommended threshold</small>`,
    ],
  ];
  return pairs(figures, "figures");
}

/** Accuracy before and after on one axis, with the table behind it; null if nothing was measured. */
export function beforeAfterFigure(summary: RefinementOutcome): Markup | null {
  const { majority, reachedTarget: target, testRows, holdoutEstimate } = summary;
  const after = rowEstimate(bestRow(summary.keptPerformances), testRows);
  const rows: [string, AccuracyInterval["look"], Estimate | null][] = [
    ["before", "before", rowEstimate(bestRow(summary.baselineTopPerformances), testRows)],
    ["after", "confirmed", after],
    ["untouched rows", "held", holdoutEstimate],
  ];
  const intervals = rows.flatMap(([label, look, estimate]) => (estimate === null ? [] : [{ label, look, estimate }]));
  if (intervals.length === 0) return null;
  const scale = {
    title: "Accuracy before and after the refinement",
    intervals,
    rules: [majorityRule(majority), ...targetRule("target reached", target)],
  };
  const behind: Content[][] = [
    ...intervals.map(({ label, estimate }) => [capitalised(label), formatEstimate(estimate)]),
    [html`Always answering ${name(majority.label, 60)}`, formatPercent(majority.accuracy)],
    ["Target reached", figureOr("not set", target, formatPercent)],
  ];
  return figure(
    responsive((width) => accuracyScale(scale, width)),
    `Accuracy of the best model on the ${formatAmount(testRows, "row")} of the blind test, with all columns (before)${after === null ? "" : " and with the kept ones (after)"}${holdoutEstimate === null ? "" : ", and on rows used for nothing else"}. Whiskers are 95% intervals.`,
    figureTable("Accuracy before and after", ["Figure", "Accuracy"], behind),
  );
}

/** Says whether the kept columns do as well as all of them, claiming no more than the intervals allow. */
export function comparisonCard(summary: RefinementOutcome): Markup {
  const before = bestRow(summary.baselineTopPerformances);
  const after = bestRow(summary.keptPerformances);
  const estimate = rowEstimate(after, summary.testRows);
  const earlier = rowEstimate(before, summary.testRows);
  if (before === null || after === null || estimate === null || earlier === null) {
    return html`<p class="medium">Not measured</p><p>The refinement ended before it could compare models on all columns with models on the kept ones.</p>`;
  }
  return html`<p class="medium">${formatPercent(estimate.mean)} <span>${formatInterval(estimate)}</span></p>
<p>${comparison(earlier, estimate, before.falseDecisions - after.falseDecisions, summary)}</p>
${betterThanGuessing(estimate, summary.majority)}`;
}

/** Says what to expect on new rows: the estimate on untouched rows, and the target. */
export function expectationCard(summary: RefinementOutcome): Markup {
  return html`${estimateWords(summary)}${targetWords(summary)}`;
}

/** The models of a finished refinement: before, after, and the best of the run if other columns reached it. */
export function resultTable(outcome: RefinementOutcome): Markup {
  const { columns, keptColumns, baselineTopPerformances, keptPerformances, currentTopPerformances, testRows } = outcome;
  const all = formatAmount(columns.length, "column");
  return performanceTable(
    [
      [`Before: all ${columns.length === 0 ? "columns" : all}`, baselineTopPerformances],
      [`After: ${formatCount(keptColumns.length)} of ${all}`, keptPerformances],
      ["Best of the run, on other columns", bestElsewhere(outcome) === null ? [] : currentTopPerformances],
    ],
    testRows,
  );
}

/**
 * Groups of models, each under its heading; groups without rows are left out. Without test rows there are no intervals.
 */
export function performanceTable(
  groups: readonly (readonly [heading: string, rows: readonly ShownRow[]])[],
  testRows: number,
): Markup {
  const measured = groups.filter(([, rows]) => rows.length > 0);
  if (measured.length === 0) return html`<p class="missing">No model was measured.</p>`;
  const head = html`<tr><th scope="col">Model</th><th scope="col" class="num">Wrong</th><th scope="col" class="num">Accuracy</th><th scope="col" class="num">Precision</th><th scope="col" class="num">Recall</th><th scope="col" class="num">F1</th></tr>`;
  const body = measured.map(([heading, rows]) => performanceRows(heading, rows, testRows));
  return table("Models before and after", head, body, "performances");
}

function performanceRows(heading: string, rows: readonly ShownRow[], testRows: number): Content {
  const best = bestRow(rows);
  return html`<tr class="apart"><th scope="rowgroup" colspan="6">${heading}</th></tr>${rows.map((row, rank) => performanceRow(row, rank, row === best, testRows))}`;
}

function performanceRow(row: ShownRow, rank: number, isBest: boolean, testRows: number): Markup {
  const model = row.family === undefined ? `Model ${rank + 1}` : html`${familyIcon(row.family)} ${row.family}`;
  const percent = (value: number | null, reason: string) => figureOr(reason, value, formatPercent);
  const estimate = rowEstimate(row, testRows);
  const interval = estimate === null ? null : html` <small>${formatInterval(estimate)}</small>`;
  return html`<tr><th scope="row">${model}${isBest ? html` <span class="chip copper">Best</span>` : null}</th><td class="num">${formatCount(row.falseDecisions)}</td><td class="num">${percent(row.accuracy, "the blind test holds no row")}${row.accuracy === null ? null : interval}</td><td class="num">${percent(row.precision, "nothing was decided as the class that counts")}</td><td class="num">${percent(row.recall, "the blind test holds no row of the class that counts")}</td><td class="num">${percent(row.f1Score, "no row has the class that counts, and none was decided as it")}</td></tr>\n`;
}

function comparison(before: Estimate, after: Estimate, fewer: number, summary: RefinementOutcome): string {
  const onKeptWords =
    summary.removedColumns.length === 0
      ? "on all columns"
      : `on ${formatAmount(summary.keptColumns.length, "column")} instead of ${formatCount(summary.columns.length)}`;
  if (fewer === 0) return `The best model is as good as before, ${onKeptWords}.`;
  const amount = `${formatAmount(Math.abs(fewer), "wrong decision")} ${fewer > 0 ? "fewer" : "more"} than before`;
  const apart = fewer > 0 ? after.low > before.high : after.high < before.low;
  const weight = apart
    ? "The intervals do not overlap: the difference is more than chance."
    : fewer > 0
      ? "The intervals overlap: read this as not worse, rather than as better."
      : "Chance alone may explain that.";
  const elsewhere = bestElsewhere(summary);
  const best =
    elsewhere === null
      ? ""
      : ` The best of the run made ${formatAmount(elsewhere.falseDecisions, "wrong decision")}, on other columns.`;
  return `${amount}, ${onKeptWords}. ${weight}${best}`;
}

function estimateWords(summary: RefinementOutcome): Markup {
  const { holdoutEstimate } = summary;
  if (holdoutEstimate !== null) {
    return html`<p class="medium">${formatPercent(holdoutEstimate.mean)} <span>${formatInterval(holdoutEstimate)}</span></p><p>is the best model's accuracy on a tenth of TRAIN that was used for nothing else, so nothing was chosen by it.</p>`;
  }
  const reason =
    summary.train.rows < 2000
      ? "TRAIN has fewer than 2,000 rows, too few to set a tenth aside."
      : summary.state === "REFINEMENT_COMPLETED"
        ? "No rows were set aside to measure it on."
        : "The refinement ended before it read the rows set aside.";
  const luck =
    summary.checkpoints.length > 0
      ? "The accuracy on the blind test is slightly too good: it helped to choose the columns."
      : "The accuracy on the blind test is the best of several models, which is partly luck.";
  return html`<p class="medium">No estimate</p><p>${reason} ${luck}</p>`;
}

function withoutTarget(summary: RefinementOutcome): string {
  return hasResult(summary)
    ? "always answering the most frequent label may reach as much"
    : "the refinement ended before it could be set";
}

function targetWords(summary: RefinementOutcome): Markup {
  const { reachedTarget: target, keptAccuracy } = summary;
  if (target === null) return html`<p>No target was reached: ${withoutTarget(summary)}.</p>`;
  const below =
    keptAccuracy !== null && keptAccuracy > target
      ? ` It is lower than the ${formatPercent(keptAccuracy)} of the blind test on purpose: ` +
        "the best of several models is partly lucky, and a new training may not be."
      : "";
  return html`<p><em>${formatPercent(target)}</em> is the recommended target for a training on these columns.${below}</p>`;
}
