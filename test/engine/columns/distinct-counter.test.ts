// Counts of distinct texts against a Set, and their sketch against what its registers are by definition.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DistinctCounter } from "../../../engine/columns/distinct-counter.ts";
import { estimateCount, relativeError, sketchHash } from "../../../engine/columns/distinct-sketch.ts";
import { createDictionary, hashText, insertText } from "../../../engine/columns/text-dictionary.ts";
import { Random } from "../../../engine/random.ts";

/** Of the texts that the dictionary does not hold; `listed`: those that it does. */
function counterOf(texts: Iterable<string>, slots: number, listed: readonly string[] = []): DistinctCounter {
  const dictionary = createDictionary(listed.length, 100_000);
  for (const text of listed) insertText(dictionary, text, hashText(text), 1);
  const counter = new DistinctCounter(slots, dictionary, null);
  for (const text of texts) counter.add(text, hashText(text));
  return counter;
}

describe("a counter", () => {
  test("is exact while its table has room", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 4 }), { maxLength: 3000 }), (texts) => {
        const counter = counterOf(texts, 1 << 14);
        expect([counter.total(0), counter.mostOf(counter.total(0))]).toEqual([
          new Set(texts).size,
          new Set(texts).size,
        ]);
        expect(counter.isEstimate).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  test.each<[string, (at: number) => string]>([
    ["integers", (at) => String(at)],
    ["decimals", (at) => (at / 1000).toFixed(3)],
    ["long texts", (at) => `some long text before ${at}`],
  ])("estimates %s beyond it, whatever their order, however often they come, in the dictionary or not", (_, textOf) => {
    const texts = Array.from({ length: 60_000 }, (_, at) => textOf(at));
    const counter = counterOf(texts, 2048);
    expect(counter.isEstimate).toBe(true);
    expect(Math.abs(counter.total(0) / 60_000 - 1)).toBeLessThan(4 * relativeError(counter.registers));
    expect(counter.mostOf(counter.total(0))).toBeGreaterThan(60_000);
    const again = counterOf([...texts, ...texts].reverse(), 2048);
    expect(again.total(0)).toBe(counter.total(0));
    const listed = [...texts.slice(0, 1000), "NA", "?"];
    // Two texts of the dictionary are no values.
    const beside = counterOf(texts.slice(1000), 2048, listed);
    const isSame = beside.registers.every((rank, at) => rank >= counter.registers[at]!);
    expect([isSame, Math.abs(beside.total(1000) - counter.total(0)) < 200]).toEqual([true, true]);
  });

  test("is never below what the dictionary lists", () => {
    const listed = Array.from({ length: 500 }, (_, at) => `text ${at}`);
    const counter = counterOf(["a", "b", "c"], 2, listed);
    expect(counter.isEstimate).toBe(true);
    expect(counter.total(500)).toBeGreaterThanOrEqual(500);
  });
});

describe("a sketch", () => {
  test("holds in each register the longest run of zeros behind the bits that choose it", () => {
    const hash = fc.oneof(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1),
      fc.nat(40),
    );
    fc.assert(
      fc.property(fc.array(hash), fc.integer({ min: 1, max: 14 }), (hashes, bits) => {
        const registers = new Uint8Array(2 ** bits);
        for (const one of hashes) sketchHash(registers, one);
        const expected = new Uint8Array(2 ** bits);
        for (const one of hashes) {
          const text = one.toString(2).padStart(32, "0");
          const place = Number.parseInt(text.slice(0, bits), 2);
          const zeros = /^0*/.exec(text.slice(bits))![0].length;
          expected[place] = Math.max(expected[place]!, zeros + 1);
        }
        expect(registers).toEqual(expected);
      }),
    );
  });

  test.each([10, 1000, 20_000, 60_000, 400_000, 3_000_000])(
    "of %d hashes tells how many within five errors",
    (count) => {
      const random = new Random(count);
      const registers = new Uint8Array(2 ** 14);
      for (let at = 0; at < count; at++) sketchHash(registers, Math.floor(random.nextFloat() * 2 ** 32));
      expect(Math.abs(estimateCount(registers) / count - 1)).toBeLessThan(5 * relativeError(registers));
    },
  );

  test("of nothing tells none", () => {
    expect(estimateCount(new Uint8Array(1024))).toBe(0);
  });
});
