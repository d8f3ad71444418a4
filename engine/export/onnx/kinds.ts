// Every kind of model as ONNX nodes: from the codes of a view to the probabilities of the classes, `rows × classes`.

import { BOOSTED_TREES_KIND, type BoostedTrees } from "../../boosting/boosted-trees.ts";
import type { Model } from "../../families/algorithms.ts";
import type { StackModel } from "../../families/stack-model.ts";
import { LEAST_SHARE } from "../../families/stacking.ts";
import { jointCode, type PairedModel } from "../../fitting/pair-columns.ts";
import type { ScoreTables } from "../../fitting/score-tables.ts";
import type { Forest } from "../../trees/forest.ts";
import { type CodesOf, gatherByColumn, groupCodes, inChunks, repeatForRows, selectColumns, sumOver } from "./codes.ts";
import type { Graph } from "./graph.ts";
import { hiddenLayer } from "./hidden-layer.ts";
import { networks } from "./networks.ts";
import { probabilitiesOf, softmax } from "./probabilities.ts";
import { leafNumbers, leavesOf } from "./trees.ts";

type Writer<M> = (graph: Graph, model: M, view: CodesOf) => string;

const KINDS: { [K in Model["kind"]]: Writer<Extract<Model, { kind: K }>> } = {
  additive: (graph, model, view) => probabilitiesOf(graph, tableScores(graph, model, view), model.classCount),
  paired: (graph, model, view) => probabilitiesOf(graph, pairedScores(graph, model, view), model.classCount),
  networks,
  "hidden layer": hiddenLayer,
  [BOOSTED_TREES_KIND]: boostedTrees,
  forest,
  stack,
  terms: () => {
    throw new Error("a model of terms without texts");
  },
};

/** @throws InputError where ONNX cannot hold the model */
export function modelProbabilities(graph: Graph, model: Model, view: CodesOf): string {
  const write = KINDS[model.kind] as Writer<Model>;
  return write(graph, model, view);
}

/** The mean of the shares of each tree's leaf. A leaf's number is that of its shares. */
function forest(graph: Graph, model: Forest, { codes }: CodesOf): string {
  const { classCount, children, distributions, roots } = model;
  const numbers = leafNumbers(graph, model, codes, (leaf) => ~children[leaf]!);
  const shares = graph.floats(distributions, distributions.length / classCount, classCount);
  const sum = inChunks(graph, roots.length, classCount, (from, to) => {
    const chosen = to - from === roots.length ? numbers : selectColumns(graph, numbers, range(from, to));
    return sumOver(graph, graph.toDouble(graph.node("Gather", [shares, chosen], { axis: 0 })), 1);
  });
  return graph.node("Mul", [sum, graph.doubles([1 / roots.length])]);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** Trees of one output after another, round by round. */
function boostedTrees(graph: Graph, model: BoostedTrees, { codes }: CodesOf): string {
  const { classCount, outputCount, intercepts, roots, values } = model;
  const start = repeatForRows(graph, codes, intercepts);
  if (roots.length === 0) return probabilitiesOf(graph, start, classCount);
  const leaves = leavesOf(model);
  const places = new Uint32Array(values.length);
  leaves.forEach((node, place) => {
    places[node] = place;
  });
  const numbers = leafNumbers(graph, model, codes, (leaf) => places[leaf]!);
  const table = graph.floats(
    Float32Array.from(leaves, (node) => values[node]!),
    leaves.length,
  );
  const added = graph.toDouble(graph.node("Gather", [table, numbers], { axis: 0 }));
  const rounds = graph.reshape(added, [0, roots.length / outputCount, outputCount]);
  return probabilitiesOf(graph, graph.node("Add", [start, sumOver(graph, rounds, 1)]), classCount);
}

/**
 * `rows × outputs`: intercepts, and an entry of each feature's table. Tables beyond the view's features are left out.
 */
function tableScores(graph: Graph, { intercepts, tables, outputCount }: ScoreTables, view: CodesOf): string {
  const start = repeatForRows(graph, view.codes, intercepts);
  const usedFeatures = view.codeCounts.flatMap((_, feature) => (tables[feature] == null ? [] : [feature]));
  if (usedFeatures.length === 0) return start;
  const codes =
    usedFeatures.length === view.codeCounts.length ? view.codes : selectColumns(graph, view.codes, usedFeatures);
  const entries = gatherByColumn(
    graph,
    codes,
    usedFeatures.map((feature) => view.codeCounts[feature]!),
    (count) =>
      graph.doubles(
        usedFeatures.flatMap((feature) => [...tables[feature]!]),
        count,
        outputCount,
      ),
  );
  return graph.node("Add", [start, sumOver(graph, entries, 1)]);
}

/** Like `tableScores`, plus the tables of pairs, which have an entry for each combination of two groups. */
function pairedScores(graph: Graph, { pairs, additive }: PairedModel, view: CodesOf): string {
  const { tables, outputCount } = additive;
  const { columns, firsts, seconds } = pairs;
  const scores = tableScores(graph, additive, view);
  const usedPairs = [...firsts.keys()].filter((pair) => tables[view.codeCounts.length + pair] != null);
  if (usedPairs.length === 0) return scores;
  const groups = groupCodes(graph, columns, view);
  const countOf = (column: number) => columns.groupCounts[column]!;
  const entries = usedPairs.flatMap((pair) => {
    const table = tables[view.codeCounts.length + pair]!;
    const [first, second] = [countOf(firsts[pair]!), countOf(seconds[pair]!)];
    return Array.from({ length: first * second }, (_, at) => {
      const code = jointCode(Math.floor(at / second), at % second, second);
      return [...table.subarray(code * outputCount, (code + 1) * outputCount)];
    }).flat();
  });
  const secondCounts = usedPairs.map((pair) => countOf(seconds[pair]!));
  const first = selectColumns(
    graph,
    groups,
    usedPairs.map((pair) => firsts[pair]!),
  );
  const second = selectColumns(
    graph,
    groups,
    usedPairs.map((pair) => seconds[pair]!),
  );
  const both = graph.node("Add", [graph.node("Mul", [first, graph.ints(secondCounts, usedPairs.length)]), second]);
  const lengths = usedPairs.map((pair, at) => countOf(firsts[pair]!) * secondCounts[at]!);
  const joint = gatherByColumn(graph, both, lengths, (count) => graph.doubles(entries, count, outputCount));
  return graph.node("Add", [scores, sumOver(graph, joint, 1)]);
}

/**
 * Each member's ln(p + 0.002) less its mean over the classes, by weight; the
 * tables on top are added to the log of the answer.
 */
function stack(graph: Graph, model: StackModel, fine: CodesOf): string {
  const { classCount, members, merges, weights, intercepts, mains } = model;
  const views = merges.map((ofMember): CodesOf => {
    const codeOf = ofMember.flatMap((merge) => [...merge.codeOf]);
    const codes = gatherByColumn(graph, fine.codes, fine.codeCounts, (count) => graph.ints(codeOf, count));
    return { codes, codeCounts: ofMember.map(({ codeCount }) => codeCount) };
  });
  const viewOf = (merge: number | null) => (merge === null ? fine : views[merge]!);
  let scores = repeatForRows(graph, fine.codes, intercepts);
  members.forEach(({ merge, model: member }, index) => {
    if (weights[index] === 0) return;
    const shares = modelProbabilities(graph, member, viewOf(merge));
    const logs = graph.node("Log", [graph.node("Add", [shares, graph.doubles([LEAST_SHARE])])]);
    const mean = graph.node("ReduceMean", [logs], { axes: Uint32Array.of(1), keepdims: 1 });
    const centred = graph.node("Sub", [logs, mean]);
    scores = graph.node("Add", [scores, graph.node("Mul", [centred, graph.doubles([weights[index]!])])]);
  });
  const probabilities = softmax(graph, scores, 1);
  if (mains === null) return probabilities;
  const logs = graph.node("Log", [graph.node("Max", [probabilities, graph.doubles([Number.MIN_VALUE])])]);
  const added = tableScores(graph, mains.tables, viewOf(mains.merge));
  // With two classes the tables score only the second.
  const byClass = classCount === 2 ? graph.node("Mul", [added, graph.doubles([0, 1], 2)]) : added;
  return softmax(graph, graph.node("Add", [logs, byClass]), 1);
}
