// The comparison of a champion with its challenger, in sentences.

import type { PairedDecisions, PairedVerdict } from "../../engine/successor/paired-decisions.ts";
import { formatAmount, formatCount, formatEstimate, formatFigure } from "../format.ts";
import { signedPoints } from "./comparison.ts";

interface SuccessionAim {
  /** The aim that both are trained for; null for accuracy. */
  otherAim: string | null;
  /** Whether rows of one group, or of one stretch of time, are wrong together. */
  isDependent: boolean;
}

export function successionStatements(
  { championAlone, challengerAlone, seenRows = null }: PairedDecisions,
  verdict: PairedVerdict,
  { otherAim, isDependent }: SuccessionAim,
): string[] {
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
  if (otherAim !== null) {
    statements.push(`Both aim at ${otherAim}: how often each is right does not tell which serves that better.`);
  }
  return statements;
}

const OUTCOMES: Readonly<Record<PairedVerdict["outcome"], string>> = {
  CHALLENGER_BETTER: "the challenger is right more often, beyond chance",
  CHAMPION_BETTER: "the champion is right more often, beyond chance",
  WITHIN_CHANCE: "that lies within chance",
};

function chance(pValue: number): string {
  return pValue < 0.001 ? "below 0.001" : formatFigure(pValue);
}
