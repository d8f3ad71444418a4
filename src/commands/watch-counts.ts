// `cupel watch --counts`: what `cupel predict --watch` counted over time,
// beside the rows that the model was trained on.
import { dayOf } from "../../data/watch-counts.ts";
import { InputError } from "../../engine/input-error.ts";
import { readWatchedModel } from "../../engine/model/model-file.ts";
import { type Health, healthOf, MONTHLY_LEVEL, type StretchReport, worstState } from "../../engine/outcomes/health.ts";
import { judgedCount } from "../../engine/outcomes/outcomes.ts";
import { withParts } from "../../workers/reading/file-chunks.ts";
import { EXIT } from "../common/exit-codes.ts";
import { formatCount, formatFigure, formatPercent } from "../common/format.ts";
import { countedModel, readCountsFile } from "../watching/counts-file.ts";
import { EXPECTED_CONDITION, healthSentence, stretchWords } from "../words/health-words.ts";
import type { Console } from "./console.ts";
import { isWorse, outcomeLines, type ToldLabels, toldLabels } from "./told-labels.ts";
import { answerLines, columnLines } from "./watch.ts";

export interface WatchCountsOptions {
  modelPath: string;
  countsPath: string;
  json: boolean;
}

/** Stretches shown on the terminal, the newest. */
const MOST_SHOWN = 31;

/**
 * Exit code 5 where the newest stretch that was judged has shifted, or labels say that the version is worse than
 * promised. @throws InputError where a file cannot be used
 */
export function watchCounts(
  { modelPath, countsPath, json }: WatchCountsOptions,
  console: Console,
  now: Date = new Date(),
): number {
  const model = withParts(modelPath, readWatchedModel);
  const { days, outcomes } = readCountsFile(countsPath, countedModel(modelPath));
  const labelled = toldLabels(model, outcomes);
  if (days.length === 0) {
    throw new InputError("NO_COUNTS", `There are no counts in ${countsPath}. \`cupel predict --watch\` writes them.`);
  }
  const health = healthOf(model, days, dayOf(now));
  const newest = health.stretches.findLast(({ isShifted }) => isShifted !== null) ?? null;
  if (json)
    console.print(
      JSON.stringify({ ...healthJson(health, newest, labelled), outcomes: outcomes.length === 0 ? null : labelled }),
    );
  else {
    const lines = outcomes.length === 0 ? [] : ["", ...outcomeLines(labelled)];
    console.print(...healthLines(health, newest, labelled), ...lines);
  }
  return health.state === "SHIFTED" || isWorse(labelled) ? EXIT.shifted : EXIT.done;
}

type Labelled = Pick<ToldLabels, "verdict" | "counts" | "message">;

/** The state of rows and labels, and the sentence that says it. */
function toldHealth({ state: ofRows }: Health, newest: StretchReport | null, { verdict, counts, message }: Labelled) {
  const state = worstState(ofRows, verdict.state, judgedCount(counts));
  return { state, message: healthSentence(state, { state: ofRows, newest }, message) };
}

function healthJson(health: Health, newest: StretchReport | null, labelled: Labelled) {
  const { state, alarmShare, stretches } = health;
  return {
    shifted: state === "SHIFTED",
    ...toldHealth(health, newest, labelled),
    ...{ falseAlarmsPerMonth: MONTHLY_LEVEL, alarmShare },
    ...{ condition: EXPECTED_CONDITION, stretches },
  };
}

function healthLines(health: Health, newest: StretchReport | null, labelled: Labelled): string[] {
  const shown = health.stretches.slice(-MOST_SHOWN);
  return [
    toldHealth(health, newest, labelled).message,
    "",
    `${"days".padEnd(24)}       rows  index  confidence  expected  verdict`,
    ...shown.map(stretchLine),
    ...(newest === null ? [] : [...columnLines(newest), ...answerLines(newest)]),
  ];
}

function stretchLine(stretch: StretchReport): string {
  const { rowCount, columns, decisions, meanConfidence, expected = null } = stretch;
  const indices = [...(columns ?? []), ...(decisions === null ? [] : [decisions])].map(({ index }) => index);
  return [
    stretchWords(stretch).padEnd(24),
    formatCount(rowCount).padStart(9),
    (indices.length === 0 ? "–" : formatFigure(Math.max(...indices))).padStart(5),
    formatPercent(meanConfidence).padStart(10),
    (expected === null ? "–" : formatPercent(expected.mean)).padStart(8),
    stretchVerdict(stretch),
  ].join("  ");
}

function stretchVerdict({ isOver, isShifted }: StretchReport): string {
  if (!isOver) return "goes on";
  if (isShifted === null) return "not judged";
  return isShifted ? "shifted" : "as in training";
}
