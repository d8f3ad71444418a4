// Pictures of what a model learned of one column: mean probabilities along its values, and the rows behind each.
import { formatCount, formatPercent } from "../common/format.ts";
import { type Content, html, type Markup, name, plainName, sourceName } from "../common/markup.ts";
import { writerOf } from "../common/numbers.ts";
import type { ColumnEffects } from "../summary/summary.ts";
import { partWords } from "../words/part-words.ts";
import { axisLine, figureTable, gridLines, type Picture } from "./pictures.ts";
import { compactCount, fitText, linearScale, percentTick, roundTicks } from "./scales.ts";

const WIDTH = 328;
const LEFT = 40;
const RIGHT = WIDTH - 10;
const TOP = 10;
const CURVE_BOTTOM = 132;
const BARS_TOP = 156;
const BARS_BOTTOM = 184;
/** Where missing cells stand beside a number's values. */
const MISSING_WIDTH = 44;
const ROW_HEIGHT = 22;
const NAME_WIDTH = 116;
const COUNT_WIDTH = 44;
const LONGEST = 60;

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

const UNITS = [
  ["days", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

type Point = ColumnEffects["points"][number];

/** One scale of probability for all pictures beside each other: a small effect looks small. */
export type EffectRange = readonly [low: number, high: number];

export function effectRange(effects: readonly ColumnEffects[]): EffectRange {
  const all = effects.flatMap(({ curves }) => curves.flatMap(({ probabilities }) => probabilities));
  const low = Math.max(0, Math.min(...all));
  const high = Math.min(1, Math.max(...all));
  const margin = Math.max(0.02, (high - low) * 0.06);
  return [Math.max(0, low - margin), Math.min(1, high + margin)];
}

export function effectPicture(effect: ColumnEffects, range: EffectRange): Picture {
  const values = valueTexts(effect);
  const body = effect.kind === "number" ? numberBody(effect, values, range) : categoryBody(effect, values, range);
  const height = effect.kind === "number" ? BARS_BOTTOM + 20 : effect.points.length * ROW_HEIGHT + 24;
  return {
    title: `What the model learned of ${effectName(effect)}`,
    description: effect.curves.map((curve) => describe(values, curve)).join(" "),
    width: WIDTH,
    height,
    body,
  };
}

export function effectTable(effect: ColumnEffects): Markup {
  const values = valueTexts(effect);
  return figureTable(
    `What the model learned of ${effectName(effect)}`,
    [effect.kind === "number" ? "Up to" : "Value", ...effect.curves.map(({ label }) => name(label, 32)), "Rows"],
    effect.points.map((point, at) => [
      name(values[at]!),
      ...effect.curves.map(({ probabilities }) => formatPercent(shareOf(probabilities[at]!))),
      formatCount(point.rows),
    ]),
    "tall",
  );
}

/** The column, the part of a date or a text, or a column less another. */
export function effectName({ name: column, part, minus }: ColumnEffects): string {
  const source = sourceName(column, minus, LONGEST);
  return part === null || minus !== undefined ? source : `${partWords(part)} of ${source}`;
}

/** The mark of the curve at this place: shapes and lines differ, not only colours. */
export function effectMark(place: number, x: number, y: number, title: string | null = null): Markup {
  const titleElement = title === null ? null : html`<title>${title}</title>`;
  const of = `effect-${place}`;
  if (place === 1)
    return html`<rect class="mark ${of}" x="${x - 3.5}" y="${y - 3.5}" width="7" height="7">${titleElement}</rect>`;
  if (place === 2) return html`<path class="mark ${of}" d="M${x} ${y - 5}l5 5l-5 5l-5-5z">${titleElement}</path>`;
  if (place === 3) return html`<path class="mark ${of}" d="M${x} ${y - 5}l5 9h-10z">${titleElement}</path>`;
  if (place === 4) return html`<path class="mark ${of}" d="M${x} ${y + 5}l5-9h-10z">${titleElement}</path>`;
  return html`<circle class="mark ${of}" cx="${x}" cy="${y}" r="3.5">${titleElement}</circle>`;
}

/** Sums of local changes may end just beyond 0 or 1. */
function shareOf(probability: number): number {
  return Math.max(0, Math.min(1, probability));
}

function describe(values: readonly string[], { label, probabilities }: ColumnEffects["curves"][number]) {
  const said = values.map((value, at) => `${formatPercent(shareOf(probabilities[at]!))} at ${value}`);
  return `Probability of ${plainName(label, LONGEST)}: ${said.join(", ")}.`;
}

/** The text of each point, by place. */
function valueTexts({ part, points }: ColumnEffects): string[] {
  const write = writerOf(points.flatMap(({ value }) => (typeof value === "number" ? [value] : [])));
  return points.map((point) => valueText(part, point, write));
}

function valueText(part: ColumnEffects["part"], { value }: Point, write: (value: number) => string): string {
  if (value === null) return "missing";
  if (typeof value === "string") return plainName(value, LONGEST);
  if (part === "month") return MONTHS[value - 1] ?? String(value);
  if (part === "weekday") return DAYS[value] ?? String(value);
  if (part === "duration") return durationText(value);
  if (part === "year") return String(value);
  return write(value);
}

/** Seconds in the largest unit of which there is one, to a tenth. */
function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["s", 1];
  return `${Math.round((10 * seconds) / size) / 10} ${unit}`;
}

function numberBody({ points, curves }: ColumnEffects, values: readonly string[], range: EffectRange): Content {
  const filled = points.filter(({ value }) => value !== null);
  const hasMissing = filled.length < points.length;
  const end = hasMissing ? RIGHT - MISSING_WIDTH : RIGHT;
  const x = linearScale([0, Math.max(1, filled.length - 1)], [LEFT + 8, end - 8]);
  const placeOf = (at: number) => (at < filled.length ? x(at) : RIGHT - MISSING_WIDTH / 2 + 4);
  const y = linearScale(range, [CURVE_BOTTOM, TOP]);
  const largest = Math.max(1, ...points.map(({ rows }) => rows));
  const barWidth = Math.max(2, Math.min(24, x(1) - x(0) - 2));
  return html`${gridLines([LEFT, RIGHT], y, roundTicks(...range, 3))}
${curves.map(({ label, probabilities }, place) => {
  const path = filled.map((_, at) => html`${at === 0 ? "M" : "L"}${x(at)} ${y(shareOf(probabilities[at]!))}`);
  return html`<path class="curve effect-line effect-${place}" d="${path}"/>${points.map((point, at) => effectMark(place, placeOf(at), y(shareOf(probabilities[at]!)), pointTitle(values[at]!, point, label, probabilities[at]!)))}`;
})}
${points.map((point, at) => html`<rect class="bar quiet" x="${placeOf(at) - barWidth / 2}" y="${BARS_BOTTOM - heightOf(point, largest)}" width="${barWidth}" height="${heightOf(point, largest)}"><title>${formatCount(point.rows)} rows</title></rect>`)}
${axisLine([LEFT, RIGHT], BARS_BOTTOM)}
${tickPlaces(filled.length).map(([at, anchor]) => html`<text class="tick" x="${anchor === "middle" ? x(at) : anchor === "start" ? LEFT : end}" y="${CURVE_BOTTOM + 17}" text-anchor="${anchor}">${fitText(values[at]!, 92, 11)}</text>`)}
${hasMissing ? html`<text class="tick" x="${RIGHT}" y="${BARS_BOTTOM + 15}" text-anchor="end">missing</text>` : null}
<text class="tick" x="${LEFT}" y="${BARS_BOTTOM + 15}">rows, ${compactCount(largest)} at most</text>`;
}

function heightOf({ rows }: Point, largest: number): number {
  return Math.max(1, ((BARS_BOTTOM - BARS_TOP) * rows) / largest);
}

/** First, middle and last value. */
function tickPlaces(count: number): (readonly [number, "start" | "middle" | "end"])[] {
  if (count < 3) return [[0, "start"], ...(count > 1 ? ([[count - 1, "end"]] as const) : [])];
  return [
    [0, "start"],
    [Math.floor((count - 1) / 2), "middle"],
    [count - 1, "end"],
  ];
}

function categoryBody({ points, curves }: ColumnEffects, values: readonly string[], range: EffectRange): Content {
  const x = linearScale(range, [NAME_WIDTH + 8, WIDTH - COUNT_WIDTH - 8]);
  const across = roundTicks(...range, 3);
  const bottom = points.length * ROW_HEIGHT + 4;
  return html`${across.map((tick) => html`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="0" y2="${bottom}"/><text class="tick" x="${x(tick)}" y="${bottom + 15}" text-anchor="middle">${percentTick(tick, across)}</text>`)}
<text class="tick" x="${WIDTH}" y="${bottom + 15}" text-anchor="end">rows</text>
${points.map((point, at) => {
  const middle = at * ROW_HEIGHT + ROW_HEIGHT / 2 + 2;
  const marks = curves.map(({ label, probabilities }, place) =>
    effectMark(
      place,
      x(shareOf(probabilities[at]!)),
      middle,
      pointTitle(values[at]!, point, label, probabilities[at]!),
    ),
  );
  return html`<text class="tick" x="${NAME_WIDTH}" y="${middle + 4}" text-anchor="end">${fitText(values[at]!, NAME_WIDTH, 11)}</text>${marks}<text class="tick" x="${WIDTH}" y="${middle + 4}" text-anchor="end">${compactCount(point.rows)}</text>`;
})}`;
}

function pointTitle(value: string, { rows }: Point, label: string, probability: number): string {
  return `${value}: ${plainName(label, LONGEST)} ${formatPercent(shareOf(probability))}, ${formatCount(rows)} rows`;
}
