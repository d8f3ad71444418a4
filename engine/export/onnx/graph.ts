// An ONNX graph under construction: inputs, constants and nodes by the names of their values, and the model file of it.
import { Message, rawBytes } from "./protobuf.ts";

/** Element types, by the numbers of onnx.proto. */
const TYPES = { float: 1, uint8: 2, int64: 7, string: 8, double: 11 } as const;
type ElementType = keyof typeof TYPES;
/** Kinds of attributes, by the numbers of onnx.proto. */
const KINDS = { int: 2, string: 3, tensor: 4, floats: 6, ints: 7, strings: 8 } as const;

/** Whole numbers stand for themselves; so do texts. `which` names one of `choices` for each entry. */
export type Attribute =
  | number
  | string
  | readonly string[]
  | Float32Array
  | Uint32Array
  | { choices: readonly string[]; which: Uint8Array }
  | { tensor: Float32Array | Uint8Array };

/** The set of operators for trees and categories. */
const ML_DOMAIN = "ai.onnx.ml";
/** The version of the standard operators. Runtimes since 2021 know it. */
const OPSET = 13;

/** Notes about the model, stored beside its graph. */
export interface ModelNotes {
  producer: string;
  version: number;
  description: string;
  properties: Readonly<Record<string, string>>;
}

export class Graph {
  /** Version of the operators for trees and categories. */
  readonly ml: 2 | 5;
  private readonly taken: Set<string>;
  private readonly inputs: Message[] = [];
  private readonly outputs: Message[] = [];
  private readonly constants: Message[] = [];
  private readonly nodes: Message[] = [];
  private lastNumber = 0;

  /** `names`: of all inputs and outputs; no other value takes them. */
  constructor(names: readonly string[], ml: 2 | 5) {
    this.taken = new Set(names);
    this.ml = ml;
  }

  /** An input of one column. */
  input(name: string, type: ElementType): void {
    this.inputs.push(valueInfo(name, type, ["rows", 1]));
  }

  output(name: string, type: ElementType, columnCount: number | null): void {
    this.outputs.push(valueInfo(name, type, columnCount === null ? ["rows"] : ["rows", columnCount]));
  }

  doubles(values: ArrayLike<number>, ...dims: readonly number[]): string {
    return this.constant("double", dims, (tensor) => tensor.bytes(9, rawBytes(Float64Array.from(values))));
  }

  floats(values: Float32Array, ...dims: readonly number[]): string {
    return this.constant("float", dims, (tensor) => tensor.bytes(9, rawBytes(values)));
  }

  /** Whole numbers from 0 to 2^32 - 1. */
  ints(values: ArrayLike<number>, ...dims: readonly number[]): string {
    const words = new Uint32Array(2 * values.length);
    for (let i = 0; i < values.length; i++) words[2 * i] = values[i]!;
    return this.constant("int64", dims, (tensor) => tensor.bytes(9, rawBytes(words)));
  }

  texts(values: readonly string[]): string {
    return this.constant("string", [values.length], (tensor) => {
      for (const value of values) tensor.text(6, value);
    });
  }

  /** The name of the node's value; `output`: where it is to have this one. */
  node(
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    output = "",
  ): string {
    return this.add(op, inputs, attributes, "", output);
  }

  /** As `node`, of the operators for trees and categories. */
  mlNode(op: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>>): string {
    return this.add(op, inputs, attributes, ML_DOMAIN, "");
  }

  toDouble(value: string): string {
    return this.node("Cast", [value], { to: TYPES.double });
  }

  toInt(value: string): string {
    return this.node("Cast", [value], { to: TYPES.int64 });
  }

  toFloat(value: string): string {
    return this.node("Cast", [value], { to: TYPES.float });
  }

  /** A dimension of 0 stays as it is. */
  reshape(value: string, dims: readonly number[]): string {
    return this.node("Reshape", [value, this.ints(dims, dims.length)]);
  }

  /** The model file. */
  finish({ producer, version, description, properties }: ModelNotes): Message {
    const graph = new Message();
    for (const node of this.nodes) graph.message(1, node);
    graph.text(2, "cupel");
    for (const constant of this.constants) graph.message(5, constant);
    for (const input of this.inputs) graph.message(11, input);
    for (const output of this.outputs) graph.message(12, output);
    // Tree operators of version 5 are younger than the oldest form of the file that can name them.
    const model = new Message().int(1, this.ml === 5 ? 10 : 7);
    model.text(2, "Cupel").text(3, producer).int(5, version).text(6, description).message(7, graph);
    model.message(8, new Message().text(1, "").int(2, OPSET));
    model.message(8, new Message().text(1, ML_DOMAIN).int(2, this.ml));
    for (const [key, value] of Object.entries(properties)) model.message(14, new Message().text(1, key).text(2, value));
    return model;
  }

  private add(
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>>,
    domain: string,
    output: string,
  ): string {
    const name = output === "" ? this.freshName() : output;
    const node = new Message();
    for (const input of inputs) node.text(1, input);
    node.text(2, name).text(3, name).text(4, op);
    for (const [key, value] of Object.entries(attributes)) node.message(5, attribute(key, value));
    if (domain !== "") node.text(7, domain);
    this.nodes.push(node);
    return name;
  }

  private constant(type: ElementType, dims: readonly number[], fill: (tensor: Message) => void): string {
    const name = this.freshName();
    const tensor = new Message().ints(1, dims).int(2, TYPES[type]).text(8, name);
    fill(tensor);
    this.constants.push(tensor);
    return name;
  }

  private freshName(): string {
    let name: string;
    do name = `v${++this.lastNumber}`;
    while (this.taken.has(name));
    return name;
  }
}

function valueInfo(name: string, type: ElementType, dims: readonly (string | number)[]): Message {
  const shape = new Message();
  for (const dim of dims) {
    shape.message(1, typeof dim === "string" ? new Message().text(2, dim) : new Message().int(1, dim));
  }
  const tensor = new Message().int(1, TYPES[type]).message(2, shape);
  return new Message().text(1, name).message(2, new Message().message(1, tensor));
}

function attribute(name: string, value: Attribute): Message {
  const message = new Message().text(1, name);
  if (typeof value === "number") return message.int(3, value).int(20, KINDS.int);
  if (typeof value === "string") return message.text(4, value).int(20, KINDS.string);
  if (value instanceof Float32Array) return message.floats(7, value).int(20, KINDS.floats);
  if (value instanceof Uint32Array) return message.ints(8, value).int(20, KINDS.ints);
  if ("tensor" in value) return message.message(5, tensorOf(value.tensor)).int(20, KINDS.tensor);
  if ("choices" in value) message.choices(9, value.choices, value.which);
  else for (const text of value) message.text(9, text);
  return message.int(20, KINDS.strings);
}

function tensorOf(values: Float32Array | Uint8Array): Message {
  const type = values instanceof Float32Array ? TYPES.float : TYPES.uint8;
  return new Message().ints(1, [values.length]).int(2, type).bytes(9, rawBytes(values));
}
