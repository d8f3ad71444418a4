// The npm packages as baselines: they learn, they draw from the seed alone,
// they are bounded, and odd tables do not break them.
import { describe, expect, spyOn, test } from "bun:test";
import {
  fitLibraryBaseline,
  LIBRARY_BASELINES,
  type LibraryBaseline,
} from "../../../engine/families/library-baselines.ts";
import { encodeRows, librarySample, oneHotColumns, orderedColumns } from "../../../engine/families/library-inputs.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { FIRST_CODE } from "../../../engine/table/buckets.ts";
import { categoryFeature, correctCount, drawInput, inputOf, numberFeature } from "./coded-input.ts";

function scoresOf(which: LibraryBaseline, input: FitInput): Float64Array {
  const { rowCount } = input.view;
  const rows = Uint32Array.from({ length: rowCount }, (_, row) => row);
  const out = new Float64Array(rowCount * input.classCount).fill(7);
  fitLibraryBaseline(which, input).score(input.view, rows, out);
  return out;
}

const small = drawInput({ seed: 3, rowCount: 100, classCount: 3, bucketCounts: [9, 6, 6] });
const drawn = drawInput({ seed: 1, rowCount: 400, classCount: 3, bucketCounts: [9, 6, 6] });

for (const which of LIBRARY_BASELINES) {
  describe(which, () => {
    test("learns, and its scores are shares", () => {
      const scores = scoresOf(which, drawn);
      const unseen = Array.from({ length: 400 }, (_, row) => row).filter((row) => row % 4 === 3);
      expect(correctCount(scores, drawn, unseen)).toBeGreaterThan(0.55 * unseen.length);
      for (let row = 0; row < 400; row++) {
        const own = scores.subarray(row * 3, row * 3 + 3);
        expect(own.every((score) => score >= 0)).toBe(true);
        expect(own[0]! + own[1]! + own[2]!).toBeCloseTo(1, 9);
      }
    });

    test("the same seed gives the same bytes, and nothing else is drawn from", () => {
      const random = spyOn(Math, "random");
      const scores = scoresOf(which, small);
      expect(scoresOf(which, small)).toEqual(scores);
      expect(random).not.toHaveBeenCalled();
      random.mockRestore();
    });

    test("survives classes without rows, with one row, and features that tell nothing", () => {
      const codes = Array.from({ length: 40 }, (_, row) => 2 + (row % 2));
      const features = [
        numberFeature(codes, 2),
        categoryFeature(new Array<number>(40).fill(2), 1),
        numberFeature(new Array<number>(40).fill(0), 3),
      ];
      const classes = Array.from({ length: 40 }, (_, row) => (row === 7 ? 4 : 1 + (row % 2)));
      const scores = scoresOf(which, inputOf(features, classes, 5));
      expect(scores.every(Number.isFinite)).toBe(true);
      for (let row = 0; row < 40; row++) {
        expect(scores[row * 5]! + scores[row * 5 + 3]!).toBe(0);
        if (row % 2 === 0) expect(scores[row * 5 + 1]!).toBeGreaterThan(scores[(row + 1) * 5 + 1]!);
      }
    });

    test("gives class shares where there is no feature", () => {
      expect([...scoresOf(which, inputOf([], [0, 0, 0, 1], 2)).subarray(0, 2)]).toEqual([0.75, 0.25]);
    });

    test("scores any number of rows", () => {
      const baseline = fitLibraryBaseline(which, small);
      const first = (rowCount: number) => {
        const out = new Float64Array(rowCount * 3);
        baseline.score(
          small.view,
          Uint32Array.from({ length: rowCount }, (_, row) => row),
          out,
        );
        return [...out];
      };
      for (let rowCount = 0; rowCount < 20; rowCount++) {
        expect(first(rowCount)).toEqual(first(100).slice(0, rowCount * 3));
      }
    });

    test("leaves when cancelled", () => {
      const stop = { ...neverStop, cancelled: () => true };
      expect(() => fitLibraryBaseline(which, { ...drawn, stop })).toThrow(Cancelled);
    });
  });
}

test("ml-random-forest keeps the trees that are finished when time is up", () => {
  const once = scoresOf("ml-random-forest", { ...drawn, stop: { ...neverStop, timeIsUp: () => true } });
  expect([...once].every((score) => score === 0 || score === 1)).toBe(true);
});

describe("what a package is given", () => {
  test("rows are bounded, and every class keeps one", () => {
    const classes = Array.from({ length: 5000 }, (_, row) => (row === 4321 ? 2 : row % 2));
    const input = inputOf(
      [
        categoryFeature(
          classes.map(() => FIRST_CODE),
          1,
        ),
      ],
      classes,
      3,
    );
    const sample = librarySample(input, 1000);
    expect(sample.rows.length).toBeLessThanOrEqual(1003);
    expect(sample.knownClasses).toEqual([0, 1, 2]);
    expect(sample.classes.filter((own) => own === 2).length).toBe(1);
    for (const which of ["ml-naivebayes", "ml-logistic-regression"] as const) {
      expect(fitLibraryBaseline(which, input).sampleRowCount).toBe(sample.rows.length);
    }
  });

  test("columns are bounded and stay in their order", () => {
    const input = drawInput({ seed: 2, rowCount: 60, classCount: 2, bucketCounts: new Array<number>(120).fill(9) });
    const columns = orderedColumns(input).map(({ feature }) => feature);
    expect(new Set(columns).size).toBe(50);
    expect(columns).toEqual([...columns].sort((a, b) => a - b));
    expect(orderedColumns({ ...input, seed: 77 }).map(({ feature }) => feature)).not.toEqual(columns);
    const oneHot = oneHotColumns(input, input.rows).filter(({ encoding }) => encoding === "one-hot");
    expect(oneHot.length).toBe(50);
  });

  test("numbers are bucket centres, categories are codes or the frequent ones of them, missing and unseen cells are 0", () => {
    const input = inputOf([numberFeature([0, 1, 2, 5], 4), categoryFeature([0, 3, 3, 2], 2)], [0, 1, 0, 1], 2);
    const ordered = encodeRows(input.view, input.rows, orderedColumns(input));
    expect(ordered).toEqual([
      [0, 0],
      [0, 3],
      [-0.75, 3],
      [0.75, 2],
    ]);
    expect(encodeRows(input.view, input.rows, oneHotColumns(input, input.rows))).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [-0.75, 1, 0],
      [0.75, 0, 1],
    ]);
  });
});
