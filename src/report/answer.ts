// The first section of the report: how good is it, can I trust it, what does it use, what do I do next.
import { importanceChart } from "../charts/importance.ts";
import { type Content, html, type Markup, name, plainName } from "../charts/markup.ts";
import { figure, figureTable, picture, responsive } from "../charts/pictures.ts";
import { points } from "../charts/scales.ts";
import { capitalised, formatAmount, formatCount, formatEstimate, formatInterval, formatPercent } from "../format.ts";
import { costWords, MEASURE_NAMES, scoreFigure, scoreWords } from "../objective-words.ts";
import type { RunSummary, VersionSummary } from "../summary.ts";
import { confirmedWords, expectedOn, hasSeriousDoubt, heldOutAmount, heldOutWords } from "../verdict/verdict.ts";
import { answerScale } from "./answer-scale.ts";
import { doubtList, verdictChip } from "./doubts.ts";
import { betterThanGuessing, calibrationGap, championOf } from "./measures.ts";
import { statusBanner, statusWord } from "./status.ts";

/** The command that scores another file with the champion. */
const PREDICT_COMMAND = ["cupel predict model.cupel NEW.csv", "--out RESULT.csv"] as const;

const LONGEST_OPTION = 190;

/** Columns shown here; all are under the versions. */
const TOP_COLUMNS = 5;

export function answerSection(summary: RunSummary): Markup {
  const champion = championOf(summary);
  const facts = [
    name(summary.file.name, 80),
    formatAmount(summary.rows - summary.rowsWithoutLabel, "labelled row"),
    formatAmount(summary.columnCount, "column"),
    formatAmount(summary.classes.length, "class", "classes"),
  ];
  return html`<section class="answer" aria-labelledby="answer">
<p class="eyebrow">${facts.map((fact) => html`<span>${fact}</span>`)}${statusWord(summary.status)}</p>
<h1 id="answer">Predicting <em>${name(summary.label, 60)}</em></h1>
${statusBanner(summary)}
${champion === null ? withoutModel(summary) : withModel(summary, champion)}
</section>
`;
}

function withModel(summary: RunSummary, champion: VersionSummary): Markup {
  return html`${headline(summary, champion)}
<section class="card trust"><h2>Can I trust it? ${verdictChip(summary.verdict)}</h2>${trust(summary, champion)}</section>
${comparison(summary, champion)}
<div class="cards pair">
<section class="card"><h2>What does it use?</h2>${evidence(champion)}</section>
<section class="card"><h2>What do I do next?</h2>${nextSteps(summary)}</section>
</div>`;
}

function withoutModel(summary: RunSummary): Markup {
  return html`<div class="cards"><section class="card"><h2>No model was kept</h2>
<p>No attempt led to a model. Always answering <em>${name(summary.baseline.label, 60)}</em> would be right for ${formatPercent(summary.baseline.accuracy)} of the held-out rows.</p></section>
<section class="card"><h2>What do I do next?</h2>${nextSteps(summary)}</section></div>`;
}

function headline(summary: RunSummary, champion: VersionSummary): Markup {
  const { baseline, holdout, targetPerformance, verdict } = summary;
  const always = html`<em>${name(baseline.label, 32)}</em>`;
  const target =
    targetPerformance === null
      ? null
      : html`<div><dt>Target ${champion.achievedPerformance >= targetPerformance ? "reached" : "missed"}</dt><dd>${formatPercent(targetPerformance)}</dd></div>`;
  return html`<div class="headline">
<div class="verdict"><p class="big"><strong>${formatPercent(champion.achievedPerformance)}</strong> <span>${formatInterval(champion.heldOutPerformance)}</span></p>
<p>of ${heldOutAmount(verdict.judgedBy, holdout.rows)}, kept aside from training, are predicted right.</p></div>
<dl class="figures">
<div><dt>Wrong decisions</dt><dd>${formatCount(champion.falseDecisions)} <small>of ${formatCount(holdout.rows)}</small></dd></div>
<div><dt>Always answering ${always}</dt><dd>${formatPercent(baseline.accuracy)} <small>${formatCount(baseline.falseDecisions)} wrong</small></dd></div>
${target}
${optimised(summary, champion)}
<div><dt>Champion</dt><dd class="words">${champion.algorithm} <small>version ${champion.version}, attempt ${champion.attempt}</small></dd></div>
</dl></div>`;
}

function comparison(summary: RunSummary, champion: VersionSummary): Markup {
  const { judgedBy } = summary.verdict;
  return figure(
    responsive((width) => answerScale({ ...summary, judgedBy }, champion, width)),
    "Accuracy beside what guessing would reach. Whiskers are 95% intervals.",
    figureTable("Accuracy and what it is compared with", ["Figure", "Accuracy"], scaleRows(summary, champion)),
  );
}

/** The measure that was optimised, if it is not accuracy. */
function optimised({ objective, costs, classes }: RunSummary, { score }: VersionSummary): Markup | null {
  if (objective === "accuracy") return null;
  const labels = classes.map(({ label }) => label);
  const note = costs === null ? null : html` <small>${costWords(labels, costs)}</small>`;
  return html`<div><dt>Optimised: ${MEASURE_NAMES[objective]}</dt><dd>${scoreFigure(objective, score)}${note}</dd></div>`;
}

function scaleRows(summary: RunSummary, champion: VersionSummary): Content[][] {
  const { judgedBy } = summary.verdict;
  const rows: Content[][] = [
    [capitalised(heldOutWords(judgedBy)), formatEstimate(champion.heldOutPerformance)],
    [`${capitalised(confirmedWords(judgedBy))} (confirmed)`, formatEstimate(champion.confirmedPerformance)],
    [html`Always answering ${name(summary.baseline.label, 60)}`, formatPercent(summary.baseline.accuracy)],
  ];
  if (summary.targetPerformance !== null) rows.push(["Target", formatPercent(summary.targetPerformance)]);
  return rows;
}

/** What the accuracy rests on, beside every doubt about it. */
function trust(summary: RunSummary, champion: VersionSummary): Markup {
  const { verdict, baseline, objective } = summary;
  const { confirmedPerformance: confirmed, heldOutPerformance, calibration } = champion;
  const gap = calibrationGap(calibration);
  const expected = expectedOn(verdict);
  const onNew = expected === null ? "" : ` Expect this ${expected}.`;
  return html`<div class="trust-parts"><div>${
    confirmed === null
      ? html`<p class="medium">Not confirmed</p><p>The run ended before the champion was tested again on further splits of the rows. Expect somewhat less: the winner of many attempts is partly lucky.</p>`
      : html`<p class="medium">${formatPercent(confirmed.mean)} <span>${formatInterval(confirmed)}</span></p><p>is the accuracy of the same settings on ${confirmedWords(verdict.judgedBy)}.${onNew}</p>`
  }
${hasSeriousDoubt(verdict) ? null : objective === "accuracy" ? betterThanGuessing(confirmed ?? heldOutPerformance, baseline) : betterByObjective(summary, champion)}
${gap === null ? null : html`<p>Stated confidence is off by ${points(gap.gap)} points on average${leaning(gap.lean)}.</p>`}</div>
<div>${doubtList(verdict, ({ option }) => (option === null ? null : commandOf(option)))}</div></div>`;
}

/** Beside the best label to answer always; without an interval, so that it says no more than the figures. */
function betterByObjective({ objective, guess }: RunSummary, { score }: VersionSummary): Markup {
  const isBetter = score > guess.score;
  const figures = `${scoreWords(objective, score)} on the held-out rows, against ${scoreFigure(objective, guess.score)}`;
  const always = html`always answering <em>${name(guess.label, 32)}</em>`;
  return isBetter
    ? html`<p class="good">Better than ${always}: ${figures}.</p>`
    : html`<p class="poor">Not better than ${always}: ${figures}. Do not rely on it.</p>`;
}

function commandOf(option: string): Markup {
  return html`<code class="command">${plainName(option, LONGEST_OPTION)}</code>`;
}

function leaning(lean: number): string {
  if (Math.abs(lean) < 0.005) return ", to neither side";
  return lean > 0 ? ", mostly too sure" : ", mostly too cautious";
}

function evidence(champion: VersionSummary): Markup {
  if (champion.importance.length === 0) {
    return html`<p>The importance of columns was not measured in this run.</p>`;
  }
  const rest = champion.importance.length - TOP_COLUMNS;
  const more = rest > 0 ? html` ${formatAmount(rest, "more column")} <a href="#versions">below</a>.` : null;
  return html`${picture(importanceChart(champion, TOP_COLUMNS, 296))}<p class="note">Points of accuracy lost when the column is shuffled.${more}</p>`;
}

function nextSteps(summary: RunSummary): Markup {
  const missed = summary.targetPerformance !== null && summary.status !== "COMPLETED";
  const warningCount = summary.warnings.length;
  const remedied = summary.verdict.doubts.some(({ level, option }) => level === "serious" && option !== null);
  const steps: (Markup | null)[] = [
    remedied ? html`<li>Settle the doubts: run it again with the options beside them.</li>` : null,
    summary.versions.length > 0
      ? html`<li>Score new rows:<code class="command">${PREDICT_COMMAND.map((part, i) => html`${i === 0 ? null : " "}<span>${part}</span>`)}</code></li>`
      : html`<li>Give the run more time, or correct what stopped it, then start it again.</li>`,
    summary.predictions.length > 0
      ? html`<li>See the <a href="#predictions">predictions already written</a>.</li>`
      : null,
    warningCount > 0
      ? html`<li>Read <a href="#warnings">${formatAmount(warningCount, "warning")}</a> about the data.</li>`
      : null,
    missed && summary.versions.length > 0
      ? html`<li>For a better model, give the run more time or a larger scaling factor, or add rows.</li>`
      : null,
  ];
  return html`<ol class="steps">${steps}</ol>`;
}
