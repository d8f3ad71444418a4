// The evidence for a column as bars, each a multiple of the noise level, so all read alike.
import type { ColumnDecision, ColumnEvidence, NotShuffled } from "../../../engine/refinement/decision.ts";
import { figureOr, tip, undefinedFigure } from "../../charts/pictures.ts";
import { oneDecimal, points } from "../../charts/scales.ts";
import { formatFigure, formatPercent } from "../../common/format.ts";
import { type Content, html, type Markup } from "../../common/markup.ts";
import { decimalNumber } from "../../common/numbers.ts";
import { isJudged, type NoiseLevels } from "./noise-levels.ts";

/** Bars end at this multiple of the noise level; an arrow marks evidence beyond it. */
const CAP = 4;
const BAR_WIDTH = 92;
const BAR_HEIGHT = 14;
/** Has room for a bar of twice the noise level. */
const LEGEND_WIDTH = 46;
/** Smaller p-values are shown as this one. */
const LEAST_P = 1e-15;

export function evidenceHeads(): Content {
  return html`<th scope="col">${tip("Alone", "Test of independence of column and label. The bar is −log₁₀ p.")}</th><th scope="col">${tip("In forests", "The column's gain in forests, as a multiple of the gain of the best shadow (a shuffled copy), and the rounds in which it was above it.")}</th><th scope="col">${tip("Shuffled", "How much predictions on unseen rows lose when the column is shuffled together with its near copies (rank correlation from 0.9), as a z-score.")}</th>`;
}

const WHY_NOT_SHUFFLED: Readonly<Record<NotShuffled, string>> = {
  SCREENED_OUT: "not shuffled: the screen before the forests left the column out",
  WEAK_GROUP: "not shuffled: its group gained too little in the forests, and nothing else spoke for it",
  TIME_UP: "not shuffled: too much of the announced time was over",
};

/**
 * Three cells: the column alone, in forests, and shuffled, each with the limit that its figure had to
 * reach. `reason` stands in for a figure that was not measured.
 */
export function evidenceCells(column: ColumnDecision, levels: NoiseLevels, reason: string): Content {
  const { pValue, gain, shadowGain, hits, rounds, permutationZ } = column.evidence;
  const limit = (words: string) => (isJudged(column) ? `limit ${words}` : null);
  const hitWords =
    hits === null || rounds === null ? null : { hits: ` · ${hits} of ${rounds}`, least: leastHits(rounds) };
  return [
    pValue === null
      ? missing(reason)
      : cell(
          Math.log10(Math.max(LEAST_P, pValue)) / Math.log10(levels.pValue),
          pInWords(pValue),
          limit(`≤ ${pFigure(levels.pValue)}`),
        ),
    gain === null || shadowGain === null
      ? missing(reason)
      : cell(
          multiple(gain, shadowGain),
          `${multipleInWords(gain, shadowGain)}${hitWords?.hits ?? ""}`,
          hitWords === null ? null : limit(`≥ ${hitWords.least} of ${rounds}`),
        ),
    permutationZ === null
      ? missing(whyNotShuffled(column.evidence, reason))
      : cell(
          permutationZ / levels.permutationZ,
          `z = ${oneDecimal(permutationZ)}`,
          limit(`≥ ${oneDecimal(levels.permutationZ)}`),
        ),
  ];
}

/** Hits in over half of the rounds, which columns have that were confirmed before the last one too. */
function leastHits(rounds: number): number {
  return Math.floor(rounds / 2) + 1;
}

function whyNotShuffled({ notShuffled = null }: ColumnEvidence, reason: string): string {
  return notShuffled === null ? reason : WHY_NOT_SHUFFLED[notShuffled];
}

export function evidenceLegend(): Markup {
  return html`<ul class="legend"><li>${bar(2, LEGEND_WIDTH)} above the noise level, the tick</li><li>${bar(0.6, LEGEND_WIDTH)} within the noise</li><li class="note">Bars are multiples of the noise level and end at four times; an arrow marks more. Below each figure stands the limit that decided.</li></ul>`;
}

/** All figures of a column's evidence, for the table behind the bars. */
export function evidenceFigures(column: ColumnDecision, reason: string): Content[] {
  const { decision, evidence, importance, stability } = column;
  const or = (value: number | null, write: (value: number) => string, whyNot = reason) =>
    figureOr(whyNot, value, write);
  return [
    or(importance, formatPercent),
    or(stability, formatPercent),
    or(evidence.pValue, pFigure),
    or(evidence.mutualInformation, formatFigure),
    or(evidence.strength, formatFigure),
    or(evidence.gain, formatPercent),
    or(evidence.shadowGain, formatPercent),
    evidence.hits === null || evidence.rounds === null
      ? undefinedFigure(reason)
      : `${evidence.hits} of ${evidence.rounds}`,
    or(evidence.permutationZ, oneDecimal, whyNotShuffled(evidence, reason)),
    or(evidence.probabilityLoss, points),
    or(evidence.accuracyLoss, points),
    or(evidence.accuracyEffect, points, decision === "KEEP" ? "not measured: the column stays" : reason),
  ];
}

/** Heads of `evidenceFigures`. */
export const EVIDENCE_FIGURE_HEADS: readonly Content[] = [
  tip("Importance", "Share of all gain of the forests"),
  tip(
    "Stability",
    "The highest of three shares: quarters of the rows, rounds and folds in which it stood above the noise",
  ),
  tip("p", "Test of independence of the label"),
  tip("Information", "Mutual information with the label, in nats"),
  tip(
    "Strength",
    "What the best rule on this column alone adds to always giving the most frequent answer; 1 is everything",
  ),
  tip("Gain", "Mean share of the forests' gain in the rounds against shadows"),
  tip("Shadow", "Mean share of gain of the best shadow of its kind"),
  tip("Rounds", "Rounds in which the column was above the best shadow"),
  tip("z", "z-score of the fall in the true class's probability when the column is shuffled"),
  tip("Probability lost", "Mean fall in the true class's probability when shuffled, in points"),
  tip("Accuracy lost", "Accuracy lost when shuffled, in points"),
  tip(
    "Effect",
    "Cross-validated accuracy before less after the step that removed it, " +
      "with all columns removed in that step, in points",
  ),
];

function cell(height: number, words: string, limit: string | null): Markup {
  return html`<td class="evidence">${bar(height)}<small>${words}</small>${limit === null ? null : html`<small>${limit}</small>`}</td>`;
}

function missing(reason: string): Markup {
  return html`<td class="evidence"><small>${undefinedFigure(reason)}</small></td>`;
}

/** Hidden from screen readers: the words beside it say the same. */
function bar(height: number, width = BAR_WIDTH): Markup {
  const unit = BAR_WIDTH / (CAP + 0.3);
  const length = Math.max(0, Math.min(CAP, height)) * unit;
  const end = CAP * unit;
  const arrow = height > CAP ? html`<path class="on" d="M${end + 1} 2l5 5l-5 5Z"/>` : null;
  return html`<svg class="icon level" viewBox="0 0 ${width} ${BAR_HEIGHT}" width="${width}" height="${BAR_HEIGHT}" aria-hidden="true"><rect class="${height > 1 ? "on" : "off"}" y="3" width="${length}" height="8"/>${arrow}<path class="noise" d="M${unit} 0v14"/></svg>`;
}

function multiple(gain: number, shadowGain: number): number {
  if (gain <= 0) return 0;
  return shadowGain <= 0 ? CAP + 1 : gain / shadowGain;
}

function multipleInWords(gain: number, shadowGain: number): string {
  if (gain > 0 && shadowGain <= 0) return "shadow 0";
  const times = multiple(gain, shadowGain);
  return times >= 100 ? "100× and more" : `${decimalNumber(times, 1)}×`;
}

function pInWords(pValue: number): string {
  const figure = pFigure(pValue);
  return figure.startsWith("<") ? `p ${figure}` : `p = ${figure}`;
}

/** "0.034", "2 × 10⁻⁵", "< 10⁻¹⁵". */
function pFigure(pValue: number): string {
  if (pValue < LEAST_P) return `< 10${raised(Math.log10(LEAST_P))}`;
  if (pValue >= 0.0995) return decimalNumber(pValue, 2);
  if (pValue >= 0.00095) return decimalNumber(pValue, 3);
  const [digits = "", exponent = ""] = pValue.toExponential(0).split("e");
  return `${digits} × 10${raised(Number(exponent))}`;
}

function raised(exponent: number): string {
  return String(Math.round(exponent)).replace(/./g, (character) =>
    character === "-" ? "⁻" : ("⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(character)] ?? ""),
  );
}
