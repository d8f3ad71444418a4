// The data profile: one row per column with its distribution by class, what is missing, and whether it was used.
import type { Distribution } from "../../engine/distribution.ts";
import { formatAmount, formatCount, formatPercent } from "../format.ts";
import type { ColumnSummary, RunSummary } from "../summary.ts";
import type { ClassGroups } from "./class-groups.ts";
import { classGroups, groupCounts, groupLegend } from "./class-groups.ts";
import type { Content, Markup } from "./markup.ts";
import { html, name, plainName } from "./markup.ts";
import { sum } from "./measures.ts";
import { figureTable, picture, table } from "./pictures.ts";

/** Columns listed: a page of ten thousand rows serves nobody. */
const LISTED = 200;
const SPARK_WIDTH = 132;
const SPARK_HEIGHT = 30;

/** The table of columns, the used and the dropped ones in the order of the file. */
export function columnsSection(summary: RunSummary): Markup {
  const { columns } = summary;
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

function distributionCell(column: ColumnSummary, groups: ClassGroups): Content {
  const { distribution } = column;
  if (distribution === null || distribution.bars.length === 0) return html`<span class="note">–</span>`;
  const stacks = distribution.counts.map((counts) => groupCounts(counts, groups));
  const behind = figureTable(
    `Distribution of ${plainName(column.name, 60)}`,
    ["Value", ...groups.names.map((label) => name(label, 32))],
    distribution.bars.map((bar, i) => [name(bar), ...(stacks[i] ?? []).map(formatCount)]),
  );
  return html`<details class="spark"><summary>${sparkline(column, distribution, stacks, groups)}</summary>${behind}</details>`;
}

function sparkline(
  column: ColumnSummary,
  { bars }: Distribution,
  stacks: readonly (readonly number[])[],
  groups: ClassGroups,
): Markup {
  const totals = stacks.map(sum);
  const largest = Math.max(1, ...totals);
  const width = SPARK_WIDTH / bars.length;
  const peak = totals.indexOf(Math.max(...totals));
  return picture({
    title: `Distribution of ${plainName(column.name, 60)}`,
    description: `${formatAmount(bars.length, "bar")} by class; most rows at ${plainName(bars[peak] ?? "", 60)}, ${formatCount(totals[peak] ?? 0)}.`,
    width: SPARK_WIDTH,
    height: SPARK_HEIGHT,
    body: html`${stacks.map((stack, i) => stackedBar(stack, i * width, width, SPARK_HEIGHT / largest, groups))}<line class="axis" x1="0" x2="${SPARK_WIDTH}" y1="${SPARK_HEIGHT}" y2="${SPARK_HEIGHT}"/>`,
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
    // A class that is there stays visible, however rare.
    const height = Math.max(0.7, count * scale);
    bottom -= height;
    return html`<rect class="${groups.classes[group] ?? ""}" x="${left}" y="${Math.max(0, bottom)}" width="${width - gap}" height="${height}"/>`;
  });
}
