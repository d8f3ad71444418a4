// Precision against recall, and the ROC curve: what each threshold of two labels decides on the held-out rows.
import type { ThresholdCurve } from "../../engine/judging/thresholds.ts";
import { formatCount, formatPercent } from "../format.ts";
import { figuresAt, type HeldOut, pointAt } from "../report/threshold-figures.ts";
import { type Content, html, type Markup, name, plainName } from "./markup.ts";
import { figure, figureTable, type Picture, picture } from "./pictures.ts";
import { linearScale, percentTick, roundTicks } from "./scales.ts";

const WIDTH = 328;
const HEIGHT = 236;
const LEFT = 44;
const RIGHT = WIDTH - 18;
const TOP = 10;
const BOTTOM = HEIGHT - 40;
const LABEL_LENGTH = 32;
/** Rows of the table behind the pictures. */
const TABLED = 20;

/** A curve with the thresholds that are marked on it. */
export interface DrawnCurve {
  curve: ThresholdCurve;
  rows: HeldOut;
  positiveLabel: string;
  /** The threshold in use, as a ring. */
  inUse: number;
  /** Another one that is looked at, as a point; left out for none. */
  looked?: number;
}

interface Point {
  x: number;
  y: number;
  threshold: number;
}

/** Both pictures, with a table behind. */
export function thresholdCurves(drawn: DrawnCurve): Markup {
  const { curve, positiveLabel } = drawn;
  const label = name(positiveLabel, LABEL_LENGTH);
  const area = curve.rocArea === null ? "" : ` Area: ${formatPercent(curve.rocArea)}; 50% is guessing.`;
  return html`<div class="curves">${figure(
    picture(precisionChart(drawn)),
    html`Precision of ${label} (right among the flagged) against recall (flagged among its rows), by threshold. The dotted rule is its share of the rows.`,
    null,
  )}${figure(
    picture(rocChart(drawn)),
    html`ROC curve: recall of ${label} against the share of the other rows that are flagged.${area}`,
    pointTable(drawn),
  )}</div>`;
}

function precisionChart(drawn: DrawnCurve): Picture {
  const { rows } = drawn;
  const share = rows.positives / (rows.positives + rows.negatives);
  return chart(drawn, {
    title: "Precision and recall by threshold",
    across: "recall",
    up: "precision",
    rule: [
      [0, share],
      [1, share],
    ],
    points: pointsOf(drawn, ({ recall, precision }) =>
      recall === null || precision === null ? null : [recall.mean, precision.mean],
    ),
  });
}

function rocChart(drawn: DrawnCurve): Picture {
  const { negatives } = drawn.rows;
  return chart(drawn, {
    title: "ROC curve",
    across: "other rows flagged",
    up: "recall",
    rule: [
      [0, 0],
      [1, 1],
    ],
    points: pointsOf(drawn, ({ recall, falseAlarms }) =>
      recall === null || negatives === 0 ? null : [falseAlarms / negatives, recall.mean],
    ),
  });
}

type Figures = ReturnType<typeof figuresAt>;

function pointsOf({ curve, rows }: DrawnCurve, place: (figures: Figures) => readonly [number, number] | null): Point[] {
  return curve.thresholds.flatMap((threshold, at) => {
    const found = place(figuresAt(curve, at, rows, { missed: 1, falseAlarm: 1 }));
    return found === null ? [] : [{ x: found[0], y: found[1], threshold }];
  });
}

interface Chart {
  title: string;
  across: string;
  up: string;
  rule: readonly [readonly [number, number], readonly [number, number]];
  points: readonly Point[];
}

function chart({ inUse, looked, positiveLabel }: DrawnCurve, { title, across, up, rule, points }: Chart): Picture {
  const x = linearScale([0, 1], [LEFT, RIGHT]);
  const y = linearScale([0, 1], [BOTTOM, TOP]);
  const at = (threshold: number) => points[pointAt({ thresholds: points.map((point) => point.threshold) }, threshold)];
  const path = points.map((point, i) => html`${i === 0 ? "M" : "L"}${round(x(point.x))} ${round(y(point.y))}`);
  const [[fromX, fromY], [toX, toY]] = rule;
  const own = at(inUse);
  const told =
    own === undefined
      ? ""
      : `At ${formatPercent(inUse)}: ${across} ${formatPercent(own.x)}, ${up} ${formatPercent(own.y)}.`;
  return {
    title: `${title}, ${plainName(positiveLabel, LABEL_LENGTH)}`,
    description: told,
    width: WIDTH,
    height: HEIGHT,
    body: html`${axes(x, y, across, up)}
<path class="rule majority" d="M${x(fromX)} ${y(fromY)}L${x(toX)} ${y(toY)}"/>
<path class="curve" d="${path}"/>
${own === undefined ? null : html`<circle class="ring" cx="${round(x(own.x))}" cy="${round(y(own.y))}" r="7"><title>In use: ${formatPercent(inUse)}</title></circle>`}
${looked === undefined ? null : lookedMark(at(looked), x, y)}`,
  };
}

function lookedMark(point: Point | undefined, x: (v: number) => number, y: (v: number) => number): Markup | null {
  if (point === undefined) return null;
  return html`<circle class="point" cx="${round(x(point.x))}" cy="${round(y(point.y))}" r="5"><title>${formatPercent(point.threshold)}</title></circle>`;
}

function axes(x: (v: number) => number, y: (v: number) => number, across: string, up: string): Content {
  const ticks = roundTicks(0, 1, 4);
  return html`${ticks.map((tick) => html`<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${LEFT - 6}" y="${y(tick) + 4}" text-anchor="end">${percentTick(tick, ticks)}</text>`)}
<line class="axis" x1="${LEFT}" x2="${RIGHT}" y1="${BOTTOM}" y2="${BOTTOM}"/>
${ticks.map((tick) => html`<text class="tick" x="${x(tick)}" y="${BOTTOM + 16}" text-anchor="middle">${percentTick(tick, ticks)}</text>`)}
<text class="tick" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${across}</text>
<text class="tick" transform="translate(10 ${(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${up}</text>`;
}

function pointTable(drawn: DrawnCurve): Markup {
  const { curve, rows, positiveLabel, inUse } = drawn;
  const count = curve.thresholds.length;
  const every = Math.max(1, Math.ceil(count / TABLED));
  const shown = new Set([pointAt(curve, inUse), count - 1]);
  for (let at = 0; at < count; at += every) shown.add(at);
  const places = [...shown].sort((a, b) => a - b);
  return figureTable(
    `Thresholds of ${plainName(positiveLabel, LABEL_LENGTH)}`,
    ["Threshold", "Flagged", "Precision", "Recall", "Wrong"],
    places.map((at) => {
      const { threshold, flagged, precision, recall, missed, falseAlarms } = figuresAt(curve, at, rows, {
        missed: 1,
        falseAlarm: 1,
      });
      const shares = [flagged, precision, recall].map((estimate) => formatPercent(estimate?.mean ?? null));
      return [formatPercent(threshold), ...shares, formatCount(missed + falseAlarms)];
    }),
    "tall",
  );
}

/** A tenth of a pixel is enough. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
