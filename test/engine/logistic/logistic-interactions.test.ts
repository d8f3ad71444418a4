// Logistic regression with interactions: against the same objective on a design
// written out and against scikit-learn, and what it finds.
import { describe, expect, test } from "bun:test";
import type { StoredArray } from "../../../engine/arrays/array-file.ts";
import { baseScores, sumContributions } from "../../../engine/explain/sum-contributions.ts";
import { gatherGroups } from "../../../engine/fitting/coarse-columns.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { JOINT_TABLES } from "../../../engine/fitting/joint-tables-form.ts";
import { type PairedModel, scorePaired } from "../../../engine/fitting/pair-columns.ts";
import { softmaxInPlace } from "../../../engine/fitting/score-tables.ts";
import { minimise } from "../../../engine/logistic/lbfgs.ts";
import { fitInteractions, type InteractionSettings } from "../../../engine/logistic/logistic-interactions.ts";
import { fitLogisticRegression, LogisticProblem } from "../../../engine/logistic/logistic-regression.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { type CodedView, FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import { shelfOf } from "../../support/map-shelf.ts";
import { everyRow } from "../../support/tables.ts";
import {
  categoryFeature,
  correctCount,
  drawInput,
  inputOf,
  numberFeature,
  probabilitiesOf,
} from "../families/coded-input.ts";

const tables: InteractionSettings = {
  basis: "smooth",
  interactions: "tables",
  pairCount: 10,
  l2: 5,
  maxIterations: 100,
};
const products: InteractionSettings = { ...tables, interactions: "products", pairCount: 120, l2: 10 };
const both = [tables, products];

function answers(model: PairedModel, view: CodedView): Float64Array {
  const out = new Float64Array(view.rowCount * model.classCount);
  scorePaired(model, view, everyRow(view), out);
  return out;
}

/** Two of six numbers act on the class by their product alone; the other four and two categories are noise. */
function drawProduct(rowCount: number, seed: number, classCount = 2): FitInput {
  const random = new Random(seed);
  const lists = Array.from({ length: 8 }, () => Array.from({ length: rowCount }, () => random.nextBelow(20)));
  const classes = lists[1]!.map((value, row) => {
    const product = ((value - 9.5) * (lists[3]![row]! - 9.5)) / 90.25;
    return Math.min(classCount - 1, Math.max(0, Math.floor(((product + 1) * classCount) / 2)));
  });
  const coded = lists.map((list) => list.map((value) => FIRST_CODE + value));
  const features = coded.map((codes, index) => (index < 6 ? numberFeature(codes, 20) : categoryFeature(codes, 20)));
  return inputOf(features, classes, classCount);
}

/** Rows of four features by their own tables, one-hot, and by pairs of groups at half the scale. */
function design(input: FitInput, { pairs }: PairedModel): number[][] {
  const groups = gatherGroups(pairs.columns, input.view, everyRow(input.view));
  return Array.from({ length: input.view.rowCount }, (_, row) => {
    const values = [1];
    for (const { codes, codeCount } of input.view.features) {
      for (let code = 0; code < codeCount; code++) {
        if (code !== UNSEEN_CODE) values.push(Number(codes[row] === code));
      }
    }
    for (const [pair, first] of pairs.firsts.entries()) {
      const [own, other] = [groups[first]![row], groups[pairs.seconds[pair]!]![row]];
      for (let a = 0; a < 10; a++) {
        for (let b = 0; b < 10; b++) values.push(own === a && other === b ? 0.5 : 0);
      }
    }
    return values;
  });
}

/** Class probabilities of all rows by the ridge on a design, written out. */
function fitDesign(rows: readonly number[][], input: FitInput, l2: number): number[] {
  const { classCount, classes } = input;
  const outputCount = classCount === 2 ? 1 : classCount;
  const size = rows[0]!.length;
  const scoresOf = (row: number, theta: Float64Array) => {
    const scores = Float64Array.from({ length: outputCount }, (_, k) =>
      rows[row]!.reduce((sum, value, at) => sum + value * theta[k * size + at]!, 0),
    );
    const all = outputCount === 1 ? Float64Array.of(0, scores[0]!) : scores;
    const own = all[classes[row]!]!;
    return { loss: softmaxInPlace(all, 0, classCount) - own, probabilities: all };
  };
  const objective = (theta: Float64Array, gradient: Float64Array) => {
    let loss = 0;
    gradient.fill(0);
    for (const row of input.rows) {
      const scored = scoresOf(row, theta);
      loss += scored.loss;
      for (let k = 0; k < outputCount; k++) {
        const own = outputCount === 1 ? 1 : k;
        const residual = scored.probabilities[own]! - Number(classes[row] === own);
        for (const [at, value] of rows[row]!.entries()) gradient[k * size + at]! += residual * value;
      }
    }
    for (const [at, value] of theta.entries()) {
      const ridge = at % size === 0 ? 1e-6 : l2;
      loss += (ridge / 2) * value ** 2;
      gradient[at]! += ridge * value;
    }
    return loss;
  };
  const options = { maxIterations: 500, gradientTolerance: 1e-6, relativeTolerance: 1e-12, stop: neverStop };
  const theta = minimise(objective, new Float64Array(size * outputCount), options);
  return rows.flatMap((_, row) => [...scoresOf(row, theta).probabilities]);
}

/** A table where a class also depends on whether two features agree. */
function drawAgreement(seed: number, classCount: number): FitInput {
  const input = drawInput({ seed, rowCount: 400, classCount, bucketCounts: [4, 3, 5, 3] });
  const [a, b] = [input.view.features[1]!.codes, input.view.features[3]!.codes];
  const classes = input.classes.map((own, row) => (a[row] === b[row] && row % 3 === 0 ? classCount - 1 : own));
  return { ...input, classes };
}

describe("fitInteractions", () => {
  // These draws alone: a fit ends once an iteration gains little, which one draw in fifty does further from the end.
  test.each([1, 2, 3, 4, 5, 6])("is the ridge on the design with a column for every combination, draw %d", (seed) => {
    const input = drawAgreement(seed, 2 + (seed % 2));
    const model = fitInteractions(input, { ...tables, basis: "one-hot", pairCount: 2, l2: 3, maxIterations: 500 });
    const expected = fitDesign(design(input, model), input, 3);
    for (const [at, value] of answers(model, input.view).entries()) {
      expect(Math.abs(value - expected[at]!)).toBeLessThan(0.01);
    }
  });

  test.each([
    // LogisticRegression(C=1/2, tol=1e-10) of scikit-learn 1.2.1 on the design of
    // the model: the same columns, no other choice.
    [2, [0.799, 0.0843, 0.7553, 0.965, 0.935, 0.3154]],
    [3, [0.4756, 0.4313, 0.0234, 0.1115, 0.3544, 0.4094, 0.6676, 0.2886, 0.2515, 0.6584, 0.0295, 0.2261]],
  ])("agrees with scikit-learn, %d classes", (classCount, expected) => {
    const input = drawAgreement(31, classCount);
    const settings = { ...tables, basis: "one-hot", pairCount: 3, l2: 2, maxIterations: 1000 } as const;
    const model = fitInteractions(input, settings);
    expect([[...model.pairs.firsts], [...model.pairs.seconds]]).toEqual([[1], [3]]);
    const probabilities = answers(model, input.view);
    const found = [0, 3, 7, 50, 120, 399].flatMap((row) => [
      ...probabilities.subarray(row * classCount + 1, (row + 1) * classCount),
    ]);
    for (const [at, value] of expected.entries()) expect(found[at]).toBeCloseTo(value, 2);
  });

  test.each(both)("finds the two features that act together, and learns it: $interactions", (settings) => {
    for (const classCount of [2, 3]) {
      const input = drawProduct(1500, 4, classCount);
      const learning = { ...input, rows: input.rows.filter((row) => row < 1000) };
      const model = fitInteractions(learning, settings);
      const { columns, firsts, seconds } = model.pairs;
      expect([columns.features[firsts[0]!], columns.features[seconds[0]!]]).toEqual([1, 3]);
      const held = Array.from({ length: 500 }, (_, i) => 1000 + i);
      const alone = fitLogisticRegression(learning, { basis: "smooth", l2: 5, maxIterations: 100 });
      const without = correctCount(probabilitiesOf(alone, input.view), input, held);
      expect(correctCount(answers(model, input.view), input, held)).toBeGreaterThan(without + 30);
    }
  });

  test("products take numbers alone, and missing cells add nothing", () => {
    const input = drawProduct(600, 5);
    const holed = input.view.features.map((feature, index) =>
      index === 1 ? { ...feature, codes: feature.codes.map((code, row) => (row % 5 === 0 ? 0 : code)) } : feature,
    );
    const model = fitInteractions({ ...input, view: { ...input.view, features: holed } }, products);
    const { pairs, additive } = model;
    const kinds = [...pairs.firsts, ...pairs.seconds].map((column) => holed[pairs.columns.features[column]!]!.kind);
    expect(kinds).not.toContain("category");
    const column = pairs.columns.features.indexOf(1);
    const pair = pairs.firsts.indexOf(column);
    const groupCount = pairs.columns.groupCounts[pairs.seconds[pair]!]!;
    const table = additive.tables[8 + pair]!;
    // The first groups of a joint table are those of the missing one.
    expect(table.subarray(FIRST_CODE, FIRST_CODE + groupCount - 1).every((value) => value === 0)).toBeTrue();
    expect(table.some((value) => value !== 0)).toBeTrue();
  });

  test.each(both)(
    "keeps to the number of pairs and to its rows, and repeats to the byte: $interactions",
    (settings) => {
      const drawn = drawProduct(600, 6, 3);
      const rows = drawn.rows.filter((row) => row % 3 !== 0);
      const model = fitInteractions({ ...drawn, rows }, settings);
      expect(Math.max(...model.pairs.columns.groupCounts)).toBe(FIRST_CODE + (settings === tables ? 8 : 16));
      expect(fitInteractions({ ...drawn, rows }, settings)).toEqual(model);
      expect(fitInteractions({ ...drawn, rows }, { ...settings, pairCount: 1 }).pairs.firsts).toHaveLength(1);
      const spoil = (values: ArrayLike<number>) =>
        Uint8Array.from(values, (value, row) => (row % 3 === 0 ? MISSING_CODE : value));
      const features = drawn.view.features.map((feature) => ({ ...feature, codes: spoil(feature.codes) }));
      const others = { ...drawn, rows, classes: spoil(drawn.classes), view: { ...drawn.view, features } };
      expect(fitInteractions(others, settings)).toEqual(model);
    },
  );

  test.each(both)("a row's contributions come to the model's answer: $interactions", (settings) => {
    for (const classCount of [2, 3]) {
      const input = drawProduct(400, 7, classCount);
      const model = fitInteractions(input, settings);
      const expected = answers(model, input.view);
      for (let row = 0; row < 400; row += 31) {
        const contributions = sumContributions(
          model,
          input.view.features.map(({ codes }) => codes[row]!),
        );
        const scores = baseScores(model);
        for (const [at, value] of contributions.entries()) scores[at % classCount]! += value;
        softmaxInPlace(scores, 0, classCount);
        for (const [k, value] of scores.entries()) expect(value).toBeCloseTo(expected[row * classCount + k]!, 9);
      }
    }
  });

  test.each(both)("is the features' own tables where time or pairs are short: $interactions", (settings) => {
    const noise = drawInput({ seed: 6, rowCount: 400, classCount: 3, bucketCounts: [4] });
    const model = fitInteractions(noise, settings);
    expect(model.pairs.firsts).toHaveLength(0);
    const problem = new LogisticProblem(noise, "smooth");
    problem.solve(1, 60);
    expect(model.additive).toEqual(problem.solve(settings.l2, 100));

    const late = { ...noise, stop: { cancelled: () => false, timeIsUp: () => true } };
    const counts = [0, 1, 2].map((k) => noise.rows.filter((row) => noise.classes[row] === k).length + 1);
    const sum = counts.reduce((total, count) => total + count, 0);
    const probabilities = answers(fitInteractions(late, settings), noise.view);
    for (const [k, count] of counts.entries()) expect(probabilities[k]).toBeCloseTo(count / sum, 10);
    const gone = { ...noise, stop: { cancelled: () => true, timeIsUp: () => false } };
    expect(() => fitInteractions(gone, settings)).toThrow(Cancelled);
  });

  test("begins where the features' own tables end", () => {
    const input = drawInput({ seed: 3, rowCount: 800, classCount: 2, bucketCounts: [12, 4] });
    const alone = fitLogisticRegression(input, { basis: "smooth", l2: 1, maxIterations: 60 });
    const begun = fitInteractions(input, { ...tables, maxIterations: 0 });
    expect(begun.additive.tables.slice(0, 2)).toEqual([...alone.tables]);
  });
});

test("is stored as joint columns are, and what is spoiled is refused or read within its bounds", () => {
  const input = drawProduct(300, 9, 3);
  const codeCounts = input.view.features.map(({ codeCount }) => codeCount);
  let refused = 0;
  let scored = 0;
  for (const settings of both) {
    const model = fitInteractions(input, settings);
    const arrays = new Map<string, StoredArray>();
    const shelf = shelfOf(arrays);
    const head = JOINT_TABLES.pack(model, shelf, "");
    expect(JOINT_TABLES.unpack(head, codeCounts, shelf, "")).toEqual(model);
    const random = new Random(1);
    const names = [...arrays.keys()].filter((name) => !name.startsWith("additive."));
    for (let spoiling = 0; spoiling < 60; spoiling++) {
      const name = names[spoiling % names.length]!;
      const whole = arrays.get(name)!;
      const array = whole.slice();
      array[random.nextBelow(array.length)] = [0, 1, 2, 7, 18, 255, 65_535][random.nextBelow(7)]!;
      arrays.set(name, array);
      const read = JOINT_TABLES.unpack(head, codeCounts, shelf, "");
      arrays.set(name, whole);
      if (read === null) {
        refused++;
        continue;
      }
      const probabilities = answers(read, input.view);
      expect(probabilities.every((value) => value >= 0 && value <= 1)).toBeTrue();
      scored++;
    }
  }
  expect(refused).toBeGreaterThan(20);
  expect(scored).toBeGreaterThan(20);
});
