// How the run was made, so that it can be repeated, and what the figures mean.

import { html, type Markup, name } from "../charts/markup.ts";
import { pairs, type Row, section } from "../charts/pictures.ts";
import { formatAmount, formatBytes, formatCount, formatDuration } from "../format.ts";
import type { RunSummary } from "../summary.ts";

const DELIMITER_NAMES: ReadonlyMap<string, string> = new Map([
  [",", "comma"],
  [";", "semicolon"],
  ["\t", "tab"],
  ["|", "vertical bar"],
  [" ", "space"],
]);

const GLOSSARY: readonly Row[] = [
  [
    "Holdout",
    "A fifth of the rows that no attempt learned from, drawn by the seed and stratified by label. Wrong decisions and accuracies are measured on it unless stated otherwise.",
  ],
  [
    "Out-of-fold",
    "Each row of the other four fifths is scored by a model that had not seen it. This score decides which attempts become finalists, so that choosing does not use up the holdout.",
  ],
  [
    "Confirmed",
    "The settings of a kept version, trained and scored again on two further splits of the rows. The winner of many attempts looks better on its own holdout than on new rows; this figure does not share that luck.",
  ],
  [
    "Interval",
    "In brackets: the range that holds the true accuracy with 95% confidence, by Wilson (1927). More held-out rows make it narrower.",
  ],
  [
    "Majority baseline",
    "The accuracy of always giving the most frequent answer. A model is worth what it adds to that.",
  ],
  [
    "Precision, recall, F1",
    "Precision: the share of the rows decided as a class that belong to it. Recall: the share of the rows of a class that were found. F1: their harmonic mean. Undefined if no row was decided as the class, or none belongs to it.",
  ],
  [
    "Log-loss",
    "How far the stated probabilities are from the true labels: 0 is perfect, and being surely wrong costs most.",
  ],
  [
    "Balanced accuracy",
    "The mean of the recalls: every class counts alike, however few rows it has. Always answering one class of two reaches 50%.",
  ],
  [
    "Calibration",
    "Whether a confidence of 80% is right in 80% of the cases. Expected calibration error: the mean distance between confidence and accuracy, over ten ranges of confidence. If a model is too sure or too cautious on out-of-fold rows by more than chance, its log-odds are divided by a temperature fitted on those rows; the rows shown here are not among them.",
  ],
  [
    "Importance",
    "The accuracy lost on unseen rows when one column is shuffled. Columns that say the same share their importance.",
  ],
];

/** Inputs and settings as a list, and the glossary. */
export function provenanceSection(summary: RunSummary): Markup {
  return madeSection(facts(summary), null, GLOSSARY);
}

/** Facts about how something was made, what `more` there is to tell, and a glossary. */
export function madeSection(made: readonly Row[], more: Markup | null, glossary: readonly Row[]): Markup {
  return section(
    "made",
    "How it was made",
    html`${pairs(made, "pairs made")}${more}
<h3>What the figures mean</h3>
${pairs(glossary, "glossary")}`,
  );
}

function facts(summary: RunSummary): Row[] {
  const { file, holdout } = summary;
  const labelled = summary.rows - summary.rowsWithoutLabel;
  const dropped =
    summary.rowsWithoutLabel === 0 ? "" : `, ${formatCount(summary.rowsWithoutLabel)} without a label dropped`;
  return [
    ["File", html`${name(file.name)}, ${formatBytes(file.sizeBytes)}`],
    ["SHA-256 of the file", html`<code class="hash">${name(file.sha256)}</code>`],
    [
      "Read as",
      html`${file.encoding}, separated by ${DELIMITER_NAMES.get(file.delimiter) ?? html`<code>${name(file.delimiter)}</code>`}`,
    ],
    ["Rows", `${formatCount(labelled)} of ${formatCount(summary.rows)} used${dropped}`],
    ["Holdout", `${formatAmount(holdout.rows, "row")}, the same for every attempt`],
    [
      "Label",
      html`${name(summary.label)}${summary.positiveLabel === null ? null : html`, positive: ${name(summary.positiveLabel)}`}`,
    ],
    ["Seed", String(summary.seed)],
    ["Buckets", formatCount(summary.numberOfBuckets)],
    ["Scaling factor", formatCount(summary.scalingFactor)],
    ["Workers", formatCount(summary.workers)],
    ["Time", `${formatDuration(summary.elapsedSeconds)} of at most ${formatDuration(summary.timeLimitSeconds)}`],
    ["Made with", `Cupel ${summary.cupelVersion}`],
  ];
}
