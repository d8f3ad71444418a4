// The schemas that many routes share: keys, instants, choices, values that may be null.
import {
  FormatRegistry,
  Kind,
  OptionalKind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from "@sinclair/typebox";
import { MAX_VERSIONS } from "../../engine/search/ranking.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

FormatRegistry.Set("uuid", (text) => UUID.test(text));
FormatRegistry.Set("date-time", (text) => INSTANT.test(text) && !Number.isNaN(Date.parse(text)));

/** A key. In paths, queries and forms it may be written in capitals too; handlers see it in small letters. */
export const Key = Type.String({ format: "uuid" });

/** A point in time of an answer. */
export const Instant = Type.String({ format: "date-time", description: "ISO-8601, UTC." });

export const Count = Type.Integer({ minimum: 0 });
export const Share = Type.Number({ minimum: 0, maximum: 1 });
/** A version of a model: its best is 1. */
export const Version = Type.Integer({ minimum: 1, maximum: MAX_VERSIONS });

/** The file of a body or of a form. */
export function CsvPart(description: string) {
  return Type.String({ contentMediaType: "text/csv", description });
}

export const SCHEMA_NAME = "x-name";

/**
 * Names schemas as components of the OpenAPI document, each by the name of its field. Call it where they are defined: a
 * copy, such as `Type.Optional` makes, takes the name along.
 */
export function named(schemas: Readonly<Record<string, TSchema>>): void {
  for (const [name, schema] of Object.entries(schemas)) Object.assign(schema, { [SCHEMA_NAME]: name });
}

export function nameOf(schema: TSchema): string | null {
  return (schema[SCHEMA_NAME] as string | undefined) ?? null;
}

export function countOf(description: string) {
  return Type.Integer({ minimum: 0, description });
}

export function shareOrNull(description: string) {
  return orNull(Type.Number({ minimum: 0, maximum: 1, description }));
}

export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export function oneOf<const Choice extends string | number>(
  choices: readonly Choice[],
  about: { description?: string; default?: Choice; "x-decision"?: string } = {},
): TUnsafe<Choice> {
  const literals = choices.map((choice) => Type.Literal(choice));
  return Type.Union(literals, about) as unknown as TUnsafe<Choice>;
}

/**
 * A text that must match a pattern. `mustBe` is the pattern in words after "must be": "1 to 100 letters or digits".
 */
export function textLike(pattern: RegExp, mustBe: string) {
  return Type.String({ pattern: pattern.source, "x-must-be": mustBe });
}

/** No control characters or line ends: names appear in lists, messages and file names. */
export const ONE_LINE = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$";
/** Line ends and tabs are the only control characters. */
export const PLAIN_TEXT = "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$";

/** For a running job that waits for the disk or a quota. */
export const WaitingReason = Type.Optional(
  Type.String({
    description:
      "What a running job waits for, such as room on the server's disk or in a quota, and how much; absent while it works.",
    "x-decision": "D90",
  }),
);

/** A warning about a file. */
export const WarningItem = Type.Object({
  code: Type.String({ description: "Stable." }),
  message: Type.String(),
  line: Type.Optional(Type.Integer({ description: "Physical line of the file, from 1." })),
  column: Type.Optional(Type.String({ description: "Column of the file, by name." })),
  count: Type.Optional(Type.Integer({ description: "Number of cells, rows or columns concerned." })),
});

named({ Warning: WarningItem });

/** Rows of a class. */
export const ClassCount = Type.Object({ label: Type.String(), count: Count });
/** A figure with its 95% interval. */
export const Interval = Type.Object({ mean: Share, low: Share, high: Share });
/** A difference, or a figure that is no share, with its 95% interval. */
export const NumberInterval = Type.Object({ mean: Type.Number(), low: Type.Number(), high: Type.Number() });
/** The accuracy of always answering the most frequent label. */
export const Baseline = Type.Object({ label: Type.String(), accuracy: Share });
named({ ClassCount, Interval, NumberInterval, Baseline });

/** A value with at least the fields of a schema; an optional field may be null instead of absent. */
export type Holding<T> = T extends readonly (infer Item)[]
  ? readonly Holding<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Holding<T[Name]> | (object extends Pick<T, Name> ? null | undefined : never) }
    : T;

/** The fields of a value that its schema names, at every level: rows of the database hold more than clients may see. */
export function shown<T extends TProperties>(
  schema: TObject<T>,
  value: Holding<Static<TObject<T>>>,
): Static<TObject<T>> {
  return project(schema, value) as Static<TObject<T>>;
}

function project(schema: TSchema, value: unknown): unknown {
  if (value === null) return null;
  switch (schema[Kind]) {
    case "Object": {
      const fields = Object.entries(schema["properties"] as TProperties).map(([name, field]) => {
        const held = (value as Record<string, unknown>)[name] ?? null;
        return held === null && OptionalKind in field ? [] : [[name, project(field, held)]];
      });
      return Object.fromEntries(fields.flat());
    }
    case "Array":
      return (value as unknown[]).map((item) => project(schema["items"] as TSchema, item));
    case "Union": {
      const [only, ...others] = (schema["anyOf"] as TSchema[]).filter((choice) => choice[Kind] !== "Null");
      return only !== undefined && others.length === 0 ? project(only, value) : value;
    }
    default:
      return value;
  }
}
