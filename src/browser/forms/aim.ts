// The aim of decisions and the costs of wrong ones: as forms ask for them, requests send them and addresses hold them.
import { type Cost, LARGEST_COST } from "../../../engine/judging/costs.ts";
import { OBJECTIVES, type Objective } from "../../../engine/judging/objective.ts";
import { costOf, readCostText } from "../../words/cost-texts.ts";

export interface Aim {
  objective: Objective;
  /** Where the objective is "cost". */
  costs: readonly Cost[] | null;
}

export const FOR_ACCURACY: Aim = { objective: "accuracy", costs: null };

/** The fields of a request for a training; nothing for accuracy. */
export function requestOf({ objective, costs }: Aim) {
  if (objective === "accuracy") return {};
  if (costs === null) return { objective };
  const askedCosts = costs.map(({ actual, predicted, cost }) => ({
    actual,
    cost,
    ...(predicted !== null && { predicted }),
  }));
  return { objective, costs: askedCosts };
}

/** As fields of an address; nothing for accuracy. */
export function aimFields({ objective, costs }: Aim): Record<string, string | string[]> {
  if (objective === "accuracy") return {};
  return { objective, cost: (costs ?? []).map(costText) };
}

/**
 * A training's settings beside its columns, as address fields that start
 * another with them; none while they are not known.
 */
export function settingsFields(job: (Aim & { scalingFactor: number }) | null): Record<string, string | string[]> {
  // As text, since an address leaves out the number 0.
  return job === null ? {} : { ...aimFields(job), width: String(job.scalingFactor) };
}

/** Null where the address has none. */
export function aimIn(query: URLSearchParams, labels: readonly string[]): Aim | null {
  const objective = OBJECTIVES.find((known) => known === query.get("objective"));
  if (objective === undefined) return null;
  return { objective, costs: objective === "cost" ? readCosts(query.getAll("cost"), labels) : null };
}

/** As it is typed: `bad=5`, or `bad:good=5`. */
export function costText({ actual, predicted, cost }: Cost): string {
  return `${actual}${predicted === null ? "" : `:${predicted}`}=${cost}`;
}

/**
 * The costs of some lines; null where one of them is none. Labels are not checked: the server names the unknown ones.
 */
export function readCosts(lines: readonly string[], labels: readonly string[]): Cost[] | null {
  const texts = lines.filter((line) => line.trim() !== "").map((line) => readCostText(line.trim()));
  if (texts.length === 0 || texts.includes(null)) return null;
  try {
    return texts.map((text) => costOf(text!, labels));
  } catch {
    // Labels with colons, which could be read in several ways.
    return null;
  }
}

/** The cost of missing each label, from what was typed; null where a text is no cost. */
export function costsOfLabels(typed: ReadonlyMap<string, string>): Cost[] | null {
  const costs = [...typed].map(([actual, text]) => ({ actual, predicted: null, cost: Number(text) }));
  const isSound = ({ cost }: Cost) => cost >= 0 && cost <= LARGEST_COST;
  return costs.every(isSound) && [...typed.values()].every((text) => text.trim() !== "") ? costs : null;
}
