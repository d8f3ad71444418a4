// Bodies for an operation: JSON, forms and files, whole, spoiled and broken off.
import fc, { type Arbitrary } from "fast-check";
import { PENGUINS_CSV } from "../src/api/service.ts";
import { PASSWORD } from "../support/api.ts";
import type { Json, Operation } from "./api-document.ts";
import { anyValue, fittingValue, mostly, ODD_TEXTS, oddText } from "./fuzz-values.ts";

interface Body {
  content: string | Uint8Array<ArrayBuffer> | null;
  type: string | null;
}

export function anyBody({ bodies, id }: Operation): Arbitrary<Body> {
  const made = [...bodies].map(([type, schema]) => {
    if (type === "application/json") return jsonBody(schema, id);
    return type === "multipart/form-data" ? formBody(schema) : csvBody(type);
  });
  const none: Body = { content: null, type: null };
  if (made.length === 0) return mostly(6, none, jsonBody({ type: "object" }, id));
  const types = fc.constantFrom(null, ...ODD_TYPES, ...bodies.keys());
  const otherType = fc.tuple(fc.oneof(...made), types).map(([{ content }, type]) => ({ content, type }));
  return fc.oneof({ weight: 8, arbitrary: fc.oneof(...made) }, { weight: 1, arbitrary: otherType }, fc.constant(none));
}

const ODD_TYPES = [
  ...["text/plain", "application/xml", "application/json; charset=utf-16", "APPLICATION/JSON; charset=UTF-8", "json"],
  ...["multipart/form-data", "multipart/form-data; boundary=", `multipart/form-data; boundary="${"b".repeat(300)}"`],
  ...["application/x-www-form-urlencoded", "text/csv; charset=latin1", ";", "x".repeat(3000)],
];

function jsonBody(schema: Json, id: string): Arbitrary<Body> {
  const column = { island: "Biscoe", bill_length_mm: 40, bill_depth_mm: 18, flipper_length_mm: 190, body_mass_g: 3700 };
  const rows = fc.record({
    rows: fc.array(
      fc
        .tuple(
          fc.constantFrom("sex", "island", "body_mass_g"),
          fc.oneof(oddText, fc.constantFrom(1, -1e308, null, true)),
        )
        .map(([name, value]) => {
          return Object.fromEntries([...Object.entries({ ...column, sex: null }), [name, value]]);
        }),
      { minLength: 1, maxLength: 5 },
    ),
  });
  const login = fc.constant({ username: "bob@example.org", password: PASSWORD });
  const valid = id === "predictRows" ? rows : id === "login" ? login : fittingValue(schema);
  const spoiled = fc.tuple(valid, fc.nat(20), anyValue, fc.nat(3), oddText).map(([value, at, odd, way, name]) => {
    if (typeof value !== "object" || value === null) return odd;
    const entries = Object.entries(value);
    const [chosen] = entries[at % Math.max(1, entries.length)] ?? [name];
    if (way === 0) return Object.fromEntries(entries.filter(([key]) => key !== chosen));
    return Object.fromEntries([...entries, [way === 1 ? name : chosen, odd]]);
  });
  const text = (value: unknown) => JSON.stringify(value) ?? "null";
  const broken = fc.tuple(valid, fc.nat(500), oddText).map(([value, at, odd]) => {
    const whole = text(value);
    return whole.slice(0, at % (whole.length + 1)) + odd;
  });
  const deep = fc.constantFrom(
    "[".repeat(100_000),
    '{"a":'.repeat(20_000),
    `"${"x".repeat(200_000)}"`,
    "1e999",
    "\ufeff{}",
  );
  const content = fc.oneof<fc.WeightedArbitrary<string | Uint8Array<ArrayBuffer>>[]>(
    { weight: 6, arbitrary: valid.map(text) },
    { weight: 6, arbitrary: spoiled.map(text) },
    { weight: 1, arbitrary: anyValue.map(text) },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: fc.oneof(deep, fc.constantFrom(...ODD_TEXTS)) },
    { weight: 1, arbitrary: rawBytes },
  );
  return content.map((made) => ({ content: made, type: "application/json" }));
}

const rawBytes = fc.uint8Array({ maxLength: 400 }).map((bytes) => new Uint8Array(bytes));
const csvText = fc.oneof(
  fc.constant(PENGUINS_CSV),
  fc.array(oddText, { maxLength: 8 }).map((cells) => `a,b,left\n${cells.join(",")}\n1,2,no\n`),
  fc.constantFrom('a,b\n"', "a\u0000b\n1\n", "\ufeff", ",,,,\n", "a,a,a\n1,2,3\n", `a\n${"x".repeat(70_000)}\n`),
);

function csvBody(type: string): Arbitrary<Body> {
  const content = fc.oneof<Arbitrary<string | Uint8Array<ArrayBuffer>>[]>(csvText, rawBytes);
  return content.map((made) => ({ content: made, type }));
}

function formBody(schema: Json): Arbitrary<Body> {
  const properties = schema["properties"] as Record<string, Json>;
  const filePart = Object.keys(properties).find((name) => properties[name]!["contentMediaType"] !== undefined)!;
  const { [filePart]: _file, ...fields } = properties;
  const required = ((schema["required"] ?? []) as string[]).filter((name) => name !== filePart);
  const valid = fittingValue({ type: "object", properties: fields, required }).map((value) =>
    Object.entries(value as Json).flatMap(([name, given]) => [given].flat().map((one) => [name, String(one)] as const)),
  );
  const anyName = fc.constantFrom(...Object.keys(properties), "__proto__", "constructor", 'a"b', "", "toString");
  const odd = fc.array(fc.tuple(anyName, oddText), { maxLength: 3 });
  const parts = fc.record({
    fields: fc.tuple(valid, mostly(8, [], odd)).map((both) => both.flat()),
    name: mostly(16, filePart, anyName),
    fileName: mostly(
      4,
      "rows.csv",
      fc.constantFrom("", "../../etc/passwd", "a\u0000b.csv", 'x"; y="z', "\u202efdp.csv", "n".repeat(3000)),
    ),
    file: fc.oneof(
      { weight: 3, arbitrary: csvText },
      rawBytes.map((bytes) => Buffer.from(bytes).toString("latin1")),
    ),
    fileCount: mostly(16, 1, fc.constantFrom(0, 2, 3)),
    boundary: mostly(16, "XbX", fc.constantFrom("", "--", " ", "b".repeat(200), "XbY")),
    cut: mostly(16, null, fc.nat(2000)),
    end: mostly(
      12,
      "--XbX--\r\n",
      fc.constantFrom("", "--XbX", "--XbX-", "--XbX--trailing\r\nmore", "--XbX--\r\n--XbX--"),
    ),
    header: mostly(
      12,
      "",
      fc.constantFrom(
        "x: y\r\n".repeat(50),
        "Content-Transfer-Encoding: base64\r\n",
        "\r\n",
        ":\r\n",
        `x: ${"y".repeat(20_000)}\r\n`,
      ),
    ),
  });
  return parts.map(({ fields: sent, name, fileName, file, fileCount, boundary, cut, end, header }) => {
    const texts = sent.map(([field, value]) => part(`name="${field}"`, value, ""));
    const files = Array.from({ length: fileCount }, () =>
      part(`name="${name}"; filename="${fileName}"`, file, `Content-Type: text/csv\r\n${header}`),
    );
    const whole = [...texts, ...files, end].join("");
    const content = cut === null ? whole : whole.slice(0, cut);
    return { content, type: `multipart/form-data; boundary=${boundary}` };
  });
}

function part(disposition: string, content: string, headers: string): string {
  return `--XbX\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n${content}\r\n`;
}
