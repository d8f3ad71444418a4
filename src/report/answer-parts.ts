// The answer of a run in parts, the same in the report and in the dashboard:
// the figure, whether to trust it, what it rests on.
import type { DoubtRecord, VerdictRecord } from "../../data/database/records.ts";
import type { CostMatrix } from "../../engine/judging/costs.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import { type AccuracyScale, accuracyScale, majorityRule, targetRule } from "../charts/accuracy-scale.ts";
import { importanceChart, lossWords } from "../charts/importance.ts";
import { betterThanGuessing, calibrationGap } from "../charts/measures.ts";
import { figure, figureTable, picture, responsive } from "../charts/pictures.ts";
import { points } from "../charts/scales.ts";
import {
  capitalised,
  formatAmount,
  formatCount,
  formatEstimate,
  formatInterval,
  formatPercent,
} from "../common/format.ts";
import { type Content, html, type Markup, name } from "../common/markup.ts";
import type { VersionSummary } from "../summary/summary.ts";
import { hasSeriousDoubt } from "../summary/verdict.ts";
import { costWords, MEASURE_NAMES, scoreFigure, scoreWords } from "../words/objective-words.ts";
import { rareLabelWords } from "../words/rare-label.ts";
import { timelyColumnsWords } from "../words/timely-columns.ts";
import { confirmedWords, expectedOn, heldOutAmount, heldOutWords } from "../words/verdict-words.ts";
import { doubtList } from "./shown-verdict.ts";

/** Columns shown here; all are under the versions. */
const TOP_COLUMNS = 5;
/** Where one label has this share of the rows, an importance below half a point of accuracy says little. */
const FREQUENT_SHARE = 0.8;
const LEAST_IMPORTANCE = 0.005;

/** The figures that the champion is compared with. */
export interface AnswerFacts {
  holdout: { rows: number };
  /** Always answering `label`, on the holdout. */
  baseline: { label: string; accuracy: number };
  targetPerformance: number | null;
  verdict: VerdictRecord;
  objective: Objective;
  /** Costs of wrong decisions; null for other objectives than "cost". */
  costs: CostMatrix | null;
  classes: readonly { label: string }[];
  /** How the best label to answer always meets the objective, on the holdout; null where it is not known. */
  guess: { label: string; score: number } | null;
}

export type AnswerChampion = Pick<
  VersionSummary,
  | "algorithm"
  | "attempt"
  | "version"
  | "achievedPerformance"
  | "heldOutPerformance"
  | "confirmedPerformance"
  | "falseDecisions"
  | "calibration"
  | "score"
  | "importance"
  | "byClass"
> & {
  /** How the objective is met, with its interval; not known of models of earlier versions. */
  objectiveHeldOut?: Estimate | null;
  objectiveConfirmed?: Estimate | null;
};

/** `beside` stands beside the figure, `more` among those that follow. */
export function headline(
  facts: AnswerFacts,
  champion: AnswerChampion,
  { beside = null, more = null }: { beside?: Content; more?: Content } = {},
): Markup {
  const { holdout, baseline, targetPerformance, verdict } = facts;
  const rarest = rareLabelWords(facts, champion);
  const below = rarest === null ? null : html`<p class="note">${rarest}</p>`;
  const always = html`<em>${name(baseline.label, 32)}</em>`;
  const target =
    targetPerformance === null
      ? null
      : html`<div><dt>Target ${champion.achievedPerformance >= targetPerformance ? "reached" : "missed"}</dt><dd>${formatPercent(targetPerformance)}</dd></div>`;
  return html`<div class="headline">
<div class="verdict"><p class="big"><strong>${formatPercent(champion.achievedPerformance)}</strong> <span>${formatInterval(champion.heldOutPerformance)}</span>${beside}</p>
<p>of ${heldOutAmount(verdict.judgedBy, holdout.rows)}, kept aside from training, are predicted right.</p>${below}</div>
<dl class="figures">
<div><dt>Wrong decisions</dt><dd>${formatCount(champion.falseDecisions)} <small>of ${formatCount(holdout.rows)}</small></dd></div>
<div><dt>Always answering ${always}</dt><dd>${formatPercent(baseline.accuracy)} <small>${formatCount(holdout.rows * (1 - baseline.accuracy))} wrong</small></dd></div>
${target}
${more}
<div><dt>Champion</dt><dd class="words">${champion.algorithm} <small>version ${champion.version}, attempt ${champion.attempt}</small></dd></div>
</dl></div>`;
}

/**
 * Says how the accuracy was judged, every doubt about it, and what is asked. `wayOf` shows how a remedy is taken.
 * `isAlarming`: rows or labels that came later speak against the model, so that nothing is promised.
 */
export function trustParts(
  facts: AnswerFacts,
  champion: AnswerChampion,
  wayOf: (doubt: DoubtRecord) => Content,
  isAlarming = false,
): Markup {
  const { verdict } = facts;
  const { confirmedPerformance: confirmed, calibration } = champion;
  const gap = calibrationGap(calibration);
  const question = timelyColumnsWords(facts, champion);
  const expected = isAlarming ? null : expectedOn(verdict);
  const onNew = expected === null ? "" : ` Expect this ${expected}.`;
  return html`<div class="trust-parts"><div>${
    confirmed === null
      ? html`<p class="medium">Not confirmed</p><p>The run ended before the champion was tested again on further splits of the rows. Expect somewhat less: the winner of many attempts is partly lucky.</p>`
      : html`<p class="medium">${formatPercent(confirmed.mean)} <span>${formatInterval(confirmed)}</span></p><p>is the accuracy of the same settings on ${confirmedWords(verdict.judgedBy)}.${onNew}</p>`
  }
${isAlarming || hasSeriousDoubt(verdict) ? null : besideGuessing(facts, champion)}
${gap === null ? null : html`<p>Stated confidence is off by ${points(gap.gap)} points on average${leaning(gap.lean)}.</p>`}</div>
<div>${doubtList(verdict, wayOf)}${question === null ? null : html`<p>${question}</p>`}</div></div>`;
}

/** By the accuracy; by another objective with the figures, of which the first part of the page has only one. */
function besideGuessing({ baseline, objective, guess }: AnswerFacts, champion: AnswerChampion): Markup | null {
  const { confirmedPerformance: confirmed, heldOutPerformance } = champion;
  if (objective === "accuracy") return betterThanGuessing(confirmed ?? heldOutPerformance, baseline);
  if (guess === null) return null;
  const always = html`always answering <em>${name(guess.label, 32)}</em>`;
  const { score, objectiveHeldOut, objectiveConfirmed } = champion;
  const estimate = objectiveConfirmed ?? objectiveHeldOut ?? null;
  const rows = (objectiveConfirmed ?? null) === null ? "the held-out rows" : "further re-splits";
  const measure = scoreWords(objective, estimate ?? score);
  const figures = `${measure} on ${rows}, against ${scoreFigure(objective, guess.score)}`;
  if ((estimate?.mean ?? score) <= guess.score) {
    return html`<p class="poor">Not better than ${always}: ${figures}. Do not rely on it.</p>`;
  }
  return (estimate?.low ?? score) > guess.score
    ? html`<p class="good">Better than ${always}: ${figures}.</p>`
    : html`<p class="poor">Not clearly better than ${always}: ${figures}. Do not rely on it yet.</p>`;
}

/** The measure that was optimised, and what decisions cost; null for accuracy. */
export function optimised(
  { objective, costs, classes }: AnswerFacts,
  { score, objectiveHeldOut }: AnswerChampion,
): Markup | null {
  if (objective === "accuracy") return null;
  const labels = classes.map(({ label }) => label);
  const note = costs === null ? null : html` <small>${costWords(labels, costs)}</small>`;
  const figure = scoreFigure(objective, objectiveHeldOut ?? score);
  return html`<div><dt>Optimised: ${MEASURE_NAMES[objective]}</dt><dd>${figure}${note}</dd></div>`;
}

function leaning(lean: number): string {
  if (Math.abs(lean) < 0.005) return ", to neither side";
  return lean > 0 ? ", mostly too sure" : ", mostly too cautious";
}

/** The accuracy on one axis: held-out rows and re-splits, beside the majority baseline and the target. */
export function comparison(
  { verdict: { judgedBy }, baseline, targetPerformance: target }: AnswerFacts,
  { heldOutPerformance: held, confirmedPerformance: confirmed }: AnswerChampion,
  widest = Number.POSITIVE_INFINITY,
): Markup {
  const [heldOut, again] = [heldOutWords(judgedBy), confirmedWords(judgedBy)];
  const scale: AccuracyScale = {
    title: "Accuracy beside the majority baseline",
    intervals: [
      { label: heldOut, look: "held", estimate: held },
      ...(confirmed === null ? [] : [{ label: again, look: "confirmed" as const, estimate: confirmed }]),
    ],
    rules: [majorityRule(baseline), ...targetRule("target", target)],
  };
  const rows: Content[][] = [
    [capitalised(heldOut), formatEstimate(held)],
    [`${capitalised(again)} (confirmed)`, formatEstimate(confirmed)],
    [html`Always answering ${name(baseline.label, 60)}`, formatPercent(baseline.accuracy)],
    ...(target === null ? [] : [["Target", formatPercent(target)]]),
  ];
  return figure(
    responsive((width) => accuracyScale(scale, Math.min(width, widest))),
    "Accuracy beside what guessing would reach. Whiskers are 95% intervals.",
    figureTable("Accuracy and what it is compared with", ["Figure", "Accuracy"], rows),
  );
}

/** The columns that the champion uses most. `restAt` says where the others are. */
export function evidence(
  champion: Pick<AnswerChampion, "importance" | "version">,
  { baseline, objective }: Pick<AnswerFacts, "baseline" | "objective">,
  restAt: Content,
): Markup {
  if (champion.importance.length === 0) {
    return html`<p>The importance of columns was not measured in this run.</p>`;
  }
  const rest = champion.importance.length - TOP_COLUMNS;
  const more = rest > 0 ? html` ${formatAmount(rest, "more column")} ${restAt}.` : null;
  const isFrequent = objective === "accuracy" && baseline.accuracy >= FREQUENT_SHARE;
  const isFlat = isFrequent && champion.importance[0]!.mean < LEAST_IMPORTANCE;
  const flat = isFlat
    ? " One label is so frequent that accuracy hardly moves: columns may matter more than this."
    : null;
  return html`${picture(importanceChart({ ...champion, objective }, TOP_COLUMNS, 296))}<p class="note">${lossWords(objective)}.${more}${flat}</p>`;
}
