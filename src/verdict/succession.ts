// The comparison of a champion with its challenger, in sentences.

import { type Cost, costMatrix } from "../../engine/judging/costs.ts";
import { achieved, type Objective } from "../../engine/judging/objective.ts";
import type { PairedDecisions, PairedVerdict } from "../../engine/successor/paired-decisions.ts";
import { formatAmount, formatCount, formatEstimate, formatFigure } from "../format.ts";
import { MEASURE_NAMES, scoreFigure } from "../words/objective-words.ts";
import { signedPoints } from "./comparison.ts";

interface SuccessionAim {
  objective: Objective;
  /** Those of the objective "cost". */
  costs: readonly Cost[] | null;
  /** Whether rows of one group, or of one stretch of time, are wrong together. */
  isDependent: boolean;
}

export function successionStatements(
  decisions: PairedDecisions,
  verdict: PairedVerdict,
  { objective, costs, isDependent }: SuccessionAim,
): string[] {
  const { championAlone, challengerAlone, seenRows = null } = decisions;
  const { rowCount, champion, challenger, difference, pValue, outcome } = verdict;
  const rows = formatAmount(rowCount, "newest labelled row");
  const statements = [
    `Both decided the same ${rows}, ${seenRows === 0 ? "which neither learned from" : "which were kept aside"}: ` +
      `the champion ${formatEstimate(champion)} right, the challenger ${formatEstimate(challenger)}.`,
    `The challenger alone decides ${formatCount(challengerAlone)} of them right, ` +
      `the champion alone ${formatCount(championAlone)}.`,
    `Challenger less champion is ${signedPoints(difference.mean)} points [${signedPoints(difference.low)}, ` +
      `${signedPoints(difference.high)}]; ${OUTCOMES[outcome]} (p ${chance(pValue)}).`,
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
  if (objective !== "accuracy") {
    const matrix = costs === null ? null : costMatrix(decisions.labels, costs.map(trimmed));
    const reached = (confusion: PairedDecisions["champion"]) =>
      scoreFigure(objective, achieved(objective, confusion, matrix));
    statements.push(
      `Both aim at ${MEASURE_NAMES[objective]}: the champion reaches ${reached(decisions.champion)} on these rows, the ` +
        `challenger ${reached(decisions.challenger)}. The test is about right decisions alone.`,
    );
  }
  return statements;
}

/** Decisions are counted by labels without the blanks around them. */
function trimmed({ actual, predicted, cost }: Cost): Cost {
  return { actual: actual.trim(), predicted: predicted?.trim() ?? null, cost };
}

const OUTCOMES: Readonly<Record<PairedVerdict["outcome"], string>> = {
  CHALLENGER_BETTER: "the challenger is right more often, beyond chance",
  CHAMPION_BETTER: "the champion is right more often, beyond chance",
  WITHIN_CHANCE: "that lies within chance",
};

function chance(pValue: number): string {
  return pValue < 0.001 ? "below 0.001" : formatFigure(pValue);
}
