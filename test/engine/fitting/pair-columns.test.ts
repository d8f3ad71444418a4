// Joint columns against pairs of groups written out, their left-out rows against
// counting without them, and the pairs that are chosen.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countBayesTables, leaveOneOutLifts } from "../../../engine/bayes/bayes-tables.ts";
import { fitNaiveBayes } from "../../../engine/bayes/naive-bayes.ts";
import { fitPairedBayes } from "../../../engine/bayes/naive-bayes-pairs.ts";
import { fitCoarseColumns, gatherGroups } from "../../../engine/fitting/coarse-columns.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import {
  bestPairs,
  type ColumnPairs,
  checkPairs,
  type PairedModel,
  scorePaired,
  widenCodeCounts,
  widenView,
} from "../../../engine/fitting/pair-columns.ts";
import { scoreTables } from "../../../engine/fitting/score-tables.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { type CodedFeature, type CodedView, FIRST_CODE, UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import { everyRow } from "../../support/tables.ts";
import { categoryFeature, correctCount, drawInput, inputOf } from "../families/coded-input.ts";

const settings = { pairCount: 30, smoothing: 1 };

function answersOf(model: PairedModel, view: CodedView): Float64Array {
  const out = new Float64Array(view.rowCount * model.classCount);
  scorePaired(model, view, everyRow(view), out);
  return out;
}

/** The pairs of neighbouring columns. */
function neighbours(input: FitInput): ColumnPairs {
  const columns = fitCoarseColumns(input, 100);
  const firsts = Uint16Array.from({ length: columns.features.length - 1 }, (_, column) => column);
  return { columns, firsts, seconds: firsts.map((column) => column + 1) };
}

/** The class says whether two of the features agree; five features are noise. */
function agreement(rowCount: number): FitInput {
  const random = new Random(5);
  const lists = Array.from({ length: 7 }, () => Array.from({ length: rowCount }, () => random.nextBelow(3)));
  const classes = lists[0]!.map((value, row) => (value === lists[1]![row] ? 1 : 0));
  return inputOf(
    lists.map((list) =>
      categoryFeature(
        list.map((value) => value + FIRST_CODE),
        3,
      ),
    ),
    classes,
    2,
  );
}

describe("widenView", () => {
  test("has one code for each combination of groups, and the unseen one where either is", () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 3 }),
        (seed, counts) => {
          const input = drawInput({ seed, rowCount: 120, classCount: 2, bucketCounts: counts });
          const pairs = neighbours(input);
          const widened = widenView(input.view, pairs);
          const groups = gatherGroups(pairs.columns, input.view, everyRow(input.view));
          expect(widened.features.slice(0, 3)).toEqual([...input.view.features]);
          expect(widened.features.map(({ codeCount }) => codeCount)).toEqual(
            widenCodeCounts(
              input.view.features.map(({ codeCount }) => codeCount),
              pairs,
            ),
          );
          for (const [pair, first] of pairs.firsts.entries()) {
            const { codes, codeCount } = widened.features[3 + pair]!;
            const combinationOf = new Map<number, string>();
            const codeOf = new Map<string, number>();
            for (const [row, code] of codes.entries()) {
              const own = [groups[first]![row]!, groups[first + 1]![row]!];
              if (own.includes(UNSEEN_CODE)) expect(code).toBe(UNSEEN_CODE);
              else {
                expect(code).toBeGreaterThanOrEqual(FIRST_CODE);
                expect(code).toBeLessThan(codeCount);
                expect(combinationOf.get(code) ?? own.join()).toBe(own.join());
                expect(codeOf.get(own.join()) ?? code).toBe(code);
                combinationOf.set(code, own.join());
                codeOf.set(own.join(), code);
              }
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test("a row that is left out of a joint column meets what counting without it gives", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 5 }), (seed, classCount) => {
        const input = drawInput({ seed, rowCount: 60, classCount, bucketCounts: [3, 4] });
        const view = widenView(input.view, neighbours(input));
        const { codes, codeCount } = view.features[2]!;
        const bayes = countBayesTables({ ...input, view }, 1.5);
        const leftOut = leaveOneOutLifts(bayes, 2);
        const rows = [...input.rows];
        for (const row of rows) {
          const others = rows.filter((other) => other !== row);
          const alike = rows.filter((other) => codes[other] === codes[row]);
          const share = (alike.length + 1) / (rows.length + codeCount - 1);
          for (let k = 0; k < classCount; k++) {
            const ofClass = others.filter((other) => input.classes[other] === k);
            const met = ofClass.filter((other) => codes[other] === codes[row]).length;
            const expected = alike.length === 1 ? 0 : Math.log((met + 1.5 * share) / (ofClass.length + 1.5) / share);
            const table = input.classes[row] === k ? leftOut.own : leftOut.others;
            if (rows.some((other) => input.classes[other] === k)) {
              expect(table[codes[row]! * classCount + k]).toBeCloseTo(expected, 10);
            }
          }
        }
      }),
      { numRuns: 10 },
    );
  });
});

describe("fitPairedBayes", () => {
  test("joins what tells the class together only, and nothing else", () => {
    const input = agreement(1500);
    const model = fitPairedBayes(input, settings);
    expect([[...model.pairs.firsts], [...model.pairs.seconds]]).toEqual([[0], [1]]);
    expect(correctCount(answersOf(model, input.view), input, input.rows)).toBe(1500);
    expect(fitPairedBayes(input, settings)).toEqual(model);
  });

  test("is weighted naive Bayes where no pair gains anything, or the time is up", () => {
    const noise = drawInput({ seed: 6, rowCount: 400, classCount: 3, bucketCounts: [4, 4, 4] });
    for (const input of [noise, { ...agreement(300), stop: { cancelled: () => false, timeIsUp: () => true } }]) {
      const model = fitPairedBayes(input, settings);
      expect(model.pairs.firsts).toHaveLength(0);
      expect(model.additive).toEqual(fitNaiveBayes(input, { variant: "weighted", smoothing: 1 }));
    }
  });

  test("keeps to the number of pairs, the best first, and to its rows", () => {
    const input = agreement(1500);
    const copy = { ...input, view: { rowCount: 1500, features: [...input.view.features, input.view.features[1]!] } };
    expect(fitPairedBayes(copy, settings).pairs.firsts).toHaveLength(2);
    expect(fitPairedBayes(copy, { ...settings, pairCount: 1 }).pairs.firsts).toHaveLength(1);
    const rows = input.rows.filter((row) => row % 3 !== 0);
    const classes = input.classes.map((own, row) => (row % 3 === 0 ? 0 : own));
    expect(fitPairedBayes({ ...input, rows, classes }, settings)).toEqual(fitPairedBayes({ ...input, rows }, settings));
  });

  test("cancelled it throws", () => {
    const gone = { ...agreement(100), stop: { cancelled: () => true, timeIsUp: () => false } };
    expect(() => fitPairedBayes(gone, settings)).toThrow(Cancelled);
  });
});

test("scores do not depend on the block that a row stands in", () => {
  const drawn = drawInput({ seed: 8, rowCount: 900, classCount: 3, bucketCounts: [4, 3, 5] });
  const pairs = neighbours(drawn);
  const { features } = drawn.view;
  const view = { rowCount: 900, features: [...features, ...Array<CodedFeature>(6000 - 3).fill(features[0]!)] };
  const wide = widenView(view, pairs);
  const random = new Random(1);
  const tables = wide.features.map(({ codeCount }, index) =>
    index < 3 || index >= 6000 ? Float64Array.from({ length: codeCount * 3 }, () => random.nextFloat()) : null,
  );
  const additive = {
    kind: "additive",
    classCount: 3,
    outputCount: 3,
    intercepts: new Float64Array(3),
    tables,
  } as const;
  const expected = new Float64Array(2700);
  scoreTables(additive, wide, everyRow(wide), expected);
  expect(answersOf({ kind: "paired", classCount: 3, pairs, additive }, view)).toEqual(expected);
});

test("pairs of columns that are not there are refused", () => {
  const pairs = neighbours(drawInput({ seed: 9, rowCount: 60, classCount: 2, bucketCounts: [3, 4, 3] }));
  expect(checkPairs(pairs, 3)).toBeTrue();
  expect(checkPairs(pairs, 2)).toBeFalse();
  expect(checkPairs({ ...pairs, seconds: Uint16Array.of(1, 3) }, 3)).toBeFalse();
  expect(checkPairs({ ...pairs, firsts: Uint16Array.of(3, 0) }, 3)).toBeFalse();
  expect(checkPairs({ ...pairs, firsts: Uint16Array.of(0) }, 3)).toBeFalse();
});

test("bestPairs takes those that gain, the best first, of equal ones the first", () => {
  const gains = Float64Array.of(0, 2, -1, 5, 9, 0, 2, 2, 0, 0, 0, 0.5, 0, 0, 0, 9);
  const columns = {
    features: Uint16Array.of(0, 1, 2, 3),
    groupCounts: Uint16Array.of(3, 3, 3, 3),
    starts: new Uint32Array(5),
    groupOfCode: new Uint8Array(0),
  };
  const best = [
    [0, 3],
    [0, 1],
    [1, 2],
    [1, 3],
    [2, 3],
  ];
  for (const limit of [0, 1, 3, 5, 9]) {
    const { firsts, seconds } = bestPairs(columns, gains, limit);
    expect(Array.from(firsts, (first, pair) => [first, seconds[pair]!])).toEqual(best.slice(0, limit));
  }
});
