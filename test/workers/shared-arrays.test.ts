// Values on shared memory: equal to what they were made of, and their arrays shared.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { onSharedMemory } from "../../workers/shared-arrays.ts";

const array = fc.oneof(fc.uint8Array(), fc.uint16Array(), fc.int32Array(), fc.float32Array(), fc.float64Array());
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 3, "text"),
    array,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

test("a value on shared memory is the same value, and no array of it is the original's", () => {
  fc.assert(
    fc.property(value, (original) => {
      const copy = onSharedMemory(original);
      expect(withBytes(copy)).toEqual(withBytes(original));
      for (const part of arraysOf(copy)) expect(part.buffer).toBeInstanceOf(SharedArrayBuffer);
    }),
  );
});

/** Each array as its type and bytes: no NaN equals itself. */
function withBytes(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    return [value.constructor.name, [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]];
  }
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withBytes(part)]));
}

function arraysOf(from: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(from)) return [from];
  return typeof from === "object" && from !== null ? Object.values(from).flatMap(arraysOf) : [];
}
