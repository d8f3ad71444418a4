// Checking what was sent, and saying what is wrong with it.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { checkValue, misfit, readFields } from "../../../src/http/fields.ts";
import { ApiError } from "../../../src/http/problem.ts";
import { Instant, Key, oneOf, orNull, textLike } from "../../../src/http/schemas.ts";

const Thing = Type.Object({
  name: textLike(/^[a-z]+$/, "small letters"),
  count: Type.Integer({ minimum: 4, maximum: 1_000 }),
  buckets: oneOf([4, 10, 20], { default: 20 }),
  share: Type.Optional(Type.Number({ maximum: 1 })),
  code: Type.Optional(Type.String({ minLength: 3, maxLength: 5 })),
  note: Type.Optional(orNull(Type.String({ minLength: 3 }))),
  parts: Type.Optional(Type.Array(Type.Object({ "a/b": Type.Boolean() }), { maxItems: 2 })),
});
const FINE = { name: "abc", count: 5 };

function refusalOf(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("checkValue", () => {
  test("gives the value with its defaults, and leaves what was sent alone", () => {
    const sent = { ...FINE };
    expect(checkValue(Thing, sent)).toEqual({ ...FINE, buckets: 20 });
    expect(sent).toEqual(FINE);
    expect(checkValue(Thing, { ...FINE, buckets: 4, note: null })).toEqual({ ...FINE, buckets: 4, note: null });
  });

  test("gives objects within it their defaults, where they are there", () => {
    const Outer = Type.Object({ thing: Type.Optional(Thing) });
    const sent = { thing: { ...FINE } };
    expect(checkValue(Outer, sent)).toEqual({ thing: { ...FINE, buckets: 20 } });
    expect(sent).toEqual({ thing: FINE });
    expect(checkValue(Outer, {})).toEqual({});
    expect(refusalOf(() => checkValue(Outer, { thing: {} })).message).toStartWith('"thing.name" is required');
  });

  test.each([
    [{ name: "abc" }, "count", "REQUIRED", '"count" is required; it must be a whole number from 4 to 1000.'],
    [{ ...FINE, count: "5" }, "count", "WRONG_TYPE", '"count" must be a whole number from 4 to 1000; it is "5".'],
    [{ ...FINE, count: 3 }, "count", "OUT_OF_RANGE", '"count" must be a whole number from 4 to 1000; it is 3.'],
    [{ ...FINE, count: 4.5 }, "count", "WRONG_TYPE", '"count" must be a whole number from 4 to 1000; it is 4.5.'],
    [{ ...FINE, buckets: 5 }, "buckets", "NOT_ONE_OF", '"buckets" must be one of 4, 10, 20; it is 5.'],
    [{ ...FINE, name: "A" }, "name", "WRONG_FORMAT", '"name" must be small letters; it is "A".'],
    [{ ...FINE, code: "ab" }, "code", "WRONG_LENGTH", '"code" must be a text of 3 to 5 characters; it has 2.'],
    [{ ...FINE, share: 2 }, "share", "OUT_OF_RANGE", '"share" must be a number of at most 1; it is 2.'],
    [
      { ...FINE, note: [] },
      "note",
      "NOT_ONE_OF",
      '"note" must be a text of at least 3 characters or null; it is a list.',
    ],
    [
      { ...FINE, parts: Array(3).fill({ "a/b": true }) },
      "parts",
      "WRONG_LENGTH",
      '"parts" must be a list of at most 2 items; it has 3.',
    ],
    [{ ...FINE, parts: [{ "a/b": 1 }] }, "parts.0.a/b", "WRONG_TYPE", '"parts.0.a/b" must be true or false; it is 1.'],
    [{ ...FINE, parts: [{ "a/b": true, c: 1 }] }, "parts.0.c", "UNKNOWN_FIELD", 'There is no field "parts.0.c".'],
    [
      { ...FINE, numberOfBukets: 4 },
      "numberOfBukets",
      "UNKNOWN_FIELD",
      'There is no field "numberOfBukets". The fields are name, count, buckets, share, code, note, parts.',
    ],
    [[], "body", "WRONG_TYPE", "The body must be an object; it is a list."],
    [null, "body", "WRONG_TYPE", "The body must be an object; it is null."],
  ])("%j", (sent, field, code, message) => {
    const refusal = refusalOf(() => checkValue(Thing, sent));
    expect(refusal.code).toBe("VALIDATION_FAILED");
    expect(refusal.errors).toEqual([{ field, code, message }]);
  });

  test("characters are counted by code points", () => {
    const Texts = Type.Object({ code: Type.String({ minLength: 3, maxLength: 5, pattern: "^[^!]*$" }) });
    const smile = "\u{1f600}";
    const errorOf = (code: unknown) => refusalOf(() => checkValue(Texts, { code })).errors[0]!;
    for (const count of [3, 5]) expect(checkValue(Texts, { code: smile.repeat(count) }).code).toHaveLength(2 * count);
    for (const count of [2, 6]) {
      expect(errorOf(smile.repeat(count))).toEqual({
        field: "code",
        code: "WRONG_LENGTH",
        message: `"code" must be a text of 3 to 5 characters; it has ${count}.`,
      });
    }
    expect(errorOf("abc!").code).toBe("WRONG_FORMAT");
    expect(errorOf(123).code).toBe("WRONG_TYPE");
    expect(refusalOf(() => checkValue(Texts, {})).message).toBe(
      '"code" is required; it must be a text of 3 to 5 characters.',
    );
  });

  test("one error per field, all fields at once, but not without end", () => {
    const refusal = refusalOf(() => checkValue(Thing, { name: 1, count: "x", share: "y" }));
    expect(refusal.errors.map(({ field }) => field).sort()).toEqual(["count", "name", "share"]);
    expect(refusal.message).toContain("2 more");
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, at]));
    expect(refusalOf(() => checkValue(Thing, many)).errors.length).toBeLessThanOrEqual(20);
  });

  test("__proto__ and constructor are names like any other", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const sent: unknown = JSON.parse(`{"name": "abc", "count": 5, "${name}": {"count": 7}}`);
      expect(refusalOf(() => checkValue(Thing, sent)).errors).toMatchObject([{ field: name, code: "UNKNOWN_FIELD" }]);
    }
    expect(
      refusalOf(() => checkValue(Thing, JSON.parse('{"__proto__": {"name": "abc", "count": 5}}'))).errors,
    ).toHaveLength(3);
    expect(Object.hasOwn(Object.prototype, "count")).toBeFalse();
  });

  test("long values and names are cut in messages", () => {
    const refusal = refusalOf(() => checkValue(Thing, { ...FINE, name: "X".repeat(5_000), ["y".repeat(5_000)]: 1 }));
    for (const { field, message } of refusal.errors) expect(field.length + message.length).toBeLessThan(300);
  });

  test("a text with half of a character is refused, wherever it is", () => {
    const message = (field: string) =>
      `"${field}" has half of a character (a surrogate alone); send the whole character.`;
    const error = (field: string) => ({ field, code: "WRONG_FORMAT", message: message(field) });
    const Open = Type.Object({ name: Type.String(), inner: Type.Object({ list: Type.Array(Type.String()) }) });
    const sent = { name: "a\ud83d", inner: { list: ["fine \u{1f600}", "\ude00"] } };
    expect(refusalOf(() => checkValue(Open, sent)).errors).toEqual([error("name"), error("inner.list.1")]);
    expect(refusalOf(() => checkValue(Type.String(), "\ude00\ud83d")).errors).toMatchObject([
      { field: "body", message: "The body has half of a character (a surrogate alone); send the whole character." },
    ]);
    const many = refusalOf(() => checkValue(Type.Array(Type.String()), Array(5_000).fill("\ud83d")));
    expect(many.errors).toHaveLength(20);
  });

  test("what is shown of a name or value has whole characters", () => {
    const cut = `${"x".repeat(39)}\u{1f600}`;
    for (const name of [cut, "\ud83d"]) {
      const { message, errors } = refusalOf(() => checkValue(Thing, { ...FINE, [name]: 1 }));
      expect(errors.map(({ code }) => code)).toEqual(["UNKNOWN_FIELD"]);
      expect(JSON.stringify({ message, errors })).not.toMatch(/\\ud/);
    }
  });

  test("never throws anything but a refusal, and what it gives fits", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          expect(misfit(Thing, checkValue(Thing, value))).toBeNull();
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});

describe("readFields", () => {
  const properties = {
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    filter: Type.Optional(Type.Boolean()),
    key: Type.Optional(Key),
    share: Type.Optional(Type.Number()),
    kind: Type.Optional(oneOf(["TRAIN", "TEST"])),
    text: Type.Optional(Type.String()),
    from: Type.Optional(Instant),
  };
  const read = (query: string) => readFields(properties, new URLSearchParams(query), "query");

  test("reads numbers, truths and keys; texts stay", () => {
    expect(read("")).toEqual({ limit: 20 });
    expect(read("limit=7&filter=true&share=-0.5&kind=TEST&text=7")).toEqual({
      limit: 7,
      filter: true,
      share: -0.5,
      kind: "TEST",
      text: "7",
    });
    expect(read("key=8C1B2A34-5D6E-4F70-8A9B-0C1D2E3F4A5B")).toMatchObject({
      key: "8c1b2a34-5d6e-4f70-8a9b-0c1d2e3f4a5b",
    });
  });

  test.each([
    ["limit=0", "limit", '"limit" must be a whole number from 1 to 100; it is 0.'],
    ["limit=101", "limit", '"limit" must be a whole number from 1 to 100; it is 101.'],
    ["limit=", "limit", '"limit" must be a whole number from 1 to 100; it is "".'],
    ["limit=1e1", "limit", '"limit" must be a whole number from 1 to 100; it is "1e1".'],
    ["limit=0x5", "limit", '"limit" must be a whole number from 1 to 100; it is "0x5".'],
    ["limit=%205", "limit", '"limit" must be a whole number from 1 to 100; it is " 5".'],
    ["limit=1&limit=2", "limit", '"limit" is given more than once.'],
    ["filter=1", "filter", '"filter" must be true or false; it is "1".'],
    ["filter=TRUE", "filter", '"filter" must be true or false; it is "TRUE".'],
    [
      "from=2030-01-01",
      "from",
      '"from" must be a point in time by UTC such as 2030-01-01T00:00:00Z; it is "2030-01-01".',
    ],
    ["key=..", "key", '"key" must be a key (UUID); it is "..".'],
    ["kind=OTHER", "kind", '"kind" must be one of "TRAIN", "TEST"; it is "OTHER".'],
    [
      "__proto__=1",
      "__proto__",
      'There is no field "__proto__". The fields are limit, filter, key, share, kind, text, from.',
    ],
  ])("%s", (query, field, message) => {
    const refusal = refusalOf(() => read(query));
    expect(refusal.errors).toMatchObject([{ field, message }]);
    expect(refusal.message).toStartWith("In the query: ");
  });
});

test("instants are ISO-8601 in UTC", () => {
  expect(misfit(Instant, new Date().toISOString())).toBeNull();
  expect(misfit(Instant, "2026-01-01 10:00")).not.toBeNull();
});
