// How the run was made, so that it can be repeated, and what the figures mean.

import type { JudgedBy } from "../../data/database/records.ts";
import { pairs, type Row, section } from "../charts/pictures.ts";
import { formatAmount, formatBytes, formatCount, formatDuration } from "../common/format.ts";
import { type Content, html, type Markup, name } from "../common/markup.ts";
import type { RunSummary } from "../summary/summary.ts";

const DELIMITER_NAMES: ReadonlyMap<string, string> = new Map([
  [",", "comma"],
  [";", "semicolon"],
  ["\t", "tab"],
  ["|", "vertical bar"],
  [" ", "space"],
]);

/** How the holdout was chosen, by what the run was judged by. */
const HOLDOUTS: Readonly<Record<JudgedBy["kind"], string>> = {
  random: "drawn by the seed and stratified by label",
  groups: "whole groups, dealt by the seed so that labels spread as evenly as they can",
  time: "the newest ones",
  "groups and time": "the newest ones of the newest groups",
};

const MEASURED_THERE = "Wrong decisions and accuracies are measured on it unless stated otherwise.";
export const BY_WILSON = "In brackets: the range that holds the true accuracy with 95% confidence, by Wilson (1927).";

const GLOSSARY: readonly Row[] = [
  [
    "Out-of-fold",
    "Each row of the other four fifths is scored by a model that had not seen it. " +
      "This score decides which attempts become finalists, so that choosing does not use up the holdout.",
  ],
  [
    "Confirmed",
    "The settings of a kept version, trained and scored again on further splits of the rows. " +
      "The winner of many attempts looks better on its own holdout than on new rows; " +
      "this figure does not share that luck.",
  ],
  [
    "Majority baseline",
    "The accuracy of always giving the most frequent answer. A model is worth what it adds to that.",
  ],
  [
    "Precision, recall, F1",
    "Precision: the share of the rows decided as a class that belong to it. Recall: " +
      "the share of the rows of a class that were found. F1: their harmonic mean, and 0 where no row " +
      "of the class was found. Precision is undefined if no row was decided as the class, recall if none belongs to " +
      "it, F1 only if both are so.",
  ],
  [
    "Log-loss",
    "How far the stated probabilities are from the true labels: 0 is perfect, and being surely wrong costs most.",
  ],
  [
    "Balanced accuracy",
    "The mean of the recalls: every class counts alike, however few rows it has. " +
      "Always answering one class of two reaches 50%.",
  ],
  [
    "Calibration",
    "Whether a confidence of 80% is right in 80% of the cases. Expected calibration error: " +
      "the mean distance between confidence and accuracy, over ten ranges of confidence. " +
      "If a model is too sure or too cautious on out-of-fold rows by more than chance, " +
      "its log-odds are divided by a temperature fitted on those rows; the rows shown here are not among them.",
  ],
  [
    "Importance",
    "What the objective loses on unseen rows when one column is shuffled. " +
      "Columns that say the same share their importance.",
  ],
];

export function provenanceSection(summary: RunSummary): Markup {
  return madeSection(facts(summary), null, [...glossaryOf(summary.verdict.judgedBy), ...GLOSSARY]);
}

/** The terms that depend on what the run was judged by. */
function glossaryOf({ kind }: JudgedBy): Row[] {
  const width =
    kind === "random"
      ? "More held-out rows make it narrower."
      : "It is widened by how much groups, or stretches of time, differ (Korn & Graubard 1998): " +
        "more of them make it narrower, not more rows of each.";
  return [
    ["Holdout", `A fifth of the rows that no attempt learned from: ${HOLDOUTS[kind]}. ${MEASURED_THERE}`],
    ["Interval", `${BY_WILSON} ${width}`],
  ];
}

/** Says how held-out rows were chosen. */
function judgedBy({ kind, groupColumn, timeColumn, groupCount }: JudgedBy): Content {
  const group = html`column ${name(groupColumn ?? "")}: ${formatAmount(groupCount, "group")}, each whole on one side of every split`;
  const time = html`column ${name(timeColumn ?? "")}: models learn from older rows and are judged on newer ones`;
  if (kind === "random") return "rows drawn at random, stratified by label";
  if (kind === "groups") return group;
  return kind === "time" ? time : html`${group}; ${time}`;
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
    ["Judged by", judgedBy(summary.verdict.judgedBy)],
    [
      "Label",
      html`${name(summary.label)}${summary.positiveLabel === null ? null : html`, positive: ${name(summary.positiveLabel)}`}`,
    ],
    ["Seed", String(summary.seed)],
    ["Buckets", formatCount(summary.numberOfBuckets)],
    ["Scaling factor", formatCount(summary.scalingFactor)],
    ["Workers", formatCount(summary.workers)],
    ["Time", `${formatDuration(summary.elapsedSeconds)} of at most ${formatDuration(summary.timeLimitSeconds)}`],
    [
      "Look at the rows",
      summary.lookSeconds === null ? "cut short" : `${formatDuration(summary.lookSeconds)}, beside other work`,
    ],
    ["Made with", `Cupel ${summary.cupelVersion}`],
  ];
}
