// A version over time: rows, shift and expected accuracy of each stretch of days, one above the other.
import type { Estimate } from "../../engine/judging/metrics.ts";
import { formatCount, formatEstimate, formatFigure, formatPercent } from "../common/format.ts";
import { type Content, html, type Markup } from "../common/markup.ts";
import { decimalNumber } from "../common/numbers.ts";
import { stretchWords } from "../words/health-words.ts";
import { axisLine, figure, figureTable, gridLines, type Picture, responsive } from "./pictures.ts";
import { compactCount, linearScale, roundCounts, roundTicks, type Scale } from "./scales.ts";

const LEFT = 48;
const SIDE = 14;
const HEAD = 22;
const PANEL = 84;
const GAP = 16;
const FOOT = 24;
const DAY_MS = 86_400_000;
/** Below it a difference raises no alarm (D114). */
const ALARM_INDEX = 0.1;

/** One stretch of days, both by UTC. */
export interface HealthPeriod {
  from: string;
  to: string;
  isOver: boolean;
  /** Null where it was not judged. */
  isShifted: boolean | null;
  rowCount: number;
  shiftedColumns: number;
  /** The largest shift index; null where there is none. */
  worstIndex: number | null;
  expected: Estimate | null;
  /** By labels that came later; null for none. */
  real: (Estimate & { rowCount: number }) | null;
  meanConfidence: number;
}

/** `real`: what labels that came later say of all rows, also those before; null for none. */
export interface HealthTimeline {
  periods: readonly HealthPeriod[];
  real: Estimate | null;
}

interface Panel {
  top: number;
  bottom: number;
  width: number;
  /** Maps times in ms. */
  x: Scale;
}

/** At least one period. With the table behind the picture. */
export function healthTimeline(timeline: HealthTimeline): Markup {
  const hasExpected = timeline.periods.some(({ expected }) => expected !== null);
  const band = hasExpected
    ? " Expected accuracy with its 95% interval holds if the relation of the columns to the label has not changed."
    : "";
  const real =
    timeline.real === null
      ? ""
      : " Points are the real accuracy by labels that came later, with its 95% interval; " +
        "the dashed line is that of all labelled rows.";
  return figure(
    responsive((width) => drawing(timeline, width)),
    html`A cross is an alarm, a hollow point is not judged. An alarm needs a shift index of ${decimalNumber(ALARM_INDEX, 1)} (the dotted rule) beyond chance.${band}${real}`,
    periodTable(timeline.periods),
  );
}

function drawing({ periods, real }: HealthTimeline, width: number): Picture {
  const hasAccuracy = real !== null || periods.some((period) => period.expected !== null || period.real !== null);
  const panelAt = (place: number) => {
    const top = HEAD + place * (PANEL + HEAD + GAP);
    return { top, bottom: top + PANEL, width, x };
  };
  const [first, last] = [timeOf(periods[0]!.from), timeOf(periods.at(-1)!.to) + DAY_MS];
  const x = linearScale([first, last], [LEFT, width - SIDE]);
  const panels = hasAccuracy ? 3 : 2;
  const bottom = panelAt(panels - 1).bottom;
  const alarms = periods.filter(({ isShifted }) => isShifted === true);
  return {
    title: "The model over time",
    description:
      `${formatCount(periods.length)} stretches of days from ${periods[0]!.from} to ${periods.at(-1)!.to}; ` +
      (alarms.length === 0 ? "no alarm." : `alarms: ${alarms.map(stretchWords).join(", ")}.`),
    width,
    height: bottom + FOOT,
    body: html`${rowPanel(periods, panelAt(0))}${shiftPanel(periods, panelAt(1))}${hasAccuracy ? accuracyPanel(periods, real, panelAt(2)) : null}${days(first, last - DAY_MS, panelAt(panels - 1))}`,
  };
}

function rowPanel(periods: readonly HealthPeriod[], panel: Panel): Markup {
  const daily = (period: HealthPeriod) => period.rowCount / dayCount(period);
  const most = Math.max(1, ...periods.map(daily));
  const y = linearScale([0, most], [panel.bottom, panel.top]);
  const bars = periods.map((period) => {
    const { start, end } = placeOf(period, panel.x);
    const top = Math.min(y(daily(period)), panel.bottom - 1);
    return html`<rect class="bar quiet" x="${start}" y="${top}" width="${Math.max(1, end - start - 1)}" height="${panel.bottom - top}"><title>${stretchWords(period)}: ${formatCount(period.rowCount)} rows</title></rect>`;
  });
  return html`${frame(panel, "Rows a day", y, roundCounts(0, most, 3), compactCount)}${bars}`;
}

function shiftPanel(periods: readonly HealthPeriod[], panel: Panel): Markup {
  const most = Math.max(2 * ALARM_INDEX, ...periods.map(({ worstIndex }) => worstIndex ?? 0));
  const y = linearScale([0, most * 1.08], [panel.bottom, panel.top]);
  const marks = periods.map((period) => {
    if (period.worstIndex === null) return null;
    const middle = placeOf(period, panel.x).middle;
    const title = `${stretchWords(period)}: ${formatFigure(period.worstIndex)}, ${periodVerdict(period)}`;
    const height = y(period.worstIndex);
    if (period.isShifted === true) {
      return html`<path class="cross" d="M${middle - 4} ${height - 4}l8 8m0 -8l-8 8"><title>${title}</title></path>`;
    }
    const look = period.isShifted === null ? "point open" : "point";
    return html`<circle class="${look}" cx="${middle}" cy="${height}" r="4"><title>${title}</title></circle>`;
  });
  const ticks = roundTicks(0, most, 3);
  const digits = Math.max(0, Math.ceil(-Math.log10(ticks[1]! - ticks[0]!) - 1e-9));
  const tick = (value: number) => decimalNumber(value, digits);
  return html`${frame(panel, "Shift index of the worst column", y, ticks, tick)}
<path class="rule majority" d="M${LEFT} ${y(ALARM_INDEX)}H${panel.width - SIDE}"/>${marks}`;
}

function accuracyPanel(periods: readonly HealthPeriod[], real: Estimate | null, panel: Panel): Markup {
  const expectedPeriods = periods.flatMap((period) =>
    period.expected === null ? [] : [{ period, expected: period.expected }],
  );
  const labelled = periods.flatMap((period) => (period.real === null ? [] : [{ period, real: period.real }]));
  const lows = [
    ...expectedPeriods.map(({ expected }) => expected.low),
    ...labelled.map(({ real }) => real.low),
    ...(real === null ? [] : [real.low]),
  ];
  const floor = Math.max(0, Math.floor(Math.min(...lows) * 20 - 1e-9) / 20);
  const y = linearScale([floor, 1], [panel.bottom, panel.top]);
  const bands = expectedPeriods.map(({ period, expected }) => {
    const { start, end } = placeOf(period, panel.x);
    const title = `${stretchWords(period)}: ${formatEstimate(expected)} expected`;
    return html`<rect class="band" x="${start}" y="${y(expected.high)}" width="${Math.max(1, end - start - 1)}" height="${y(expected.low) - y(expected.high)}"><title>${title}</title></rect><path class="curve" d="M${start} ${y(expected.mean)}H${Math.max(start + 1, end - 1)}"/>`;
  });
  const points = labelled.map(({ period, real }) => {
    const { middle } = placeOf(period, panel.x);
    const title = `${stretchWords(period)}: ${formatEstimate(real)} real, ${formatCount(real.rowCount)} rows with labels`;
    return html`<path class="whisker real" d="M${middle} ${y(real.high)}V${y(real.low)}"/><circle class="point real" cx="${middle}" cy="${y(real.mean)}" r="4"><title>${title}</title></circle>`;
  });
  const title = real === null ? "Expected accuracy" : "Expected accuracy, and the real one";
  return html`${frame(panel, title, y, roundTicks(floor, 1, 4))}${bands}${real === null ? null : realMark(real, y, panel)}${points}`;
}

function realMark(real: Estimate, y: Scale, { top, width }: Panel): Markup {
  const text = `real ${formatPercent(real.mean)}`;
  const right = width - SIDE;
  // Above the line, unless the title stands there.
  const base = y(real.mean) - top < 14 ? y(real.mean) + 13 : y(real.mean) - 5;
  return html`<path class="rule target real" d="M${LEFT} ${y(real.mean)}H${right}"/><text class="halo real" x="${LEFT + 4}" y="${base}">${text}</text>`;
}

function frame(
  { top, bottom, width }: Panel,
  title: string,
  y: Scale,
  ticks: readonly number[],
  words?: (tick: number) => string,
): Content {
  return html`<text class="label" x="${LEFT}" y="${top - 8}">${title}</text>
${gridLines([LEFT, width - SIDE], y, ticks, words)}
${axisLine([LEFT, width - SIDE], bottom)}`;
}

/** The first and the last day, and some between where there is room. */
function days(first: number, last: number, { bottom, width, x }: Panel): Markup {
  const dayCount = Math.round((last - first) / DAY_MS);
  const places = Math.max(1, Math.min(dayCount, Math.floor((width - LEFT - SIDE) / 120)));
  const shown = Array.from({ length: places + 1 }, (_, at) => Math.round((dayCount * at) / places));
  return html`${[...new Set(shown)].map((day) => {
    const middle = x(first + (day + 0.5) * DAY_MS);
    const anchor = middle > width - SIDE - 36 ? "end" : middle < LEFT + 36 ? "start" : "middle";
    const at = anchor === "end" ? width - SIDE : anchor === "start" ? LEFT : middle;
    return html`<text class="tick" x="${at}" y="${bottom + 17}" text-anchor="${anchor}">${dayOf(first + day * DAY_MS)}</text>`;
  })}`;
}

function placeOf({ from, to }: HealthPeriod, x: Scale): { start: number; end: number; middle: number } {
  const [start, end] = [x(timeOf(from)), x(timeOf(to) + DAY_MS)];
  return { start, end, middle: (start + end) / 2 };
}

function periodTable(periods: readonly HealthPeriod[]): Markup {
  return figureTable(
    "The model over time",
    [
      "Days",
      "Rows",
      "Verdict",
      "Shifted columns",
      "Worst shift index",
      "Mean confidence",
      "Expected accuracy",
      "Real accuracy",
      "Rows with labels",
    ],
    periods
      .toReversed()
      .map((period) => [
        stretchWords(period),
        formatCount(period.rowCount),
        periodVerdict(period),
        period.isShifted === null ? "–" : formatCount(period.shiftedColumns),
        formatFigure(period.worstIndex),
        formatPercent(period.meanConfidence),
        formatEstimate(period.expected),
        formatEstimate(period.real),
        period.real === null ? "–" : formatCount(period.real.rowCount),
      ]),
    "tall days",
  );
}

function periodVerdict({ isOver, isShifted }: HealthPeriod): string {
  if (isShifted !== null) return isShifted ? "shifted" : "as in training";
  return isOver ? "too few rows" : "goes on";
}

function dayCount({ from, to }: HealthPeriod): number {
  return Math.round((timeOf(to) - timeOf(from)) / DAY_MS) + 1;
}

function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
