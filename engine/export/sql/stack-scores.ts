// A stack as stages: its members beside each other, each on its own merge of the codes, then the sums that weigh them.
import type { BaseModel } from "../../families/base-algorithms.ts";
import type { StackModel } from "../../stacking/stack-model.ts";
import { LEAST_SHARE } from "../../stacking/stacking.ts";
import { codeName } from "./cell-codes.ts";
import { baseBreaks } from "./code-breaks.ts";
import type { SqlDialect } from "./dialects.ts";
import { contextOf, fromScores, memberProbabilities, type Outputs, tableScores } from "./member-scores.ts";
import { alongside, type Column, type Stages } from "./stages.ts";
import { lookUp } from "./steps.ts";

/** Probabilities of 0 have no logarithm. */
export const LEAST_LOG = 1e-300;

export function stackProbabilities(model: StackModel, featureCount: number, dialect: SqlDialect): Outputs {
  const { members, weights, intercepts, mains, classCount } = model;
  const merged = (merge: number | null) => (feature: number) =>
    merge === null ? codeName(feature) : `v${merge}_${feature}`;
  const parts = members.flatMap(({ merge, model: base }, index) => {
    if (weights[index] === 0) return [];
    const context = contextOf(dialect, `m${index}_`, merged(merge));
    return [{ weight: weights[index]!, ...memberProbabilities(base, context), index }];
  });
  const logs = parts.map(({ names, index, stages }): Stages => {
    const own = names.map((name, k): Column => [`log${index}_${k}`, `LN(${name} + ${dialect.double(LEAST_SHARE)})`]);
    const sum = own.map(([name]) => name).join(" + ");
    return [...stages, own, [[`log${index}`, `(${sum}) / ${classCount}`]]];
  });
  const scores = Array.from(intercepts, (intercept, k): Column => {
    const terms = parts.map(({ weight, index }) => `${dialect.double(weight)} * (log${index}_${k} - log${index})`);
    return [`stacked_${k}`, [dialect.double(intercept), ...terms].join(" + ")];
  });
  const stacked = fromScores(
    {
      stages: [mergeColumns(model, featureCount, dialect), ...alongside(logs), scores],
      names: scores.map(([name]) => name),
    },
    0,
    contextOf(dialect, "stacked_", codeName),
  );
  if (mains === null) return stacked;
  const added = tableScores(mains.tables, contextOf(dialect, "mains_", merged(mains.merge)));
  const sums = stacked.names.map((name, k): Column => {
    const log = `LN(GREATEST(${name}, ${dialect.double(LEAST_LOG)}))`;
    const output = added.names.length === 1 ? k - 1 : k;
    return [`all_${k}`, output < 0 ? log : `${log} + ${added.names[output]}`];
  });
  const stages = [...alongside([stacked.stages, [[], ...added.stages]]), sums];
  return fromScores({ stages, names: sums.map(([name]) => name) }, 0, contextOf(dialect, "all_", codeName));
}

/** The codes of the coarser views, as far as a member reads them. */
function mergeColumns(
  { members, weights, merges, mains }: StackModel,
  featureCount: number,
  dialect: SqlDialect,
): Column[] {
  const readers: { merge: number | null; model: BaseModel }[] = members.filter((_, index) => weights[index] !== 0);
  if (mains !== null) readers.push({ merge: mains.merge, model: mains.tables });
  const read = new Set(
    readers.flatMap(({ merge, model }) =>
      merge === null
        ? []
        : baseBreaks(model, featureCount).flatMap((own, feature) => (own === null ? [] : [`${merge} ${feature}`])),
    ),
  );
  return merges.flatMap((features, merge) =>
    features.flatMap(({ codeOf }, feature): Column[] =>
      read.has(`${merge} ${feature}`)
        ? [[`v${merge}_${feature}`, lookUp(dialect, codeName(feature), codeOf, "whole")]]
        : [],
    ),
  );
}
