// Predictions of the run: the distribution of predicted labels and confidences, beside the training file's.

import { sumOf } from "../../engine/sums.ts";
import { championOf } from "../charts/measures.ts";
import { figure, figureTable, type Picture, responsive, section } from "../charts/pictures.ts";
import { fitText, linearScale, textWidth } from "../charts/scales.ts";
import { formatAmount, formatCount, formatPercent } from "../common/format.ts";
import { html, type Markup, name, plainName } from "../common/markup.ts";
import type { ClassCount, PredictionSummary, RunSummary } from "../summary/summary.ts";
import { confidenceFigure } from "./confidence.ts";
import { warningList } from "./warnings.ts";

const ROW_HEIGHT = 36;
/** The most frequent classes are drawn; the table has all. */
const DRAWN = 15;

interface Row {
  label: string;
  predicted: number;
  training: number;
  predictedCount: number;
}

/** Two pictures per scored file; null if the run scored none. */
export function predictionsSection(summary: RunSummary): Markup | null {
  if (summary.predictions.length === 0) return null;
  const each = summary.predictions.map((prediction) => onePrediction(prediction, summary));
  return section("predictions", "Predictions", each);
}

function onePrediction(prediction: PredictionSummary, summary: RunSummary): Markup {
  const judged = championOf(summary)?.calibration ?? null;
  return html`<h3>${name(prediction.input)}</h3>
<p class="lead">${formatAmount(prediction.rows, "row")} scored with the champion, written to <code>${name(prediction.file)}</code>.</p>
${labelsFigure(prediction.input, prediction.classes, summary.classes)}${confidenceFigure(prediction.input, prediction.confidenceCounts, judged)}${prediction.warnings.length === 0 ? null : warningList(prediction.warnings, "summary.json")}
`;
}

/** How often each label was predicted, beside its share of the training file. `input` names what was scored. */
export function labelsFigure(
  input: string,
  predictedClasses: readonly ClassCount[],
  trainingClasses: readonly ClassCount[],
): Markup {
  const rows = rowsOf(predictedClasses, trainingClasses);
  const drawn = rows.slice(0, DRAWN);
  const beyond = rows.length > DRAWN ? ` The ${DRAWN} most frequent of ${rows.length} classes are drawn.` : "";
  return figure(
    responsive((width) => labelsChart(input, drawn, Math.min(width, 680))),
    "Share of each label: predicted in copper, in the training file in grey. " +
      `A large shift means that the new rows differ from those the model learned from.${beyond}`,
    figureTable(
      `Predicted labels of ${plainName(input, 60)}`,
      ["Label", "Predicted", "Share predicted", "Share in training"],
      rows.map((row) => [
        name(row.label),
        formatCount(row.predictedCount),
        formatPercent(row.predicted),
        formatPercent(row.training),
      ]),
      "tall",
    ),
  );
}

function rowsOf(predictedClasses: readonly ClassCount[], trainingClasses: readonly ClassCount[]): Row[] {
  const predicted = new Map(predictedClasses.map(({ label, count }) => [label, count]));
  const predictedTotal = Math.max(1, sumOf(predictedClasses.map(({ count }) => count)));
  const trainingTotal = Math.max(1, sumOf(trainingClasses.map(({ count }) => count)));
  return trainingClasses
    .map(({ label, count }) => {
      const predictedCount = predicted.get(label) ?? 0;
      return { label, predictedCount, predicted: predictedCount / predictedTotal, training: count / trainingTotal };
    })
    .sort((a, b) => b.predicted + b.training - a.predicted - a.training);
}

function labelsChart(input: string, rows: readonly Row[], width: number): Picture {
  const longest = Math.max(...rows.map(({ label }) => textWidth(label, 12)));
  const leftMargin = Math.min(180, width * 0.36, Math.max(64, longest + 16));
  const largest = Math.max(0.001, ...rows.flatMap(({ predicted, training }) => [predicted, training]));
  const x = linearScale([0, largest], [leftMargin, width - 56]);
  const height = rows.length * ROW_HEIGHT + 4;
  return {
    title: `Predicted labels of ${plainName(input, 60)} beside training`,
    description: rows
      .map(
        (row) =>
          `${plainName(row.label, 40)} ${formatPercent(row.predicted)} predicted, ` +
          `${formatPercent(row.training)} in training`,
      )
      .join("; "),
    width,
    height,
    body: html`${rows.map(({ label, predicted, training }, i) => {
      const top = i * ROW_HEIGHT + 4;
      return html`<text class="label" x="${leftMargin - 10}" y="${top + 18}" text-anchor="end">${fitText(label, leftMargin - 12, 12)}</text><rect class="bar copper" x="${leftMargin}" y="${top}" width="${x(predicted) - leftMargin}" height="13"/><text class="tick" x="${x(predicted) + 6}" y="${top + 11}">${formatPercent(predicted)}</text><rect class="bar quiet" x="${leftMargin}" y="${top + 15}" width="${x(training) - leftMargin}" height="11"/><text class="tick" x="${x(training) + 6}" y="${top + 25}">${formatPercent(training)}</text>`;
    })}<line class="axis" x1="${leftMargin}" x2="${leftMargin}" y1="0" y2="${height}"/>`,
  };
}
