// Who may become a version, and in which order: qualifying by out-of-fold log-loss, then fewest wrong decisions on the holdout.
import { algorithmName, familyOf, type ModelSettings } from "./families/model.ts";

/** Attempts that the holdout may choose among: a longer list wins by luck (D50). */
export const MAX_FINALISTS = 6;
/** Versions that a run keeps. */
export const MAX_VERSIONS = 3;

/** What ranking knows of an attempt. */
export interface Contender {
  attempt: number;
  settings: ModelSettings;
  outOfFoldLogLoss: number;
  /** On the holdout. */
  falseDecisions: number;
  logLoss: number;
  decisions: Uint8Array;
}

/** The cost of scoring a row, by algorithm: where all else is equal the cheaper model is better (D42). */
const COST_RANK = { "logistic regression": 0, "naive Bayes": 1, forest: 2 } as const;

/**
 * The finalists (D50): each family's best by out-of-fold log-loss, the best extra-trees, then the strongest others, six at
 * most. In the order of their out-of-fold score.
 */
export function chooseFinalists<C extends Contender>(contenders: readonly C[]): C[] {
  const byScore = [...contenders].sort((a, b) => a.outOfFoldLogLoss - b.outOfFoldLogLoss || a.attempt - b.attempt);
  const seats = new Set<C>();
  const seated = new Set<string>();
  for (const contender of byScore) {
    const family = familyOf(contender.settings);
    const isExtraTrees = algorithmName(contender.settings) === "extra-trees";
    if (!seated.has(family) || (isExtraTrees && !seated.has("extra-trees"))) seats.add(contender);
    seated.add(family);
    if (isExtraTrees) seated.add("extra-trees");
  }
  for (const contender of byScore) if (seats.size < MAX_FINALISTS) seats.add(contender);
  return byScore.filter((contender) => seats.has(contender));
}

/**
 * The versions, best first: finalists by fewest wrong decisions on the holdout; of equals, one that always answers the same
 * class comes last, then the lower log-loss, then the cheaper model (D42). Finalists that decide every row alike count once.
 */
export function rankVersions<C extends Contender>(finalists: readonly C[]): C[] {
  const ranked = [...finalists].sort(compareContenders);
  const distinct = ranked.filter(
    (contender, index) => !ranked.slice(0, index).some((better) => decidesAlike(better, contender)),
  );
  return distinct.slice(0, MAX_VERSIONS);
}

function compareContenders(a: Contender, b: Contender): number {
  return (
    a.falseDecisions - b.falseDecisions ||
    Number(alwaysAnswersAlike(a.decisions)) - Number(alwaysAnswersAlike(b.decisions)) ||
    a.logLoss - b.logLoss ||
    COST_RANK[a.settings.algorithm] - COST_RANK[b.settings.algorithm] ||
    a.attempt - b.attempt
  );
}

function alwaysAnswersAlike(decisions: Uint8Array): boolean {
  return decisions.every((decision) => decision === decisions[0]);
}

function decidesAlike(a: Contender, b: Contender): boolean {
  return a.falseDecisions === b.falseDecisions && a.decisions.every((decision, row) => decision === b.decisions[row]);
}
