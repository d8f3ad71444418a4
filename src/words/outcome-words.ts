// Labels that came later, in words: how decisions serve the objective, and whether a version is worse than promised.

import { quotedName } from "../../engine/csv/header.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import type { ChangedLabel } from "../../engine/outcomes/changed-label.ts";
import type { ChosenRows } from "../../engine/outcomes/chosen-rows.ts";
import type { PromiseState } from "../../engine/outcomes/worse-than-promised.ts";
import { formatAmount, formatCount, formatEstimate, formatFigure, formatPercent } from "../common/format.ts";
import { MEASURE_NAMES, scoreFigure, scoreWords } from "./objective-words.ts";

/** The condition of the verdict. */
export const PROMISE_CONDITION =
  "Rows are taken to be independent. Where they come in groups, a version is called worse too often without being so.";

/** Above this share of labels that the model does not know, the sentence says how many they are. */
const UNKNOWN_TOLD = 1 / 20;

/** A version, and the labels that came for it. */
interface ToldPromise {
  objective: Objective;
  verdict: {
    state: PromiseState;
    /** The figure that the version is held to, as `achieved` says it. */
    promised: number | null;
    /** The day of the labels that showed it. */
    since: string | null;
    /** Nothing is promised because another threshold than the trained one decided. */
    otherThreshold: boolean;
    /** Nothing is promised because labels came for rows that were chosen by their decisions. */
    chosen: ChosenRows | null;
  };
  /** How many labels came, and how many of these the model does not know. */
  rowCount: number;
  unknownLabels: number;
}

interface LabelledFigures {
  objective: Objective;
  rowCount: number;
  accuracy: Estimate;
  score: Estimate | null;
  confirmed: Estimate | null;
}

/** How many decisions were right, and how they serve another objective, beside what was confirmed. */
export function labelledFigures({ objective, rowCount, accuracy, score, confirmed }: LabelledFigures): string {
  const right = `${formatEstimate(accuracy)} of ${formatAmount(rowCount, "row")} with labels were right`;
  const figures = objective === "accuracy" || score === null ? right : `${right}: ${scoreWords(objective, score)}`;
  return confirmed === null ? figures : `${figures}; ${scoreFigure(objective, confirmed)} was confirmed in training`;
}

export function promiseSentence({ objective, verdict, rowCount, unknownLabels }: ToldPromise): string {
  if (unknownLabels <= UNKNOWN_TOLD * rowCount) return verdictSentence(objective, verdict);
  return (
    `${verdictSentence(objective, verdict)} The model does not know ${formatCount(unknownLabels)} of ` +
    `${formatAmount(rowCount, "label")}, whose decisions count as wrong: check how they are written.`
  );
}

/** "" where the labels have the shares of the training rows. */
export function changedLabelSentence(changed: ChangedLabel | null): string {
  if (changed === null) return "";
  const { label, trained, later } = changed;
  return (
    `The labels have other shares than in training: ${formatPercent(later)} of them are ${quotedName(label)}, in training ` +
    `${formatPercent(trained)}. Figures go by these shares: if they stay so, train again with such rows.`
  );
}

function verdictSentence(objective: Objective, verdict: ToldPromise["verdict"]): string {
  const { state, promised, since, otherThreshold, chosen } = verdict;
  if (chosen !== null) return chosenSentence(chosen);
  if (otherThreshold) {
    return (
      `The threshold was changed after the training, so no ${MEASURE_NAMES[objective]} was confirmed for these ` +
      "decisions, and the labels are held against nothing. Go back to the trained threshold, or train again with costs " +
      "of mistakes: then the mean cost is confirmed."
    );
  }
  if (state === "NO_PROMISE" || promised === null) {
    return `There is no confirmed ${MEASURE_NAMES[objective]} to hold the labels against.`;
  }
  const { promise, worse, more, muchMore } = wordsOf(objective, promised);
  if (state === "WORSE_THAN_PROMISED") {
    return (
      `Worse than promised since the labels of ${since}. The promise is ${promise}; ` +
      `${worse}, beyond chance however often one looks.`
    );
  }
  if (state === "TOO_FEW") {
    return `Too few labels so far. The promise is ${promise}; even ${muchMore} would hardly show yet.`;
  }
  return `As promised: ${promise}. The labels do not show ${more}.`;
}

function chosenSentence({ decision, labelled, all }: ChosenRows): string {
  return (
    `The labels came for chosen rows: ${formatPercent(labelled)} of the rows with labels are predicted ` +
    `${quotedName(decision)}, of all rows ${formatPercent(all)}. What is right among them says nothing about all rows, ` +
    "so the labels are held against nothing. Add the labels of all rows of a time, or of rows drawn at random."
  );
}

/** `promised`: as `achieved` says it. */
function wordsOf(objective: Objective, promised: number) {
  if (objective === "accuracy") {
    const promise = `at most ${formatPercent(1 - promised)} wrong decisions (the upper end of the confirmed interval)`;
    return { promise, worse: "more are wrong", more: "more", muchMore: "ten points more" };
  }
  if (objective === "cost") {
    const promise = `a mean cost of at most ${formatFigure(-promised)} (the upper end of the confirmed interval)`;
    return { promise, worse: "decisions cost more", more: "more", muchMore: "half as much again" };
  }
  const least = `at least ${formatPercent(promised)} ${MEASURE_NAMES[objective]}`;
  const promise = `${least} (the lower end of the confirmed interval)`;
  return { promise, worse: "decisions reach less", more: "less", muchMore: "ten points less" };
}
