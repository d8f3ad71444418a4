// JSON bodies: their type, size and syntax.
import { describe, expect, test } from "bun:test";
import { MOST_JSON_BYTES } from "../../../src/http/limits.ts";
import type { ApiError } from "../../../src/http/problem.ts";
import { readJson } from "../../../src/receiving/bodies.ts";

function post(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  headers: Record<string, string> = { "content-type": "application/json" },
): Request {
  return new Request("http://localhost/", { method: "POST", headers, ...(body !== null && { body }) });
}

async function refusalOf(request: Request): Promise<ApiError> {
  return readJson(request).then(
    () => {
      throw new Error("nothing was refused");
    },
    (error: ApiError) => error,
  );
}

/** A body of pieces, without a length; counts how many were asked for. */
function pieces(count: number, piece: string) {
  const given = { count: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (given.count++ < count) controller.enqueue(new TextEncoder().encode(piece));
      else controller.close();
    },
  });
  return { body, given };
}

describe("readJson", () => {
  test("gives the value, whatever the pieces and the spelling of the type", async () => {
    expect(await readJson(post('{"a": [1, "ü"]}'))).toEqual({ a: [1, "ü"] });
    const bytes = new TextEncoder().encode('"ü€𝄞"');
    const byByte = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await readJson(post(byByte))).toBe("ü€𝄞");
    for (const type of [
      "application/json; charset=utf-8",
      "Application/JSON;charset=UTF-8",
      'application/json; charset="utf-8"',
    ]) {
      expect(await readJson(post("1", { "content-type": type }))).toBe(1);
    }
  });

  test("of a name that stands twice the last value counts, and __proto__ reaches no prototype", async () => {
    const value = (await readJson(post('{"a": 1, "a": 2, "__proto__": {"b": 3}}'))) as Record<string, unknown>;
    expect(value["a"]).toBe(2);
    expect(value["b"]).toBeUndefined();
    expect(Object.keys(value)).toEqual(["a", "__proto__"]);
  });

  test.each(["text/plain", "application/json; charset=latin1", "application/jsonx", "multipart/form-data"])(
    "%s is not taken",
    async (type) => {
      const refusal = await refusalOf(post("1", { "content-type": type }));
      expect(refusal).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE", headers: { accept: "application/json" } });
    },
  );

  test("a body without a type is not taken", async () => {
    expect(await refusalOf(post(new Uint8Array([49]), {}))).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  });

  test("the size is counted where it is given, and where it is not", async () => {
    const exact = JSON.stringify("x".repeat(MOST_JSON_BYTES - 2));
    expect(await readJson(post(exact))).toHaveLength(MOST_JSON_BYTES - 2);
    expect(await refusalOf(post(`${exact} `))).toMatchObject({ code: "BODY_TOO_LARGE" });
    const declared = { "content-type": "application/json", "content-length": String(MOST_JSON_BYTES + 1) };
    expect(await refusalOf(post("1", declared))).toMatchObject({ code: "BODY_TOO_LARGE" });
    const { body, given } = pieces(1_000_000, " ".repeat(20_000));
    expect(await refusalOf(post(body))).toMatchObject({ code: "BODY_TOO_LARGE" });
    expect(given.count).toBeLessThan(10);
  });

  test.each([
    ['{"name": "x",\n "n": 01}', "At line 2, column 8 of the body a comma or } was expected."],
    ["", "The body is empty; send a JSON object."],
    ["  \n", "The body is empty; send a JSON object."],
    ["{'a': 1}", "At line 1, column 2 of the body a name in quotation marks or } was expected."],
  ])("%j is malformed", async (text, message) => {
    expect(await refusalOf(post(text))).toMatchObject({ code: "MALFORMED_JSON", message });
  });

  test("a body that is missing or no text is malformed", async () => {
    expect(await refusalOf(post(null))).toMatchObject({ code: "MALFORMED_JSON" });
    expect(await refusalOf(post(Uint8Array.of(0x22, 0xff, 0x22)))).toMatchObject({
      code: "MALFORMED_JSON",
      message: "The body is not UTF-8 text.",
    });
  });

  test("depth beyond any need is refused before it is parsed", async () => {
    const nested = (levels: number) => readJson(post("[".repeat(levels) + "]".repeat(levels)));
    expect(await nested(32)).toBeArray();
    const message = "The body nests more than 32 levels deep.";
    for (const levels of [33, 30_000]) await expect(nested(levels)).rejects.toMatchObject({ message });
  });

  test("a connection that breaks is told as that", async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) });
    expect(await refusalOf(post(body))).toMatchObject({ code: "UPLOAD_INTERRUPTED" });
  });
});
