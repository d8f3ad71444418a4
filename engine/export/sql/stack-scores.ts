// A stack as stages: its members beside each other, each on its own merge of the codes, then the sums that weigh them.
import type { BaseModel } from "../../families/base-algorithms.ts";
import type { StackModel } from "../../families/stack-model.ts";
import { LEAST_SHARE } from "../../families/stacking.ts";
import { codeName } from "./cell-codes.ts";
import { baseBreaks, readersOf } from "./code-breaks.ts";
import type { SqlDialect } from "./dialect.ts";
import type { MemberContext } from "./member-context.ts";
import { memberProbabilities, tableScores } from "./member-scores.ts";
import { fromScores } from "./probabilities.ts";
import { alongside, type Column, type Outputs, type Stages } from "./stages.ts";
import { lookUp } from "./steps.ts";

/** Probabilities of 0 have no logarithm. */
export const LEAST_LOG = 1e-300;

/** A member that weighs something, and how it is written. */
interface WeighingMember extends Pick<MemberContext, "prefix" | "codeOf"> {
  index: number;
  weight: number;
  model: BaseModel;
}

/** In the order of the stack's members. */
export function weighingMembers({ members, weights }: StackModel): WeighingMember[] {
  return members.flatMap(({ merge, model }, index) =>
    weights[index] === 0
      ? []
      : [{ index, prefix: `m${index}_`, weight: weights[index]!, model, codeOf: codesIn(merge) }],
  );
}

/** The columns of codes in a merge, which `mergeColumns` makes; those of the model itself where there is none. */
function codesIn(merge: number | null): (feature: number) => string {
  return merge === null ? codeName : (feature) => `v${merge}_${feature}`;
}

/** The stack's probabilities by the codes of its merges. `isWalked`: whether the sums of trees are given. */
export function stackProbabilities(model: StackModel, isWalked: boolean, dialect: SqlDialect): Outputs {
  const { intercepts, mains, classCount } = model;
  const parts = weighingMembers(model).map(({ index, weight, prefix, codeOf, model: base }) => {
    const outputs = memberProbabilities(base, { dialect, prefix, codeOf, isWalked });
    return { index, weight, ...outputs };
  });
  const logs = parts.map(({ names, index, stages }): Stages => {
    const logs = names.map((name, k): Column => [`log${index}_${k}`, `LN(${name} + ${dialect.double(LEAST_SHARE)})`]);
    const sum = logs.map(([name]) => name).join(" + ");
    return [...stages, logs, [[`log${index}`, `(${sum}) / ${classCount}`]]];
  });
  const scores = Array.from(intercepts, (intercept, k): Column => {
    const terms = parts.map(({ weight, index }) => `${dialect.double(weight)} * (log${index}_${k} - log${index})`);
    return [`stacked_${k}`, [dialect.double(intercept), ...terms].join(" + ")];
  });
  const stacked = fromScores(
    { stages: [...alongside(logs), scores], names: scores.map(([name]) => name) },
    { dialect, prefix: "stacked_" },
  );
  if (mains === null) return stacked;
  const added = tableScores(mains.tables, { dialect, prefix: "mains_", codeOf: codesIn(mains.merge) });
  const sums = stacked.names.map((name, k): Column => {
    const log = `LN(${dialect.greatest(name, dialect.double(LEAST_LOG))})`;
    const output = added.names.length === 1 ? k - 1 : k;
    return [`all_${k}`, output < 0 ? log : `${log} + ${added.names[output]}`];
  });
  const stages = [...alongside([stacked.stages, added.stages]), sums];
  return fromScores({ stages, names: sums.map(([name]) => name) }, { dialect, prefix: "all_" });
}

/** The codes of the coarser views, as far as a member reads them. */
export function mergeColumns(model: StackModel, featureCount: number, dialect: SqlDialect): Column[] {
  const neededColumns = new Set(
    readersOf(model).flatMap(({ merge, model }) =>
      merge === null
        ? []
        : baseBreaks(model, featureCount).flatMap((breaks, feature) =>
            breaks === null ? [] : [`${merge} ${feature}`],
          ),
    ),
  );
  return model.merges.flatMap((features, merge) =>
    features.flatMap(({ codeOf }, feature): Column[] =>
      neededColumns.has(`${merge} ${feature}`)
        ? [[`v${merge}_${feature}`, lookUp(dialect, codeName(feature), codeOf, "whole")]]
        : [],
    ),
  );
}
