// Accuracy against processor seconds as a picture: a panel for each table, a curve for each way.

import { linearScale, textWidth } from "../../src/charts/scales.ts";
import { TOKENS } from "../../src/charts/tokens.ts";
import { html, type Markup } from "../../src/common/markup.ts";

/** What a way of learning came to on new rows. */
export interface Attained {
  way: string;
  /** Rows of the drawn table that it had. */
  rows: number;
  /** Of a table that was not drawn. */
  table?: string;
  accuracy: number;
  processorSeconds: number;
}

const STYLES = `
text { font: 12px/1 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; fill: var(--ink); font-variant-numeric: tabular-nums; }
text.tick { font-size: 11px; fill: var(--ink-faint); } text.head { font-size: 13px; font-weight: 600; }
.ground { fill: var(--paper); } .grid { stroke: var(--line); } .axis { stroke: var(--line-strong); }
.curve { fill: none; stroke: var(--hue); stroke-width: 1.75; } .mark { fill: var(--hue); stroke: var(--paper); }
`;
const HUES = ["copper", "forest", "bayes", "logistic"];
const WIDTH = 760;
const LEFT = 52;
const PLOT_HEIGHT = 190;
const PANEL_TOP = 78;
const GAP = 56;

export function attainedFigure(points: readonly Attained[]): string {
  const tables = [...new Set(points.map(nameOf))];
  const ways = [...new Set(points.map(({ way }) => way))];
  const each = (WIDTH - 16 - tables.length * LEFT - (tables.length - 1) * 8) / tables.length;
  const height = PANEL_TOP + PLOT_HEIGHT + GAP;
  const panels = tables.map((table, at) => {
    const left = LEFT + at * (each + LEFT + 8);
    const own = points.filter((point) => nameOf(point) === table);
    return panel(table, own, ways, left, left + each);
  });
  let x = 14;
  const legend = ways.map((way, at) => {
    const entry = html`<circle class="mark" style="--hue: var(--${HUES[at]!})" cx="${x + 4}" cy="44" r="4"/><text x="${x + 13}" y="48">${way}</text>`;
    x += 30 + textWidth(way, 12);
    return entry;
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"><title>Accuracy against processor seconds</title><desc>The tables beside the picture have the figures.</desc><style>${TOKENS}${STYLES}</style>
<rect class="ground" width="${WIDTH}" height="${height}" rx="8"/><text class="head" x="14" y="26">Accuracy on new rows against processor seconds</text>${legend}${panels}</svg>
`.markup;
}

function nameOf({ table, rows }: Attained): string {
  return table ?? `${rows.toLocaleString("en")} drawn rows`;
}

function panel(
  name: string,
  points: readonly Attained[],
  ways: readonly string[],
  left: number,
  right: number,
): Markup {
  const seconds = points.map(({ processorSeconds }) => processorSeconds);
  const shares = points.map(({ accuracy }) => accuracy);
  const step = Math.max(...shares) - Math.min(...shares) > 0.02 ? 0.01 : 0.002;
  const low = Math.floor(Math.min(...shares) / step) * step;
  const high = Math.ceil(Math.max(...shares) / step) * step;
  const bottom = PANEL_TOP + PLOT_HEIGHT;
  const across = linearScale(
    [Math.log(Math.min(...seconds) / 1.05), Math.log(Math.max(...seconds) * 1.05)],
    [left + 8, right - 8],
  );
  const y = linearScale([low, high], [bottom - 4, PANEL_TOP + 4]);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
  const grid = ticks.map(
    (tick) =>
      html`<line class="grid" x1="${left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${left - 6}" y="${y(tick) + 4}" text-anchor="end">${(100 * tick).toFixed(1)}%</text>`,
  );
  const curves = ways.map((way, at) => {
    const own = points
      .filter((point) => point.way === way)
      .sort((a, b) => a.processorSeconds - b.processorSeconds)
      .map(({ processorSeconds, accuracy }) => [
        Math.round(across(Math.log(processorSeconds))),
        Math.round(y(accuracy)),
      ]);
    const path = own.map(([x, up], index) => `${index === 0 ? "M" : "L"}${x} ${up}`).join("");
    const marks = own.map(([x, up]) => html`<circle class="mark" cx="${x!}" cy="${up!}" r="4"/>`);
    return html`<g style="--hue: var(--${HUES[at]!})"><path class="curve" d="${path}"/>${marks}</g>`;
  });
  const ends = [...new Set([Math.min(...seconds), Math.max(...seconds)])].map(
    (value, at) =>
      html`<text class="tick" x="${Math.round(across(Math.log(value)))}" y="${bottom + 18}" text-anchor="${at === 0 ? "start" : "end"}">${Math.round(value)} s</text>`,
  );
  return html`<g><text class="head" x="${left}" y="${PANEL_TOP - 8}">${name}</text>${grid}<line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>${curves}${ends}</g>`;
}
