// The estimate of memory: more of anything never takes less, and the terms are those of the code that they are about.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readingNeed } from "../../../engine/memory/reading-need.ts";
import { refinementNeed } from "../../../engine/memory/refinement-need.ts";
import { scoringNeed } from "../../../engine/memory/scoring-need.ts";
import { bytesOfLevels, type FileSize, sizeOf, type TableSize } from "../../../engine/memory/sizes.ts";
import { fitForests, type TrainingWork, trainingNeed } from "../../../engine/memory/training-need.ts";
import { MOST_LOG_BYTES } from "../../../engine/reading/caps.ts";
import { FIRST_LEVEL } from "../../../engine/table/table.ts";
import { commandBytes, divideBudget, threadsWithin } from "../../../src/common/memory-budget.ts";
import { makeTable } from "../../support/tables.ts";
import { textTable } from "../../support/text-tables.ts";

const MIB = 2 ** 20;
/** As engine/memory/training-need.ts steps down. */
const TREE_STEPS = [300, 200, 150, 100, 60, 30];
const count = (max: number) => fc.integer({ min: 1, max });

const file: fc.Arbitrary<FileSize> = fc.record({
  sizeBytes: count(534_773_760),
  rowCount: count(10_000_000),
  columnCount: count(10_000),
  textBytes: count(534_773_760),
});
const size: fc.Arbitrary<TableSize> = fc.record({
  rowCount: count(3_000_000),
  featureCount: count(10_000),
  classCount: fc.integer({ min: 2, max: 100 }),
  levelBytes: count(2 ** 28),
  termCount: count(2 ** 18),
  entryCount: count(2 ** 25),
});
/** Terms that are counted, rows of the most entries, garbage, and the shape of each row. */
const mostTextBytes = (rowCount: number) => 128 * MIB + 168 * MIB + 24 * MIB + 192 * MIB + 56 * rowCount;
const work: fc.Arbitrary<TrainingWork> = fc.record({
  threadCount: count(64),
  numberOfBuckets: fc.integer({ min: 4, max: 1_000 }),
  attemptCount: count(500),
  hasTarget: fc.boolean(),
});

/** Holds that a tenth more of each number in turn needs no less. */
function expectMonotone<T extends object>(value: T, needOf: (value: T) => number): void {
  const need = needOf(value);
  expect(need).toBeGreaterThan(0);
  expect(need).toBeFinite();
  for (const [name, own] of Object.entries(value)) {
    if (typeof own !== "number") continue;
    const more = needOf({ ...value, [name]: Math.ceil(own * 1.1) });
    if (more < need) throw new Error(`${name}: ${own} needs ${need}, a tenth more ${more}`);
  }
}

describe("the need of memory", () => {
  test("of reading grows with the file's rows and bytes", () => {
    fc.assert(
      fc.property(file, ({ columnCount, ...rest }) => {
        expectMonotone(rest, (grown) => readingNeed({ ...grown, columnCount }));
      }),
    );
  });

  test("of reading is bounded by the caps of a profile and of its log, and two bytes a cell", () => {
    fc.assert(
      fc.property(file, (asked) => {
        const { rowCount, columnCount } = asked;
        expect(readingNeed(asked)).toBeLessThan(
          3_000 * MIB + Math.max(MOST_LOG_BYTES, 3 * rowCount * columnCount) + mostTextBytes(rowCount),
        );
      }),
    );
  });

  test("of a training grows with its table, its threads, its attempts and a target", () => {
    fc.assert(
      fc.property(size, work, (table, asked) => {
        expectMonotone(table, (grown) => trainingNeed(grown, asked));
        const { hasTarget: _, ...numbers } = asked;
        expectMonotone(numbers, (grown) => trainingNeed(table, { ...asked, ...grown }));
        const needWith = (hasTarget: boolean) => trainingNeed(table, { ...asked, hasTarget });
        expect(needWith(true)).toBeGreaterThanOrEqual(needWith(false));
      }),
    );
  });

  test("of a refinement grows with its table and its threads", () => {
    fc.assert(
      fc.property(size, work, (table, { threadCount, numberOfBuckets }) => {
        const asked = { threadCount, numberOfBuckets };
        expectMonotone(table, (grown) => refinementNeed(grown, asked));
        expectMonotone(asked, (grown) => refinementNeed(table, grown));
      }),
    );
  });

  test("of a training is brought down by smaller forests, never below what the table takes", () => {
    fc.assert(
      fc.property(size, work, fc.double({ min: 0, max: 2, noNaN: true }), (table, asked, share) => {
        const whole = trainingNeed(table, asked);
        const { mostTrees, needBytes } = fitForests(table, asked, share * whole);
        expect(needBytes).toBe(trainingNeed(table, { ...asked, ...(mostTrees !== undefined && { mostTrees }) }));
        if (share >= 1) expect([mostTrees, needBytes]).toEqual([undefined, whole]);
        // No smaller than asked for: a step more would not fit.
        if (mostTrees !== undefined && needBytes <= share * whole) {
          const larger = TREE_STEPS[TREE_STEPS.indexOf(mostTrees) - 1];
          const before = trainingNeed(table, { ...asked, ...(larger !== undefined && { mostTrees: larger }) });
          expect(before).toBeGreaterThan(share * whole);
        }
      }),
    );
  });

  test("of 20,000 rows in a control group of 300 MiB: they train there, by the server and on the command line", () => {
    const table = { rowCount: 20_000, featureCount: 14, classCount: 2, levelBytes: 192_244 };
    const budgetMib = 270;
    const memory = divideBudget(budgetMib);
    const threadCount = threadsWithin(2, memory);
    for (const hasTarget of [false, true]) {
      const asked = { threadCount, numberOfBuckets: 20, attemptCount: 20, hasTarget };
      for (const mostBytes of [memory.jobBytes.heavy, commandBytes(budgetMib)]) {
        const { mostTrees, needBytes } = fitForests(table, asked, mostBytes);
        expect(needBytes).toBeLessThanOrEqual(mostBytes);
        expect(mostTrees).toBeGreaterThanOrEqual(60);
      }
    }
    expect(refinementNeed(table, { threadCount: 1, numberOfBuckets: 20 })).toBeLessThan(commandBytes(budgetMib));
  });

  test("takes in what nobody gets around: the table itself, and on each thread its levels", () => {
    fc.assert(
      fc.property(size, work, (table, asked) => {
        const cells = table.rowCount * table.featureCount;
        const least = 2 * cells + asked.threadCount * (cells + table.levelBytes);
        expect(trainingNeed(table, asked)).toBeGreaterThan(least);
        expect(refinementNeed(table, asked)).toBeGreaterThan(least);
      }),
    );
  });

  test("of scoring grows with the model and its names, and with the first bytes of texts", () => {
    const none = { sizeBytes: 0, headBytes: 0 };
    const large = scoringNeed({ sizeBytes: 100 * MIB, headBytes: 0 }, 1_000) - scoringNeed(none, 1_000);
    expect(large).toBeGreaterThanOrEqual(200 * MIB);
    const explained = scoringNeed({ sizeBytes: 100 * MIB, headBytes: 0 }, 1_000, true) - scoringNeed(none, 1_000, true);
    expect(explained - large).toBeGreaterThanOrEqual(200 * MIB);
    const named = scoringNeed({ sizeBytes: 16 * MIB, headBytes: 14 * MIB }, 1_000) - scoringNeed(none, 1_000);
    expect(named).toBeGreaterThanOrEqual(350 * MIB);
    expect(scoringNeed(none, 2 ** 30)).toBe(scoringNeed(none, 2 ** 29));
    const texts = { ...none, readsTexts: true };
    expect(scoringNeed(texts, 2 ** 29) - scoringNeed(none, 2 ** 29)).toBeGreaterThan(100 * MIB);
    expect(scoringNeed(texts, 2 ** 30)).toBe(scoringNeed(texts, 2 ** 29));
  });

  test("of small tables is small: a service of half a gigabyte can train on them", () => {
    const table = { rowCount: 1_000, featureCount: 20, classCount: 2, levelBytes: bytesOfLevels("number", 20_000) };
    const asked = { threadCount: 2, numberOfBuckets: 20, attemptCount: 20, hasTarget: true };
    expect(trainingNeed(table, asked)).toBeLessThan(200 * MIB);
    expect(readingNeed({ sizeBytes: 200_000, rowCount: 1_000, columnCount: 21 })).toBeLessThan(100 * MIB);
  });
});

test("the need of texts is bounded by their limits, and there is none without them", () => {
  const table = { rowCount: 10_000, featureCount: 21, classCount: 77, levelBytes: 500_000 };
  const asked = { threadCount: 2, numberOfBuckets: 20, attemptCount: 20, hasTarget: false };
  const withTexts = { ...table, termCount: 2 ** 18, entryCount: 2 ** 25 };
  for (const needOf of [(own: TableSize) => trainingNeed(own, asked), (own: TableSize) => refinementNeed(own, asked)]) {
    expect(needOf({ ...table, termCount: 0, entryCount: 0 })).toBe(needOf(table));
    // The entries that all threads share, and on each thread the weights of one model.
    const least = 5 * 2 ** 25 + asked.threadCount * 4 * 77 * 2 ** 18;
    expect(needOf(withTexts) - needOf(table)).toBeGreaterThan(least);
    expect(needOf(withTexts) - needOf(table)).toBeLessThan(12 * least);
  }
  const file: FileSize = { sizeBytes: 500_000_000, rowCount: 1_000_000, columnCount: 2 };
  const readTexts = readingNeed({ ...file, textBytes: 500_000_000 }) - readingNeed(file);
  expect(readTexts).toBeWithin(5 * 2 ** 25, mostTextBytes(file.rowCount) + 1);
  expect(readingNeed({ ...file, textBytes: 0 })).toBe(readingNeed(file));
});

test("the size of a table counts the levels of numbers and of categories", () => {
  const table = makeTable(
    [
      [1, 2, 2, null],
      ["x", "y", "z", "x"],
    ],
    ["no", "yes", "no", "yes"],
  );
  const levelBytes = bytesOfLevels("number", FIRST_LEVEL + 2) + bytesOfLevels("category", FIRST_LEVEL + 3);
  expect(sizeOf(table)).toEqual({ rowCount: 4, featureCount: 2, classCount: 2, levelBytes });
});

test("the size of a table with texts counts their terms and entries", () => {
  const table = textTable(["good food", "bad food", "good dog"], ["a", "b", "a"]);
  const { termCount, terms } = table.texts![0]!;
  expect(termCount).toBeGreaterThan(0);
  expect(sizeOf(table)).toMatchObject({ termCount, entryCount: terms.length });
});
