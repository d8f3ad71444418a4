// The OpenAPI document as the fuzz campaign reads it: its operations, and whether a value fits one of its schemas.
import { dereferenced } from "../support/dereferenced.ts";

export type Json = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  schema: Json;
}

/** What the document says of one status: the codes of its problems, and a schema (or none) per content type. */
export interface DeclaredAnswer {
  codes: string[];
  schemas: Map<string, Json>;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  isOpen: boolean;
  parameters: Parameter[];
  /** By content type. */
  bodies: Map<string, Json>;
  answers: Map<number, DeclaredAnswer>;
}

export interface ApiDocument {
  operations: Operation[];
  problem: Json;
}

export function readDocument(referring: Json): ApiDocument {
  const document = dereferenced(referring);
  const paths = document["paths"] as Record<string, Record<string, Json>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(path, method, operation)),
  );
  const { schemas } = document["components"] as { schemas: Record<string, Json> };
  return { operations, problem: schemas["Problem"]! };
}

function readOperation(path: string, method: string, operation: Json): Operation {
  const responses = operation["responses"] as Record<string, Json>;
  return {
    id: operation["operationId"] as string,
    method: method.toUpperCase(),
    path,
    isOpen: Array.isArray(operation["security"]) && operation["security"].length === 0,
    parameters: (operation["parameters"] ?? []) as Parameter[],
    bodies: schemasOf(operation["requestBody"] as Json | undefined),
    answers: new Map(Object.entries(responses).map(([status, response]) => [Number(status), readAnswer(response)])),
  };
}

function readAnswer(response: Json): DeclaredAnswer {
  const content = (response["content"] ?? {}) as Record<string, Json>;
  const examples = content["application/problem+json"]?.["examples"] ?? {};
  return { codes: Object.keys(examples), schemas: schemasOf(response) };
}

function schemasOf(holder: Json | undefined): Map<string, Json> {
  const content = (holder?.["content"] ?? {}) as Record<string, Json>;
  return new Map(Object.entries(content).map(([type, { schema }]) => [type, schema as Json]));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * The first place where a value does not fit a schema, in words; null where it fits. Knows the keywords that the
 * service's document uses. Objects of an answer may have no field that the schema does not name.
 */
export function misfitOf(schema: Json, value: unknown, place = "$"): string | null {
  const choices = schema["anyOf"] as Json[] | undefined;
  if (choices !== undefined) {
    return choices.some((choice) => misfitOf(choice, value, place) === null) ? null : `${place} fits no choice`;
  }
  const types = [schema["type"] ?? []].flat() as string[];
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return `${place} is no ${types.join(" or ")}`;
  if ("const" in schema && value !== schema["const"]) return `${place} is not ${schema["const"]}`;
  const allowed = schema["enum"] as unknown[] | undefined;
  if (allowed !== undefined && !allowed.includes(value)) return `${place} is none of ${allowed.join(", ")}`;
  if (typeof value === "number") return rangeMisfit(schema, value, place);
  if (typeof value === "string") return textMisfit(schema, value, place);
  if (Array.isArray(value)) return listMisfit(schema, value, place);
  return typeof value === "object" && value !== null ? objectMisfit(schema, value as Json, place) : null;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

const patterns = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  let made = patterns.get(pattern);
  if (made === undefined) {
    made = new RegExp(pattern);
    patterns.set(pattern, made);
  }
  return made;
}

function rangeMisfit({ minimum, maximum }: Json, value: number, place: string): string | null {
  const isBelow = minimum !== undefined && value < (minimum as number);
  const isAbove = maximum !== undefined && value > (maximum as number);
  return isBelow || isAbove ? `${place} is out of range: ${value}` : null;
}

function textMisfit({ minLength, maxLength, pattern, format }: Json, value: string, place: string): string | null {
  if (minLength !== undefined && value.length < (minLength as number)) return `${place} is too short`;
  if (maxLength !== undefined && value.length > (maxLength as number)) return `${place} is too long`;
  if (pattern !== undefined && !compiled(pattern as string).test(value)) return `${place} is not like ${pattern}`;
  const isFormed = format === "uuid" ? UUID.test(value) : format !== "date-time" || INSTANT.test(value);
  return isFormed ? null : `${place} is no ${format}`;
}

function listMisfit({ items, minItems, maxItems }: Json, value: unknown[], place: string): string | null {
  if (minItems !== undefined && value.length < (minItems as number)) return `${place} has too few items`;
  if (maxItems !== undefined && value.length > (maxItems as number)) return `${place} has too many items`;
  return firstMisfit(value.map((item, index) => misfitOf((items ?? {}) as Json, item, `${place}[${index}]`)));
}

function objectMisfit(schema: Json, value: Json, place: string): string | null {
  const properties = (schema["properties"] ?? {}) as Record<string, Json>;
  const others = schema["additionalProperties"];
  const pattern = typeof others === "object" ? (others as Json) : undefined;
  const missing = ((schema["required"] ?? []) as string[]).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${place}.${missing} is missing`;
  if (!("properties" in schema) && pattern === undefined) return null;
  return firstMisfit(
    Object.entries(value).map(([name, inner]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : pattern;
      return known === undefined ? `${place}.${name} is not described` : misfitOf(known, inner, `${place}.${name}`);
    }),
  );
}

function firstMisfit(misfits: readonly (string | null)[]): string | null {
  return misfits.find((misfit) => misfit !== null) ?? null;
}
