// The rows of each class: bars with counts and shares, and the table behind them.

import { sumOf } from "../../engine/sums.ts";
import { figure, figureTable, type Picture, responsive } from "../charts/pictures.ts";
import { fitText, linearScale } from "../charts/scales.ts";
import { formatAmount, formatCount, formatPercent } from "../common/format.ts";
import { html, type Markup, name, plainName } from "../common/markup.ts";
import type { ClassCount } from "../summary/summary.ts";

const MOST_WIDTH = 680;
const FIGURE_WIDTH = 120;
const ROW_HEIGHT = 28;
/** Further classes are only in the table. */
const MOST_BARS = 12;

/** Draws the most frequent class first. */
export function classBars(classes: readonly ClassCount[]): Markup {
  const sorted = [...classes].sort((a, b) => b.count - a.count);
  const shown = sorted.slice(0, MOST_BARS);
  const total = sumOf(sorted.map(({ count }) => count));
  const share = (count: number) => formatPercent(total === 0 ? null : count / total);
  const draw = (width: number): Picture => {
    const labelWidth = width < 400 ? 90 : 160;
    const x = linearScale([0, Math.max(1, shown[0]?.count ?? 1)], [0, width - labelWidth - FIGURE_WIDTH]);
    return {
      title: "Rows of each class",
      description:
        `${formatAmount(classes.length, "class", "classes")}; ` +
        `the most frequent is ${plainName(shown[0]?.label ?? "", 60)} with ` +
        `${share(shown[0]?.count ?? 0)} of the rows.`,
      width,
      height: shown.length * ROW_HEIGHT,
      body: shown.map(({ label, count }, index) => {
        const top = index * ROW_HEIGHT;
        const middle = top + ROW_HEIGHT / 2 + 4;
        return html`<text x="0" y="${middle}">${fitText(plainName(label, 60), labelWidth - 12, 12)}</text><rect class="bar" x="${labelWidth}" y="${top + 5}" width="${Math.max(1, x(count))}" height="${ROW_HEIGHT - 10}" rx="2"/><text class="tick" x="${labelWidth + x(count) + 8}" y="${middle}">${formatCount(count)} · ${share(count)}</text>`;
      }),
    };
  };
  const rest = sorted.length - shown.length;
  const caption = `Always answering the most frequent class would be right for ${share(shown[0]?.count ?? 0)} of these rows. A model has to do better.${rest > 0 ? ` ${formatAmount(rest, "rarer class is", "rarer classes are")} in the table.` : ""}`;
  const behind = figureTable(
    "Rows of each class",
    ["Class", "Rows", "Share"],
    sorted.map(({ label, count }) => [name(label), formatCount(count), share(count)]),
  );
  return figure(
    responsive((width) => draw(Math.min(width, MOST_WIDTH))),
    caption,
    behind,
  );
}
