// The comparison of a champion with its challenger, in sentences.

import { type Cost, type CostMatrix, costMatrix } from "../../engine/judging/costs.ts";
import { achieved, type Objective } from "../../engine/judging/objective.ts";
import {
  type ChosenThreshold,
  judgePaired,
  type PairedDecisions,
  type PairedVerdict,
} from "../../engine/successor/paired-decisions.ts";
import { sumOf } from "../../engine/sums.ts";
import {
  formatAmount,
  formatCount,
  formatEstimate,
  formatFigure,
  formatList,
  formatPercent,
} from "../common/format.ts";
import { MEASURE_NAMES, scoreFigure } from "../words/objective-words.ts";
import { signedPoints } from "./comparison.ts";

interface SuccessionAim {
  objective: Objective;
  /** Null for other objectives than "cost". */
  costs: readonly Cost[] | null;
  /** Whether rows of one group, or of one stretch of time, are wrong together. */
  isDependent: boolean;
}

/** By the objective of the champion's training, or by the costs that its chosen threshold stands for. */
export function judgeSuccession(
  decisions: PairedDecisions,
  { objective, costs }: Pick<SuccessionAim, "objective" | "costs">,
): PairedVerdict {
  const { chosenThreshold } = decisions;
  if (chosenThreshold === undefined) return judgePaired(decisions, { objective, costs: matrixOf(decisions, costs) });
  return judgePaired(decisions, { objective: "cost", costs: matrixOf(decisions, costsOf(decisions, chosenThreshold)) });
}

/**
 * A row is decided for the label at threshold t where that costs less, so a missed one costs (1 - t) / t times a false
 * one. The cheaper mistake costs 1.
 */
function costsOf({ labels }: PairedDecisions, { positiveLabel, threshold }: ChosenThreshold): Cost[] {
  const positive = positiveLabel.trim();
  const negative = labels.find((label) => label !== positive)!;
  const [missed, false_] = weightsAt(threshold);
  return [
    { actual: positive, predicted: negative, cost: missed },
    { actual: negative, predicted: positive, cost: false_ },
  ];
}

/** The costs of a missed and of a false one. At 0 and 1 only one of them counts. */
function weightsAt(threshold: number): [missed: number, false_: number] {
  const least = Math.min(threshold, 1 - threshold) || 1;
  return [(1 - threshold) / least, threshold / least];
}

function byThreshold({ positiveLabel, threshold }: ChosenThreshold): string {
  const [missed, false_] = weightsAt(threshold);
  const label = `“${positiveLabel}”`;
  const [dear, cheap] = missed > false_ ? ["missed", "false"] : ["false", "missed"];
  const [most, least] = [Math.max(missed, false_), Math.min(missed, false_)];
  const weight =
    most === least
      ? "both mistakes count alike"
      : `a ${dear} ${label} counts ${least === 0 ? "alone" : `${Number(most.toPrecision(3))} times as much as a ${cheap} one`}`;
  return `Both decide for ${label} above ${formatPercent(threshold)}, as was chosen for the champion: ${weight}.`;
}

export function successionStatements(
  decisions: PairedDecisions,
  verdict: PairedVerdict,
  { objective, costs, isDependent }: SuccessionAim,
): string[] {
  const { championAlone, challengerAlone, seenRows = null } = decisions;
  const { rowCount, champion, challenger, byObjective } = verdict;
  const rows = formatAmount(rowCount, "newest labelled row");
  const statements = [
    `Both decided the same ${rows}, ${seenRows === 0 ? "which neither learned from" : "which were kept aside"}: ` +
      `the champion ${formatEstimate(champion)} right, the challenger ${formatEstimate(challenger)}.`,
    ...(decisions.chosenThreshold === undefined ? [] : [byThreshold(decisions.chosenThreshold)]),
    `The challenger alone decides ${formatCount(challengerAlone)} of them right, ` +
      `the champion alone ${formatCount(championAlone)}.`,
    ...(byObjective === null ? [byRightDecisions(verdict)] : byTheirObjective(decisions, verdict, byObjective)),
  ];
  if (seenRows !== null && seenRows > 0) {
    statements.push(
      `${formatCount(seenRows)} of them ${seenRows === 1 ? "stands" : "stand"} in the champion's dataset too, with the same label: they flatter a model ` +
        "that learned from them.",
    );
  }
  if (isDependent) {
    statements.push(
      "Rows of one group or time are wrong together, so the test finds differences more often than it says.",
    );
  }
  if (objective !== "accuracy" && byObjective === null) {
    const matrix = matrixOf(decisions, costs);
    const reached = (confusion: PairedDecisions["champion"]) => achieved(objective, confusion, matrix);
    statements.push(
      `${reachedBy({ objective, champion: reached(decisions.champion), challenger: reached(decisions.challenger) })} ` +
        "The test is about right decisions alone.",
    );
  }
  return statements;
}

/** For a challenger of a champion that is worse than promised. `trainRows`: the champion's, of all it learned from. */
export function olderRowsStatement(trainRows: number, learnedRows: number): string {
  return (
    `The champion is worse than promised, so its rows may say what no longer holds: ${formatCount(trainRows)} of the ` +
    `${formatAmount(trainRows + learnedRows, "row")} that the challenger learned from are of them. Train one more ` +
    "from the last of them, or from none (`oldRows`), and compare."
  );
}

function byRightDecisions({ difference: { mean, low, high }, outcome, pValue }: PairedVerdict): string {
  return (
    `Challenger less champion is ${signedPoints(mean)} points [${signedPoints(low)}, ${signedPoints(high)}]; ` +
    `${outcomeIn(outcome, "is right more often")} (p ${chance(pValue)}).`
  );
}

type ByObjective = NonNullable<PairedVerdict["byObjective"]>;

/** Costs are told as such, so what is gained is less of them. */
function byTheirObjective(
  { labels, champion }: PairedDecisions,
  { difference: { mean, low, high }, outcome, pValue }: PairedVerdict,
  byObjective: ByObjective,
): string[] {
  const isCost = byObjective.objective === "cost";
  const differenceWords = isCost
    ? `${signedFigure(-mean)} [${signedFigure(-high)}, ${signedFigure(-low)}]`
    : `${signedPoints(mean)} points [${signedPoints(low)}, ${signedPoints(high)}]`;
  const missing = isCost ? [] : labels.filter((_, code) => sumOf(champion[code]!) === 0).map((label) => `“${label}”`);
  const better = isCost ? "costs less" : `has the better ${MEASURE_NAMES[byObjective.objective]}`;
  return [
    `${reachedBy(byObjective)} The test goes by that.`,
    `Challenger less champion is ${differenceWords}; ${outcomeIn(outcome, better)} (p ${chance(pValue)}).`,
    ...(missing.length === 0
      ? []
      : [
          `No kept row is ${formatList(missing, 3)}, which counts as much as the others, so neither can be told better.`,
        ]),
  ];
}

function reachedBy({ objective, champion, challenger }: ByObjective): string {
  return (
    `Both aim at ${MEASURE_NAMES[objective]}: the champion reaches ${scoreFigure(objective, champion)} on these rows, ` +
    `the challenger ${scoreFigure(objective, challenger)}.`
  );
}

function signedFigure(value: number): string {
  const figure = formatFigure(Math.abs(value));
  return figure === formatFigure(0) ? figure : `${value < 0 ? "−" : "+"}${figure}`;
}

function matrixOf({ labels }: PairedDecisions, costs: readonly Cost[] | null): CostMatrix | null {
  return costs === null ? null : costMatrix(labels, costs.map(trimmed));
}

/** Decisions are counted by labels without the blanks around them. */
function trimmed({ actual, predicted, cost }: Cost): Cost {
  return { actual: actual.trim(), predicted: predicted?.trim() ?? null, cost };
}

function outcomeIn(outcome: PairedVerdict["outcome"], better: string): string {
  if (outcome === "WITHIN_CHANCE") return "that lies within chance";
  return `the ${outcome === "CHALLENGER_BETTER" ? "challenger" : "champion"} ${better}, beyond chance`;
}

function chance(pValue: number): string {
  return pValue < 0.001 ? "below 0.001" : formatFigure(pValue);
}
