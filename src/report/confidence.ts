// How sure a model is of the rows of a file: rows by tenths of confidence, beside the holdout's.
import { type CalibrationBin, CONFIDENCE_BINS, confidenceBin } from "../../engine/judging/metrics.ts";
import { sumOf } from "../../engine/sums.ts";
import { axisLine, figure, figureTable, gridLines, type Picture, responsive } from "../charts/pictures.ts";
import { linearScale, percentRange, roundTicks, type Scale } from "../charts/scales.ts";
import { formatAmount, formatCount, formatPercent } from "../common/format.ts";
import { html, type Markup, plainName } from "../common/markup.ts";

const HEIGHT = 196;
const TOP = 20;
const BOTTOM = HEIGHT - 40;
const LEFT = 40;
/** Wider bars would show nothing more. */
const MOST_WIDTH = 520;

interface Tenth {
  low: number;
  high: number;
  count: number;
  share: number;
  judgedShare: number | null;
}

/**
 * The rows of `input` by confidence. `judged` are the calibration bins of the version that scored
 * them, null or empty if unknown. Null if `counts` holds no row.
 */
export function confidenceFigure(
  input: string,
  counts: readonly number[],
  judged: readonly CalibrationBin[] | null,
): Markup | null {
  const total = sumOf(counts);
  if (total === 0) return null;
  const tenths = tenthsOf(counts, judged ?? []);
  const isJudged = tenths.some(({ judgedShare }) => judgedShare !== null);
  const head = ["Confidence", "Rows", "Share"];
  return figure(
    responsive((width) => confidenceChart(input, tenths, Math.min(width, MOST_WIDTH))),
    isJudged
      ? "Share of the rows by confidence: this file in copper, the holdout in grey. " +
          "A shift to the left means that the model finds these rows harder than the holdout."
      : "Share of the rows by confidence.",
    figureTable(
      `Confidence, ${plainName(input, 60)}`,
      isJudged ? [...head, "Share of the holdout"] : head,
      tenths.map((tenth) => [
        percentRange(tenth),
        formatCount(tenth.count),
        formatPercent(tenth.share),
        ...(isJudged ? [formatPercent(tenth.judgedShare)] : []),
      ]),
    ),
  );
}

/** From the first tenth that has rows on, and always the upper half. */
function tenthsOf(counts: readonly number[], judged: readonly CalibrationBin[]): Tenth[] {
  const total = sumOf(counts);
  const judgedTotal = sumOf(judged.map(({ count }) => count));
  const judgedCounts = new Array<number>(CONFIDENCE_BINS).fill(0);
  for (const { confidence, count } of judged) judgedCounts[confidenceBin(confidence)]! += count;
  const tenths = counts.map((count, tenth) => ({
    low: tenth / CONFIDENCE_BINS,
    high: (tenth + 1) / CONFIDENCE_BINS,
    count,
    share: count / total,
    judgedShare: judgedTotal === 0 ? null : judgedCounts[tenth]! / judgedTotal,
  }));
  const first = tenths.findIndex(({ count, judgedShare }) => count > 0 || (judgedShare ?? 0) > 0);
  return tenths.slice(Math.min(first, CONFIDENCE_BINS / 2));
}

function confidenceChart(input: string, tenths: readonly Tenth[], width: number): Picture {
  const right = width - 12;
  const start = tenths[0]!.low;
  const largest = Math.max(...tenths.flatMap(({ share, judgedShare }) => [share, judgedShare ?? 0]));
  const x = linearScale([start, 1], [LEFT, right]);
  const y = linearScale([0, largest], [BOTTOM, TOP]);
  const edges = [...tenths.map(({ low }) => low), 1];
  return {
    title: `Confidence of the predictions of ${plainName(input, 60)}`,
    description: tenths
      .filter(({ count }) => count > 0)
      .map((tenth) => `${formatAmount(tenth.count, "row")} (${formatPercent(tenth.share)}) at ${percentRange(tenth)}`)
      .join("; "),
    width,
    height: HEIGHT,
    body: html`${gridLines([LEFT, right], y, roundTicks(0, largest, 3))}
${tenths.map((tenth) => bars(tenth, x, y))}${axisLine([LEFT, right], BOTTOM)}
${edges.map((edge) => html`<text class="tick" x="${x(edge)}" y="${BOTTOM + 16}" text-anchor="${edge === 1 ? "end" : "middle"}">${Math.round(edge * 100)}%</text>`)}
<text class="tick" x="${(LEFT + right) / 2}" y="${BOTTOM + 34}" text-anchor="middle">confidence</text>`,
  };
}

function bars(tenth: Tenth, x: Scale, y: Scale): Markup {
  const { low, high, count, share, judgedShare } = tenth;
  const room = x(high) - x(low) - 6;
  const width = judgedShare === null ? room : room / 2;
  const judged =
    judgedShare === null
      ? null
      : html`<rect class="bar quiet" x="${x(low) + 3 + width}" y="${y(judgedShare)}" width="${width}" height="${BOTTOM - y(judgedShare)}"/>`;
  const beside = judgedShare === null ? "" : `; ${formatPercent(judgedShare)} of the holdout`;
  return html`<g><title>${percentRange(tenth)}: ${formatAmount(count, "row")}, ${formatPercent(share)}${beside}</title><rect class="bar copper" x="${x(low) + 3}" y="${y(share)}" width="${width}" height="${BOTTOM - y(share)}"/>${judged}</g>`;
}
