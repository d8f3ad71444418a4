// A TypeBox schema in OpenAPI 3.1: JSON Schema, with choices as `enum` and null as a type.
import { Kind, OptionalKind, type TProperties, type TSchema } from "@sinclair/typebox";
import { capitalised } from "../format.ts";

export type OpenApiSchema = Record<string, unknown>;

/** A field with a `default` may be left out of a request, but not of an answer. */
export type Direction = "request" | "answer";

export function inOpenApi(schema: TSchema, direction: Direction): OpenApiSchema {
  const { properties, items, anyOf, required: _required, "x-must-be": mustBe, ...rest } = schema;
  if (mustBe !== undefined) rest["description"] ??= `${capitalised(mustBe as string)}.`;
  Object.assign(rest, withDecisions(rest["description"], schema["x-decision"] as string | undefined));
  if (schema[Kind] === "Object") {
    const fields = fieldsInOpenApi(properties as TProperties, direction);
    return { ...rest, properties: fields.properties, ...(fields.required.length > 0 && { required: fields.required }) };
  }
  if (schema[Kind] === "Array") return { ...rest, items: inOpenApi(items as TSchema, direction) };
  if (schema[Kind] === "Union") return { ...rest, ...unionOf(anyOf as TSchema[], direction) };
  return rest;
}

/** A description with links to its decisions ("D24, D53"), and these as `x-decision`. */
export function withDecisions(description: string | undefined, decisions: string | undefined): OpenApiSchema {
  if (decisions === undefined || decisions === "") return description === undefined ? {} : { description };
  const links = decisions.split(", ").map((number) => `[${number}](docs/decisions#${number})`);
  const text = `Own decision: ${links.join(", ")}.`;
  return { description: description === undefined ? text : `${description} ${text}`, "x-decision": decisions };
}

export function fieldsInOpenApi(
  properties: Readonly<TProperties>,
  direction: Direction,
): { properties: Record<string, OpenApiSchema>; required: string[] } {
  const entries = Object.entries(properties);
  const isRequired = (schema: TSchema) =>
    !(OptionalKind in schema) && (direction === "answer" || schema.default === undefined);
  return {
    properties: Object.fromEntries(entries.map(([name, schema]) => [name, inOpenApi(schema, direction)])),
    required: entries.filter(([, schema]) => isRequired(schema)).map(([name]) => name),
  };
}

function unionOf(schemas: readonly TSchema[], direction: Direction): OpenApiSchema {
  const isNullable = schemas.some((schema) => schema[Kind] === "Null");
  const values = schemas.filter((schema) => schema[Kind] !== "Null");
  const orNull = (type: unknown) => (isNullable ? [type, "null"] : type);
  if (values.length > 0 && values.every((schema) => schema[Kind] === "Literal")) {
    const choices = values.map((schema) => schema["const"] as string | number);
    const type = choices.every(Number.isInteger) ? "integer" : typeof choices[0];
    return { type: orNull(type), enum: isNullable ? [...choices, null] : choices };
  }
  const [only] = values;
  if (values.length !== 1 || only === undefined)
    return { anyOf: schemas.map((schema) => inOpenApi(schema, direction)) };
  const schema = inOpenApi(only, direction);
  if (typeof schema["type"] !== "string") return { anyOf: [schema, { type: "null" }] };
  const choices = schema["enum"] as unknown[] | undefined;
  return { ...schema, type: orNull(schema["type"]), ...(choices && isNullable && { enum: [...choices, null] }) };
}
