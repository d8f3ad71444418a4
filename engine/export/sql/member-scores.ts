// The probabilities of one base model as stages: leaves, tables and networks
// become CASE expressions and arrays, sums and softmax.

import { type BayesNetworks, parentGroups } from "../../bayes/bayes-networks.ts";
import { BOOSTED_TREES_KIND, type BoostedTrees } from "../../boosting/boosted-trees.ts";
import type { BaseModel } from "../../families/base-algorithms.ts";
import type { CoarseColumns } from "../../fitting/coarse-columns.ts";
import { jointCode, type PairedModel } from "../../fitting/pair-columns.ts";
import type { ScoreTables } from "../../fitting/score-tables.ts";
import type { TreeNodes } from "../../fitting/tree-nodes.ts";
import { FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../../table/buckets.ts";
import type { Forest } from "../../trees/forest.ts";
import { MISSING_RIGHT } from "../../trees/tree-walk.ts";
import { layerScores } from "./hidden-layer.ts";
import { type MemberContext, walkedSum } from "./member-context.ts";
import { fromScores } from "./probabilities.ts";
import { alongside, type Column, type Outputs, sums } from "./stages.ts";
import { lookUp } from "./steps.ts";

/** The class probabilities of a base model. */
export function memberProbabilities(model: BaseModel, context: MemberContext): Outputs {
  switch (model.kind) {
    case "forest":
      return forestShares(model, context);
    case BOOSTED_TREES_KIND:
      return fromScores(boostedScores(model, context), context);
    case "additive":
      return fromScores(tableScores(model, context), context);
    case "paired":
      return fromScores(pairedScores(model, context), context);
    case "networks":
      return networkProbabilities(model, context);
    case "hidden layer":
      return fromScores(layerScores(model, context), context);
    case "terms":
      throw new Error("a model of texts");
  }
}

/** `intercepts[k] + Σ tables[feature][code, k]`, one sum for each output. */
export function tableScores({ tables, intercepts, outputCount }: ScoreTables, context: MemberContext): Outputs {
  const { dialect, prefix, codeOf } = context;
  return sums(
    Array.from(intercepts, (intercept, k) => ({
      name: `${prefix}s${k}`,
      start: dialect.double(intercept),
      terms: tables.flatMap((table, feature) =>
        table === null ? [] : [lookUp(dialect, codeOf(feature), everyNth(table, outputCount, k), "double")],
      ),
    })),
  );
}

/** Nodes that the model's CASE expressions have: a forest's trees are written once for each class. */
export function caseNodes(model: BaseModel): number {
  if (model.kind === "forest") return model.children.length * model.classCount;
  return model.kind === BOOSTED_TREES_KIND ? model.children.length : 0;
}

function forestShares(forest: Forest, { dialect, prefix, codeOf, isWalked }: MemberContext): Outputs {
  const { classCount, roots, children, distributions } = forest;
  const classes = Array.from({ length: classCount }, (_, k) => k);
  const walkedSums = { stages: [], names: classes.map((k) => walkedSum(prefix, k)) };
  const { stages, names } = isWalked
    ? walkedSums
    : sums(
        classes.map((k) => ({
          name: `${prefix}s${k}`,
          start: dialect.double(0),
          terms: Array.from(roots, (root) =>
            treeSql(forest, root, codeOf, (leaf) => dialect.double(distributions[~children[leaf]! * classCount + k]!)),
          ),
        })),
      );
  const shares = classes.map((k) => `${prefix}p${k}`);
  const scale = dialect.double(1 / roots.length);
  return { stages: [...stages, shares.map((name, k): Column => [name, `${names[k]} * ${scale}`])], names: shares };
}

function boostedScores(model: BoostedTrees, { dialect, prefix, codeOf, isWalked }: MemberContext): Outputs {
  const { roots, outputCount, intercepts, values } = model;
  const trees = [...roots.entries()];
  return sums(
    Array.from(intercepts, (intercept, k) => ({
      name: `${prefix}s${k}`,
      start: dialect.double(intercept),
      terms: isWalked
        ? [walkedSum(prefix, k)]
        : trees
            .filter(([tree]) => tree % outputCount === k)
            .map(([, root]) => treeSql(model, root, codeOf, (leaf) => dialect.double(values[leaf]!))),
    })),
  );
}

/** The branches of a CASE, what stands behind its ELSE, and how many CASE stand in one another. */
interface Branches {
  whens: readonly string[];
  otherwise: string;
  depth: number;
}

/** A tree as a CASE, whose branches follow its longest way down, so that few stand in one another. */
function treeSql(
  trees: TreeNodes,
  root: number,
  codeOf: (feature: number) => string,
  leafSql: (leaf: number) => string,
): string {
  return caseOf(branchesOf(trees, root, codeOf, leafSql));
}

function caseOf({ whens, otherwise }: Branches): string {
  return whens.length === 0 ? otherwise : `CASE ${whens.join(" ")} ELSE ${otherwise} END`;
}

/** A row goes right if its code exceeds the threshold; codes below 2 go where the node's bit says. */
function branchesOf(
  trees: TreeNodes,
  node: number,
  codeOf: (feature: number) => string,
  leafSql: (leaf: number) => string,
): Branches {
  const child = trees.children[node]!;
  if (child < 0) return { whens: [], otherwise: leafSql(node), depth: 0 };
  const code = codeOf(trees.features[node]!);
  const threshold = trees.thresholds[node]! & ~MISSING_RIGHT;
  const goesRight = (trees.thresholds[node]! & MISSING_RIGHT) !== 0;
  const bound = Math.max(threshold, UNSEEN_CODE);
  const isRight = goesRight ? `${code} > ${bound} OR ${code} < ${FIRST_CODE}` : `${code} > ${bound}`;
  const isLeft = goesRight ? `${code} BETWEEN ${FIRST_CODE} AND ${bound}` : `${code} <= ${bound}`;
  const left = branchesOf(trees, child, codeOf, leafSql);
  const right = branchesOf(trees, child + 1, codeOf, leafSql);
  const [condition, inner, outer] = left.depth < right.depth ? [isLeft, left, right] : [isRight, right, left];
  return {
    whens: [`WHEN ${condition} THEN ${caseOf(inner)}`, ...outer.whens],
    otherwise: outer.otherwise,
    depth: Math.max(inner.depth + 1, outer.depth),
  };
}

function pairedScores({ pairs, additive }: PairedModel, context: MemberContext): Outputs {
  const { dialect, prefix, codeOf } = context;
  const { columns, firsts, seconds } = pairs;
  const featureCount = additive.tables.length - firsts.length;
  const joint = (pair: number) => `${prefix}j${pair}`;
  const group = (column: number) => `${prefix}g${column}`;
  const codes = Array.from(firsts, (first, pair): Column => {
    const second = seconds[pair]!;
    const secondCount = columns.groupCounts[second]!;
    // Groups in the order of their rank: missing, then the real ones.
    const groups = Array.from({ length: columns.groupCounts[first]! }, (_, group) => group);
    const starts = groups.map((group) => jointCode(group, MISSING_CODE, secondCount));
    const rank = `CASE WHEN ${group(second)} = ${MISSING_CODE} THEN 0 ELSE ${group(second)} - 1 END`;
    const isUnseen = `${group(first)} = ${UNSEEN_CODE} OR ${group(second)} = ${UNSEEN_CODE}`;
    const code = `${lookUp(dialect, group(first), starts, "whole")} + ${rank}`;
    return [joint(pair), `CASE WHEN ${isUnseen} THEN ${UNSEEN_CODE} ELSE ${code} END`];
  });
  const { stages, names } = tableScores(additive, {
    ...context,
    codeOf: (feature) => (feature < featureCount ? codeOf(feature) : joint(feature - featureCount)),
  });
  return { stages: [groupColumns(columns, group, context), codes, ...stages], names };
}

/** The group of each column's code. */
function groupColumns(
  { features, starts, groupOfCode }: CoarseColumns,
  nameOf: (column: number) => string,
  { dialect, codeOf }: MemberContext,
): Column[] {
  return Array.from(features, (feature, column): Column => {
    const groups = groupOfCode.subarray(starts[column]!, starts[column + 1]!);
    return [nameOf(column), lookUp(dialect, codeOf(feature), groups, "whole")];
  });
}

function networkProbabilities(model: BayesNetworks, context: MemberContext): Outputs {
  const { dialect, prefix } = context;
  const { outputCount, columns, memberStarts, pooling } = model;
  const group = (column: number) => `${prefix}g${column}`;
  const cells = Array.from(model.nodeColumns, (column, node): Column => {
    const [first, second] = [model.firstParents[node]!, model.secondParents[node]!];
    // A parent that does not exist counts as one group, 0.
    const part = (parent: number) => (parent < columns.features.length ? group(parent) : "0");
    const place = `${part(first)} * ${parentGroups(columns, second)} + ${part(second)}`;
    return [`${prefix}n${node}`, `(${place}) * ${columns.groupCounts[column]!} + ${group(column)}`];
  });
  const outputs = Array.from({ length: outputCount }, (_, k) => k);
  const members = Array.from({ length: memberStarts.length - 1 }, (_, member) => {
    const nodes = Array.from(
      { length: memberStarts[member + 1]! - memberStarts[member]! },
      (_, at) => memberStarts[member]! + at,
    );
    const ofMember = { ...context, prefix: `${prefix}${member}_` };
    const scores = sums(
      outputs.map((k) => ({
        name: `${ofMember.prefix}s${k}`,
        start: dialect.double(model.logPriors[k]!),
        terms: nodes.map((node) => lookUp(dialect, `${prefix}n${node}`, termsOf(model, node, k), "double")),
      })),
    );
    if (pooling === "geometric") return scores;
    const { stages, names } = fromScores(scores, ofMember);
    return { stages, names: outputCount === 1 ? [names[1]!] : names };
  });
  const pooled = sums(
    outputs.map((k) => ({
      name: `${prefix}q${k}`,
      start: dialect.double(0),
      terms: members.map(({ names }) => names[k]!),
    })),
  );
  const means = outputs.map((k) => `${prefix}a${k}`);
  const mean = means.map((name, k): Column => [name, `${pooled.names[k]} / ${members.length}`]);
  const stages = [
    groupColumns(columns, group, context),
    cells,
    ...alongside(members.map((member) => member.stages)),
    ...pooled.stages,
    mean,
  ];
  if (pooling === "geometric") return fromScores({ stages, names: means }, context);
  if (outputCount > 1) return { stages, names: means };
  const rest = `${prefix}rest`;
  return { stages: [...stages, [[rest, `1 - ${means[0]}`]]], names: [rest, means[0]!] };
}

/** The terms of a node for one output, by `context * groups + group`. */
function termsOf(
  { columns, contextStarts, contexts, nodeColumns, terms, outputCount }: BayesNetworks,
  node: number,
  k: number,
): number[] {
  const groups = columns.groupCounts[nodeColumns[node]!]!;
  return Array.from(contexts.subarray(contextStarts[node]!, contextStarts[node + 1]!)).flatMap((start) =>
    Array.from({ length: groups }, (_, group) => terms[start + group * outputCount + k]!),
  );
}

function everyNth(values: Float64Array, step: number, from: number): Float64Array {
  return Float64Array.from({ length: values.length / step }, (_, at) => values[at * step + from]!);
}
