// The container of saved arrays: what goes in comes out, and whatever is damaged, foreign or newer is refused.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type FileFormat, packArrays, type StoredArray, unpackArrays } from "../../../engine/arrays/array-file.ts";
import { crc32 } from "../../../engine/arrays/crc32.ts";
import { InputError } from "../../../engine/input-error.ts";

const format: FileFormat = { magic: "TESTTEST", version: 3, noun: "test file" };
const arrays = new Map<string, StoredArray>([
  ["bytes", Uint8Array.of(1, 2, 3)],
  ["floats", Float64Array.of(0.1, Number.NaN, -0)],
  ["none", new Int32Array(0)],
]);

const plain = ([name, array]: [string, StoredArray]) => [name, array.constructor.name, [...array]];

describe("packing", () => {
  test("gives back the head and the arrays, also from bytes that are not aligned", () => {
    const bytes = packArrays(format, { name: "ünïcode 🜔" }, arrays);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    for (const read of [bytes, shifted.subarray(1)]) {
      const unpacked = unpackArrays(format, read);
      expect(unpacked.head).toEqual({ name: "ünïcode 🜔" });
      expect([...unpacked.arrays].map(plain)).toEqual([...arrays].map(plain));
    }
  });

  test("any byte that changes is noticed", () => {
    const bytes = packArrays(format, { a: 1 }, arrays);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = bytes.slice();
        damaged[at]! ^= change;
        expect(() => unpackArrays(format, damaged)).toThrow(InputError);
      }),
    );
  });

  test("any end that is cut off is noticed", () => {
    const bytes = packArrays(format, { a: 1 }, arrays);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => unpackArrays(format, bytes.subarray(0, length))).toThrow(InputError);
    }
  });

  test("a newer format is refused by its number", () => {
    const newer = packArrays({ ...format, version: 4 }, {}, new Map());
    expect(() => unpackArrays(format, newer)).toThrow("has format 4; this program reads up to 3");
  });
});

test("the checksum is the standard one", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
});
