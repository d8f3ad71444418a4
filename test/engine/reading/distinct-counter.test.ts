// Counts of distinct texts against a Set, and their estimate against how many there are.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COUNTS_TEXTS, ODD_COUNT } from "../../../engine/kernels/reading/layout.ts";
import { Random } from "../../../engine/random.ts";
import { DistinctCounter, estimateCount } from "../../../engine/reading/distinct-counter.ts";
import { cellsOf, emptyDictionary, enterTexts } from "../../support/cells.ts";

const ERROR_OF_2048 = 1.04 / Math.sqrt(2048);
const ERROR_OF_16384 = 1.04 / Math.sqrt(16_384);

/** Of the texts that the dictionary does not hold; `listed`: those that it does. */
function counterOf(texts: readonly string[], slots: number, listed: readonly string[] = []): DistinctCounter {
  const dictionary = emptyDictionary(Math.max(1, listed.length));
  enterTexts(dictionary, listed);
  const counter = new DistinctCounter(dictionary, slots);
  const { kernel, at } = dictionary;
  for (let from = 0; from < texts.length; from += 4096) {
    const { recordCount, stride } = cellsOf(kernel, texts.slice(from, from + 4096));
    const cells = kernel.columnAt(0, stride);
    kernel.exports.findCells(at, cells, 0, recordCount, COUNTS_TEXTS);
    for (const row of kernel.odd.slice(0, kernel.outcome[ODD_COUNT])) kernel.exports.countOdd(at, cells, row);
  }
  return counter;
}

describe("a counter", () => {
  test("is exact while its table has room", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ maxLength: 4 }).map((text) => text.trim()),
          { maxLength: 3000 },
        ),
        (texts) => {
          const counter = counterOf(texts, 1 << 14);
          expect([counter.total(0), counter.mostOf(counter.total(0))]).toEqual([
            new Set(texts).size,
            new Set(texts).size,
          ]);
          expect([counter.isEstimate, counter.isEmpty]).toEqual([false, texts.length === 0]);
        },
      ),
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
    expect(Math.abs(counter.total(0) / 60_000 - 1)).toBeLessThan(4 * ERROR_OF_2048);
    expect(counter.mostOf(counter.total(0))).toBeGreaterThan(60_000);
    const again = counterOf([...texts, ...texts].reverse(), 2048);
    expect(again.total(0)).toBe(counter.total(0));
    const listed = [...texts.slice(0, 1000), "NA", "?"];
    // Two texts of the dictionary are no values.
    const beside = counterOf(texts.slice(1000), 2048, listed);
    expect(Math.abs(beside.total(1000) - counter.total(0))).toBeLessThan(200);
  });

  test("is never below what the dictionary lists", () => {
    const listed = Array.from({ length: 500 }, (_, at) => `text ${at}`);
    const counter = counterOf(["a", "b", "c"], 2, listed);
    expect(counter.isEstimate).toBe(true);
    expect(counter.total(500)).toBeGreaterThanOrEqual(500);
  });
});

describe("an estimate", () => {
  test.each([10, 1000, 20_000, 60_000, 400_000, 3_000_000])("of %d hashes is within five errors", (count) => {
    const random = new Random(count);
    const registers = new Uint8Array(2 ** 14);
    for (let at = 0; at < count; at++) sketch(registers, Math.floor(random.nextFloat() * 2 ** 32));
    expect(Math.abs(estimateCount(registers) / count - 1)).toBeLessThan(5 * ERROR_OF_16384);
  });

  test("of nothing is none", () => {
    expect(estimateCount(new Uint8Array(1024))).toBe(0);
  });
});

/** What a register is by definition: the longest run of zeros behind the bits that choose it, and one more. */
function sketch(registers: Uint8Array, hash: number): void {
  const bits = Math.log2(registers.length);
  const rank = Math.clz32(hash << bits);
  const place = hash >>> (32 - bits);
  registers[place] = Math.max(registers[place]!, 1 + Math.min(rank, 32 - bits));
}
