// From the model's probabilities to what is published: tempered ones, and the decision.
import { codeName } from "./cell-codes.ts";
import type { SqlDialect } from "./dialects.ts";
import { contextOf, fromScores, type Outputs } from "./member-scores.ts";
import { LEAST_LOG } from "./stack-scores.ts";
import type { Column, Stages } from "./stages.ts";

/** Tempers probabilities and decides, `decided` being the decided class: the first of equals before tempering, or by weighted ones after it. */
export function decided(
  names: readonly string[],
  temperature: number,
  classWeights: readonly number[] | undefined,
  dialect: SqlDialect,
): Outputs {
  const tempered = temperature === 1 ? { stages: [], names } : temperedStages(names, temperature, dialect);
  const judged: Outputs =
    classWeights === undefined ? { stages: [], names } : weighted(tempered, classWeights, dialect);
  const decision = judged.names.slice(0, -1).map((name, k) => `WHEN ${name} = decided_most THEN ${k}`);
  const stages: Stages = [
    ...(classWeights === undefined ? tempered.stages : judged.stages),
    [["decided_most", `GREATEST(${judged.names.join(", ")})`]],
    [["decided", `CASE ${decision.join(" ")} ELSE ${names.length - 1} END`]],
  ];
  return { stages, names: tempered.names };
}

function weighted({ stages, names }: Outputs, weights: readonly number[], dialect: SqlDialect): Outputs {
  const own = names.map((_, k) => `weighted_${k}`);
  const products = own.map((name, k): Column => [name, `${names[k]} * ${dialect.double(weights[k]!)}`]);
  return { stages: [...stages, products], names: own };
}

/** p^(1/T), made to sum to 1: by logarithms, since a power that rounds to 0 fails in PostgreSQL. */
function temperedStages(names: readonly string[], temperature: number, dialect: SqlDialect): Outputs {
  const logs = names.map(
    (name, k): Column => [
      `tempered_${k}`,
      `LN(GREATEST(${name}, ${dialect.double(LEAST_LOG)})) / ${dialect.double(temperature)}`,
    ],
  );
  const scores = { stages: [logs], names: logs.map(([name]) => name) };
  return fromScores(scores, 0, contextOf(dialect, "tempered_", codeName));
}
