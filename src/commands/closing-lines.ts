// The last lines that a run prints: its accuracy, its files, and the next command to type.
import { join } from "node:path";
import { plainName } from "../charts/markup.ts";
import { formatAmount, formatCount, formatDuration, formatEstimate, formatPercent } from "../format.ts";
import type { RunSummary, VersionSummary } from "../summary.ts";
import { FEWER_VERSIONS } from "../training/run-warnings.ts";
import { confirmedWords, type Doubt, heldOutAmount, quietWords, type Verdict } from "../verdict/verdict.ts";
import { costWords, scoreFigure, scoreWords } from "../words/objective-words.ts";

const LEFT_TO_THE_USER =
  "            --remove-leaks leaves that to you: it removes only what the refinement finds to give nearly the whole " +
  "label away.";

interface ToldRun {
  outFolder: string;
  hasHeader?: boolean;
  removeLeaks?: boolean;
}

export function closingLines(
  summary: RunSummary,
  { outFolder, hasHeader = true, removeLeaks = false }: ToldRun,
): string[] {
  const [champion] = summary.versions;
  if (champion === undefined) return [`${summary.status}: ${summary.statusReason}`];
  const { baseline, verdict } = summary;
  const lines = [
    `${summary.status}: ${summary.statusReason} (${formatDuration(summary.elapsedSeconds)})`,
    `Accuracy    ${formatEstimate(champion.heldOutPerformance)} on ` +
      `${heldOutAmount(verdict.judgedBy, summary.holdout.rows)}: ${formatCount(champion.falseDecisions)} wrong; ` +
      `always answering "${plainName(baseline.label, 60)}": ` +
      `${formatPercent(baseline.accuracy)}, ${formatCount(baseline.falseDecisions)} wrong`,
  ];
  const { confirmedPerformance: confirmed } = champion;
  lines.push(
    confirmed === null
      ? "Confirmed   no: the run ended before the champion was tested on further splits of the rows"
      : `Confirmed   ${formatEstimate(confirmed)} on ${confirmedWords(verdict.judgedBy)}`,
  );
  lines.push(...verdictLines(verdict, removeLeaks));
  lines.push(
    `By class    ${formatPercent(champion.balancedAccuracy)} balanced accuracy (mean recall of ` +
      `${recalledClasses(champion)}), ` +
      `${formatPercent(champion.macroAverages.f1Score)} mean F1`,
  );
  if (summary.objective !== "accuracy") {
    const { objective } = summary;
    const { score, objectiveHeldOut = score, objectiveConfirmed = null } = champion;
    const measure = scoreWords(objective, objectiveHeldOut);
    const again =
      objectiveConfirmed === null ? "" : `, ${scoreFigure(objective, objectiveConfirmed)} on further re-splits`;
    const { label, score: guessed } = summary.guess;
    const guess = `always answering "${plainName(label, 60)}": ${scoreFigure(objective, guessed)}`;
    lines.push(`Optimised   ${measure} (${guess})${again}: decisions and ranks of all versions serve it`);
    const labels = summary.classes.map(({ label }) => label);
    if (summary.costs !== null) lines.push(`Costs       ${costWords(labels, summary.costs)}`);
  }
  const cutCount = summary.attempts.filter(({ status }) => status === "stopped").length;
  if (cutCount > 0) lines.push(`Unfinished  ${formatAmount(cutCount, "attempt")}, with the reasons in summary.json`);
  if (summary.attemptsFailed > 0) {
    lines.push(`Failed      ${formatAmount(summary.attemptsFailed, "attempt")}, with the reasons in summary.json`);
  }
  for (const { version, algorithm, falseDecisions, file } of summary.versions) {
    lines.push(`v${version}          ${algorithm}, ${formatCount(falseDecisions)} wrong: ${join(outFolder, file)}`);
  }
  for (const message of messagesOf(summary, FEWER_VERSIONS)) lines.push(`Versions    ${message}`);
  for (const { rows, file } of summary.predictions) {
    lines.push(`Predicted   ${formatAmount(rows, "row")}: ${join(outFolder, file)}`);
  }
  lines.push(`Report      ${join(outFolder, "report.html")} (and summary.json)`);
  const { server } = summary;
  if (server !== undefined) lines.push(`Server      ${server.url} has it as model ${server.modelKey}`);
  const header = hasHeader ? "" : " --no-header";
  lines.push(`Next        cupel predict ${join(outFolder, champion.file)} NEW.csv${header} --out RESULT.csv`);
  return lines;
}

/** The classes whose recall is defined: those with held-out rows. */
function recalledClasses({ byClass }: Pick<VersionSummary, "byClass">): string {
  const count = byClass.filter(({ support }) => support > 0).length;
  if (count === byClass.length) return formatAmount(count, "class", "classes");
  return `the ${formatCount(count)} of ${formatAmount(byClass.length, "class", "classes")} with held-out rows`;
}

/** Each doubt with what to do about it on the next line, worst first; where there is none, what was looked at. */
function verdictLines(verdict: Verdict, removeLeaks: boolean): string[] {
  if (verdict.doubts.length === 0) return [`Verdict     ${quietWords(verdict)}`];
  return verdict.doubts.flatMap((doubt) => {
    const lines = doubtLines(doubt);
    return removeLeaks && doubt.code === "LEAK_SUSPECT" ? [...lines, LEFT_TO_THE_USER] : lines;
  });
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
