// Protocol buffers: what is written, read back by a plain decoder.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Message } from "../../../engine/export/onnx/protobuf.ts";

type Field = [number, number | Uint8Array];

/** The fields of a message, in order: numbers, and the bytes of everything else. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = varintAt(bytes, at);
    const value = varintAt(bytes, tag.end);
    const isText = tag.value % 8 === 2;
    expect([0, 2]).toContain(tag.value % 8);
    const end = value.end + (isText ? value.value : 0);
    expect(end).toBeLessThanOrEqual(bytes.length);
    fields.push([Math.floor(tag.value / 8), isText ? bytes.subarray(value.end, end) : value.value]);
    at = end;
  }
  return fields;
}

function varintAt(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0n;
  let end = start;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[end++]!;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value: Number(value), end };
  }
}

function packedInts(bytes: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { value, end } = varintAt(bytes, at);
    found.push(value);
    at = end;
  }
  return found;
}

function bytesOf({ pieces, byteLength }: Message): Uint8Array {
  const all = Buffer.concat(pieces);
  expect(all).toHaveLength(byteLength);
  return all;
}

const field = fc.integer({ min: 1, max: 5000 });
const whole = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 127, 128, 16383, 16384, 2 ** 32));

test("numbers, texts, bytes and messages come back with their fields", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(field, fc.oneof(whole, fc.string({ unit: "binary" }), fc.uint8Array()))), (drawn) => {
      const message = new Message();
      for (const [at, value] of drawn) {
        if (typeof value === "number") message.int(at, value);
        else if (typeof value === "string") message.text(at, value);
        else message.bytes(at, value);
      }
      const outer = new Message().message(7, message).int(1, 5);
      const [[inner, content], last] = fieldsOf(bytesOf(outer)) as [Field, Field];
      expect([inner, last]).toEqual([7, [1, 5]]);
      const expected = drawn.map(([at, value]) => [
        at,
        typeof value === "number" ? value : Buffer.from(value as string | Uint8Array),
      ]);
      const found = fieldsOf(content as Uint8Array).map(([at, value]) => [
        at,
        typeof value === "number" ? value : Buffer.from(value),
      ]);
      expect(found).toEqual(expected);
    }),
  );
});

test("lists of numbers are packed", () => {
  fc.assert(
    fc.property(field, fc.array(whole), fc.float32Array({ noNaN: true }), (at, values, floats) => {
      const fields = fieldsOf(bytesOf(new Message().ints(at, values).floats(at + 1, floats)));
      expect(fields.map(([own]) => own)).toEqual([at, at + 1]);
      expect(packedInts(fields[0]![1] as Uint8Array)).toEqual(values);
      expect(new Float32Array(Uint8Array.from(fields[1]![1] as Uint8Array).buffer)).toEqual(floats);
    }),
  );
});

test("choices are a text for each entry", () => {
  fc.assert(
    fc.property(
      field,
      fc.array(fc.string(), { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(4)),
      (at, choices, drawn) => {
        const which = Uint8Array.from(drawn, (choice) => choice % choices.length);
        const fields = fieldsOf(bytesOf(new Message().choices(at, choices, which)));
        expect(fields.map(([own, text]) => [own, Buffer.from(text as Uint8Array).toString()])).toEqual(
          Array.from(which, (choice) => [at, choices[choice]!]),
        );
      },
    ),
  );
});
