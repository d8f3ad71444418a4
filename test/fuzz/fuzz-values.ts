// Values for fields: those that a schema takes, those at its edges, and those that no field should be harmed by.
import fc, { type Arbitrary } from "fast-check";
import type { Json } from "./api-document.ts";

export const ODD_TEXTS = [
  ...[
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "x\udc00y",
    "\u202eabc\u202c",
    "e\u0301",
    "\ufeff",
    "\ufffe",
    "👩‍👩‍👧‍👦",
    "ﷺ".repeat(30),
  ],
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "null",
    "undefined",
    "true",
    "NaN",
    "Infinity",
  ],
  ...["../../etc/passwd", "..\\..\\windows", "/etc/passwd", "file:///etc/passwd", "C:\\", "~", "."],
  ...[
    "' OR 1=1 --",
    "'; DROP TABLE users; --",
    '"',
    "\\",
    "%",
    "_",
    "%_%",
    "#{7*7}",
    "{{7*7}}",
    "<script>alert(1)</script>",
  ],
  ...["\r\nSet-Cookie: a=b", "\n", "\t", "=cmd|' /C calc'!A0", "0", "-0", "1e999", "1".repeat(400), "x".repeat(10_000)],
];

export const oddText: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);

/** Anything that JSON can say. */
export const anyValue: Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom<unknown[]>(null, true, false, [], {}, [[]], [null], { __proto__: null, a: 1 }, { length: 3 }),
  fc.constantFrom(0, -0, -1, 1.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 1e21),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Texts that fit the patterns of the document. */
const LIKELY_TEXTS = ["abc", "a b-c_9", "plan", "left", "no", "x".repeat(30), "Z".repeat(100), "naïve", "日本語の名"];

/** A value that fits the schema, more or less: what patterns ask for is guessed. */
export function fittingValue(schema: Json): Arbitrary<unknown> {
  const choices = (schema["enum"] ?? ("const" in schema ? [schema["const"]] : undefined)) as unknown[] | undefined;
  if (choices !== undefined) return fc.constantFrom(...choices);
  const anyOf = schema["anyOf"] as Json[] | undefined;
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(fittingValue));
  const types = [schema["type"] ?? []].flat() as string[];
  return fc.oneof(...types.map((type) => valueOfType(type, schema)));
}

function valueOfType(type: string, schema: Json): Arbitrary<unknown> {
  switch (type) {
    case "object":
      return fittingObject(schema);
    case "array":
      return fittingList(schema);
    case "integer":
    case "number":
      return fittingNumber(schema, type === "integer");
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fittingText(schema);
  }
}

function fittingObject({ properties = {}, required = [] }: Json): Arbitrary<unknown> {
  const fields = Object.entries(properties as Record<string, Json>).map(([name, schema]) => {
    const value = fittingValue(schema).map((given) => [[name, given] as const]);
    return (required as string[]).includes(name) ? value : fc.oneof(value, fc.constant([]));
  });
  return fc.tuple(...fields).map((given) => Object.fromEntries(given.flat()));
}

function fittingList({ items = {}, minItems = 0, maxItems = 5 }: Json): Arbitrary<unknown> {
  const most = Math.min(maxItems as number, 8);
  return fc.uniqueArray(fittingValue(items as Json), { minLength: Math.min(minItems as number, 1), maxLength: most });
}

function fittingNumber({ minimum, maximum }: Json, isInteger: boolean): Arbitrary<number> {
  const min = (minimum as number | undefined) ?? -1000;
  const max = (maximum as number | undefined) ?? 1000;
  const inside = isInteger
    ? fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31) })
    : fc.double({ min, max, noNaN: true });
  return fc.oneof(inside, fc.constantFrom(min, max), inside);
}

function fittingText({ minLength = 0, maxLength = 200, format }: Json): Arbitrary<string> {
  if (format === "date-time") {
    return fc.constantFrom(
      "2099-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999Z",
      "2099-02-31T00:00:00Z",
      "2099-13-45T99:99:99Z",
    );
  }
  if (format === "uuid") return fc.uuid();
  const [least, most] = [minLength as number, Math.min(maxLength as number, 400)];
  const edges = fc.constantFrom("e".repeat(least), "E".repeat(most), "é".repeat(most));
  const free = fc.string({ minLength: least, maxLength: most });
  const likely = fc
    .tuple(fc.constantFrom(...LIKELY_TEXTS), fc.nat(99_999))
    .map(([text, id]) => (least > 0 ? `${text}${id}`.slice(-most) : text));
  return fc.oneof({ weight: 5, arbitrary: likely }, { weight: 1, arbitrary: edges }, { weight: 2, arbitrary: free });
}

/** The usual so many times as often as the odd. */
export function mostly<T, U>(weight: number, usual: T, odd: Arbitrary<U>): Arbitrary<T | U> {
  return fc.oneof<[{ weight: number; arbitrary: Arbitrary<T | U> }, { weight: number; arbitrary: Arbitrary<T | U> }]>(
    { weight, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: odd },
  );
}
