// Contributions: they add up to what the model answers, and to what its members say where it pools arithmetically.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { scoreNetworks } from "../../../engine/bayes/bayes-networks.ts";
import { fitNaiveBayes } from "../../../engine/bayes/naive-bayes.ts";
import { fitAode, fitDependence } from "../../../engine/bayes/naive-bayes-networks.ts";
import { fitPairedBayes } from "../../../engine/bayes/naive-bayes-pairs.ts";
import { totals } from "../../../engine/explain/log-shares.ts";
import {
  baseScores,
  memberContributions,
  type SumModel,
  sumContributions,
} from "../../../engine/explain/sum-contributions.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { scorePaired } from "../../../engine/fitting/pair-columns.ts";
import { scoreTables, softmaxInPlace } from "../../../engine/fitting/score-tables.ts";
import { categoryFeature, drawInput, inputOf } from "../families/coded-input.ts";

const aode = { parentCount: 10, leastParentRows: 1, smoothing: 1 };

/** A table whose later features follow the first one, so that pairs tell something; the last feature does not vary. */
function drawPaired(seed: number, classCount: number): FitInput {
  const input = drawInput({ seed, rowCount: 600, classCount, bucketCounts: [4, 4, 4] });
  const [first, second, third] = input.view.features;
  const codes = second!.codes.map((code, row) =>
    code >= 2 ? 2 + ((first!.codes[row]! + input.classes[row]!) % 4) : code,
  );
  const features = [first!, { ...second!, codes }, third!, categoryFeature(Array(600).fill(2), 2)];
  return { ...input, view: { rowCount: 600, features } };
}

function answer(model: SumModel, input: FitInput, row: number): Float64Array {
  const out = new Float64Array(model.classCount);
  const rows = Uint32Array.of(row);
  if (model.kind === "additive") scoreTables(model, input.view, rows, out);
  else if (model.kind === "paired") scorePaired(model, input.view, rows, out);
  else scoreNetworks(model, input.view, rows, out);
  return out;
}

/** softmax(base + Σ contributions). */
function addedUp(model: SumModel, input: FitInput, row: number): Float64Array {
  const codes = input.view.features.map((feature) => feature.codes[row]!);
  const contributions = sumContributions(model, codes);
  const scores = baseScores(model);
  for (const [at, value] of contributions.entries()) scores[at % model.classCount]! += value;
  softmaxInPlace(scores, 0, scores.length);
  return scores;
}

function expectClose(actual: Float64Array, expected: Float64Array, digits: number): void {
  for (const [k, value] of expected.entries()) expect(actual[k]).toBeCloseTo(value, digits);
}

const exact: [string, (input: FitInput) => SumModel][] = [
  ["plain", (input) => fitNaiveBayes(input, { variant: "plain", smoothing: 1 })],
  ["selective", (input) => fitNaiveBayes(input, { variant: "selective", smoothing: 1 })],
  ["weighted", (input) => fitNaiveBayes(input, { variant: "weighted", smoothing: 1 })],
  ["joint columns", (input) => fitPairedBayes(input, { pairCount: 30, smoothing: 1 })],
  ["AODE, geometric", (input) => fitAode(input, { ...aode, pooling: "geometric" })],
];

describe("sumContributions", () => {
  test.each(exact)("adds up to the answer, and to 0 over the classes of each feature: %s", (_, fit) => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 5 }), (seed, classCount) => {
        const input = drawPaired(seed, classCount);
        const model = fit(input);
        for (let row = 0; row < 600; row += 37) {
          expectClose(addedUp(model, input, row), answer(model, input, row), 9);
          const codes = input.view.features.map((feature) => feature.codes[row]!);
          const contributions = sumContributions(model, codes);
          expect(contributions).toHaveLength(4 * classCount);
          for (let at = 0; at < contributions.length; at += classCount) {
            const own = contributions.subarray(at, at + classCount);
            expect(own.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
            if (at === 3 * classCount) expect(own.every((value) => value === 0)).toBeTrue();
          }
        }
      }),
      { numRuns: 6 },
    );
  });

  test.each([2, 4])("adds up to what each member of networks says, %d classes", (classCount) => {
    const input = drawPaired(22, classCount);
    const model = fitDependence(input, { memberCount: 5, smoothing: 10 });
    const base = baseScores(model);
    for (let row = 0; row < 600; row += 43) {
      const codes = input.view.features.map((feature) => feature.codes[row]!);
      const mean = new Float64Array(classCount);
      for (const contributions of memberContributions(model, codes)) {
        const said = totals(base, contributions);
        softmaxInPlace(said, 0, classCount);
        for (let k = 0; k < classCount; k++) mean[k]! += said[k]! / 5;
      }
      expectClose(mean, answer(model, input, row), 9);
    }
  });

  test.each([2, 4])(
    "takes the geometric mean of members apart where the answer is their arithmetic one, %d classes",
    (classCount) => {
      const input = drawPaired(21, classCount);
      for (const model of [
        fitDependence(input, { memberCount: 7, smoothing: 10 }),
        fitAode(input, { ...aode, pooling: "arithmetic" }),
      ]) {
        const geometric = { ...model, pooling: "geometric" as const };
        for (let row = 0; row < 600; row += 41) {
          expectClose(addedUp(model, input, row), answer(geometric, input, row), 9);
        }
      }
    },
  );

  test("gives halves of a joint term to both of its features", () => {
    const codes = Array.from({ length: 400 }, (_, row) => [2 + (row % 2), 2 + (Math.floor(row / 2) % 2)] as const);
    const features = [0, 1].map((index) =>
      categoryFeature(
        codes.map((pair) => pair[index]!),
        2,
      ),
    );
    const input = inputOf(
      features,
      codes.map(([a, b]) => a ^ b),
      2,
    );
    const model = fitPairedBayes(input, { pairCount: 1, smoothing: 1 });
    const [a0, a1, b0, b1] = sumContributions(model, [2, 3]);
    expect(a1!).toBeGreaterThan(1);
    expect([b0!, b1!]).toEqual([a0!, a1!]);
  });
});
