// The last lines that a run prints: its accuracy, its files, and the next command to type.
import { join } from "node:path";
import { formatAmount, formatCount, formatDuration, formatEstimate, formatPercent } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import type { RunSummary, VersionSummary } from "../summary/summary.ts";
import type { Doubt, Verdict } from "../summary/verdict.ts";
import { FEWER_VERSIONS } from "../training/run-warnings.ts";
import { costWords, scoreFigure, scoreWords } from "../words/objective-words.ts";
import { rareLabelWords } from "../words/rare-label.ts";
import { timelyColumnsWords } from "../words/timely-columns.ts";
import { confirmedWords, heldOutAmount, quietWords, unfinishedWords } from "../words/verdict-words.ts";

const LEFT_TO_THE_USER =
  "            --remove-leaks leaves that to you: it removes only what the refinement finds to give nearly the whole " +
  "label away.";

interface ClosingOptions {
  outFolder: string;
  hasHeader?: boolean;
  removeLeaks?: boolean;
}

export function closingLines(
  summary: RunSummary,
  { outFolder, hasHeader = true, removeLeaks = false }: ClosingOptions,
): string[] {
  const [champion] = summary.versions;
  const outcome = `${summary.status}: ${summary.statusReason}`;
  if (champion === undefined) return [outcome];
  const header = hasHeader ? "" : " --no-header";
  return [
    `${outcome} (${formatDuration(summary.elapsedSeconds)})`,
    ...accuracyLines(summary, champion),
    ...verdictLines(summary.verdict, removeLeaks),
    ...timelyColumnsLines(summary, champion),
    `By class    ${formatPercent(champion.balancedAccuracy)} balanced accuracy (mean recall of ` +
      `${recalledClasses(champion)}), ` +
      `${formatPercent(champion.macroAverages.f1Score)} mean F1`,
    ...rarestLines(summary, champion),
    ...objectiveLines(summary, champion),
    ...attemptLines(summary),
    ...fileLines(summary, outFolder),
    `Next        cupel predict ${join(outFolder, champion.file)} NEW.csv${header} --out RESULT.csv`,
  ];
}

function accuracyLines({ baseline, holdout, verdict }: RunSummary, champion: VersionSummary): string[] {
  const { confirmedPerformance: confirmed } = champion;
  return [
    `Accuracy    ${formatEstimate(champion.heldOutPerformance)} on ` +
      `${heldOutAmount(verdict.judgedBy, holdout.rows)}: ${formatCount(champion.falseDecisions)} wrong; ` +
      `always answering ${inQuotes(baseline.label)}: ` +
      `${formatPercent(baseline.accuracy)}, ${formatCount(baseline.falseDecisions)} wrong`,
    confirmed === null
      ? "Confirmed   no: the run ended before the champion was tested on further splits of the rows"
      : `Confirmed   ${formatEstimate(confirmed)} on ${confirmedWords(verdict.judgedBy)}`,
  ];
}

function timelyColumnsLines(summary: RunSummary, champion: VersionSummary): string[] {
  const words = timelyColumnsWords(summary, champion);
  return words === null ? [] : [`Question    ${words}`];
}

function rarestLines(summary: RunSummary, champion: VersionSummary): string[] {
  const words = rareLabelWords(summary, champion);
  return words === null ? [] : [`Rarest      ${words}`];
}

/** How the run's objective is met, where that is not accuracy. */
function objectiveLines({ objective, guess, classes, costs }: RunSummary, champion: VersionSummary): string[] {
  if (objective === "accuracy") return [];
  const { score, objectiveHeldOut = score, objectiveConfirmed = null } = champion;
  const again =
    objectiveConfirmed === null ? "" : `, ${scoreFigure(objective, objectiveConfirmed)} on further re-splits`;
  const guessed = `always answering ${inQuotes(guess.label)}: ${scoreFigure(objective, guess.score)}`;
  const labels = classes.map(({ label }) => label);
  return [
    `Optimised   ${scoreWords(objective, objectiveHeldOut)} (${guessed})${again}: decisions and ranks of all versions serve it`,
    ...(costs === null ? [] : [`Costs       ${costWords(labels, costs)}`]),
  ];
}

/** The attempts that made no finished model. */
function attemptLines({ attempts, attemptsFailed }: RunSummary): string[] {
  const line = (word: string, count: number) =>
    count === 0 ? [] : [`${word.padEnd(11)} ${formatAmount(count, "attempt")}, with the reasons in summary.json`];
  const cutCount = attempts.filter(({ status }) => status === "stopped").length;
  return [...line("Unfinished", cutCount), ...line("Failed", attemptsFailed)];
}

function fileLines(summary: RunSummary, outFolder: string): string[] {
  const { versions, predictions, server } = summary;
  return [
    ...versions.map(
      ({ version, algorithm, falseDecisions, file }) =>
        `v${version}          ${algorithm}, ${formatCount(falseDecisions)} wrong: ${join(outFolder, file)}`,
    ),
    ...messagesOf(summary, FEWER_VERSIONS).map((message) => `Versions    ${message}`),
    ...predictions.map(({ rows, file }) => `Predicted   ${formatAmount(rows, "row")}: ${join(outFolder, file)}`),
    `Report      ${join(outFolder, "report.html")} (and summary.json)`,
    ...(server === undefined ? [] : [`Server      ${server.url} has it as model ${server.modelKey}`]),
  ];
}

/** The classes whose recall is defined: those with held-out rows. */
function recalledClasses({ byClass }: Pick<VersionSummary, "byClass">): string {
  const count = byClass.filter(({ support }) => support > 0).length;
  if (count === byClass.length) return formatAmount(count, "class", "classes");
  return `the ${formatCount(count)} of ${formatAmount(byClass.length, "class", "classes")} with held-out rows`;
}

/**
 * Each doubt with what to do about it on the next line, worst first, and whether the look was finished; where there is
 * no doubt, what was looked at.
 */
function verdictLines(verdict: Verdict, removeLeaks: boolean): string[] {
  if (verdict.doubts.length === 0) return [`Verdict     ${quietWords(verdict)}`];
  const lines = verdict.doubts.flatMap((doubt) => {
    const lines = doubtLines(doubt);
    return removeLeaks && doubt.code === "LEAK_SUSPECT" ? [...lines, LEFT_TO_THE_USER] : lines;
  });
  const unfinished = unfinishedWords(verdict);
  return unfinished === null ? lines : [...lines, `Verdict     ${unfinished}`];
}

interface ToldDoubt extends Pick<Doubt, "message" | "remedy"> {
  option?: string | null;
}

export function doubtLines({ message, remedy, option = null }: ToldDoubt): string[] {
  const how = option === null ? remedy : `${remedy.replace(/\.$/, "")}: ${option}`;
  return [`Doubt       ${message}`, `            ${how}`];
}

function messagesOf({ warnings }: RunSummary, code: string): string[] {
  return warnings.filter((warning) => warning.code === code).map(({ message }) => message);
}
