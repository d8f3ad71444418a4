// The codes of a model's features as ONNX nodes: whole numbers first, so that no comparison of a model is ever rounded.

import { numbersWrittenBy } from "../../columns/number-text.ts";
import { categoryAlias } from "../../columns/numbers.ts";
import { missingMarkerSet, missingTextsOf } from "../../columns/reading.ts";
import type { CoarseColumns } from "../../fitting/coarse-columns.ts";
import type { ModelFeature, ModelFile } from "../../model/model-file.ts";
import { FIRST_CODE, MISSING_CODE } from "../../table/buckets.ts";
import type { Graph } from "./graph.ts";
import { inputsOfFeatures, type ModelInput } from "./inputs.ts";

/** Doubles that one node computes for a row at most, so that ten thousand rows fit into memory. */
const MOST_VALUES = 4096;

/** A view in the graph. */
export interface CodesOf {
  /** The codes of its features, `rows × features`. */
  codes: string;
  codeCounts: readonly number[];
}

/** The codes of all features, `rows × features` in the order of the model's. */
export function codeInputs(graph: Graph, inputs: readonly ModelInput[], file: ModelFile): CodesOf {
  const inputsOf = inputsOfFeatures(inputs);
  const markers = missingMarkerSet(file.missingMarkers);
  const codes = file.features.map((feature) => {
    const sources = inputsOf(feature).map(({ name, column: { reading } }): FeatureSource => {
      const texts = missingTextsOf(reading, markers);
      return { name, texts, numbers: reading.kind === "number" ? numbersWrittenBy(texts, reading.form) : [] };
    });
    if (feature.kind === "score") throw new Error("a model of texts");
    if (feature.kind === "category") return codeCategory(graph, sources[0]!.name, feature, sources[0]!.texts);
    return codeNumber(graph, sources, feature);
  });
  return {
    codes: graph.node("Concat", codes, { axis: 1 }),
    codeCounts: file.features.map(({ codeCount }) => codeCount),
  };
}

/**
 * Looks each code of `rows × columns` up in the list of its column. `values` makes the lists, one after the other, with
 * `listLengths` entries each.
 */
export function gatherByColumn(
  graph: Graph,
  codes: string,
  listLengths: readonly number[],
  values: (count: number) => string,
): string {
  const starts = startsOf(listLengths);
  const places = graph.node("Add", [codes, graph.ints(starts.slice(0, -1), listLengths.length)]);
  return graph.node("Gather", [values(starts.at(-1)!), places], { axis: 0 });
}

/** Some of the columns, `rows × columns`. */
export function selectColumns(graph: Graph, table: string, columns: ArrayLike<number>): string {
  return graph.node("Gather", [table, graph.ints(columns, columns.length)], { axis: 1 });
}

/** The sum along an axis, which the result no longer has. */
export function sumOver(graph: Graph, values: string, axis: number): string {
  return graph.node("ReduceSum", [values, graph.ints([axis], 1)], { keepdims: 0 });
}

/** The groups of coarse columns, `rows × columns`. */
export function groupCodes(graph: Graph, columns: CoarseColumns, { codes, codeCounts }: CodesOf): string {
  const { features, groupOfCode } = columns;
  const ownCodes = selectColumns(graph, codes, features);
  const lengths = Array.from(features, (feature) => codeCounts[feature]!);
  return gatherByColumn(graph, ownCodes, lengths, (count) => graph.ints(groupOfCode, count));
}

/** The same doubles in each row, as many rows as `codes` has. */
export function repeatForRows(graph: Graph, codes: string, values: Float64Array): string {
  const first = graph.toDouble(selectColumns(graph, codes, [0]));
  const zeros = graph.node("Mul", [first, graph.doubles([0])]);
  return graph.node("Add", [zeros, graph.doubles(values, values.length)]);
}

/** The sum of what `make` gives for stretches of `count` items, each of which takes `valuesEach` doubles for a row. */
export function inChunks(
  graph: Graph,
  count: number,
  valuesEach: number,
  make: (from: number, to: number) => string,
): string {
  const size = Math.max(1, Math.floor(MOST_VALUES / valuesEach));
  let sum = make(0, Math.min(size, count));
  for (let from = size; from < count; from += size) {
    sum = graph.node("Add", [sum, make(from, Math.min(from + size, count))]);
  }
  return sum;
}

/** The start of each list, and the end of the last. */
function startsOf(lengths: readonly number[]): number[] {
  const starts = [0];
  for (const length of lengths) starts.push(starts.at(-1)! + length);
  return starts;
}

/** An input, with the texts and numbers that are missing in it. */
interface FeatureSource {
  name: string;
  texts: ReadonlySet<string>;
  numbers: readonly number[];
}

/**
 * 0 for what is missing or no finite number, else 2 plus the number of cut points below the value. `sources`: the
 * number, or the two whose difference is the value.
 */
function codeNumber(
  graph: Graph,
  sources: readonly FeatureSource[],
  { cutPoints }: Extract<ModelFeature, { kind: "number" }>,
): string {
  const names = sources.map(({ name }) => name);
  const value = names.length === 1 ? names[0]! : graph.node("Sub", names);
  let isPresent = graph.node("Less", [graph.node("Abs", [value]), graph.doubles([Number.POSITIVE_INFINITY])]);
  for (const { name, numbers } of sources) {
    for (const missing of numbers) {
      const isOther = graph.node("Not", [graph.node("Equal", [name, graph.doubles([missing])])]);
      isPresent = graph.node("And", [isPresent, isOther]);
    }
  }
  const isAbove = graph.node("Greater", [value, graph.doubles(cutPoints, cutPoints.length)]);
  const above = graph.node("ReduceSum", [graph.toInt(isAbove), graph.ints([1], 1)], { keepdims: 1 });
  const code = graph.node("Add", [above, graph.ints([FIRST_CODE])]);
  return graph.node("Mul", [code, graph.toInt(isPresent)]);
}

/** Texts are compared exactly. Whole numbers are also known with ".0", as tables of numbers with holes write them. */
function codeCategory(
  graph: Graph,
  input: string,
  { names, codes, codeOfOthers }: Extract<ModelFeature, { kind: "category" }>,
  missing: ReadonlySet<string>,
): string {
  const codeOf = new Map([...missing].map((text) => [text, MISSING_CODE]));
  const isAlias = categoryAlias(names);
  const codeAt = (index: number) => (codes[index]! >= FIRST_CODE ? codes[index]! : codeOfOthers);
  names.forEach((name, index) => {
    if (!codeOf.has(name)) codeOf.set(name, codeAt(index));
  });
  names.forEach((name, index) => {
    const alias = `${name}.0`;
    if (isAlias(alias) === name && !codeOf.has(alias)) codeOf.set(alias, codeAt(index));
  });
  return graph.mlNode("LabelEncoder", [input], {
    keys_strings: [...codeOf.keys()],
    values_int64s: Uint32Array.from(codeOf.values()),
    default_int64: codeOfOthers,
  });
}
