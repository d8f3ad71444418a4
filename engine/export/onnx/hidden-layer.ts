// A hidden layer as ONNX nodes. Each code has a value and an input, whose weights are a row of a table: the products
// are summed over the features, and tanh and a matrix product give the scores.
import type { HiddenLayer } from "../../logistic/hidden-layer.ts";
import { type CodesOf, gatherByColumn, inChunks, repeatForRows, selectColumns, sumOver } from "./codes.ts";
import type { Graph } from "./graph.ts";
import { probabilitiesOf } from "./probabilities.ts";

export function hiddenLayer(graph: Graph, model: HiddenLayer, view: CodesOf): string {
  const { classCount, outputCount, unitCount, outputWeights, intercepts } = model;
  const units = graph.node("Tanh", [unitSums(graph, model, view)]);
  const products = graph.node("MatMul", [units, graph.doubles(outputWeights, unitCount, outputCount)]);
  const scores = graph.node("Add", [products, graph.doubles(intercepts, outputCount)]);
  return probabilitiesOf(graph, scores, classCount);
}

/** The sums of the units, `rows × units`. Features none of whose codes has a value are left out. */
function unitSums(graph: Graph, model: HiddenLayer, view: CodesOf): string {
  const { unitCount, unitWeights, unitIntercepts, codeStarts, codeInputs, codeValues } = model;
  const start = repeatForRows(graph, view.codes, unitIntercepts);
  const ofFeature = (list: Uint32Array | Float64Array, feature: number): number[] => [
    ...list.subarray(codeStarts[feature]!, codeStarts[feature + 1]!),
  ];
  const used = [...view.codeCounts.keys()].filter((feature) => ofFeature(codeValues, feature).some((v) => v !== 0));
  if (used.length === 0) return start;
  const table = graph.floats(unitWeights, unitWeights.length / unitCount, unitCount);
  const sum = inChunks(graph, used.length, unitCount, (from, to) => {
    const features = used.slice(from, to);
    const codes = selectColumns(graph, view.codes, features);
    const lengths = features.map((feature) => view.codeCounts[feature]!);
    const inputs = gatherByColumn(graph, codes, lengths, (count) =>
      graph.ints(
        features.flatMap((feature) => ofFeature(codeInputs, feature)),
        count,
      ),
    );
    const values = gatherByColumn(graph, codes, lengths, (count) =>
      graph.doubles(
        features.flatMap((feature) => ofFeature(codeValues, feature)),
        count,
        1,
      ),
    );
    const weights = graph.toDouble(graph.node("Gather", [table, inputs], { axis: 0 }));
    return sumOver(graph, graph.node("Mul", [weights, values]), 1);
  });
  return graph.node("Add", [start, sum]);
}
