// The names of objectives, how they are met in figures, and costs in words.
import { type CostMatrix, listCosts } from "../../engine/judging/costs.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import { formatEstimate, formatFigure, formatPercent } from "../common/format.ts";
import { labelInQuotes } from "../common/markup.ts";

export const MEASURE_NAMES: Readonly<Record<Objective, string>> = {
  accuracy: "accuracy",
  "balanced-accuracy": "balanced accuracy",
  f1: "mean F1",
  cost: "mean cost",
};

const MOST_COSTS = 6;

/** How an objective is met, a share or the mean cost of a decision: "81.2%", "0.53 [0.49, 0.57]". */
export function scoreFigure(objective: Objective, score: number | Estimate | null): string {
  if (score === null) return formatPercent(null);
  if (typeof score === "number") return objective === "cost" ? formatFigure(Math.abs(score)) : formatPercent(score);
  if (objective !== "cost") return formatEstimate(score);
  const [mean, most, least] = [score.mean, score.low, score.high].map((cost) => formatFigure(Math.abs(cost)));
  return `${mean} [${least}, ${most}]`;
}

/** The figure with its name: "81.2% balanced accuracy", "mean cost 0.53 [0.49, 0.57]". */
export function scoreWords(objective: Objective, score: number | Estimate): string {
  const [figure, name] = [scoreFigure(objective, score), MEASURE_NAMES[objective]];
  return objective === "cost" ? `${name} ${figure}` : `${figure} ${name}`;
}

/** Such as `"bad" predicted as "good" costs 5, any other wrong decision 1`. */
export function costWords(labels: readonly string[], costs: CostMatrix): string {
  const costSentences = costs.flatMap((row, actual) => {
    const wrong = row.filter((_, decided) => decided !== actual);
    const isAlike = wrong.length > 1 && wrong[0] !== 1 && wrong.every((cost) => cost === wrong[0]);
    return isAlike
      ? [{ actual, words: `${labelInQuotes(labels[actual]!)} predicted as anything else costs ${wrong[0]}` }]
      : [];
  });
  const isWhole = new Set(costSentences.map(({ actual }) => labels[actual]!));
  const pairs = listCosts(labels, costs).filter(({ actual }) => !isWhole.has(actual));
  const all = [
    ...costSentences.map(({ words }) => words),
    ...pairs.map(
      ({ actual, predicted, cost }) =>
        `${labelInQuotes(actual)} predicted as ${labelInQuotes(predicted!)} costs ${cost}`,
    ),
  ];
  const rest = all.length > MOST_COSTS ? `${all.length - MOST_COSTS} more differ` : "any other wrong decision 1";
  return [...all.slice(0, MOST_COSTS), rest].join(", ");
}
