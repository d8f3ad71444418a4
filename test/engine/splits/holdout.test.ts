// Parts and folds: sizes, strata, seeds, and classes too small to share.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  assignParts,
  CONFIRMING_PARTS,
  foldSplits,
  HOLDOUT_PART,
  PART_COUNT,
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
    expect([HOLDOUT_PART, ...CONFIRMING_PARTS].length).toBe(new Set([HOLDOUT_PART, ...CONFIRMING_PARTS]).size);
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
        const folds = foldSplits(rows, classes, 4, seed);
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
    expect(foldSplits(rows, new Uint8Array(5001), 1, 1)).toHaveLength(3);
  });
});
