// Doubts about labels: too rare to be judged, never predicted, new, changing with time, or no better than guessed.

import type { Objective } from "../../engine/judging/objective.ts";
import type { ClassCount } from "../../engine/profile/profile.ts";
import { shellWord } from "../../engine/shell-word.ts";
import { sumOf } from "../../engine/sums.ts";
import type { Warning } from "../../engine/warning.ts";
import type { TableAnswer } from "../../workers/messages.ts";
import { capitalised, formatAmount, formatCount, formatPercent } from "../common/format.ts";
import { inQuotes } from "../common/markup.ts";
import { MEASURE_NAMES } from "../words/objective-words.ts";
import { caution, listQuoted, WEIGHTS, type Weighed, weigh } from "./weighed.ts";

/** Held-out rows of a class below which its recall is known to some eighteen points to each side. */
export const FEW_OF_CLASS = 30;
const LATE_LABEL = "LATE_LABEL";
const MISSING_AS_LABEL = "MISSING_AS_LABEL";
const WRITE_ALIKE = "First write labels that mean the same alike, and train again.";
/** Warnings about a file that are doubts of their own here. */
export const LABEL_WARNINGS: ReadonlySet<string> = new Set([LATE_LABEL, MISSING_AS_LABEL]);

/** By time, the label whose share of the newest rows is far above that of the older ones. */
export interface ChangedByTime {
  label: string;
  older: number;
  newest: number;
  /** The champion's on the newest rows; null where the objective is another one. */
  accuracy: number | null;
}

export interface LabelFacts {
  source: Pick<TableAnswer, "columns" | "judgedBy" | "warnings">;
  heldOutRowCount: number;
  /** The rarest label among them; null where only the accuracy counts, or before that is known. */
  rarest: { label: string; rowCount: number; objective: Objective } | null;
  /** Labels that held-out rows have and the champion decides for none; null before that is known. */
  neverPredicted: { classes: readonly ClassCount[]; objective: Objective } | null;
  /** Null where rows have no time, or the labels about the same shares, and before that is known. */
  changed: ChangedByTime | null;
  /** Warnings at the end of the run: guessing, and a target that is no target. */
  warnings: readonly Warning[];
  /**
   * The rarest label if only the probabilities of the champion tell rows apart, or held-out rows are too few to tell
   * (`untold`), see `hiddenSignal`; else null.
   */
  hidden: { label: string; untold: object | null } | null;
}

export function labelDoubts(facts: LabelFacts): Weighed[] {
  return [
    ...guesses(facts),
    ...changes(facts),
    ...fewOfClass(facts),
    ...neverPredicted(facts),
    ...lateLabels(facts),
    ...missingAsLabels(facts),
  ];
}

function guesses({ warnings, hidden, source }: LabelFacts): Weighed[] {
  return warnings.flatMap(({ code, message }) => {
    if (code === "NOT_BETTER_THAN_GUESSING") {
      const kept = hidden === null ? keepTime(source) : null;
      const remedy = `${guessRemedy(hidden)}${kept?.remedy ?? ""}`;
      const option =
        hidden === null
          ? (kept?.option ?? null)
          : `--optimise balanced-accuracy or --cost ${shellWord(hidden.label)}=N`;
      return [weigh(WEIGHTS[code], { code, level: "serious", message, remedy, option, columns: [] })];
    }
    if (code !== "TARGET_IS_GUESSING") return [];
    const remedy = "Ask for more than guessing reaches, or for no target.";
    return [caution(code, message, remedy)];
  });
}

/**
 * Where the column that rows are judged by as a time is not learned from: a rule that changes with time needs it, which
 * only a second run tells (D174). Null elsewhere.
 */
export function keepTime({ judgedBy, columns }: LabelFacts["source"]): { remedy: string; option: string } | null {
  const { time } = judgedBy;
  if (time === null || columns.some(({ name, used }) => name === time && used)) return null;
  const remedy = ` If what the label goes by changes with time, learn from ${inQuotes(time)} too and compare the figures.`;
  return { remedy, option: "--keep-key-columns" };
}

function guessRemedy(hidden: LabelFacts["hidden"]): string {
  if (hidden === null) return "Add columns that say something about the label, or rows.";
  const { label, untold } = hidden;
  const train = `train for the mean recall of the labels, or say what a missed ${inQuotes(label)} costs.`;
  if (untold === null) return capitalised(train);
  return `Add rows with the label ${inQuotes(label)}, or columns that tell it. Or try it: ${train}`;
}

/** By other measures than the accuracy, a rare class counts as much as a frequent one. */
function fewOfClass({ rarest, heldOutRowCount, source }: LabelFacts): Weighed[] {
  if (rarest === null || rarest.rowCount >= FEW_OF_CLASS) return [];
  const { label, rowCount, objective } = rarest;
  const message =
    `Only ${formatCount(rowCount)} of ${formatAmount(heldOutRowCount, "held-out row")} ` +
    `${rowCount === 1 ? "has" : "have"} the label ${inQuotes(label)}, and the ${MEASURE_NAMES[objective]} rests on them: ` +
    "it may be far off.";
  const remedy = hasAlikeLabels(source) ? WRITE_ALIKE : `Add rows with the label ${inQuotes(label)}.`;
  return [caution("FEW_ROWS_OF_CLASS", message, remedy)];
}

/** More rows, or another objective, do not tell labels apart that are spellings of one. */
function hasAlikeLabels({ warnings }: LabelFacts["source"]): boolean {
  return warnings.some(({ code }) => code === "ALIKE_LABELS");
}

/** The accuracy hardly moves where a rare label is never found. */
function neverPredicted({ neverPredicted: found, source }: LabelFacts): Weighed[] {
  if (found === null || found.classes.length === 0) return [];
  const { classes, objective } = found;
  const labels = listQuoted(classes.map(({ label }) => label));
  const [are, them] = classes.length === 1 ? ["is", "it"] : ["are", "them"];
  const rowCount = sumOf(classes.map(({ count }) => count));
  const message =
    `${labels} ${are} never predicted: ${formatAmount(rowCount, "held-out row")} ` +
    `${rowCount === 1 ? "has" : "have"} ${them}, and none was found.`;
  const more = `Add rows with ${classes.length === 1 ? "this label" : "these labels"}`;
  const isAlike = hasAlikeLabels(source);
  const byRecall = objective === "accuracy" && !isAlike;
  const remedy = isAlike ? WRITE_ALIKE : byRecall ? `${more}, or train for the mean recall of the labels.` : `${more}.`;
  const option = byRecall ? "--optimise balanced-accuracy" : null;
  const code = "CLASS_NEVER_PREDICTED";
  return [weigh(WEIGHTS[code], { code, level: "caution", message, remedy, option, columns: [] })];
}

function lateLabels({ source }: LabelFacts): Weighed[] {
  const remedy =
    "If it is the new name of another label, write both alike. Otherwise train again as rows with it come.";
  return source.warnings
    .filter(({ code }) => code === LATE_LABEL)
    .map(({ message }) => caution(LATE_LABEL, message, remedy));
}

function missingAsLabels({ source }: LabelFacts): Weighed[] {
  const remedy = "If so, train again without these rows before anything else: other doubts may be about them.";
  return source.warnings
    .filter(({ code }) => code === MISSING_AS_LABEL)
    .map(({ message }) => caution(MISSING_AS_LABEL, message, remedy));
}

/**
 * Guessing is held against by the most frequent label of the older rows: where another one is the most frequent of the
 * newest, a model may be better than that and yet be of no use. A label that begins late has its own doubt.
 */
function changes({ changed, source }: LabelFacts): Weighed[] {
  if (changed === null || source.warnings.some(({ code }) => code === LATE_LABEL)) return [];
  const { label, older, newest, accuracy } = changed;
  const isBeaten = accuracy !== null && accuracy <= newest;
  const code = "LABEL_SHARES_CHANGE";
  const message =
    `The labels' shares change with time: ${inQuotes(label)} are ${formatPercent(newest)} of the newest rows, ` +
    `${formatPercent(older)} of the older ones.` +
    (isBeaten
      ? ` Always answering it is no worse on the newest rows than the model, which is right in ${formatPercent(accuracy)}.`
      : "");
  const again = "Find out why, and train again as new labelled rows come.";
  const remedy =
    accuracy === null ? again : `${again} If the shares may change again, train for the mean recall of the labels.`;
  const option = accuracy === null ? null : "--optimise balanced-accuracy";
  const level = isBeaten ? "serious" : "caution";
  const weight = isBeaten ? Math.max(WEIGHTS[code], newest - accuracy) : WEIGHTS[code];
  return [weigh(weight, { code, level, message, remedy, option, columns: [] })];
}
