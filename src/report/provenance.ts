// How the run was made, so that it can be made again, and what the figures mean in plain words.

import type { Content, Markup } from "../charts/markup.ts";
import { html, name } from "../charts/markup.ts";
import { formatAmount, formatBytes, formatCount, formatDuration } from "../format.ts";
import type { RunSummary } from "../summary.ts";

const DELIMITER_NAMES: ReadonlyMap<string, string> = new Map([
  [",", "comma"],
  [";", "semicolon"],
  ["\t", "tab"],
  ["|", "vertical bar"],
  [" ", "space"],
]);

const GLOSSARY: readonly (readonly [string, string])[] = [
  [
    "Holdout",
    "A fifth of the rows, drawn with the seed and stratified by label, that no attempt learned from. Wrong decisions and accuracies are counted on it unless said otherwise.",
  ],
  [
    "Out-of-fold",
    "Inside the other four fifths every row is scored by a model that had not seen it. This score decides which attempts become finalists, so the holdout is not worn out by choosing.",
  ],
  [
    "Confirmed",
    "The settings of a kept version, fixed by then, learned and scored again on two further splits of the rows. The winner of many attempts looks better on its own holdout than on new rows; this figure does not share that luck.",
  ],
  [
    "Interval",
    "In brackets: where the true accuracy lies with 95% confidence, by Wilson (1927). More held-out rows make it narrower.",
  ],
  [
    "Majority baseline",
    "What always giving the most frequent answer would reach. A model is worth its difference from it.",
  ],
  [
    "Precision, recall, F1",
    "Of the rows decided as a class, the share that belongs to it; of the rows of the class, the share that was found; their harmonic mean. Undefined where nothing was decided as the class or no row belongs to it.",
  ],
  [
    "Log-loss",
    "The mean surprise at the true label given the stated probabilities: 0 is perfect, and being surely wrong is expensive.",
  ],
  [
    "Balanced accuracy",
    "The mean of the recalls: every class counts alike, however few rows it has. Always answering one class of two reaches 50%.",
  ],
  [
    "Calibration",
    "Whether a confidence of 80% is right in 80% of the cases. Expected calibration error: how far confidence and the share that was right are apart on average, over ten ranges of confidence. Where out-of-fold rows show a model too sure or too cautious beyond chance, its log-odds are divided by a temperature fitted on them; the rows drawn here took no part.",
  ],
  [
    "Importance",
    "How much accuracy is lost on rows not learned from when one column is shuffled. Columns that say the same share their importance.",
  ],
];

/** Inputs and settings as a list, and the glossary. */
export function provenanceSection(summary: RunSummary): Markup {
  return html`<section id="made" aria-labelledby="made-title"><h2 id="made-title">How it was made</h2>
<dl class="pairs made">${facts(summary).map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
<h3>What the figures mean</h3>
<dl class="glossary">${GLOSSARY.map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`)}</dl>
</section>
`;
}

function facts(summary: RunSummary): [string, Content][] {
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
