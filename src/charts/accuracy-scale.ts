// Accuracies with their intervals on one axis, and vertical rules to compare them with.
import type { Estimate } from "../../engine/judging/metrics.ts";
import { formatPercent } from "../common/format.ts";
import { html, type Markup, plainName } from "../common/markup.ts";
import { axisLine, type Picture } from "./pictures.ts";
import { fitText, linearScale, percentTick, roundTicks, type Scale, textWidth } from "./scales.ts";

const SIDE = 14;
const ROW_HEIGHT = 40;
const RULES_HEIGHT = 38;

export interface AccuracyInterval {
  label: string;
  /** Copper diamond, ink circle, or hollow circle. */
  look: "confirmed" | "held" | "before";
  estimate: Estimate;
}

interface AccuracyRule {
  /** Its name with its figure. */
  label: string;
  look: "majority" | "target";
  value: number;
}

export interface AccuracyScale {
  title: string;
  intervals: readonly AccuracyInterval[];
  /** Two at most: there is room for two lines of labels. */
  rules: readonly AccuracyRule[];
}

/** The rule for always answering one label. */
export function majorityRule({ label, accuracy }: { label: string; accuracy: number }): AccuracyRule {
  return { label: `always ${plainName(label, 18)} ${formatPercent(accuracy)}`, look: "majority", value: accuracy };
}

/** The rule for a target; none where there is no target. */
export function targetRule(words: string, target: number | null): AccuracyRule[] {
  return target === null ? [] : [{ label: `${words} ${formatPercent(target)}`, look: "target", value: target }];
}

export function accuracyScale({ title, intervals, rules }: AccuracyScale, width: number): Picture {
  const [low, high] = domainOf([
    ...rules.map(({ value }) => value),
    ...intervals.flatMap(({ estimate }) => [estimate.low, estimate.high]),
  ]);
  const x = linearScale([low, high], [SIDE, width - SIDE]);
  const bottom = RULES_HEIGHT + intervals.length * ROW_HEIGHT + 4;
  const ticks = roundTicks(low, high, width / 90);
  return {
    title,
    description: `${[
      ...intervals.map(({ label, estimate }) => `${label} ${formatPercent(estimate.mean)}`),
      ...rules.map(({ label }) => label),
    ].join(", ")}.`,
    width,
    height: bottom + 24,
    body: html`${ticks.map((tick) => html`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${RULES_HEIGHT}" y2="${bottom}"/><text class="tick" x="${x(tick)}" y="${bottom + 16}" text-anchor="${tickAnchor(x(tick), width)}">${percentTick(tick, ticks)}</text>`)}
${axisLine([SIDE, width - SIDE], bottom)}
${rules.map((rule, i) => ruleMark(rule, x(rule.value), 12 + i * 16, bottom, width))}
${intervals.map((interval, i) => intervalMark(interval, x, RULES_HEIGHT + i * ROW_HEIGHT, width))}`,
  };
}

/** Adds room on both sides: enough that rounding does not look like a difference, but never beyond 0 and 1. */
function domainOf(values: readonly number[]): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = Math.max(0.01, (high - low) * 0.08);
  return [Math.max(0, low - room), Math.min(1, high + room)];
}

function ruleMark({ label, look }: AccuracyRule, x: number, labelY: number, bottom: number, width: number): Markup {
  const leftwards = x + 5 + textWidth(label, 12) > width;
  return html`<line class="rule ${look}" x1="${x}" x2="${x}" y1="${labelY - 9}" y2="${bottom}"/><text class="label halo ${look}" x="${leftwards ? x - 5 : x + 5}" y="${labelY}" text-anchor="${leftwards ? "end" : "start"}">${fitText(label, leftwards ? x - 5 : width - x - 5, 12)}</text>`;
}

function intervalMark(
  { label, look, estimate: { mean, low, high } }: AccuracyInterval,
  x: Scale,
  top: number,
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
