// A hidden layer: its loss against the formula, what it learns, how it ends early, and its form in a file.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StoredArray } from "../../../engine/arrays/array-file.ts";
import { featureUseOf } from "../../../engine/explain/explanations.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { outputCountOf } from "../../../engine/fitting/score-tables.ts";
import { type HiddenLayer, scoreHiddenLayer } from "../../../engine/logistic/hidden-layer.ts";
import { fitHiddenLayer } from "../../../engine/logistic/hidden-layer-fit.ts";
import { HIDDEN_LAYER } from "../../../engine/logistic/hidden-layer-form.ts";
import {
  HiddenLayerRows,
  inputsOf,
  KERNEL_UNITS,
  type LayerInputs,
  parameterPlaces,
} from "../../../engine/logistic/hidden-layer-rows.ts";
import { fitLogisticRegression } from "../../../engine/logistic/logistic-regression.ts";
import { Random } from "../../../engine/random.ts";
import { rowsUpTo } from "../../../engine/row-lists.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { MISSING_CODE } from "../../../engine/table/buckets.ts";
import { shelfOf } from "../../support/map-shelf.ts";
import {
  categoryFeature,
  correctCount,
  drawInput,
  inputOf,
  numberFeature,
  probabilitiesOf,
} from "../families/coded-input.ts";

const settings = { l2: 1, maxIterations: 60 };

function answersOf(model: HiddenLayer, { view }: FitInput): Float64Array {
  const out = new Float64Array(view.rowCount * model.classCount);
  scoreHiddenLayer(model, view, rowsUpTo(view.rowCount), out);
  return out;
}

/** Two numbers between 0 and 20, and the ring that their point lies in. */
function drawRings(rowCount: number, classCount: number): FitInput {
  const random = new Random(1);
  const points = Array.from({ length: rowCount }, () => [random.nextBelow(21), random.nextBelow(21)] as const);
  const classes = points.map(([x, y]) =>
    Math.min(classCount - 1, Math.floor((Math.hypot(x - 10, y - 10) * classCount) / 16)),
  );
  const features = [0, 1].map((axis) =>
    numberFeature(
      points.map((point) => 2 + point[axis]!),
      21,
    ),
  );
  return inputOf(features, classes, classCount);
}

/** The mean cross-entropy times the rows, and the ridge, by the formula; units' sums in double precision. */
function plainLoss(input: FitInput, inputs: LayerInputs, theta: Float64Array, l2: number): number {
  const outputCount = outputCountOf(input.classCount);
  const at = (block: number, unit: number) => theta[KERNEL_UNITS * block + unit]!;
  let loss = 0;
  for (const row of input.rows) {
    const scores = Array.from(theta.subarray(theta.length - outputCount));
    for (let u = 0; u < KERNEL_UNITS; u++) {
      let sum = at(inputs.inputCount, u);
      for (const feature of inputs.chosen) {
        const entry = inputs.codeStarts[feature]! + input.view.features[feature]!.codes[row]!;
        sum += inputs.codeValues[entry]! * at(inputs.codeInputs[entry]!, u);
      }
      for (let k = 0; k < outputCount; k++) scores[k]! += Math.tanh(sum) * at(inputs.inputCount + 1 + k, u);
    }
    const all = outputCount === 1 ? [0, ...scores] : scores;
    loss += Math.log(all.reduce((sum, score) => sum + Math.exp(score), 0)) - all[input.classes[row]!]!;
  }
  const isIntercept = (i: number) =>
    Math.floor(i / KERNEL_UNITS) === inputs.inputCount || i >= theta.length - outputCount;
  return loss + (l2 / 2) * theta.reduce((sum, value, i) => sum + (isIntercept(i) ? 0 : value * value), 0);
}

describe("the loss of the kernel", () => {
  test("is the formula's, and its gradient the change of that", () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 2, max: 5 }),
        fc.integer({ min: 1, max: 40 }),
        (seed, classCount, n) => {
          const drawn = drawInput({ seed, rowCount: n, classCount, bucketCounts: [20, 4, 7] });
          const inputs = inputsOf(drawn);
          const rows = new HiddenLayerRows(drawn, inputs);
          const random = new Random(seed);
          const outputCount = outputCountOf(classCount);
          const { end: size } = parameterPlaces(inputs.inputCount, outputCount);
          const theta = Float64Array.from({ length: size }, () => Math.fround(2 * random.nextFloat() - 1));
          const gradient = new Float64Array(size);
          const expected = plainLoss(drawn, inputs, theta, 0.7);
          expect(Math.abs(rows.loss(0.7, theta, gradient) / expected - 1)).toBeLessThan(1e-5);
          for (let look = 0; look < 12; look++) {
            const i = look < outputCount ? size - 1 - look : random.nextBelow(size);
            const moved = (by: number) => plainLoss(drawn, inputs, theta.with(i, theta[i]! + by), 0.7);
            const slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            expect(Math.abs(gradient[i]! - slope)).toBeLessThan(1e-4 * Math.max(1, Math.abs(slope)));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("keeps to the formula where units are at their ends", () => {
    const drawn = drawInput({ seed: 1, rowCount: 30, classCount: 2, bucketCounts: [20, 4] });
    const inputs = inputsOf(drawn);
    const random = new Random(2);
    const { outputWeights, end: size } = parameterPlaces(inputs.inputCount, 1);
    for (const spread of [1e-4, 30, 1000]) {
      const theta = Float64Array.from({ length: size }, (_, i) => {
        return Math.fround((i < outputWeights ? spread : 1) * (2 * random.nextFloat() - 1));
      });
      const loss = new HiddenLayerRows(drawn, inputs).loss(0, theta, new Float64Array(size));
      expect(Math.abs(loss / plainLoss(drawn, inputs, theta, 0) - 1)).toBeLessThan(1e-5);
    }
  });
});

describe("fitHiddenLayer", () => {
  test.each([2, 3])("learns rings, which no sum of tables can be: %d classes", (classCount) => {
    const input = drawRings(600, classCount);
    const linear = fitLogisticRegression(input, { basis: "linear", l2: 1, maxIterations: 100 });
    expect(correctCount(probabilitiesOf(linear, input.view), input, input.rows)).toBeLessThan(450);
    const model = fitHiddenLayer(input, settings);
    expect(correctCount(answersOf(model, input), input, input.rows)).toBeGreaterThan(560);
    expect(fitHiddenLayer(input, settings)).toEqual(model);
    expect(fitHiddenLayer({ ...input, seed: 2 }, settings)).not.toEqual(model);
  });

  test("learns from the fit rows alone", () => {
    const input = drawInput({ seed: 5, rowCount: 200, classCount: 3, bucketCounts: [12, 4] });
    const isFit = new Set(input.rows);
    const spoil = (values: ArrayLike<number>) =>
      Uint8Array.from(values, (value, row) => (isFit.has(row) ? value : MISSING_CODE));
    const features = input.view.features.map((feature) => ({ ...feature, codes: spoil(feature.codes) }));
    const others = { ...input, classes: spoil(input.classes), view: { ...input.view, features } };
    expect(fitHiddenLayer(others, settings)).toEqual(fitHiddenLayer(input, settings));
  });

  test("is the class frequencies where time is up or no feature varies, and throws when cancelled", () => {
    const input = drawInput({ seed: 6, rowCount: 200, classCount: 3, bucketCounts: [12] });
    const still = { ...input, view: { rowCount: 200, features: [categoryFeature(Array(200).fill(2), 3)] } };
    const counts = [0, 1, 2].map((k) => input.rows.filter((row) => input.classes[row] === k).length);
    const late = { ...input, stop: { cancelled: () => false, timeIsUp: () => true } };
    for (const own of [late, still]) {
      const answers = answersOf(fitHiddenLayer(own, settings), own);
      for (const [k, count] of counts.entries()) expect(answers[k]).toBeCloseTo(count / input.rows.length, 2);
      const shelf = shelfOf(new Map());
      const codeCounts = own.view.features.map(({ codeCount }) => codeCount);
      const model = fitHiddenLayer(own, settings);
      expect(HIDDEN_LAYER.unpack(HIDDEN_LAYER.pack(model, shelf, ""), codeCounts, shelf, "")).toEqual(model);
    }
    const gone = { ...input, stop: { cancelled: () => true, timeIsUp: () => false } };
    expect(() => fitHiddenLayer(gone, settings)).toThrow(Cancelled);
  });

  test("takes the most informative features of a table that is too wide", () => {
    const random = new Random(3);
    const classes = Array.from({ length: 40 }, () => random.nextBelow(2));
    const noise = Array.from({ length: 9_000 }, () =>
      numberFeature(
        classes.map(() => 2 + random.nextBelow(3)),
        3,
      ),
    );
    const telling = numberFeature(
      classes.map((own) => 2 + 2 * own),
      3,
    );
    const input = inputOf([...noise, telling], classes, 2);
    const { chosen, inputCount } = inputsOf(input);
    expect(chosen.length).toBeWithin(8_000, 9_000);
    expect(chosen).toContain(9_000);
    expect(inputCount).toBe(chosen.length);
  });
});

test("is stored as its arrays, and what is spoiled is refused or read within its bounds", () => {
  const input = drawInput({ seed: 9, rowCount: 120, classCount: 3, bucketCounts: [12, 4, 30] });
  const codeCounts = input.view.features.map(({ codeCount }) => codeCount);
  const model = fitHiddenLayer(input, settings);
  const arrays = new Map<string, StoredArray>();
  const shelf = shelfOf(arrays);
  const head = HIDDEN_LAYER.pack(model, shelf, "");
  expect(HIDDEN_LAYER.unpack(head, codeCounts, shelf, "")).toEqual(model);
  expect(HIDDEN_LAYER.unpack(head, [...codeCounts, 3], shelf, "")).toBeNull();
  for (const change of [
    { unitCount: 31 },
    { unitCount: 0 },
    { unitCount: 0.5 },
    { outputCount: 2 },
    { classCount: 2 },
  ]) {
    expect(HIDDEN_LAYER.unpack({ ...head, ...change }, codeCounts, shelf, "")).toBeNull();
  }
  for (const [name, whole] of arrays) {
    arrays.set(name, whole.slice(1));
    expect(HIDDEN_LAYER.unpack(head, codeCounts, shelf, "")).toBeNull();
    arrays.set(name, whole);
  }
  const last = model.unitWeights.length / model.unitCount - 1;
  const [used] = [...model.codeValues.keys()].filter((at) => model.codeValues[at] !== 0);
  const [unused] = [...model.codeValues.keys()].filter((at) => model.codeValues[at] === 0);
  arrays.set("codeInputs", model.codeInputs.with(unused!, 2 ** 32 - 1));
  expect(HIDDEN_LAYER.unpack(head, codeCounts, shelf, "")).not.toBeNull();
  for (const [standsFor, isSound] of [
    [last, true],
    [last + 1, false],
    [2 ** 32 - 1, false],
  ] as const) {
    arrays.set("codeInputs", model.codeInputs.with(used!, standsFor));
    const read = HIDDEN_LAYER.unpack(head, codeCounts, shelf, "");
    expect(read !== null).toBe(isSound);
    if (read !== null) expect(answersOf(read, input).every((value) => value >= 0 && value <= 1)).toBeTrue();
  }
});

test("says how much it uses each feature: nothing of one that does not vary", () => {
  const input = drawInput({ seed: 4, rowCount: 300, classCount: 3, bucketCounts: [12, 4] });
  const features = [...input.view.features, categoryFeature(Array(300).fill(2), 2)];
  const model = fitHiddenLayer({ ...input, view: { rowCount: 300, features } }, settings);
  const [first, second, idle] = featureUseOf(model, 3);
  expect(first).toBeGreaterThan(second!);
  expect(second).toBeGreaterThan(0);
  expect(idle).toBe(0);
});
