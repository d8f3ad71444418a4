// JSON that gives back exactly what was put in.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fromExactJson, toExactJson } from "../../../data/files/exact-json.ts";

const numbers = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, 5e-324, 2 ** 53 + 2),
);
const arrays = fc.oneof(
  fc.array(numbers).map((values) => Float64Array.from(values)),
  fc.array(fc.float()).map((values) => Float32Array.from(values)),
  fc.uint8Array(),
  fc.uint16Array(),
  fc.uint32Array(),
  fc.int32Array(),
);
const keys = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("$", "$$", "__proto__", "constructor", "0", ""));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    numbers,
    fc.string({ unit: "binary" }),
    arrays,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Equal in every bit that a program can see: signs of zero, kinds of arrays, own keys. */
function expectSame(found: unknown, wanted: unknown): void {
  if (ArrayBuffer.isView(wanted)) {
    const view = found as Uint8Array;
    expect(view.constructor).toBe(wanted.constructor);
    const bytesOf = (of: ArrayBufferView) => [...new Uint8Array(of.buffer, of.byteOffset, of.byteLength)];
    expect(bytesOf(view)).toEqual(bytesOf(wanted));
  } else if (typeof wanted === "object" && wanted !== null) {
    expect(Array.isArray(found)).toBe(Array.isArray(wanted));
    expect(Object.keys(found as object)).toEqual(Object.keys(wanted));
    for (const [key, entry] of Object.entries(wanted)) {
      expectSame(Object.getOwnPropertyDescriptor(found, key)?.value, entry);
    }
  } else {
    expect(Object.is(found, wanted)).toBe(true);
  }
}

describe("exact JSON", () => {
  test("gives back anything", () => {
    fc.assert(
      fc.property(value, (given) => {
        const text = toExactJson(given);
        expect(text).not.toMatch(/[\r\n]/);
        expectSame(fromExactJson(text), given);
      }),
      { numRuns: 1000 },
    );
  });

  test("keeps what looks like its own marks", () => {
    const forged = { $: ["number", "NaN"], a: { $: ["object", { $: ["array", "Uint8Array", "AAAA"] }] } };
    expectSame(fromExactJson(toExactJson(forged)), forged);
  });

  test("stores a view without the rest of its buffer, shared or not", () => {
    const shared = new Float64Array(new SharedArrayBuffer(80)).fill(7);
    const back = fromExactJson(toExactJson([shared.subarray(3, 5), Buffer.from("ab")])) as [Float64Array, Uint8Array];
    expectSame(back, [Float64Array.of(7, 7), Uint8Array.of(97, 98)]);
    expect(back[0].buffer.byteLength).toBe(16);
  });

  test("keeps the bits of a NaN in an array", () => {
    const odd = new Float64Array(Uint32Array.of(1, 0x7ff80000).buffer);
    expectSame(fromExactJson(toExactJson(odd)), odd);
  });

  test.each([[undefined], [{ a: undefined }], [[1n]], [new Map()], [new Date(0)], [() => 1], [new BigInt64Array(1)]])(
    "refuses what it could not give back: %p",
    (given) => {
      expect(() => toExactJson(given)).toThrow(TypeError);
    },
  );
});
