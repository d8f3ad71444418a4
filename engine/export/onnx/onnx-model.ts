// A model as an ONNX file: raw values of its columns in, the decided label and the probabilities out.
import type { ModelFile } from "../../model/model-file.ts";
import { readsTexts, textNames } from "../text-refusals.ts";
import { codeInputs } from "./codes.ts";
import { Graph } from "./graph.ts";
import { type ModelInput, modelInputs, OUTPUTS } from "./inputs.ts";
import { modelProbabilities } from "./kinds.ts";
import { decisionNodes } from "./probabilities.ts";
import { tooLarge } from "./refusals.ts";

/** Parsers take messages of less than 2 GB, and need some multiple of it in memory. */
const MOST_BYTES = 1_500_000_000;

export interface OnnxOptions {
  /**
   * Version of the operators for trees: 2 is known to runtimes of 2021 and
   * later, 5 to those of 2025, and makes smaller files.
   */
  ml: 2 | 5;
  /** Hash of the model's file. */
  sha256: string;
}

/**
 * The pieces of the file, one after the other.
 *
 * @throws InputError TEXT_NOT_IN_ONNX, TOO_LARGE_FOR_ONNX
 */
export function onnxModel(file: ModelFile, { ml, sha256 }: OnnxOptions): readonly Uint8Array[] {
  if (file.texts !== undefined) throw readsTexts("onnx", textNames(file));
  const inputs = modelInputs(file);
  const graph = new Graph([...OUTPUTS, ...inputs.map(({ name }) => name)], ml);
  for (const { name, type } of inputs) graph.input(name, type);
  const votes = modelProbabilities(graph, file.model, codeInputs(graph, inputs, file));
  const { probabilities, decided } = decisionNodes(graph, votes, file);
  const [label, shares] = OUTPUTS;
  graph.node("Gather", [graph.texts(file.labels), decided], { axis: 0 }, label);
  graph.node("Identity", [probabilities], {}, shares);
  graph.output(label, "string", null);
  graph.output(shares, "double", file.labels.length);
  const { pieces, byteLength } = graph.finish(notesOf(file, inputs, sha256));
  if (byteLength > MOST_BYTES) throw tooLarge(`its file would have ${byteLength} bytes, and parsers take 2 GB at most`);
  return pieces;
}

function notesOf(file: ModelFile, inputs: readonly ModelInput[], sha256: string) {
  const { lineage, labels, missingMarkers } = file;
  return {
    producer: lineage.cupelVersion,
    version: lineage.version,
    description:
      "One input for each column, of a date one for each part; .seconds counts from 1970 without zones and fractions; " +
      "NaN is a missing number, an empty text a missing category. Categories are compared exactly. " +
      "The metadata say how the training file wrote its cells.",
    properties: {
      "cupel.labels": JSON.stringify(labels),
      "cupel.inputs": JSON.stringify(inputs.map(inputNote)),
      "cupel.missing_markers": JSON.stringify(missingMarkers),
      "cupel.model_sha256": sha256,
    },
  };
}

function inputNote({ name, type, column, part }: ModelInput) {
  const kind = type === "string" ? "category" : "number";
  return { name, column: column.name, kind, ...(part === null ? {} : { part }), reading: column.reading };
}
