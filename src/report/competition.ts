// The competition of a run: accuracy by attempt as a picture, and the leaderboard with every attempt's scores.
import type { AttemptRecord } from "../../data/database/records.ts";
import { FAMILY_NAMES } from "../../engine/fitting/family.ts";
import { competitionChart } from "../charts/competition-chart.ts";
import { familyIcon } from "../charts/family-marks.ts";
import { championOf } from "../charts/measures.ts";
import { disclosure, figure, figureOr, responsive, section, table, tip } from "../charts/pictures.ts";
import { formatAmount, formatCount, formatDuration, formatFigure, formatPercent } from "../common/format.ts";
import { type Content, html, type Markup, plainName } from "../common/markup.ts";
import type { RunSummary } from "../summary/summary.ts";
import { withReasons } from "../words/finalists.ts";
import { MEASURE_NAMES } from "../words/objective-words.ts";
import { settingsInWords } from "../words/settings-words.ts";

/** Rows of the leaderboard that are not folded away. */
const SHOWN = 10;

const MARKS_IN_WORDS =
  "An arrow marks an attempt below the scale, a cross one that failed. Point at a mark for its settings.";

/** Captions the picture of a competition, under way or over. */
export function competitionCaption(isOver: boolean): string {
  return isOver
    ? "Accuracy on the held-out rows. The line is the champion's. Outlined marks above it are no finalists: " +
        `only the held-out rows favour them, and choosing by these would be luck. ${MARKS_IN_WORDS}`
    : "Accuracy on the held-out rows. The line is the best so far; the champion is chosen at the end. " +
        `${MARKS_IN_WORDS}`;
}

export function competitionSection(summary: RunSummary): Markup {
  const ranked = withReasons(summary.attempts)
    .filter(({ role }) => role === "attempt")
    .sort(byRank);
  const libraries = summary.attempts.filter(({ role }) => role === "library baseline").sort(byRank);
  if (ranked.length === 0 && libraries.length === 0) {
    const none = html`<p class="missing">The run ended before an attempt was made.</p>`;
    return section("competition", "Competition", none);
  }
  const counts = [
    `${formatCount(summary.attemptsCompleted)} of ${formatAmount(summary.attemptsTotal, "attempt")} finished`,
    ...(summary.attemptsFailed > 0 ? [`${formatCount(summary.attemptsFailed)} failed`] : []),
  ];
  const folded = ranked.slice(SHOWN);
  return section(
    "competition",
    "Competition",
    html`<p class="lead">${counts.join(", ")}. The attempts with the best out-of-fold scores become finalists; the finalist with the ${summary.objective === "accuracy" ? "fewest wrong decisions" : `${summary.objective === "cost" ? "lowest" : "highest"} ${MEASURE_NAMES[summary.objective]}`} on the held-out rows is the champion.</p>
${competitionLegend(libraries.length > 0)}
${figure(
  responsive((width) => competitionChart({ ...summary, champion: championOf(summary)?.version ?? null }, width)),
  competitionCaption(true),
  null,
)}
<h3>Leaderboard</h3>
${leaderboard("Leaderboard", ranked.slice(0, SHOWN), libraries)}
${folded.length === 0 ? null : disclosure(formatAmount(folded.length, "more attempt"), leaderboard("Rest of the leaderboard", folded, []))}`,
  );
}

/** Fewest wrong decisions first, then the smaller log-loss; unfinished attempts last. */
function byRank(a: AttemptRecord, b: AttemptRecord): number {
  const last = Number.POSITIVE_INFINITY;
  const wrong = (a.falseDecisions ?? last) - (b.falseDecisions ?? last);
  return (
    (a.version ?? 9) - (b.version ?? 9) || wrong || (a.logLoss ?? last) - (b.logLoss ?? last) || a.attempt - b.attempt
  );
}

export function competitionLegend(withLibraries: boolean): Markup {
  return html`<ul class="legend">${FAMILY_NAMES.map((family) => html`<li>${familyIcon(family)} ${family}</li>`)}<li class="note">filled: finalist, outlined: not</li><li><svg class="icon" viewBox="0 0 18 14" width="18" height="14" aria-hidden="true"><circle class="ring" cx="9" cy="7" r="6"/></svg> kept version</li>${withLibraries ? html`<li class="note">pale: library baseline</li>` : null}</ul>`;
}

/** A table of attempts, best first, and of library baselines below them. */
export function leaderboard(
  caption: string,
  attempts: readonly AttemptRecord[],
  libraries: readonly AttemptRecord[],
): Markup {
  const head = html`<tr><th scope="col" class="num">#</th><th scope="col">Algorithm and settings</th><th scope="col" class="num">Wrong</th><th scope="col" class="num">${tip("Holdout", "Accuracy on the 20% kept aside")}</th><th scope="col" class="num">${tip("Out-of-fold", "Accuracy inside the 80%, each row scored by a model that had not seen it")}</th><th scope="col" class="num">${tip("Log-loss", "How far off the probabilities are on the holdout; 0 is perfect")}</th><th scope="col" class="num">Training</th><th scope="col" class="num">Time</th></tr>`;
  return table(caption, head, html`${attempts.map(row)}${libraryRows(libraries)}`, "leaderboard");
}

function row(attempt: AttemptRecord): Markup {
  const library = attempt.role === "library baseline";
  const why = attempt.note ?? (attempt.status === "finished" ? "not measured" : `the attempt ${attempt.status}`);
  const or = (figure: number | null, write: (figure: number) => string) => figureOr(plainName(why, 200), figure, write);
  return html`<tr${library ? html` class="dimmed"` : null}><td class="num">${library ? "" : String(attempt.attempt)}</td><th scope="row"><div class="attempt"><span>${familyIcon(attempt.family, attempt.finalist)} ${attempt.algorithm} <span class="unseen">(${attempt.family})</span>${badges(attempt)}</span><small>${plainName(settingsInWords(attempt.settings), 240)}${noteOf(attempt)}</small></div></th><td class="num">${or(attempt.falseDecisions, formatCount)}</td><td class="num">${or(attempt.accuracy, formatPercent)}</td><td class="num">${or(attempt.outOfFoldAccuracy, formatPercent)}</td><td class="num">${formatFigure(attempt.logLoss)}</td><td class="num">${or(attempt.trainingAccuracy, formatPercent)}</td><td class="num">${formatDuration(attempt.seconds)}</td></tr>\n`;
}

function noteOf({ note }: AttemptRecord): Content {
  return note === null ? null : html`<span class="attempt-note">${plainName(note, 240)}</span>`;
}

function badges(attempt: AttemptRecord): Content {
  if (attempt.version !== null) {
    return html` <span class="chip ${attempt.version === 1 ? "copper" : "pending"}">v${attempt.version}</span>`;
  }
  if (attempt.status === "failed") return html` <span class="chip failed">Failed</span>`;
  if (attempt.status === "stopped") return html` <span class="chip early">Stopped</span>`;
  return attempt.finalist ? html` <span class="chip pending">Finalist</span>` : null;
}

function libraryRows(libraries: readonly AttemptRecord[]): Content {
  if (libraries.length === 0) return null;
  return html`<tr class="apart"><th scope="rowgroup" colspan="8">Library baselines, for comparison; they cannot become versions</th></tr>${libraries.map(row)}`;
}
