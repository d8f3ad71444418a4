// Parts and folds: sizes, strata, seeds, and classes too small to share.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  assignParts,
  confirmingParts,
  foldSplits,
  HOLDOUT_PART,
  PART_COUNT,
  SMALL_TABLE_ROWS,
  splitByPart,
} from "../../../engine/splits/holdout.ts";

const someClasses = fc.array(fc.nat(3), { minLength: 10, maxLength: 400 }).map((codes) => Uint8Array.from(codes));

describe("parts", () => {
  test("every class is spread evenly and no part is larger than another by more than the classes", () => {
    fc.assert(
      fc.property(someClasses, fc.nat(), (classes, seed) => {
        const parts = assignParts(classes, 4, seed).dealt!;
        for (let code = 0; code < 4; code++) {
          const sizes = Array.from(
            { length: PART_COUNT },
            (_, part) => classes.filter((c, row) => c === code && parts[row] === part).length,
          );
          const total = sizes.reduce((a, b) => a + b, 0);
          if (total > 1) expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
          else expect(sizes.slice(0, -1)).toEqual([0, 0, 0, 0]);
        }
      }),
    );
  });

  test("a split covers every row once, ascending, and holds out a fifth", () => {
    const classes = Uint8Array.from({ length: 1000 }, (_, row) => row % 3);
    const parts = assignParts(classes, 3, 7);
    const { learning, judging } = splitByPart(parts, HOLDOUT_PART);
    expect([...learning, ...judging].sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, row) => row));
    expect(judging).toHaveLength(200);
    expect([...judging]).toEqual([...judging].sort((a, b) => a - b));
  });

  test("two fifths confirm, and of few rows the four tenths that these are made of", () => {
    fc.assert(
      fc.property(fc.constantFrom(100, 333, SMALL_TABLE_ROWS, SMALL_TABLE_ROWS + 1), fc.nat(), (rowCount, seed) => {
        const classes = Uint8Array.from({ length: rowCount }, (_, row) => Math.min(row, 3));
        const parts = assignParts(classes, 4, seed);
        const confirming = confirmingParts(parts);
        const judgedBy = (own: readonly number[]) => own.flatMap((part) => [...splitByPart(parts, part).judging]);
        expect(confirming).toHaveLength(rowCount <= SMALL_TABLE_ROWS ? 4 : 2);
        expect(judgedBy(confirming).sort((a, b) => a - b)).toEqual(judgedBy([1, 2]).sort((a, b) => a - b));
        const judged = judgedBy([HOLDOUT_PART, ...confirming]);
        expect(new Set(judged).size).toBe(judged.length);
        for (const part of confirming) {
          const { learning, judging } = splitByPart(parts, part);
          expect([...learning, ...judging].sort((a, b) => a - b)).toEqual([...classes.keys()]);
          // Rows 0 to 2 are alone in their classes: they never judge.
          expect(judging.filter((row) => row < 3)).toBeEmpty();
          expect(judging.length / rowCount).toBeWithin(
            rowCount <= SMALL_TABLE_ROWS ? 0.09 : 0.19,
            rowCount <= SMALL_TABLE_ROWS ? 0.11 : 0.21,
          );
        }
      }),
    );
  });

  test("fifths confirm where some tenth would have no row", () => {
    const classes = Uint8Array.from({ length: 12 }, (_, row) => Math.min(row, 6));
    expect(confirmingParts(assignParts(classes, 7, 1))).toHaveLength(2);
  });

  test("the seed decides", () => {
    const classes = new Uint8Array(300);
    expect(assignParts(classes, 1, 1)).toEqual(assignParts(classes, 1, 1));
    expect(assignParts(classes, 1, 1)).not.toEqual(assignParts(classes, 1, 2));
  });
});

describe("folds", () => {
  test("judge every row once and learn from all the others", () => {
    fc.assert(
      fc.property(someClasses, fc.nat(), (classes, seed) => {
        const rows = Uint32Array.from(classes, (_, row) => row).filter((row) => row % 4 !== 0);
        const folds = foldSplits({ rows, classes, classCount: 4 }, seed);
        expect(folds).toHaveLength(4);
        expect(folds.flatMap(({ judging }) => [...judging]).sort((a, b) => a - b)).toEqual([...rows]);
        for (const { learning, judging } of folds) {
          expect([...learning, ...judging].sort((a, b) => a - b)).toEqual([...rows]);
        }
      }),
    );
  });

  test("there are three above 5,000 rows", () => {
    const rows = Uint32Array.from({ length: 5001 }, (_, row) => row);
    expect(foldSplits({ rows, classes: new Uint8Array(5001), classCount: 1 }, 1)).toHaveLength(3);
  });
});
