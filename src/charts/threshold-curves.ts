// Precision against recall, and the ROC curve: what each threshold of two labels decides on the held-out rows.
import type { ThresholdCurve } from "../../engine/judging/thresholds.ts";
import { formatCount, formatPercent } from "../common/format.ts";
import { html, type Markup, name, plainName } from "../common/markup.ts";
import { figure, figureTable, type Picture, picture, shareAxes } from "./pictures.ts";
import { linearScale, roundTicks } from "./scales.ts";
import { figuresAt, type HeldOut, pointAt, type ThresholdFigures } from "./threshold-figures.ts";

const WIDTH = 328;
const HEIGHT = 236;
const LEFT = 44;
const RIGHT = WIDTH - 18;
const TOP = 10;
const BOTTOM = HEIGHT - 40;
const LABEL_LENGTH = 32;
/** Rows of the table behind the pictures. */
const TABLED = 20;
/** No cost is shown. */
const EQUAL_COSTS = { missed: 1, falseAlarm: 1 };

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

/** Both pictures, with a table behind. */
export function thresholdCurves(drawn: DrawnCurve): Markup {
  const { curve, rows, positiveLabel } = drawn;
  const label = name(positiveLabel, LABEL_LENGTH);
  const area = curve.rocArea === null ? "" : ` Area: ${formatPercent(curve.rocArea)}; 50% is guessing.`;
  const share = rows.positives / (rows.positives + rows.negatives);
  const { averagePrecision = null } = curve;
  const mean =
    averagePrecision === null
      ? ""
      : ` Average precision: ${formatPercent(averagePrecision)}; ${formatPercent(share)} is guessing.`;
  const precisionChart = chart(drawn, {
    title: "Precision and recall by threshold",
    axes: ["recall", "precision"],
    rule: [share, share],
    place: ({ recall, precision }) => (recall === null || precision === null ? null : [recall.mean, precision.mean]),
  });
  const rocChart = chart(drawn, {
    title: "ROC curve",
    axes: ["other rows flagged", "recall"],
    rule: [0, 1],
    place: ({ recall, falseAlarms }) =>
      recall === null || rows.negatives === 0 ? null : [falseAlarms / rows.negatives, recall.mean],
  });
  return html`<div class="curves">${figure(
    picture(precisionChart),
    html`Precision of ${label} (right among the flagged) against recall (flagged among its rows), by threshold. The dotted rule is its share of the rows.${mean}`,
    null,
  )}${figure(
    picture(rocChart),
    html`ROC curve: recall of ${label} against the share of the other rows that are flagged.${area}`,
    pointTable(drawn),
  )}</div>`;
}

interface Chart {
  title: string;
  axes: readonly [across: string, up: string];
  /** The heights of the rule at both ends. */
  rule: readonly [number, number];
  /** Where the figures of a threshold are; null for nowhere. */
  place(figures: ThresholdFigures): readonly [x: number, y: number] | null;
}

function chart({ curve, rows, inUse, looked, positiveLabel }: DrawnCurve, of: Chart): Picture {
  const {
    title,
    axes: [across, up],
    rule: [from, to],
  } = of;
  const points = curve.thresholds.flatMap((threshold, at) => {
    const place = of.place(figuresAt(curve, at, rows, EQUAL_COSTS));
    return place === null ? [] : [{ x: place[0], y: place[1], threshold }];
  });
  const x = linearScale([0, 1], [LEFT, RIGHT]);
  const y = linearScale([0, 1], [BOTTOM, TOP]);
  const at = (threshold: number) => points[pointAt({ thresholds: points.map((point) => point.threshold) }, threshold)];
  const path = points.map((point, i) => html`${i === 0 ? "M" : "L"}${round(x(point.x))} ${round(y(point.y))}`);
  const pointInUse = at(inUse);
  const pointLookedAt = looked === undefined ? undefined : at(looked);
  const thresholdWords =
    pointInUse === undefined
      ? ""
      : `At ${formatPercent(inUse)}: ${across} ${formatPercent(pointInUse.x)}, ${up} ${formatPercent(pointInUse.y)}.`;
  return {
    title: `${title}, ${plainName(positiveLabel, LABEL_LENGTH)}`,
    description: thresholdWords,
    width: WIDTH,
    height: HEIGHT,
    body: html`${shareAxes([LEFT, RIGHT], BOTTOM, x, y, roundTicks(0, 1, 4))}
<text class="tick" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${across}</text>
<text class="tick" transform="translate(10 ${(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${up}</text>
<path class="rule majority" d="M${x(0)} ${y(from)}L${x(1)} ${y(to)}"/>
<path class="curve" d="${path}"/>
${pointInUse === undefined ? null : html`<circle class="ring" cx="${round(x(pointInUse.x))}" cy="${round(y(pointInUse.y))}" r="7"><title>In use: ${formatPercent(inUse)}</title></circle>`}
${pointLookedAt === undefined ? null : html`<circle class="point" cx="${round(x(pointLookedAt.x))}" cy="${round(y(pointLookedAt.y))}" r="5"><title>${formatPercent(pointLookedAt.threshold)}</title></circle>`}`,
  };
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
      const figures = figuresAt(curve, at, rows, EQUAL_COSTS);
      const { threshold, flagged, precision, recall, missed, falseAlarms } = figures;
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
