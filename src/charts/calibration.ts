// The calibration curve: the share of right decisions at each confidence, and how many decisions there were.
import { type CalibrationBin, type Estimate, wilsonInterval } from "../../engine/judging/metrics.ts";
import { formatCount, formatEstimate, formatPercent } from "../common/format.ts";
import { html, type Markup } from "../common/markup.ts";
import { decimalNumber } from "../common/numbers.ts";
import type { VersionSummary } from "../summary/summary.ts";
import { calibrationGap } from "./measures.ts";
import { axisLine, figure, figureTable, type Picture, picture, shareAxes } from "./pictures.ts";
import { compactCount, linearScale, percentRange, roundTicks, type Scale } from "./scales.ts";

const WIDTH = 328;
const LEFT = 40;
const RIGHT = WIDTH - 18;
const TOP = 8;
/** The plot is a square: both axes run over the same shares. */
const CURVE_BOTTOM = TOP + RIGHT - LEFT;
const BARS_TOP = CURVE_BOTTOM + 40;
const BARS_BOTTOM = BARS_TOP + 38;

type CalibratedVersion = Pick<VersionSummary, "version" | "calibration" | "temperature">;

export function calibrationFigure(version: CalibratedVersion): Markup {
  const bins = version.calibration.filter((bin) => bin.count > 0);
  const gap = calibrationGap(bins);
  if (gap === null) return html`<p class="missing">Not measured in this run.</p>`;
  return figure(
    picture(calibrationChart(bins, version.version)),
    html`On the dashed line, a confidence of 80% is right in 80% of the cases. Whiskers are 95% intervals: where they cross it, the difference may be chance. Expected calibration error: ${decimalNumber(gap.gap * 100, 1)} points. ${howCalibrated(version)} Below: decisions per range of confidence.`,
    figureTable(
      `Calibration, version ${version.version}`,
      ["Confidence", "Decisions", "Mean confidence", "Right"],
      bins.map((bin) => [
        percentRange(bin),
        formatCount(bin.count),
        formatPercent(bin.confidence),
        formatEstimate(rightIn(bin)),
      ]),
    ),
  );
}

function howCalibrated({ temperature }: CalibratedVersion): string {
  if (temperature === 1) return "The probabilities are the model's own.";
  return (
    `The model was too ${temperature > 1 ? "sure" : "cautious"}, ` +
    `so its log-odds are divided by ${decimalNumber(temperature, 2)}, fitted on rows that it had not learned from.`
  );
}

function calibrationChart(bins: readonly CalibrationBin[], version: number): Picture {
  const lowest = Math.min(...bins.map((bin) => Math.min(bin.low, bin.accuracy)));
  const floor = Math.floor(lowest * 10 + 1e-9) / 10;
  const x = linearScale([floor, 1], [LEFT, RIGHT]);
  const y = linearScale([floor, 1], [CURVE_BOTTOM, TOP]);
  const path = bins.map((bin, i) => html`${i === 0 ? "M" : "L"}${x(bin.confidence)} ${y(bin.accuracy)}`);
  const largest = Math.max(...bins.map((bin) => bin.count));
  return {
    title: `Calibration curve, version ${version}`,
    description: bins
      .map(
        (bin) => `${formatPercent(bin.accuracy)} right of ${formatCount(bin.count)} at confidence ${percentRange(bin)}`,
      )
      .join("; "),
    width: WIDTH,
    height: BARS_BOTTOM + 8,
    body: html`${shareAxes([LEFT, RIGHT], CURVE_BOTTOM, x, y, roundTicks(floor, 1, 5))}
<path class="rule target" d="M${x(floor)} ${y(floor)}L${x(1)} ${y(1)}"/>
<path class="curve" d="${path}"/>
${bins.map((bin) => interval(bin, x, y))}
${bins.map((bin) => html`<circle class="point" cx="${x(bin.confidence)}" cy="${y(bin.accuracy)}" r="4"><title>${percentRange(bin)}: ${formatEstimate(rightIn(bin))} of ${formatCount(bin.count)} right, mean confidence ${formatPercent(bin.confidence)}</title></circle>`)}
${bins.map((bin) => countBar(bin, x, largest))}
${axisLine([LEFT, RIGHT], BARS_BOTTOM)}`,
  };
}

/** The share of right decisions, with its interval. */
function rightIn({ accuracy, count }: CalibrationBin): Estimate {
  return wilsonInterval(Math.round(accuracy * count), count);
}

function interval(bin: CalibrationBin, x: Scale, y: Scale): Markup {
  const { low, high } = rightIn(bin);
  // With few decisions the interval is so long that it ends below the plot.
  const end = y(low) > CURVE_BOTTOM ? `V${CURVE_BOTTOM}` : `V${y(low)}m-3 0h6`;
  return html`<path class="whisker" d="M${x(bin.confidence) - 3} ${y(high)}h6m-3 0${end}"/>`;
}

function countBar(bin: CalibrationBin, x: Scale, largest: number): Markup {
  const height = Math.max(1, ((BARS_BOTTOM - BARS_TOP) * bin.count) / largest);
  const middle = (x(bin.low) + x(bin.high)) / 2;
  return html`<rect class="bar quiet" x="${x(bin.low) + 1}" y="${BARS_BOTTOM - height}" width="${Math.max(1, x(bin.high) - x(bin.low) - 2)}" height="${height}"/><text class="tick small" x="${middle}" y="${BARS_BOTTOM - height - 3}" text-anchor="middle">${compactCount(bin.count)}</text>`;
}
