// The last lines that a refinement prints: how it ended, the kept columns
// and their accuracy, the files, the next command.

import { join } from "node:path";
import type { PerformanceRecord } from "../../data/database/records.ts";
import {
  formatAmount,
  formatBytes,
  formatCount,
  formatDuration,
  formatEstimate,
  formatPercent,
} from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import { bestRow, rowEstimate } from "../report/refinement/refinement-performance.ts";
import { hasResult, lowerFirst, outcomeInWords } from "../report/refinement/refinement-words.ts";
import { targetOptions } from "../report/refinement/target-option.ts";
import type { RefinementSummary } from "../summary/refinement-summary.ts";

/** One entry per line. `reportFolder`: null where no report was written. */
export function refineClosingLines(
  summary: RefinementSummary,
  outFolder: string,
  reportFolder: string | null = outFolder,
): string[] {
  const { columns, holdoutEstimate, reachedTarget, baselineTarget, files } = summary;
  const lines = [`${summary.state}: ${summary.stateReason} (${formatDuration(summary.elapsedSeconds)})`];
  if (summary.partial) lines.push("Partial     results so far; columns that were not judged in time are kept");
  const before = bestRow(summary.baselineTopPerformances);
  const after = bestRow(summary.keptPerformances);
  lines.push(`Columns     ${columnsInWords(summary)}`);
  if (before !== null) {
    const { majority, testRows } = summary;
    lines.push(
      `Before      ${performance(before, summary)} on ${formatAmount(testRows, "blind test row")}; ` +
        `always answering ${inQuotes(majority.label)}: ` +
        `${formatPercent(majority.accuracy)}, ${formatCount(majority.falseDecisions)} wrong`,
    );
  }
  if (after !== null) lines.push(`After       ${performance(after, summary)}`);
  if (holdoutEstimate !== null) {
    lines.push(`Untouched   ${formatEstimate(holdoutEstimate)} on rows used for nothing else`);
  }
  if (reachedTarget !== null) {
    const withAllWords = baselineTarget === null ? "" : `; with all columns ${formatPercent(baselineTarget)}`;
    lines.push(`Target      ${formatPercent(reachedTarget)} is the accuracy to ask of a training${withAllWords}`);
  } else if (hasResult(summary)) {
    lines.push(`Target      none: always answering ${inQuotes(summary.majority.label)} may reach as much`);
  }
  const flagged = columns.filter(({ flags }) => flags.length > 0).length;
  if (flagged > 0)
    lines.push(`Flagged     ${formatAmount(flagged, "column")} to look at, with the reasons in report.html`);
  for (const { kind, file, sizeBytes } of files) {
    lines.push(`${kind.padEnd(11)} ${formatBytes(sizeBytes)}: ${join(outFolder, file)}`);
  }
  if (reportFolder !== null) lines.push(`Report      ${join(reportFolder, "report.html")} (and refinement.json)`);
  const { server } = summary;
  if (server !== undefined) lines.push(`Server      ${server.url} has it as refinement ${server.featureRefinementKey}`);
  else if (summary.state === "TIMEOUT" || summary.state === "CANCELLED") {
    lines.push("Go on       type the same command again: it goes on where this one stopped");
  }
  lines.push(`Next        ${nextCommand(summary, outFolder)}`);
  return lines;
}

/** How many columns are kept, with a sentence where that needs explaining. */
function columnsInWords(summary: RefinementSummary): string {
  const { columns, keptColumns, removedColumns } = summary;
  if (!hasResult(summary)) return outcomeInWords(summary);
  const kept =
    `${formatCount(keptColumns.length)} of ${formatCount(columns.length)} kept, ` +
    `${formatCount(removedColumns.length)} removed`;
  return removedColumns.length === 0 ? `${kept}: ${lowerFirst(outcomeInWords(summary))}` : kept;
}

function performance(row: PerformanceRecord, { testRows }: RefinementSummary): string {
  const estimate = rowEstimate(row, testRows);
  return `${formatEstimate(estimate)}, ${formatCount(row.falseDecisions)} wrong (${row.family})`;
}

function nextCommand(summary: RefinementSummary, outFolder: string): string {
  const train = summary.files.find(({ kind }) => kind === "TRAIN");
  const path = train === undefined ? "TRAIN.csv" : join(outFolder, train.file);
  return ["cupel run", path, ...targetOptions(summary), "--no-refine"].join(" ");
}
