// Permutation importance: what the objective loses when a column is shuffled, with its spread over the re-splits.

import type { Objective } from "../../engine/judging/objective.ts";
import { capitalised, formatFigure } from "../common/format.ts";
import { html, type Markup, name, plainName } from "../common/markup.ts";
import type { ColumnImportance, VersionSummary } from "../summary/summary.ts";
import { MEASURE_NAMES } from "../words/objective-words.ts";
import { disclosure, figure, figureTable, type Picture, picture } from "./pictures.ts";
import { fitText, linearScale, points, type Scale } from "./scales.ts";

const ROW_HEIGHT = 20;
const NAME_WIDTH = 140;
const FIGURE_WIDTH = 40;
/** Columns drawn; the rest is in the table. */
const DRAWN = 20;
/** Rows of the table; the rest is in summary.json. */
const LISTED = 200;

type MeasuredVersion = Pick<VersionSummary, "version" | "importance"> & { objective: Objective };

export function importanceFigure(version: MeasuredVersion): Markup {
  const { importance, objective } = version;
  if (importance.length === 0) {
    return html`<p class="missing">Not measured: the run ended before this version was re-split.</p>`;
  }
  const listed = importance.slice(0, LISTED);
  const behind = figureTable(
    `Importance of columns, version ${version.version}`,
    ["Column", objective === "cost" ? "Rise" : "Points lost", "Least", "Most"],
    listed.map((column) => [
      name(column.name),
      ...[column.mean, column.low, column.high].map((loss) => lossFigure(objective, loss)),
    ]),
    "tall",
  );
  const beyond = importance.length - listed.length;
  const note = beyond > 0 ? html`<p class="note">${beyond} more columns are in summary.json.</p>` : null;
  const drawing = figure(
    picture(importanceChart(version, DRAWN, 328)),
    `${lossWords(objective)}; whiskers: over each half of the re-splits.`,
    null,
  );
  const summary = importance.length > DRAWN ? `Table of all ${importance.length} columns` : "Table behind the picture";
  return html`${drawing}${disclosure(summary, html`${behind}${note}`)}`;
}

/** Says what the figures are, as a sentence without its end. */
export function lossWords(objective: Objective): string {
  const what = objective === "cost" ? "rise of the mean cost" : `points of ${MEASURE_NAMES[objective]} lost`;
  return `${capitalised(what)} when the column is shuffled`;
}

function lossFigure(objective: Objective, loss: number): string {
  return objective === "cost" ? formatFigure(loss) : points(loss);
}

/** Bars of the `count` most important columns, most important first. */
export function importanceChart(
  { importance, version, objective }: MeasuredVersion,
  count: number,
  width: number,
): Picture {
  const top = importance.slice(0, count);
  const low = Math.min(0, ...top.map((column) => column.low));
  const high = Math.max(0.001, ...top.map((column) => column.high));
  const x = linearScale([low, high], [NAME_WIDTH, width - FIGURE_WIDTH - 6]);
  const height = top.length * ROW_HEIGHT + 4;
  return {
    title: `Importance of columns, version ${version}`,
    description: top.map((column) => `${plainName(column.name, 40)} ${lossFigure(objective, column.mean)}`).join(", "),
    width,
    height,
    body: html`${top.map((column, i) => bar(column, objective, { top: i * ROW_HEIGHT + 2, x, width }))}<line class="axis" x1="${x(0)}" x2="${x(0)}" y1="0" y2="${height}"/>`,
  };
}

function bar(
  column: ColumnImportance,
  objective: Objective,
  { top, x, width }: { top: number; x: Scale; width: number },
): Markup {
  const middle = top + ROW_HEIGHT / 2;
  const start = Math.min(x(0), x(column.mean));
  const figureOf = (loss: number) => lossFigure(objective, loss);
  const mean = figureOf(column.mean);
  const unit = objective === "cost" ? "" : " points";
  const spread = `${mean}${unit}, between ${figureOf(column.low)} and ${figureOf(column.high)}`;
  return html`<g><title>${plainName(column.name)}: ${spread}</title><text class="label" x="${NAME_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${fitText(column.name, NAME_WIDTH - 10, 12)}</text><rect class="bar" x="${start}" y="${top + 5}" width="${Math.abs(x(column.mean) - x(0))}" height="${ROW_HEIGHT - 10}"/><path class="whisker" d="M${x(column.low)} ${middle - 3}v6m0 -3H${x(column.high)}m0 -3v6"/><text class="tick" x="${width}" y="${middle + 4}" text-anchor="end">${mean}</text></g>`;
}
