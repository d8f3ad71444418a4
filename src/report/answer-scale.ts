// The accuracy scale of the first screen: majority baseline, target, holdout and confirmed accuracy on one axis.
import type { Estimate } from "../../engine/metrics.ts";
import { formatPercent } from "../format.ts";
import type { RunSummary, VersionSummary } from "../summary.ts";
import type { Markup } from "./markup.ts";
import { html, plainName } from "./markup.ts";
import { holdoutEstimate } from "./measures.ts";
import type { Picture } from "./pictures.ts";
import { fitText, linearScale, percentTick, roundTicks, textWidth } from "./scales.ts";

const SIDE = 14;
const ROW_HEIGHT = 40;
const RULES_HEIGHT = 38;

/** Draws the scale for a page `width` pixels wide. */
export function answerScale(summary: RunSummary, champion: VersionSummary, width: number): Picture {
  const { baseline, targetPerformance: target } = summary;
  const holdout = holdoutEstimate(champion, summary.holdout.rows);
  const rows: [string, string, Estimate | null][] = [
    ["held-out rows", "held", holdout],
    ["two further re-splits", "confirmed", champion.confirmedPerformance],
  ];
  const shown = rows.flatMap(([label, look, estimate]) => (estimate === null ? [] : [{ label, look, estimate }]));
  const [low, high] = domainOf([
    baseline.accuracy,
    ...(target === null ? [] : [target]),
    ...shown.flatMap(({ estimate }) => [estimate.low, estimate.high]),
  ]);
  const x = linearScale([low, high], [SIDE, width - SIDE]);
  const bottom = RULES_HEIGHT + shown.length * ROW_HEIGHT + 4;
  const always = `always ${plainName(baseline.label, 18)} ${formatPercent(baseline.accuracy)}`;
  const ticks = roundTicks(low, high, width / 90);
  return {
    title: "Accuracy beside the majority baseline",
    description: `${shown.map(({ label, estimate }) => `${label} ${formatPercent(estimate.mean)}`).join(", ")}, ${always}${target === null ? "" : `, target ${formatPercent(target)}`}.`,
    width,
    height: bottom + 24,
    body: html`${ticks.map((tick) => html`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${RULES_HEIGHT}" y2="${bottom}"/><text class="tick" x="${x(tick)}" y="${bottom + 16}" text-anchor="${tickAnchor(x(tick), width)}">${percentTick(tick, ticks)}</text>`)}
<line class="axis" x1="${SIDE}" x2="${width - SIDE}" y1="${bottom}" y2="${bottom}"/>
${rule(x(baseline.accuracy), 12, bottom, always, "majority", width)}
${target === null ? null : rule(x(target), 28, bottom, `target ${formatPercent(target)}`, "target", width)}
${shown.map(({ label, look, estimate }, i) => interval(x, RULES_HEIGHT + i * ROW_HEIGHT, label, look, estimate, width))}`,
  };
}

/** Room on both sides, never beyond 0 and 1, and never so narrow that rounding noise looks like a difference. */
function domainOf(values: readonly number[]): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = Math.max(0.01, (high - low) * 0.08);
  return [Math.max(0, low - room), Math.min(1, high + room)];
}

function rule(x: number, labelY: number, bottom: number, label: string, look: string, width: number): Markup {
  const leftwards = x + 5 + textWidth(label, 12) > width;
  return html`<line class="rule ${look}" x1="${x}" x2="${x}" y1="${labelY - 9}" y2="${bottom}"/><text class="label ${look}" x="${leftwards ? x - 5 : x + 5}" y="${labelY}" text-anchor="${leftwards ? "end" : "start"}">${fitText(label, leftwards ? x - 5 : width - x - 5, 12)}</text>`;
}

function interval(
  x: (share: number) => number,
  top: number,
  label: string,
  look: string,
  { mean, low, high }: Estimate,
  width: number,
): Markup {
  const y = top + 27;
  const text = `${label} ${formatPercent(mean)}`;
  const half = textWidth(text, 12) / 2;
  const middle = Math.min(width - half - 4, Math.max(half + 4, x(mean)));
  return html`<g class="interval ${look}"><text class="label halo" x="${middle}" y="${top + 14}" text-anchor="middle">${text}</text><path class="whisker" d="M${x(low)} ${y - 4}v8m0 -4H${x(high)}m0 -4v8"/>${look === "confirmed" ? html`<path class="point" d="M${x(mean)} ${y - 6}l6 6l-6 6l-6 -6Z"/>` : html`<circle class="point" cx="${x(mean)}" cy="${y}" r="5"/>`}</g>`;
}

function tickAnchor(x: number, width: number): string {
  if (x < 20) return "start";
  return x > width - 20 ? "end" : "middle";
}
