// Ensembles of Bayesian networks as ONNX nodes: the groups of a node's parents give its context, context and own group
// its term; terms are summed over the nodes of a member, members are pooled.
import { type BayesNetworks, parentGroups } from "../../bayes/bayes-networks.ts";
import { concatenate } from "../../concatenate.ts";
import { type CodesOf, groupCodes, inChunks, repeatForRows, selectColumns, sumOver } from "./codes.ts";
import type { Graph } from "./graph.ts";
import { logisticNode, probabilitiesOf, softmax } from "./probabilities.ts";

export function networks(graph: Graph, model: BayesNetworks, view: CodesOf): string {
  const { classCount, outputCount, pooling, memberStarts, columns } = model;
  const memberCount = memberStarts.length - 1;
  if (columns.features.length === 0)
    return probabilitiesOf(graph, repeatForRows(graph, view.codes, model.logPriors), classCount);
  const groups = groupCodes(graph, columns, view);
  const tables = {
    // One more context whose terms are 0, for places without a node.
    contexts: graph.ints([...model.contexts, model.terms.length], model.contexts.length + 1),
    terms: graph.floats(
      concatenate(Float32Array, [model.terms, new Float32Array(outputCount)]),
      model.terms.length + outputCount,
    ),
  };
  const mostNodes = memberStarts.reduce((most, start, at) => Math.max(most, start - (memberStarts[at - 1] ?? 0)), 1);
  const sum = inChunks(graph, memberCount, mostNodes * outputCount, (from, to) => {
    const scores = memberScores(graph, model, tables, groups, from, to);
    if (pooling === "geometric") return sumOver(graph, scores, 1);
    return sumOver(graph, outputCount === 1 ? logisticNode(graph, scores) : softmax(graph, scores, 2), 1);
  });
  const mean = graph.node("Div", [sum, graph.doubles([memberCount])]);
  if (pooling === "geometric") return probabilitiesOf(graph, mean, classCount);
  if (outputCount > 1) return mean;
  return graph.node("Concat", [graph.node("Sub", [graph.doubles([1]), mean]), mean], { axis: 1 });
}

/** `rows × members × outputs`. Every member gets as many places as the largest has nodes. */
function memberScores(
  graph: Graph,
  model: BayesNetworks,
  { contexts, terms }: { contexts: string; terms: string },
  groups: string,
  from: number,
  to: number,
): string {
  const { outputCount, logPriors, memberStarts } = model;
  const members = Array.from({ length: to - from }, (_, at) => [
    memberStarts[from + at]!,
    memberStarts[from + at + 1]!,
  ]);
  const width = Math.max(1, ...members.map(([start, end]) => end! - start!));
  const places = members.flatMap(([start, end]) =>
    Array.from({ length: width }, (_, at) => placeOf(model, start! + at < end! ? start! + at : null)),
  );
  const ofEach = (value: (place: Place) => number) => graph.ints(places.map(value), places.length);
  const groupsOf = (whose: "own" | "first" | "second") => {
    const columns = places.map((place) => place[whose].column);
    return graph.node("Mul", [selectColumns(graph, groups, columns), ofEach((place) => place[whose].factor)]);
  };
  const parents = graph.node("Add", [groupsOf("first"), groupsOf("second")]);
  const context = graph.node("Add", [parents, ofEach(({ start }) => start)]);
  const at = graph.node("Add", [graph.node("Gather", [contexts, context], { axis: 0 }), groupsOf("own")]);
  const outputs = graph.ints([...new Array(outputCount).keys()], outputCount);
  const wide = graph.node("Add", [graph.node("Unsqueeze", [at, graph.ints([2], 1)]), outputs]);
  const found = graph.toDouble(graph.node("Gather", [terms, wide], { axis: 0 }));
  const byMember = graph.reshape(found, [0, members.length, width, outputCount]);
  return graph.node("Add", [sumOver(graph, byMember, 2), graph.doubles(logPriors, outputCount)]);
}

/** The group that a row has in a column, times a factor. */
interface Group {
  column: number;
  factor: number;
}

/** The place of a node's terms: `contexts[start + first + second] + own`. */
interface Place {
  start: number;
  own: Group;
  first: Group;
  second: Group;
}

const NO_GROUP: Group = { column: 0, factor: 0 };

/** Null: a place without a node, whose terms are 0. A missing parent has one group. */
function placeOf({ columns, outputCount, ...model }: BayesNetworks, node: number | null): Place {
  const start = model.contexts.length;
  if (node === null) return { start, own: NO_GROUP, first: NO_GROUP, second: NO_GROUP };
  const noParent = columns.features.length;
  const [first, second] = [model.firstParents[node]!, model.secondParents[node]!];
  return {
    start: model.contextStarts[node]!,
    own: { column: model.nodeColumns[node]!, factor: outputCount },
    first: { column: first % noParent, factor: first === noParent ? 0 : parentGroups(columns, second) },
    second: { column: second % noParent, factor: second === noParent ? 0 : 1 },
  };
}
