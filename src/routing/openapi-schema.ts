// A TypeBox schema in OpenAPI 3.1: JSON Schema, with choices as `enum`,
// null as a type, and objects as named components.
import { Kind, OptionalKind, type TProperties, type TSchema } from "@sinclair/typebox";
import { capitalised } from "../common/format.ts";
import { nameOf, SCHEMA_NAME } from "../http/schemas.ts";

export type OpenApiSchema = Record<string, unknown>;

/** A field with a `default` may be left out of a request, but not of an answer; requests take no other fields. */
type Direction = "request" | "answer";

/** The place of a schema: its name unless it has one of its own, and where named ones are gathered. */
export interface SchemaPlace {
  direction: Direction;
  /** The name of an object here; of the fields of an object, their prefix. */
  name: string;
  components: Record<string, OpenApiSchema>;
}

/** Objects, and whatever has a name, become components. Throws where two different ones have one name. */
export function inOpenApi(schema: TSchema, place: SchemaPlace): OpenApiSchema {
  const name = nameOf(schema) ?? (schema[Kind] === "Object" ? place.name : null);
  if (name === null) return inlined(schema, place);
  const { components } = place;
  const { description, "x-decision": decision, ...rest } = inlined(schema, { ...place, name });
  const about = {
    ...(description !== undefined && { description }),
    ...(decision !== undefined && { "x-decision": decision }),
  };
  const known = components[name];
  components[name] ??= { ...rest, ...about };
  const { description: said, "x-decision": _, ...others } = components[name];
  if (JSON.stringify(others) !== JSON.stringify(rest)) throw new Error(`two schemas are called ${name}`);
  return { $ref: `#/components/schemas/${name}`, ...(known !== undefined && description !== said && about) };
}

function inlined(schema: TSchema, place: SchemaPlace): OpenApiSchema {
  const {
    properties,
    items,
    anyOf,
    patternProperties,
    required: _,
    "x-must-be": mustBe,
    "x-most": __,
    ...rest
  } = schema;
  delete rest[SCHEMA_NAME];
  if (mustBe !== undefined) rest["description"] ??= `${capitalised(mustBe as string)}.`;
  Object.assign(rest, withDecisions(rest["description"], schema["x-decision"] as string | undefined));
  switch (schema[Kind]) {
    case "Object": {
      const { required, ...fields } = fieldsInOpenApi(properties as TProperties, place);
      const closed = place.direction === "request" && { additionalProperties: false };
      return { ...rest, ...fields, ...(required.length > 0 && { required }), ...closed };
    }
    case "Record": {
      const [values] = Object.values(patternProperties as TProperties);
      return { ...rest, additionalProperties: inOpenApi(values!, place) };
    }
    case "Array":
      return { ...rest, items: inOpenApi(items as TSchema, { ...place, name: singular(place.name) }) };
    case "Union":
      return { ...rest, ...unionOf(anyOf as TSchema[], place) };
    default:
      return rest;
  }
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
  place: SchemaPlace,
): { properties: Record<string, OpenApiSchema>; required: string[] } {
  const entries = Object.entries(properties);
  const isRequired = (schema: TSchema) =>
    !(OptionalKind in schema) && (place.direction === "answer" || schema.default === undefined);
  const fields = entries.map(([name, schema]) => [
    name,
    inOpenApi(schema, { ...place, name: place.name + capitalised(name) }),
  ]);
  return {
    properties: Object.fromEntries(fields) as Record<string, OpenApiSchema>,
    required: entries.filter(([, schema]) => isRequired(schema)).map(([name]) => name),
  };
}

/** The name of an item of a list with this name. */
function singular(list: string): string {
  if (list.endsWith("ies")) return `${list.slice(0, -3)}y`;
  if (/(?:ss|x)es$/.test(list)) return list.slice(0, -2);
  return /[^s]s$/.test(list) ? list.slice(0, -1) : list;
}

function unionOf(schemas: readonly TSchema[], place: SchemaPlace): OpenApiSchema {
  const isNullable = schemas.some((schema) => schema[Kind] === "Null");
  const values = schemas.filter((schema) => schema[Kind] !== "Null");
  const orNull = (type: unknown) => (isNullable ? [type, "null"] : type);
  if (values.length > 0 && values.every((schema) => schema[Kind] === "Literal")) {
    const choices = values.map((schema) => schema["const"] as string | number);
    const type = choices.every(Number.isInteger) ? "integer" : typeof choices[0];
    return { type: orNull(type), enum: isNullable ? [...choices, null] : choices };
  }
  const [only] = values;
  if (values.length !== 1 || only === undefined) {
    return { anyOf: schemas.map((schema) => inOpenApi(schema, place)) };
  }
  const schema = inOpenApi(only, place);
  if (typeof schema["type"] !== "string") return { anyOf: [schema, { type: "null" }] };
  const choices = schema["enum"] as unknown[] | undefined;
  return { ...schema, type: orNull(schema["type"]), ...(choices && isNullable && { enum: [...choices, null] }) };
}
