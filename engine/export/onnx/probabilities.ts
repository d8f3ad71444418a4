// From scores to probabilities, tempered probabilities and the decided class, as ONNX nodes.
import type { ModelFile } from "../../model/model-file.ts";
import type { Graph } from "./graph.ts";

/**
 * Turns `rows × outputs` scores into probabilities: softmax, or with two
 * classes the logistic function of the one score.
 */
export function probabilitiesOf(graph: Graph, scores: string, classCount: number): string {
  if (classCount > 2) return softmax(graph, scores, 1);
  return logisticNode(graph, graph.node("Mul", [scores, graph.doubles([-1, 1], 2)]));
}

export function softmax(graph: Graph, scores: string, axis: number): string {
  return graph.node("Softmax", [scores], { axis });
}

/** 1 / (1 + exp(-z)); where the exponential is infinite, 0. */
export function logisticNode(graph: Graph, scores: string): string {
  const odds = graph.node("Exp", [graph.node("Neg", [scores])]);
  return graph.node("Reciprocal", [graph.node("Add", [odds, graph.doubles([1])])]);
}

/**
 * The tempered probabilities, and the class decided, the first of equals: by the model's own probabilities, or with
 * class weights or costs by what the tempered ones make of these.
 */
export function decisionNodes(
  graph: Graph,
  votes: string,
  file: ModelFile,
): { probabilities: string; decided: string } {
  const probabilities = tempered(graph, votes, file.temperature ?? 1);
  const decided = graph.node("ArgMax", [judged(graph, votes, probabilities, file)], { axis: 1, keepdims: 0 });
  return { probabilities, decided };
}

/** The values that classes are compared by; the largest decides. */
function judged(graph: Graph, votes: string, probabilities: string, { classWeights, costs }: ModelFile): string {
  if (classWeights !== undefined) {
    return graph.node("Mul", [probabilities, graph.doubles(classWeights, classWeights.length)]);
  }
  if (costs === undefined) return votes;
  const matrix = graph.doubles(costs.flat(), costs.length, costs.length);
  return graph.node("Neg", [graph.node("MatMul", [probabilities, matrix])]);
}

function tempered(graph: Graph, votes: string, temperature: number): string {
  if (temperature === 1) return votes;
  const most = graph.node("ReduceMax", [votes], { axes: Uint32Array.of(1), keepdims: 1 });
  const powers = graph.node("Pow", [graph.node("Div", [votes, most]), graph.doubles([1 / temperature])]);
  const sum = graph.node("ReduceSum", [powers, graph.ints([1], 1)], { keepdims: 1 });
  return graph.node("Div", [powers, sum]);
}
