// Answers taken apart: for every kind of model the parts add up to what it
// says, and a feature without use gets nothing.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { boostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import { explainerOf } from "../../../engine/explain/explanations.ts";
import { totals } from "../../../engine/explain/log-shares.ts";
import { type Model, scoreModel } from "../../../engine/families/algorithms.ts";
import { type BaseModel, type BaseSettings, fitBase } from "../../../engine/families/base-algorithms.ts";
import type { FeatureMerge, StackModel } from "../../../engine/families/stack-model.ts";
import { LEAST_SHARE } from "../../../engine/families/stacking.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { softmaxInPlace } from "../../../engine/fitting/score-tables.ts";
import type { CodedView } from "../../../engine/table/buckets.ts";
import { categoryFeature, drawInput } from "../families/coded-input.ts";

const growth = { treeCount: 7, featuresPerSplit: 2, minLeafRows: 2, maxDepth: null, rowsPerTree: null };
const bases: [string, (classCount: number) => BaseSettings][] = [
  ["random forest", () => ({ algorithm: "forest", variant: "forest", ...growth })],
  ["extra-trees", () => ({ algorithm: "forest", variant: "extra-trees", ...growth })],
  ["naive Bayes", () => ({ algorithm: "naive Bayes", variant: "weighted", smoothing: 1 })],
  ["joint columns", () => ({ algorithm: "paired naive Bayes", pairCount: 3, smoothing: 1 })],
  ["k-dependence", () => ({ algorithm: "k-dependence naive Bayes", memberCount: 4, smoothing: 10 })],
  [
    "AODE, geometric",
    () => ({ algorithm: "AODE", pooling: "geometric", parentCount: 3, leastParentRows: 1, smoothing: 1 }),
  ],
  ["logistic", () => ({ algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 40 })],
  ["hidden layer", () => ({ algorithm: "logistic regression with a hidden layer", l2: 1, maxIterations: 30 })],
  [
    "boosted trees",
    (classCount) => ({
      algorithm: "additive logistic regression",
      ...boostingSettings("c3", 300, classCount),
      roundCount: 8,
    }),
  ],
  [
    "refined forest",
    () => ({
      algorithm: "refined forest",
      forest: { variant: "forest", ...growth, maxDepth: 4 },
      l2: 10,
      maxIterations: 20,
    }),
  ],
];

/** The last feature does not vary. */
function drawWithIdle(seed: number, classCount: number): FitInput {
  const input = drawInput({ seed, rowCount: 300, classCount, bucketCounts: [12, 4, 30] });
  const features = [...input.view.features, categoryFeature(Array(300).fill(2), 2)];
  return { ...input, view: { rowCount: 300, features } };
}

function codesOf(view: CodedView, row: number): number[] {
  return view.features.map(({ codes }) => codes[row]!);
}

/** What the parts come to, as probabilities. */
function addedUp(model: Model, view: CodedView, row: number): Float64Array {
  const { base, contributions } = explainerOf(model)(codesOf(view, row));
  const scores = totals(base, contributions);
  softmaxInPlace(scores, 0, scores.length);
  return scores;
}

/** What the model says; of a forest with the share that every class is given on the scale of its parts. */
function said(model: Model, view: CodedView, row: number): Float64Array {
  const answer = scoreModel(model, view, Uint32Array.of(row));
  if (model.kind !== "forest") return answer;
  return answer.map((share) => (share + LEAST_SHARE) / (1 + LEAST_SHARE * model.classCount));
}

function expectSame(model: Model, view: CodedView, digits: number): void {
  for (let row = 0; row < view.rowCount; row += 41) {
    const expected = said(model, view, row);
    for (const [k, share] of addedUp(model, view, row).entries()) expect(share).toBeCloseTo(expected[k]!, digits);
    const { contributions } = explainerOf(model)(codesOf(view, row));
    const idle = contributions.slice(-model.classCount);
    expect(idle.every((own) => own === 0)).toBeTrue();
  }
}

/** Two neighbouring buckets become one. */
function halvingMerges(view: CodedView): FeatureMerge[] {
  return view.features.map(({ codeCount }) => {
    const codeOf = Uint16Array.from({ length: codeCount }, (_, code) => (code < 2 ? code : 2 + ((code - 2) >> 1)));
    return { codeOf, codeCount: Math.max(...codeOf) + 1 };
  });
}

function merged(view: CodedView, merges: readonly FeatureMerge[]): CodedView {
  const features = view.features.map((feature, index) => {
    const { codeOf, codeCount } = merges[index]!;
    return {
      ...feature,
      codes: Uint16Array.from(feature.codes, (code) => codeOf[code]!),
      codeCount,
      centres: feature.centres.slice(0, codeCount),
    };
  });
  return { rowCount: view.rowCount, features };
}

/** A stack of one member of every kind, on the view and on a merge of it in turn. */
function drawStack(input: FitInput, withMains: boolean): StackModel {
  const { classCount, view } = input;
  const merges = halvingMerges(view);
  const coarse = { ...input, view: merged(view, merges) };
  const members = bases.map(([, settings], index) => {
    const model: BaseModel = fitBase(settings(classCount), index % 2 === 0 ? input : coarse);
    return { merge: index % 2 === 0 ? null : 0, model };
  });
  const tables = fitBase({ algorithm: "logistic regression", basis: "smooth", l2: 30, maxIterations: 20 }, coarse);
  return {
    kind: "stack",
    classCount,
    members,
    merges: [merges],
    weights: Float64Array.from(members, (_, index) => (index % 4) * 0.11),
    intercepts: Float64Array.from({ length: classCount }, (_, k) => 0.1 * k),
    mains: withMains && tables.kind === "additive" ? { merge: 0, tables } : null,
  };
}

describe("explainerOf", () => {
  test.each(bases)("%s", (_, settings) => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), (seed, classCount) => {
        const input = drawWithIdle(seed, classCount);
        const model = fitBase(settings(classCount), input);
        // Leaf shares are of single precision.
        expectSame(model, input.view, model.kind === "forest" ? 6 : 9);
      }),
      { numRuns: 4 },
    );
  });

  test("networks of arithmetic pooling that are all sure", () => {
    const input = drawInput({ seed: 4, rowCount: 300, classCount: 3, bucketCounts: [3, 3], missing: 0 });
    const sure = input.view.features.map((feature, index) => ({
      ...feature,
      codes: Uint8Array.from(input.classes, (own) => 2 + ((own + index) % 3)),
    }));
    const view = { rowCount: 300, features: [...sure, ...input.view.features, categoryFeature(Array(300).fill(2), 2)] };
    const model = fitBase(
      { algorithm: "k-dependence naive Bayes", memberCount: 3, smoothing: 1e-6 },
      { ...input, view },
    );
    expectSame(model, view, 9);
  });

  test.each([2, 3])("stacks of %d classes, with tables on top and without", (classCount) => {
    const input = drawWithIdle(classCount, classCount);
    // A stack reads its members in single precision.
    for (const withMains of [false, true]) expectSame(drawStack(input, withMains), input.view, 5);
  });

  test("says where forests lack what it rests on", () => {
    const input = drawWithIdle(1, 2);
    const forest = fitBase({ algorithm: "forest", variant: "forest", ...growth }, input);
    if (forest.kind !== "forest") throw new Error("no forest");
    const atSplits = (values: Uint16Array) => values.map((value, node) => (forest.children[node]! < 0 ? 0 : value));
    const early = { ...forest, features: atSplits(forest.features), thresholds: atSplits(forest.thresholds) };
    expectSame(early, input.view, 6);
  });
});
