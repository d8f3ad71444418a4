// Table logistic regression: its loss and gradient against the naive ones,
// closed forms, and how it behaves at the edges.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { softmaxInPlace } from "../../../engine/fitting/score-tables.ts";
import { gatherLogisticData, type LogisticData, logisticLoss } from "../../../engine/logistic/logistic-objective.ts";
import { fitLogisticRegression, LogisticProblem } from "../../../engine/logistic/logistic-regression.ts";
import { type LogisticBasis, layOutTables, parameterCount } from "../../../engine/logistic/table-basis.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import {
  categoryFeature,
  correctCount,
  drawInput,
  inputOf,
  numberFeature,
  probabilitiesOf,
  reorder,
} from "../families/coded-input.ts";

const bases: readonly LogisticBasis[] = ["smooth", "one-hot", "linear"];
const basisArbitrary = fc.constantFrom(...bases);

function problemOf(input: FitInput, basis: LogisticBasis): { data: LogisticData; theta: Float64Array } {
  const parts = layOutTables(input.view.features, [...input.view.features.keys()], basis);
  const thetaSize = 1 + input.view.features.reduce((sum, feature) => sum + parameterCount(feature, basis), 0);
  const data = gatherLogisticData(input, parts, thetaSize, null);
  const random = new Random(input.seed);
  return { data, theta: Float64Array.from({ length: data.outputCount * thetaSize }, () => random.nextFloat() - 0.5) };
}

/** A row's value in front of every parameter of one output, by the definition of the bases. */
function designRow(input: FitInput, basis: LogisticBasis, row: number): number[] {
  const design = [1];
  for (const { kind, codes, codeCount, centres } of input.view.features) {
    const code = codes[row]!;
    const buckets = codeCount - FIRST_CODE;
    const perBucket = (value: (bucket: number) => number) => Array.from({ length: buckets }, (_, b) => value(b));
    design.push(code === MISSING_CODE ? 1 : 0);
    if (kind === "number" && basis === "smooth") {
      design.push(...perBucket((b) => (code >= FIRST_CODE + b ? 2 / Math.sqrt(buckets) : 0)));
    }
    const level = kind === "category" || basis === "one-hot" ? 1 : 0.15;
    if (level === 1 || basis === "smooth") design.push(...perBucket((b) => (code === FIRST_CODE + b ? level : 0)));
    if (level !== 1) design.push(centres[code]!);
  }
  return design;
}

function naiveLoss(input: FitInput, basis: LogisticBasis, l2: number, theta: Float64Array): number {
  const outputCount = input.classCount === 2 ? 1 : input.classCount;
  const size = theta.length / outputCount;
  let loss = 0;
  for (const row of input.rows) {
    const design = designRow(input, basis, row);
    const scores = Array.from({ length: outputCount }, (_, k) =>
      design.reduce((sum, value, at) => sum + value * theta[k * size + at]!, 0),
    );
    const all = Float64Array.from(outputCount === 1 ? [0, ...scores] : scores);
    const own = all[input.classes[row]!]!;
    loss += softmaxInPlace(all, 0, all.length) - own;
  }
  for (let at = 0; at < theta.length; at++) loss += ((at % size === 0 ? 1e-6 : l2) / 2) * theta[at]! ** 2;
  return loss;
}

describe("logisticLoss", () => {
  test("equals the loss of the written-out design matrix", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), basisArbitrary, (seed, classCount, basis) => {
        const input = drawInput({ seed, rowCount: 90, classCount, bucketCounts: [7, 4, 1, 300] });
        const { data, theta } = problemOf(input, basis);
        const loss = logisticLoss(data, 3, theta, new Float64Array(theta.length));
        expect(loss).toBeCloseTo(naiveLoss(input, basis, 3, theta), 8);
      }),
      { numRuns: 30 },
    );
  });

  test("its gradient equals finite differences", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), basisArbitrary, (seed, classCount, basis) => {
        const input = drawInput({ seed, rowCount: 60, classCount, bucketCounts: [6, 4, 3] });
        const { data, theta } = problemOf(input, basis);
        const gradient = new Float64Array(theta.length);
        logisticLoss(data, 2, theta, gradient);
        const scrap = new Float64Array(theta.length);
        for (let at = 0; at < theta.length; at++) {
          const [up, down] = [theta.slice(), theta.slice()];
          up[at] = up[at]! + 1e-5;
          down[at] = down[at]! - 1e-5;
          const slope = (logisticLoss(data, 2, up, scrap) - logisticLoss(data, 2, down, scrap)) / 2e-5;
          expect(gradient[at]).toBeCloseTo(slope, 5);
        }
      }),
      { numRuns: 20 },
    );
  });

  test.each([2, 12])("rows in many blocks give the sum of their parts, %d classes", (classCount) => {
    const few = drawInput({ seed: 8, rowCount: 500, classCount, bucketCounts: [9, 5] });
    const many = { ...few, rows: Uint32Array.from({ length: 60 * few.rows.length }, (_, i) => few.rows[i % 375]!) };
    const [one, sixty] = [problemOf(few, "smooth"), problemOf(many, "smooth")];
    const [gradient, sum] = [new Float64Array(one.theta.length), new Float64Array(one.theta.length)];
    const loss = logisticLoss(one.data, 0, one.theta, gradient);
    expect(logisticLoss(sixty.data, 0, one.theta, sum) / 60).toBeCloseTo(loss, 5);
    for (let at = 0; at < sum.length; at++) expect(sum[at]! / 60).toBeCloseTo(gradient[at]!, 5);
  });
});

describe("fitLogisticRegression", () => {
  test("with almost no ridge a 2 × 2 table gives its log-odds", () => {
    const codes = [...Array(20).fill(2), ...Array(30).fill(3)];
    const classes = codes.map((code, row) => (code === 2 ? (row < 5 ? 1 : 0) : row < 41 ? 1 : 0));
    const input = inputOf([categoryFeature(codes, 2)], classes, 2);
    const model = fitLogisticRegression(input, { basis: "one-hot", l2: 1e-6, maxIterations: 200 });
    const probabilities = probabilitiesOf(model, input.view);
    expect(probabilities[1]).toBeCloseTo(5 / 20, 3);
    expect(probabilities[2 * 20 + 1]).toBeCloseTo(21 / 30, 3);
  });

  test.each(bases)("learns the signal of unseen rows, basis %s", (basis) => {
    const input = drawInput({ seed: 3, rowCount: 2000, classCount: 3, bucketCounts: [12, 4, 8] });
    const model = fitLogisticRegression(input, { basis, l2: 1, maxIterations: 100 });
    const held = Array.from({ length: 500 }, (_, i) => 4 * i + 3);
    expect(correctCount(probabilitiesOf(model, input.view), input, held)).toBeGreaterThan(300);
  });

  test.each(bases)(
    "an unseen and a missing cell that no fit row has add what cells do in the mean, basis %s",
    (basis) => {
      const drawn = drawInput({ seed: 4, rowCount: 300, classCount: 3, bucketCounts: [12, 4] });
      const rows = drawn.rows.filter((row) => drawn.view.features.every(({ codes }) => codes[row]! >= FIRST_CODE));
      const model = fitLogisticRegression({ ...drawn, rows }, { basis, l2: 1, maxIterations: 50 });
      for (const [index, { codes }] of drawn.view.features.entries()) {
        for (let k = 0; k < 3; k++) {
          const cell = (code: number) => model.tables[index]![code * 3 + k]!;
          const mean = rows.reduce((sum, row) => sum + cell(codes[row]!), 0) / rows.length;
          expect(cell(MISSING_CODE)).toBeCloseTo(mean, 9);
          expect(cell(UNSEEN_CODE)).toBeCloseTo(mean, 9);
        }
      }
    },
  );

  test("a missing cell that fit rows have keeps its own part", () => {
    const codes = Array.from({ length: 90 }, (_, row) => (row % 3 === 0 ? MISSING_CODE : FIRST_CODE + (row % 2)));
    const input = inputOf(
      [numberFeature(codes, 2)],
      codes.map((code) => (code === MISSING_CODE ? 1 : 0)),
      2,
    );
    const { tables } = fitLogisticRegression(input, { basis: "smooth", l2: 1, maxIterations: 50 });
    expect(tables[0]![MISSING_CODE]! - tables[0]![FIRST_CODE]!).toBeGreaterThan(2);
  });

  test("features that are constant on the fit rows take no part, whatever the other rows hold", () => {
    const input = inputOf([categoryFeature([2, 2, 2, 2, 3], 2), numberFeature([2, 3, 2, 3, 2], 2)], [0, 1, 0, 1, 1], 2);
    const model = fitLogisticRegression(
      { ...input, rows: input.rows.subarray(0, 4) },
      { basis: "smooth", l2: 1, maxIterations: 50 },
    );
    expect(model.tables[0]).toBeNull();
    expect(model.tables[1]).not.toBeNull();
  });

  test.each(bases)(
    "stays finite when a feature separates, a class has one row or none, all is missing: %s",
    (basis) => {
      const codes = Array.from({ length: 60 }, (_, row) => (row < 30 ? 2 : 3));
      const classes = codes.map((code, row) => (row === 59 ? 2 : code - 2));
      const features = [numberFeature(codes, 2), categoryFeature(Array(60).fill(0), 3), categoryFeature(codes, 2)];
      const model = fitLogisticRegression(inputOf(features, classes, 4), { basis, l2: 1e-3, maxIterations: 150 });
      const probabilities = probabilitiesOf(model, inputOf(features, classes, 4).view);
      for (let at = 0; at < probabilities.length; at += 4) {
        const row = probabilities.subarray(at, at + 4);
        expect(row.every((value) => value >= 0)).toBe(true);
        expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
        expect(row[3]).toBeLessThan(0.05);
      }
    },
  );

  test("the order of the rows hardly matters, and the same input gives the same bytes", () => {
    const drawn = drawInput({ seed: 4, rowCount: 400, classCount: 3, bucketCounts: [10, 4, 6] });
    const input = { ...drawn, rows: Uint32Array.from({ length: 400 }, (_, row) => row) };
    const settings = { basis: "smooth", l2: 5, maxIterations: 300 } as const;
    const model = fitLogisticRegression(input, settings);
    const order = Array.from({ length: 400 }, (_, row) => (row * 37) % 400);
    const shuffled = probabilitiesOf(fitLogisticRegression(reorder(input, order), settings), input.view);
    const probabilities = probabilitiesOf(model, input.view);
    for (const [at, value] of probabilities.entries()) expect(shuffled[at]).toBeCloseTo(value, 2);
    expect(fitLogisticRegression(input, settings)).toEqual(model);
  });

  test("without time it gives the smoothed class frequencies; cancelled, it throws", () => {
    const input = drawInput({ seed: 9, rowCount: 100, classCount: 2, bucketCounts: [5, 5] });
    const settings = { basis: "smooth", l2: 1, maxIterations: 50 } as const;
    const late = fitLogisticRegression({ ...input, stop: { cancelled: () => false, timeIsUp: () => true } }, settings);
    const ones = input.rows.filter((row) => input.classes[row] === 1).length;
    expect(probabilitiesOf(late, input.view)[1]).toBeCloseTo((ones + 1) / (input.rows.length + 2), 10);
    const gone = { cancelled: () => true, timeIsUp: () => false };
    expect(() => fitLogisticRegression({ ...input, stop: gone }, settings)).toThrow(Cancelled);
  });
});

describe("LogisticProblem", () => {
  test("a path of ridges ends where a cold start ends, and repeats to the byte", () => {
    const input = drawInput({ seed: 2, rowCount: 600, classCount: 3, bucketCounts: [12, 4, 6] });
    const path = (problem: LogisticProblem) => [30, 10, 3].map((l2) => problem.solve(l2, 300));
    const warm = new LogisticProblem(input, "smooth");
    expect(path(warm)).toEqual(path(new LogisticProblem(input, "smooth")));
    // One solve ends a little before the optimum; others go on from there.
    const endOf = (problem: LogisticProblem) => {
      for (let restart = 0; restart < 40; restart++) problem.solve(3, 300);
      return probabilitiesOf(problem.solve(3, 300), input.view);
    };
    const cold = endOf(new LogisticProblem(input, "smooth"));
    for (const [at, value] of endOf(warm).entries()) expect(value).toBeCloseTo(cold[at]!, 2);
  });

  test("goes on from a problem of fewer features where that one ended", () => {
    for (const classCount of [2, 3]) {
      const input = drawInput({ seed: 12, rowCount: 400, classCount, bucketCounts: [9, 4, 6, 5] });
      const chosen = { ...input, view: { ...input.view, features: input.view.features.slice(0, 2) } };
      const few = new LogisticProblem(chosen, "smooth");
      const model = few.solve(2, 60);
      const many = new LogisticProblem(input, "smooth");
      many.continueFrom(few);
      const begun = many.solve(2, 0);
      expect(begun.intercepts).toEqual(model.intercepts);
      expect(begun.tables.slice(0, 2)).toEqual([...model.tables]);
      expect(begun.tables.slice(2).every((table) => table!.every((value) => value === 0))).toBe(true);
    }
  });

  test("a stronger ridge draws the tables together", () => {
    const problem = new LogisticProblem(
      drawInput({ seed: 7, rowCount: 300, classCount: 2, bucketCounts: [8] }),
      "smooth",
    );
    const spread = (l2: number) => Math.max(...problem.solve(l2, 200).tables[0]!.map(Math.abs));
    const spreads = [100, 10, 1].map(spread);
    expect(spreads[0]!).toBeLessThan(spreads[1]!);
    expect(spreads[1]!).toBeLessThan(spreads[2]!);
  });
});
