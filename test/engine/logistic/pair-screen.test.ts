// The screen of pairs against its formulas written out, row by row and cell by cell.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type CoarseColumns, fitCoarseColumns, gatherGroups } from "../../../engine/fitting/coarse-columns.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { fitLogisticRegression } from "../../../engine/logistic/logistic-regression.ts";
import { productGains, type Residuals, residualsOf, tableGains } from "../../../engine/logistic/pair-screen.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import { drawInput, probabilitiesOf } from "../families/coded-input.ts";

interface Screened {
  input: FitInput;
  columns: CoarseColumns;
  residuals: Residuals;
  /** Of each class that has an output: y - p and p(1 - p) by row. */
  naive: { slope: number; curvature: number }[][];
}

function screened(seed: number, classCount: number): Screened {
  const drawn = drawInput({ seed, rowCount: 150, classCount, bucketCounts: [9, 4, 30, 3, 12] });
  const random = new Random(seed);
  const [first, ...others] = drawn.view.features;
  const holed = { ...first!, codes: first!.codes.map((code) => (random.nextBelow(9) === 0 ? UNSEEN_CODE : code)) };
  const input = { ...drawn, view: { ...drawn.view, features: [holed, ...others] } };
  const model = fitLogisticRegression(input, { basis: "smooth", l2: 1, maxIterations: 30 });
  const probabilities = probabilitiesOf(model, input.view);
  const classes = classCount === 2 ? [1] : [...Array(classCount).keys()];
  const naive = classes.map((k) =>
    [...input.rows].map((row) => {
      const p = probabilities[row * classCount + k]!;
      return { slope: Number(input.classes[row] === k) - p, curvature: p * (1 - p) };
    }),
  );
  const columns = fitCoarseColumns(input, 100, 6);
  return { input, columns, residuals: residualsOf(model, input, input.rows), naive };
}

function naiveGain(parts: readonly { slope: number; curvature: number; weight: number }[]): number {
  const g = parts.reduce((sum, { slope, weight }) => sum + slope * weight, 0);
  const h = parts.reduce((sum, { curvature, weight }) => sum + curvature * weight ** 2, 0);
  return g ** 2 / (h + 5) - h / (h + 5);
}

/**
 * All pairs of columns by the formula, with rows told apart by what `cellOf` makes of them and weighed by `weightOf`.
 */
function naiveGains(
  { input, columns, naive }: Screened,
  cellOf: (a: number, b: number) => string | null,
  weightOf: (column: number, group: number) => number,
): number[] {
  const groups = gatherGroups(columns, input.view, input.rows);
  return groups.flatMap((own, first) =>
    groups.map((others, second) => {
      if (first >= second) return 0;
      let gain = 0;
      for (const residuals of naive) {
        const cells = new Map<string, { slope: number; curvature: number; weight: number }[]>();
        for (const [i, residual] of residuals.entries()) {
          const cell = cellOf(own[i]!, others[i]!);
          if (cell === null) continue;
          const weight = weightOf(first, own[i]!) * weightOf(second, others[i]!);
          cells.set(cell, [...(cells.get(cell) ?? []), { ...residual, weight }]);
        }
        for (const parts of cells.values()) gain += naiveGain(parts);
      }
      return gain;
    }),
  );
}

function expectClose(gains: Float64Array, expected: readonly number[]): void {
  expect(gains).toHaveLength(expected.length);
  for (const [at, gain] of expected.entries()) expect(gains[at]).toBeCloseTo(gain, 8);
}

const draws = [fc.integer(), fc.integer({ min: 2, max: 4 })] as const;

describe("tableGains", () => {
  test("is the gain of a Newton step in every cell, less what chance gives; unseen codes have no cell", () => {
    fc.assert(
      fc.property(...draws, (seed, classCount) => {
        const drawn = screened(seed, classCount);
        const cellOf = (a: number, b: number) => (a === UNSEEN_CODE || b === UNSEEN_CODE ? null : `${a} ${b}`);
        expectClose(
          tableGains(drawn.input, drawn.columns, drawn.residuals),
          naiveGains(drawn, cellOf, () => 1),
        );
      }),
      { numRuns: 20 },
    );
  });

  test("of noise it is about 0 on the mean, whatever the number of cells", () => {
    let sum = 0;
    for (let seed = 0; seed < 60; seed++) {
      const drawn = drawInput({ seed, rowCount: 800, classCount: 2, bucketCounts: [1, 8, 8], missing: 0 });
      const classes = drawn.classes.map((_, row) => new Random(row * 977 + seed).nextBelow(2));
      const input = { ...drawn, classes };
      const none = { kind: "additive", classCount: 2, outputCount: 1, intercepts: new Float64Array(1) } as const;
      const residuals = residualsOf({ ...none, tables: [null, null, null] }, input, input.rows);
      sum += tableGains(input, fitCoarseColumns(input, 10, 8), residuals)[1]! / 60;
    }
    // Σ h / (h + 5) over 64 cells, which is left out, is some 20.
    expect(Math.abs(sum)).toBeLessThan(3);
  });
});

describe("productGains", () => {
  test("is the gain of a Newton step on the weight of a product", () => {
    fc.assert(
      fc.property(...draws, (seed, classCount) => {
        const drawn = screened(seed, classCount);
        const random = new Random(seed + 1);
        const values = Array.from(drawn.columns.groupCounts, (count) =>
          Float64Array.from({ length: count }, () => 4 * random.nextFloat() - 2),
        );
        expectClose(
          productGains(drawn.input, drawn.columns, values, drawn.residuals),
          naiveGains(
            drawn,
            () => "",
            (column, group) => values[column]![group]!,
          ),
        );
      }),
      { numRuns: 20 },
    );
  });
});

test("pairs that the time did not reach gain nothing; cancelled it throws", () => {
  const { input, columns, residuals } = screened(4, 2);
  let looks = 0;
  const late = { ...input, stop: { cancelled: () => false, timeIsUp: () => ++looks > 2 } };
  expect([...tableGains(late, columns, residuals)].filter((gain) => gain !== 0)).toHaveLength(2);
  const gone = { ...input, stop: { cancelled: () => true, timeIsUp: () => false } };
  expect(() => tableGains(gone, columns, residuals)).toThrow(Cancelled);
});
