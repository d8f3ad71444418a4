// Permutation importance: the accuracy lost when a column is shuffled, with its spread over the re-splits.

import { html, type Markup, name, plainName } from "../common/markup.ts";
import type { ColumnImportance, VersionSummary } from "../summary/summary.ts";
import { disclosure, figure, figureTable, type Picture, picture } from "./pictures.ts";
import { fitText, linearScale, points, type Scale } from "./scales.ts";

const ROW_HEIGHT = 20;
const NAME_WIDTH = 140;
const FIGURE_WIDTH = 40;
/** Columns drawn; the rest is in the table. */
const DRAWN = 20;
/** Rows of the table; the rest is in summary.json. */
const LISTED = 200;

type Measured = Pick<VersionSummary, "version" | "importance">;

export function importanceFigure(version: Measured): Markup {
  const { importance } = version;
  if (importance.length === 0) {
    return html`<p class="missing">Not measured: the run ended before this version was re-split.</p>`;
  }
  const listed = importance.slice(0, LISTED);
  const behind = figureTable(
    `Importance of columns, version ${version.version}`,
    ["Column", "Points lost", "Least", "Most"],
    listed.map((column) => [name(column.name), points(column.mean), points(column.low), points(column.high)]),
    "tall",
  );
  const beyond = importance.length - listed.length;
  const note = beyond > 0 ? html`<p class="note">${beyond} more columns are in summary.json.</p>` : null;
  const drawing = figure(
    picture(importanceChart(version, DRAWN, 328)),
    "Points of accuracy lost when the column is shuffled; whiskers: over each half of the re-splits.",
    null,
  );
  const summary = importance.length > DRAWN ? `Table of all ${importance.length} columns` : "Table behind the picture";
  return html`${drawing}${disclosure(summary, html`${behind}${note}`)}`;
}

/** Bars of the `count` most important columns, most important first. */
export function importanceChart({ importance, version }: Measured, count: number, width: number): Picture {
  const top = importance.slice(0, count);
  const low = Math.min(0, ...top.map((column) => column.low));
  const high = Math.max(0.001, ...top.map((column) => column.high));
  const x = linearScale([low, high], [NAME_WIDTH, width - FIGURE_WIDTH - 6]);
  const height = top.length * ROW_HEIGHT + 4;
  return {
    title: `Importance of columns, version ${version}`,
    description: top.map((column) => `${plainName(column.name, 40)} ${points(column.mean)}`).join(", "),
    width,
    height,
    body: html`${top.map((column, i) => bar(column, i * ROW_HEIGHT + 2, x, width))}<line class="axis" x1="${x(0)}" x2="${x(0)}" y1="0" y2="${height}"/>`,
  };
}

function bar(column: ColumnImportance, top: number, x: Scale, width: number): Markup {
  const middle = top + ROW_HEIGHT / 2;
  const start = Math.min(x(0), x(column.mean));
  const spread = `${points(column.mean)} points, between ${points(column.low)} and ${points(column.high)}`;
  return html`<g><title>${plainName(column.name)}: ${spread}</title><text class="label" x="${NAME_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${fitText(column.name, NAME_WIDTH - 10, 12)}</text><rect class="bar" x="${start}" y="${top + 5}" width="${Math.abs(x(column.mean) - x(0))}" height="${ROW_HEIGHT - 10}"/><path class="whisker" d="M${x(column.low)} ${middle - 3}v6m0 -3H${x(column.high)}m0 -3v6"/><text class="tick" x="${width}" y="${middle + 4}" text-anchor="end">${points(column.mean)}</text></g>`;
}
