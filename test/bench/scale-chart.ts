// The scale curves as pictures: small multiples on logarithms, one SVG for time
// and one for memory, light or dark as the page is.
import { familyShape } from "../../src/charts/family-marks.ts";
import { linearScale, textWidth } from "../../src/charts/scales.ts";
import { TOKENS } from "../../src/charts/tokens.ts";
import { type Content, html, type Markup } from "../../src/common/markup.ts";
import { type Curve, curvesOf, type Point, secondsOf } from "./scale-curves.ts";
import {
  AXES,
  type AxisPlan,
  BUCKETING,
  KERNELS,
  type KernelGroup,
  READING,
  SCORING,
  WHOLE_RUN,
} from "./scale-plan.ts";

const STYLES = `
text { font: 12px/1 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; fill: var(--ink); font-variant-numeric: tabular-nums; }
text.tick { font-size: 11px; fill: var(--ink-faint); } text.head { font-size: 13px; font-weight: 600; } text.soft, .aside { fill: var(--ink-soft); } .aside { font-size: 12px; font-weight: 400; }
.ground { fill: var(--paper); } .grid { stroke: var(--line); } .axis { stroke: var(--line-strong); }
.guide { fill: none; stroke: var(--ink-faint); stroke-dasharray: 3 4; }
.curve { fill: none; stroke: var(--hue); stroke-width: 1.75; stroke-linejoin: round; }
.mark { fill: var(--hue); stroke: var(--paper); stroke-width: 0.75; } .mark.hollow { fill: var(--paper); stroke: var(--hue); stroke-width: 1.5; }
.forest { --hue: var(--forest); } .bayes { --hue: var(--bayes); } .logistic { --hue: var(--logistic); } .copper { --hue: var(--copper); }
.tone-1 { --hue: var(--tone-1); } .tone-2 { --hue: var(--tone-2); }
`;

/** A hue and a shape for each kernel; a way of scoring has those of the family that it scores with. */
interface Mark {
  hue: string;
  look: "" | " hollow";
  shape: (x: number, y: number) => string;
}

const RADIUS = 3.6;
const FOREST: Mark = { hue: "forest", look: "", shape: (x, y) => familyShape("random forest", x, y, RADIUS) };
const BAYES: Mark = { hue: "bayes", look: "", shape: (x, y) => familyShape("naive Bayes", x, y, RADIUS) };
const LOGISTIC: Mark = { hue: "logistic", look: "", shape: (x, y) => familyShape("logistic regression", x, y, RADIUS) };
const TREES: Mark = { ...LOGISTIC, look: " hollow" };
const MARKS: Readonly<Record<string, Mark>> = {
  forest: FOREST,
  "boosted trees": TREES,
  "logistic regression": LOGISTIC,
  "naive Bayes": BAYES,
  [READING]: { hue: "tone-1", look: "", shape: (x, y) => `M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z` },
  [BUCKETING]: {
    hue: "tone-2",
    look: " hollow",
    shape: (x, y) => `M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z`,
  },
  [`${SCORING}forest`]: FOREST,
  [`${SCORING}boosted trees`]: TREES,
  [`${SCORING}naive Bayes`]: BAYES,
  [WHOLE_RUN]: { hue: "copper", look: "", shape: (x, y) => `M${x - 4} ${y - 3}h8l-4 7Z` },
};

const GROUPS: readonly (readonly [KernelGroup, string])[] = [
  ["fit", "Fits: 10 trees, 10 rounds, 10 iterations"],
  ["rest", "Reading, bucketing, scoring, a whole run"],
];

/** What a figure draws of a point, and how its axis is written. */
interface Quantity {
  title: string;
  of: (point: Point) => number;
  ticks: readonly number[];
  tickText: (value: number) => string;
}

const SECONDS: Quantity = {
  title: "Processor time",
  of: secondsOf,
  ticks: [0.0001, 0.001, 0.01, 0.1, 1, 10, 100],
  tickText: (value) => (value < 1 ? `${value * 1e3} ms` : `${value} s`),
};

const MEMORY: Quantity = {
  title: "Peak memory of the process",
  of: ({ peakMb }) => peakMb,
  ticks: [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000],
  tickText: (value) => (value < 1000 ? `${value} MB` : `${value / 1000} GB`),
};

const MARGIN = 14;
const TITLE_HEIGHT = 44;
const LEGEND_LINE = 20;
const HEAD_HEIGHT = 22;
const PLOT_HEIGHT = 170;
const AXIS_HEIGHT = 30;
const LEFT = 46;
const GAP = 14;
/** From here on all four axes stand side by side. */
const FOUR_PIXELS = 700;

export function timeFigure(points: readonly Point[], width: number): string {
  return draw(points, SECONDS, width);
}

export function memoryFigure(points: readonly Point[], width: number): string {
  return draw(points, MEMORY, width);
}

/** Two workers and one are two figures, which the table has: no curve. */
function drawnAxes(curves: readonly Curve[]): AxisPlan[] {
  return AXES.filter((plan) => plan.axis !== "workers" && curves.some((curve) => curve.plan === plan));
}

function draw(points: readonly Point[], quantity: Quantity, width: number): string {
  const curves = curvesOf(points);
  const axes = drawnAxes(curves);
  const perLine = width >= FOUR_PIXELS ? axes.length : 2;
  const ticks = ticksOver(curves, quantity);
  let top = TITLE_HEIGHT;
  const groups = GROUPS.map(([group, words]): Markup => {
    const own = curves.filter((curve) => curve.kernel.group === group);
    const legend = legendOf(group, words, top, width);
    top = legend.bottom;
    const panels = axes.map((plan, index) => {
      const line = Math.floor(index / perLine);
      const panel = panelBox(index % perLine, perLine, top + line * (HEAD_HEIGHT + PLOT_HEIGHT + AXIS_HEIGHT), width);
      return drawPanel(
        plan,
        own.filter((curve) => curve.plan === plan),
        quantity,
        ticks,
        panel,
      );
    });
    top += Math.ceil(axes.length / perLine) * (HEAD_HEIGHT + PLOT_HEIGHT + AXIS_HEIGHT) + GAP;
    return html`<g>${legend.body}${panels}</g>`;
  });
  const description = `${quantity.title} against rows, columns, classes and buckets, on logarithms; the tables beside the picture have the figures.`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}"><title>${quantity.title}</title><desc>${description}</desc><style>${TOKENS}${STYLES}</style>
<rect class="ground" width="${width}" height="${top}" rx="8"/>
<text class="head" x="${MARGIN}" y="26">${quantity.title}<tspan class="aside" dx="10">dashed: linear</tspan></text>
${groups}</svg>
`.markup;
}

/** The ticks around all values. */
function ticksOver(curves: readonly Curve[], { of, ticks }: Quantity): number[] {
  const values = curves.filter(({ plan }) => plan.axis !== "workers").flatMap(({ points }) => points.map(of));
  const low = Math.max(
    0,
    ticks.findLastIndex((tick) => tick <= Math.min(...values)),
  );
  const high = ticks.findIndex((tick) => tick >= Math.max(...values));
  return ticks.slice(low, high < 0 ? undefined : high + 1);
}

function legendOf(group: KernelGroup, words: string, top: number, width: number): { body: Markup; bottom: number } {
  let x = MARGIN;
  let y = top + LEGEND_LINE;
  const entries = KERNELS.filter((kernel) => kernel.group === group).map(({ kernel }) => {
    const room = 16 + textWidth(kernel, 12) + 10;
    if (x + room > width - MARGIN && x > MARGIN) {
      x = MARGIN;
      y += LEGEND_LINE;
    }
    const entry = html`${markAt(kernel, x + 5, y + 8)}<text x="${x + 14}" y="${y + 12}">${kernel}</text>`;
    x += room;
    return entry;
  });
  const head = html`<text class="soft" x="${MARGIN}" y="${top + 12}">${words}</text>`;
  return { body: html`${head}${entries}`, bottom: y + LEGEND_LINE };
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The first of its line has the words of the ticks. */
  isFirst: boolean;
}

function panelBox(place: number, perLine: number, top: number, width: number): Box {
  const each = (width - MARGIN - LEFT - MARGIN - (perLine - 1) * GAP) / perLine;
  const left = MARGIN + LEFT + place * (each + GAP);
  return {
    left,
    right: left + each,
    top: top + HEAD_HEIGHT,
    bottom: top + HEAD_HEIGHT + PLOT_HEIGHT,
    isFirst: place === 0,
  };
}

function drawPanel(
  plan: AxisPlan,
  curves: readonly Curve[],
  { of, tickText }: Quantity,
  ticks: readonly number[],
  { left, right, top, bottom, isFirst }: Box,
): Markup {
  const across = linearScale([Math.log(plan.sizes[0]!), Math.log(plan.sizes.at(-1)!)], [left + 6, right - 6]);
  const up = linearScale([Math.log(ticks[0]!), Math.log(ticks.at(-1)!)], [bottom, top]);
  const x = (size: number) => across(Math.log(size));
  const y = (value: number) => up(Math.log(value));
  const grid = ticks.map(
    (tick) =>
      html`<line class="grid" x1="${left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/>${isFirst ? html`<text class="tick" x="${left - 6}" y="${y(tick) + 4}" text-anchor="end">${tickText(tick)}</text>` : null}`,
  );
  const lines = curves.map(({ kernel, points }) => {
    const path = points.map((point, index) => html`${index === 0 ? "M" : "L"}${x(point.size)} ${y(of(point))}`);
    const marks = points.map((point) => markAt(kernel.kernel, x(point.size), y(of(point))));
    return html`<g class="${MARKS[kernel.kernel]!.hue}"><path class="curve" d="${path}"/>${marks}</g>`;
  });
  return html`<g>${grid}${guide(plan, ticks, x, y)}
<line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>${sizeTicks(plan, x, bottom)}
<text class="head" x="${left}" y="${top - 8}">${plan.axis}</text>${lines}</g>`;
}

/** A line of exponent 1 that ends in the upper right corner. */
function guide(
  { sizes }: AxisPlan,
  ticks: readonly number[],
  x: (size: number) => number,
  y: (value: number) => number,
): Markup {
  const [last, top] = [sizes.at(-1)!, ticks.at(-1)!];
  const factor = Math.min(last / sizes[0]!, top / ticks[0]!);
  return html`<path class="guide" d="M${x(last / factor)} ${y(top / factor)}L${x(last)} ${y(top)}"/>`;
}

/** Sizes below the axis, every one that does not touch the one to its left. */
function sizeTicks({ sizes }: AxisPlan, x: (size: number) => number, bottom: number): Content {
  let end = Number.NEGATIVE_INFINITY;
  return sizes.map((size) => {
    const text = size >= 1e6 ? `${size / 1e6}M` : size >= 1e3 ? `${size / 1e3}k` : `${size}`;
    const half = textWidth(text, 11) / 2;
    if (x(size) - half < end) return null;
    end = x(size) + half + 2;
    return html`<text class="tick" x="${x(size)}" y="${bottom + 16}" text-anchor="middle">${text}</text>`;
  });
}

function markAt(kernel: string, x: number, y: number): Markup {
  const { hue, look, shape } = MARKS[kernel]!;
  const round = (value: number) => Math.round(value * 10) / 10;
  return html`<path class="mark${look} ${hue}" d="${shape(round(x), round(y))}"/>`;
}
