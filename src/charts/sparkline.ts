// The distribution of a column by class: a small stacked histogram that unfolds into a table.

import { sumOf } from "../../engine/sums.ts";
import type { Distribution } from "../../engine/table/distribution.ts";
import { formatAmount, formatCount } from "../common/format.ts";
import { type Content, html, type Markup, name, plainName } from "../common/markup.ts";
import type { ColumnSummary } from "../summary/summary.ts";
import { type ClassGroups, groupCounts } from "./class-groups.ts";
import { axisLine, figureTable, picture, undefinedFigure } from "./pictures.ts";

const SPARK_WIDTH = 132;
const SPARK_HEIGHT = 30;

/** The histogram with its table; a dash if the column was not counted. */
export function distributionCell(
  column: Pick<ColumnSummary, "name" | "distribution"> | null,
  groups: ClassGroups,
): Content {
  if (column === null || column.distribution === null || column.distribution.bars.length === 0) {
    return html`<span class="note">${undefinedFigure("the column was not counted")}</span>`;
  }
  const { distribution } = column;
  const stacks = distribution.counts.map((counts) => groupCounts(counts, groups));
  const behind = figureTable(
    `Distribution of ${plainName(column.name, 60)}`,
    ["Value", ...groups.names.map((label) => name(label, 32))],
    distribution.bars.map((bar, i) => [name(bar), ...(stacks[i] ?? []).map(formatCount)]),
  );
  return html`<details class="spark"><summary>${sparkline(column.name, distribution, stacks, groups)}</summary>${behind}</details>`;
}

function sparkline(
  columnName: string,
  { bars }: Distribution,
  stacks: readonly (readonly number[])[],
  groups: ClassGroups,
): Markup {
  const totals = stacks.map(sumOf);
  const largest = Math.max(1, ...totals);
  const width = SPARK_WIDTH / bars.length;
  const peak = totals.indexOf(Math.max(...totals));
  return picture({
    title: `Distribution of ${plainName(columnName, 60)}`,
    description:
      `${formatAmount(bars.length, "bar")} by class; ` +
      `most rows at ${plainName(bars[peak] ?? "", 60)}, ${formatCount(totals[peak] ?? 0)}.`,
    width: SPARK_WIDTH,
    height: SPARK_HEIGHT,
    body: html`${stacks.map((stack, i) => stackedBar(stack, i * width, width, SPARK_HEIGHT / largest, groups))}${axisLine([0, SPARK_WIDTH], SPARK_HEIGHT)}`,
  });
}

function stackedBar(
  stack: readonly number[],
  left: number,
  width: number,
  scale: number,
  groups: ClassGroups,
): Content {
  let bottom = SPARK_HEIGHT;
  const gap = width > 5 ? 1 : 0;
  return stack.map((count, group) => {
    if (count === 0) return null;
    // Rare classes stay visible.
    const height = Math.max(0.7, count * scale);
    bottom -= height;
    return html`<rect class="${groups.classes[group] ?? ""}" x="${left}" y="${Math.max(0, bottom)}" width="${width - gap}" height="${height}"/>`;
  });
}
