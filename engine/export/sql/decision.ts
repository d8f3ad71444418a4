// From the model's probabilities to what is published: tempered ones, and the decision.
import type { CostMatrix } from "../../judging/costs.ts";
import type { ModelFile } from "../../model/model-file.ts";
import type { SqlDialect } from "./dialect.ts";
import { fromScores } from "./probabilities.ts";
import { LEAST_LOG } from "./stack-scores.ts";
import type { Column, Outputs, Stages } from "./stages.ts";

/**
 * Tempers probabilities and decides; `decided` is the decided class. The first of equals decides: before tempering, or
 * after it where class weights or costs say otherwise. Names and stages are those of the tempered probabilities.
 */
export function decisionOf(
  names: readonly string[],
  { temperature = 1, classWeights, costs }: Pick<ModelFile, "temperature" | "classWeights" | "costs">,
  dialect: SqlDialect,
): Outputs {
  const tempered = temperature === 1 ? { stages: [], names } : temperedStages(names, temperature, dialect);
  let weighedNames = names;
  let weighed: Column[] = [];
  if (classWeights !== undefined || costs !== undefined) {
    weighedNames = names.map((_, k) => `weighed_${k}`);
    weighed = weighedNames.map((name, k) => [name, weighedClass(tempered.names, k, classWeights, costs, dialect)]);
  }
  const decision = weighedNames.slice(0, -1).map((name, k) => `WHEN ${name} = decided_most THEN ${k}`);
  const stages: Stages = [
    ...tempered.stages,
    weighed,
    [["decided_most", dialect.greatest(...weighedNames)]],
    [["decided", `CASE ${decision.join(" ")} ELSE ${names.length - 1} END`]],
  ];
  return { stages, names: tempered.names };
}

/**
 * The value that class `k` is compared by: its weighted probability, or the negated expected cost of deciding for it.
 */
function weighedClass(
  names: readonly string[],
  k: number,
  classWeights: readonly number[] | undefined,
  costs: CostMatrix | undefined,
  dialect: SqlDialect,
): string {
  if (classWeights !== undefined) return `${names[k]} * ${dialect.double(classWeights[k]!)}`;
  const terms = names.map((name, actual) => `${name} * ${dialect.double(costs![actual]![k]!)}`);
  return `-(${terms.join(" + ")})`;
}

/** p^(1/T), scaled to sum to 1. By logarithms: PostgreSQL fails on a power that rounds to 0. */
function temperedStages(names: readonly string[], temperature: number, dialect: SqlDialect): Outputs {
  const logs = names.map(
    (name, k): Column => [
      `tempered_${k}`,
      `LN(${dialect.greatest(name, dialect.double(LEAST_LOG))}) / ${dialect.double(temperature)}`,
    ],
  );
  return fromScores({ stages: [logs], names: logs.map(([name]) => name) }, { dialect, prefix: "tempered_" });
}
