// Checks input against its schema, and says in plain words what is wrong with each field.
import {
  Kind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  Type,
  TypeRegistry,
} from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { oncePer } from "../../data/database/once-per.ts";
import { shortened } from "../../engine/shortened.ts";
import { ApiError, type FieldError } from "./problem.ts";

const MOST_ERRORS = 20;
const MOST_SHOWN_CHARACTERS = 40;

/**
 * A text of whole characters: the database would keep another text than one with half of a surrogate pair, which JSON
 * can write as `\ud83d`. They are counted as JSON Schema, SQLite and Python count them, by code points; TypeBox would
 * count UTF-16 units.
 */
const WHOLE_TEXT = "WholeText";
TypeRegistry.Set<TString>(WHOLE_TEXT, (schema, value) => typeof value === "string" && faultOf(schema, value) === null);

/** Compiling a schema takes a millisecond, so it is done once, at the first use. */
const checkOf = oncePer((schema: TSchema) => TypeCompiler.Compile(closed(schema)));

/** The same object for the same properties, so that it is compiled once. */
const objectOf = oncePer((properties: TProperties) => Type.Object(properties));

/**
 * The JSON value as its schema's type. Nothing is coerced: "3" is no number. Objects take only the fields they name;
 * absent fields take their `default`, in objects within objects too.
 *
 * @throws ApiError VALIDATION_FAILED with one error per field
 */
export function checkValue<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const complete = withDefaults(schema, value);
  const check = checkOf(schema);
  if (check.Check(complete)) return complete;
  throw validationFailed(fieldErrors(check, complete), "body");
}

/**
 * Fields that arrive as text (path, query, form) as the types of their schemas: numbers and true/false are read, keys
 * get small letters, numbers above the schema's `x-most` become it, absent fields take their `default`.
 *
 * @throws ApiError VALIDATION_FAILED with one error per field
 */
export function readFields<T extends TProperties>(
  properties: T,
  entries: Iterable<readonly [string, string]>,
  where: "path" | "query" | "form",
): Static<TObject<T>> {
  const values: Record<string, unknown> = Object.create(null);
  const repeated: FieldError[] = [];
  for (const [name, text] of entries) {
    if (Object.hasOwn(values, name)) {
      repeated.push({ field: name, code: "REPEATED", message: `"${shorten(name)}" is given more than once.` });
    }
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    values[name] = schema === undefined ? text : readText(schema, text);
  }
  const schema = objectOf(properties);
  const complete = withDefaults(schema, { ...values });
  const check = checkOf(schema);
  const wrong = check.Check(complete) ? repeated : [...repeated, ...fieldErrors(check, complete)];
  if (wrong.length > 0) throw validationFailed(wrong.slice(0, MOST_ERRORS), where);
  return complete as Static<TObject<T>>;
}

/** How an answer differs from its schema; null if it fits. For tests. */
export function misfit(schema: TSchema, value: unknown): string | null {
  const check = checkOf(schema);
  if (check.Check(value)) return null;
  return fieldErrors(check, value)
    .map(({ message }) => message)
    .join(" ");
}

/** A copy whose objects take only the fields they name, unless they say otherwise. */
function closed(schema: TSchema): TSchema {
  const copy: Record<string | symbol, unknown> = { ...schema };
  if (schema[Kind] === "Object") {
    copy["additionalProperties"] ??= false;
    copy["properties"] = Object.fromEntries(
      Object.entries(schema["properties"] as TProperties).map(([name, property]) => [name, closed(property)]),
    );
  }
  if (schema[Kind] === "String" && schema["format"] === undefined) copy[Kind] = WHOLE_TEXT;
  if (schema[Kind] === "Array") copy["items"] = closed(schema["items"] as TSchema);
  if (schema[Kind] === "Union") copy["anyOf"] = (schema["anyOf"] as TSchema[]).map(closed);
  return copy as unknown as TSchema;
}

/** Finds the code of the first fault of a text; null for none. */
function faultOf({ minLength = 0, maxLength = Infinity, pattern }: TString, text: string): string | null {
  if (!text.isWellFormed()) return "WRONG_FORMAT";
  const count = characterCount(text);
  if (count < minLength || count > maxLength) return "WRONG_LENGTH";
  return pattern === undefined || new RegExp(pattern).test(text) ? null : "WRONG_FORMAT";
}

/** Code points. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function withDefaults(schema: TSchema, value: unknown): unknown {
  if (schema[Kind] !== "Object" || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(schema["properties"] as TProperties)) {
    if (Object.hasOwn(filled, name)) filled[name] = withDefaults(property, filled[name]);
    else if (property.default !== undefined) filled[name] = property.default;
  }
  return filled;
}

function readText(schema: TSchema, text: string): unknown {
  const kinds = schema[Kind] === "Union" ? (schema["anyOf"] as TSchema[]) : [schema];
  for (const kind of kinds) {
    const isNumber = kind["type"] === "number" || kind["type"] === "integer";
    if (isNumber && /^-?\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), kind["x-most"] ?? Infinity);
    if (kind["type"] === "boolean" && (text === "true" || text === "false")) return text === "true";
  }
  return schema["format"] === "uuid" ? text.toLowerCase() : text;
}

function validationFailed(errors: readonly FieldError[], where: "body" | "path" | "query" | "form"): ApiError {
  const [first] = errors;
  const rest = errors.length === 1 ? "" : ` ${errors.length - 1} more in \`errors\`.`;
  const place = where === "body" ? "" : `In the ${where}: `;
  return new ApiError("VALIDATION_FAILED", `${place}${first!.message}${rest}`, { errors });
}

/** The first thing that is wrong with each field. */
function fieldErrors(check: TypeCheck<TSchema>, value: unknown): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const error of innermost(check.Errors(value))) {
    const field = error.path.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~") || "body";
    if (!errors.has(field)) errors.set(field, asFieldError(shorten(field), error, check));
    // A list that is too long may have millions of items.
    if (errors.size >= MOST_ERRORS || error.type === ValueErrorType.ArrayMaxItems) break;
  }
  return [...errors.values()];
}

/**
 * Looks into a list that may also be null: a fault of an item tells more
 * than that the value is neither a list nor null.
 */
function* innermost(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const [first, second] = (error.schema["anyOf"] ?? []) as (TSchema | undefined)[];
    const isListOrNull = first?.[Kind] === "Array" && second?.[Kind] === "Null" && Array.isArray(error.value);
    if (isListOrNull) yield* innermost(error.errors[0]!);
    else yield error;
  }
}

function asFieldError(field: string, { type, schema, value }: ValueError, check: TypeCheck<TSchema>): FieldError {
  if (type === ValueErrorType.ObjectRequiredProperty) {
    return { field, code: "REQUIRED", message: `"${field}" is required; it must be ${inWords(schema)}.` };
  }
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys((check.Schema()["properties"] as TProperties | undefined) ?? {});
    const list = field.includes(".") || known.length === 0 ? "" : ` The fields are ${known.join(", ")}.`;
    return { field, code: "UNKNOWN_FIELD", message: `There is no field "${field}".${list}` };
  }
  const subject = field === "body" ? "The body" : `"${field}"`;
  if (typeof value === "string" && !value.isWellFormed()) {
    const message = `${subject} has half of a character (a surrogate alone); send the whole character.`;
    return { field, code: "WRONG_FORMAT", message };
  }
  if (type === ValueErrorType.ArrayUniqueItems) {
    const items = (value as unknown[]).map((item) => JSON.stringify(item));
    const again = items.find((item, at) => items.indexOf(item) < at) ?? "an item";
    return { field, code: "REPEATED", message: `${subject} has ${shorten(again)} more than once.` };
  }
  const code = codeOf({ type, schema, value });
  return {
    field,
    code,
    message: `${subject} must be ${inWords(schema)}; it ${shown(value, code)}.`,
  };
}

function codeOf({ type, schema, value }: Pick<ValueError, "type" | "schema" | "value">): string {
  if (schema[Kind] === WHOLE_TEXT && typeof value === "string") return faultOf(schema as TString, value)!;
  const name = ValueErrorType[type];
  if (/(Minimum|Maximum|MultipleOf)$/.test(name)) return "OUT_OF_RANGE";
  if (/(MinItems|MaxItems)$/.test(name)) return "WRONG_LENGTH";
  if (/(Pattern|Format)$/.test(name)) return "WRONG_FORMAT";
  return /^(Union|Literal)$/.test(name) ? "NOT_ONE_OF" : "WRONG_TYPE";
}

/** A schema in words, as they follow "must be". */
function inWords(schema: TSchema): string {
  const words = schema["x-must-be"] as string | undefined;
  if (words !== undefined) return words;
  switch (schema[Kind]) {
    case "Integer":
      return `a whole number${range(schema)}`;
    case "Number":
      return `a number${range(schema)}`;
    case "Boolean":
      return "true or false";
    case "Null":
      return "null";
    case "Literal":
      return JSON.stringify(schema["const"]);
    case "String":
    case WHOLE_TEXT:
      return textInWords(schema);
    case "Array":
      return `a list${length(schema, "minItems", "maxItems", "items")}`;
    case "Object":
      return "an object";
    case "Union":
      return choices(schema["anyOf"] as TSchema[]);
    default:
      return "as described";
  }
}

/** Formats of texts that are checked; see `schemas.ts`. */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: "a key (UUID)",
  "date-time": "a point in time by UTC such as 2030-01-01T00:00:00Z",
};

function textInWords(schema: TSchema): string {
  const format = schema["format"] as string | undefined;
  return FORMATS[format ?? ""] ?? `a text${length(schema, "minLength", "maxLength", "characters")}`;
}

function range({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function length(schema: TSchema, least: string, most: string, unit: string): string {
  const [from, to] = [schema[least] as number | undefined, schema[most] as number | undefined];
  if (from !== undefined && to !== undefined) return ` of ${from} to ${to} ${unit}`;
  if (from !== undefined) return ` of at least ${from} ${unit}`;
  return to === undefined ? "" : ` of at most ${to} ${unit}`;
}

function choices(schemas: readonly TSchema[]): string {
  const words = schemas.map(inWords);
  if (schemas.every((schema) => schema[Kind] === "Literal")) return `one of ${words.join(", ")}`;
  return words.join(" or ");
}

function shown(value: unknown, code: string): string {
  if (code === "WRONG_LENGTH" && typeof value === "string") return `has ${characterCount(value)}`;
  if (code === "WRONG_LENGTH" && Array.isArray(value)) return `has ${value.length}`;
  if (typeof value === "string") return `is ${JSON.stringify(shorten(value))}`;
  if (Array.isArray(value)) return "is a list";
  return typeof value === "object" && value !== null ? "is an object" : `is ${String(value)}`;
}

function shorten(text: string): string {
  return shortened(text, MOST_SHOWN_CHARACTERS);
}
