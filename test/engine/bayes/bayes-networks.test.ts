// Bayesian networks against counting row by row, scikit-learn's CategoricalNB,
// and what must not change them or let them grow.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type BayesNetworks, scoreNetworks } from "../../../engine/bayes/bayes-networks.ts";
import { fitNaiveBayes } from "../../../engine/bayes/naive-bayes.ts";
import { type AodeSettings, fitAode, fitDependence } from "../../../engine/bayes/naive-bayes-networks.ts";
import { NetworkBuilder } from "../../../engine/bayes/network-builder.ts";
import { drawDependence } from "../../../engine/bayes/network-structures.ts";
import { fitCoarseColumns, gatherGroups } from "../../../engine/fitting/coarse-columns.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { informativeColumns, pairInformation } from "../../../engine/fitting/pair-information.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { type CodedView, FIRST_CODE, UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import {
  categoryFeature,
  correctCount,
  drawInput,
  inputOf,
  probabilitiesOf,
  reorder,
} from "../families/coded-input.ts";

const dependence = { memberCount: 5, smoothing: 10 };
const aode: AodeSettings = { pooling: "geometric", parentCount: 10, leastParentRows: 1, smoothing: 1 };
const kinds: [string, (input: FitInput) => BayesNetworks][] = [
  ["k-dependence", (input) => fitDependence(input, dependence)],
  ["AODE", (input) => fitAode(input, aode)],
];

function answersOf(model: BayesNetworks, view: CodedView): Float64Array {
  const out = new Float64Array(view.rowCount * model.classCount);
  scoreNetworks(
    model,
    view,
    Uint32Array.from({ length: view.rowCount }, (_, row) => row),
    out,
  );
  return out;
}

/** Columns that depend on each other and on the class; some cells of the rows that are not fitted are unseen. */
function entangled(seed: number, rowCount: number, classCount: number, columnCount = 5): FitInput {
  const random = new Random(seed);
  const input = drawInput({ seed, rowCount, classCount, bucketCounts: Array(columnCount).fill(4), missing: 0.05 });
  const [first] = input.view.features;
  const features = input.view.features.map((feature, index) => {
    const codes = feature.codes.slice();
    for (let row = 0; row < rowCount; row++) {
      const isFollowing = index > 0 && random.nextFloat() < 0.6;
      const shift = index % 2 === 0 ? input.classes[row]! : 1;
      if (isFollowing) codes[row] = FIRST_CODE + ((first!.codes[row]! + shift) % 4);
      if (row % 4 === 3 && random.nextFloat() < 0.05) codes[row] = UNSEEN_CODE;
    }
    return { ...feature, codes };
  });
  return { ...input, view: { rowCount, features } };
}

/** Everything by filtering the fit rows: log(p(group | class, parents) / p(group)) of one node, for all classes. */
function naiveTerms(
  input: FitInput,
  model: BayesNetworks,
  node: number,
  row: number,
  m: number,
  least: number,
): number[] {
  const { columns, nodeColumns, firstParents, secondParents, classCount } = model;
  const every = Uint32Array.from({ length: input.view.rowCount }, (_, at) => at);
  const groups = gatherGroups(columns, input.view, every);
  const column = nodeColumns[node]!;
  const own = groups[column]![row]!;
  const fitRows = [...input.rows];
  const met = fitRows.filter((other) => groups[column]![other] === own).length;
  if (own === UNSEEN_CODE || met === 0) return Array(classCount).fill(0);
  const share = (met + 1) / (fitRows.length + columns.groupCounts[column]! - 1);
  let kept = fitRows;
  let probabilities = Array(classCount).fill(share);
  const backOff = () => {
    probabilities = probabilities.map((base, k) => {
      const ofClass = kept.filter((other) => input.classes[other] === k);
      const together = ofClass.filter((other) => groups[column]![other] === own).length;
      return (together + m * base) / (ofClass.length + m);
    });
  };
  backOff();
  for (const parent of [firstParents[node]!, secondParents[node]!]) {
    if (parent === columns.features.length) break;
    const group = groups[parent]![row]!;
    kept = kept.filter((other) => groups[parent]![other] === group);
    if (group === UNSEEN_CODE || kept.length < least) break;
    backOff();
  }
  const terms = probabilities.map((probability) => Math.log(probability / share));
  const present = terms.filter((_, k) => fitRows.some((other) => input.classes[other] === k));
  return terms.map((term, k) => (fitRows.some((other) => input.classes[other] === k) ? term : Math.min(...present)));
}

function softmax(scores: readonly number[]): number[] {
  const highest = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - highest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function naiveAnswer(input: FitInput, model: BayesNetworks, row: number, m: number, least: number): number[] {
  const { classCount, memberStarts, pooling } = model;
  const memberCount = memberStarts.length - 1;
  const pooled = Array(classCount).fill(0);
  for (let member = 0; member < memberCount; member++) {
    const scores = Array.from({ length: classCount }, (_, k) => {
      const ofClass = input.rows.filter((other) => input.classes[other] === k).length;
      return Math.log((ofClass + 1) / (input.rows.length + classCount));
    });
    for (let node = memberStarts[member]!; node < memberStarts[member + 1]!; node++) {
      for (const [k, term] of naiveTerms(input, model, node, row, m, least).entries()) scores[k]! += term;
    }
    const answer = softmax(scores);
    for (let k = 0; k < classCount; k++) pooled[k] += pooling === "arithmetic" ? answer[k]! : Math.log(answer[k]!);
  }
  const means = pooled.map((sum) => sum / memberCount);
  return pooling === "arithmetic" ? means : softmax(means);
}

function expectNaive(input: FitInput, model: BayesNetworks, m: number, least: number): void {
  const answers = answersOf(model, input.view);
  for (let row = 0; row < input.view.rowCount; row += 5) {
    for (const [k, expected] of naiveAnswer(input, model, row, m, least).entries()) {
      expect(answers[row * model.classCount + k]).toBeCloseTo(expected, 5);
    }
  }
}

describe("scores", () => {
  test("of k-dependence members equal counting row by row", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 5 }), (seed, classCount) => {
        const input = entangled(seed, 160, classCount);
        const model = fitDependence(input, { memberCount: 2, smoothing: 3 });
        expectNaive(input, model, 3, 3);
      }),
      { numRuns: 8 },
    );
  });

  test.each(["geometric", "arithmetic"] as const)("of AODE equal counting row by row, %s", (pooling) => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 2, max: 5 }),
        fc.integer({ min: 1, max: 40 }),
        (seed, classCount, least) => {
          const input = entangled(seed, 160, classCount, 4);
          const model = fitAode(input, { pooling, parentCount: 3, leastParentRows: least, smoothing: 2 });
          expectNaive(input, model, 2, least);
        },
      ),
      { numRuns: 6 },
    );
  });

  test("of a class without fit rows equal counting, and it never wins", () => {
    for (const [seed, classCount] of [
      [51, 3],
      [52, 5],
    ] as const) {
      const input = { ...entangled(seed, 160, classCount - 1), classCount };
      const model = fitDependence(input, { memberCount: 2, smoothing: 3 });
      expectNaive(input, model, 3, 3);
      const answers = answersOf(model, input.view);
      for (let at = 0; at < answers.length; at += classCount) {
        const row = answers.subarray(at, at + classCount);
        expect(row[classCount - 1]!).toBeLessThan(Math.max(...row));
      }
    }
  });

  test("do not depend on the block that a row stands in", () => {
    const input = entangled(53, 400, 3);
    const model = fitDependence(input, dependence);
    const answers = answersOf(model, input.view);
    const rows = Uint32Array.from({ length: 2500 }, (_, i) => (i * 37) % 400);
    const out = new Float64Array(rows.length * 3);
    scoreNetworks(model, input.view, rows, out);
    for (const [i, row] of rows.entries()) {
      expect([...out.subarray(i * 3, i * 3 + 3)]).toEqual([...answers.subarray(row * 3, row * 3 + 3)]);
    }
  });
});

describe("beside scikit-learn", () => {
  interface Case {
    classCount: number;
    alpha: number;
    classes: number[];
    columns: number[][];
    probabilities: number[];
  }
  const fixture = join(import.meta.dir, "../../fixtures/bayes/categorical_nb.json");
  const cases: Case[] = JSON.parse(readFileSync(fixture, "utf8"));

  test.each(cases)(
    "plain naive Bayes and a member without parents answer as CategoricalNB: $classCount classes",
    (one) => {
      // The first of the four categories stands as missing: a bucket like others, so that every share is a quarter.
      const features = one.columns.map((column) =>
        categoryFeature(
          column.map((value) => (value === 0 ? 0 : value + 1)),
          3,
        ),
      );
      const input = inputOf(features, one.classes, one.classCount);
      const smoothing = 4 * one.alpha;
      const plain = probabilitiesOf(fitNaiveBayes(input, { variant: "plain", smoothing }), input.view);
      const builder = new NetworkBuilder(input, fitCoarseColumns(input, 100), { smoothing, leastRows: 1 });
      const none = features.length;
      builder.addMember(features.map((_, column) => ({ column, first: none, second: none })));
      const networks = answersOf(builder.finish("arithmetic"), input.view);
      expect(plain).toHaveLength(one.probabilities.length);
      for (const [at, expected] of one.probabilities.entries()) {
        expect(plain[at]).toBeCloseTo(expected, 12);
        expect(networks[at]).toBeCloseTo(expected, 5);
      }
    },
  );
});

describe("structures", () => {
  test("parents come earlier, tell something, the first at least as likely as others; every telling column stands once", () => {
    const input = entangled(61, 2000, 3, 7);
    const columns = fitCoarseColumns(input, 100);
    const information = pairInformation(input, columns);
    const telling = informativeColumns(information);
    const none = information.columnCount;
    const firsts = new Map<number, number>();
    for (let member = 0; member < 200; member++) {
      const nodes = drawDependence(information, telling, 1, member);
      expect(nodes.map(({ column }) => column).sort((a, b) => a - b)).toEqual(telling);
      const earlier = new Set<number>();
      for (const { column, first, second } of nodes) {
        const expected = [...earlier].filter((parent) => information.conditional[column * none + parent]! > 0).length;
        expect([first, second].filter((parent) => parent !== none)).toHaveLength(Math.min(2, expected));
        for (const parent of [first, second]) if (parent !== none) expect(earlier.has(parent)).toBeTrue();
        if (expected < 2) expect(second).toBe(none);
        earlier.add(column);
      }
      firsts.set(nodes[0]!.column, (firsts.get(nodes[0]!.column) ?? 0) + 1);
    }
    const { single } = information;
    const total = telling.reduce((sum, column) => sum + single[column]!, 0);
    for (const column of telling) {
      // Gumbel noise on log-weights draws in proportion to the weights: within five deviations of 200 draws.
      const share = single[column]! / total;
      const deviation = Math.sqrt(200 * share * (1 - share)) + 1;
      expect(Math.abs((firsts.get(column) ?? 0) - 200 * share)).toBeLessThan(5 * deviation);
    }
  });

  test("AODE has a member per parent, the most informative first, and leaves childless columns out", () => {
    const input = entangled(62, 2000, 2, 6);
    const noise = drawInput({ seed: 63, rowCount: 2000, classCount: 9, bucketCounts: [4, 4] });
    const features = [...input.view.features, ...noise.view.features.slice(1)];
    const view = { rowCount: 2000, features };
    const all = fitAode({ ...input, view }, aode);
    expect([...all.memberStarts]).toHaveLength(7);
    expect(Math.max(...all.nodeColumns)).toBeLessThan(6);
    const two = fitAode({ ...input, view }, { ...aode, parentCount: 2 });
    expect([...two.memberStarts]).toEqual([0, 6, 12]);
    expect([...two.firstParents]).toEqual([...all.firstParents.subarray(0, 12)]);
  });
});

describe.each(kinds)("an ensemble of %s", (_, fit) => {
  test("learns what plain naive Bayes cannot", () => {
    const random = new Random(71);
    const bits = () => Array.from({ length: 1200 }, () => random.nextBelow(2));
    const [first, second, third] = [bits(), bits(), bits()];
    const features = [first, second, third].map((list) =>
      categoryFeature(
        list.map((bit) => bit + 2),
        2,
      ),
    );
    const input = inputOf(
      features,
      first.map((bit, row) => bit ^ second[row]!),
      2,
    );
    expect(correctCount(answersOf(fit(input), input.view), input, input.rows)).toBe(1200);
    const plain = probabilitiesOf(fitNaiveBayes(input, { variant: "plain", smoothing: 1 }), input.view);
    expect(correctCount(plain, input, input.rows)).toBeLessThan(720);
  });

  test("repeats to the byte, and the order of the rows changes nothing", () => {
    const drawn = entangled(72, 400, 3);
    const input = { ...drawn, rows: Uint32Array.from({ length: 400 }, (_, row) => row) };
    const order = Array.from({ length: 400 }, (_, row) => (row * 101) % 400);
    expect(fit(input)).toEqual(fit(input));
    expect(fit(reorder(input, order))).toEqual(fit(input));
  });

  test("rows that are not fitted change nothing", () => {
    const input = entangled(73, 400, 3);
    const features = input.view.features.map((feature) => {
      const codes = feature.codes.map((code, row) => (row % 4 === 3 ? 2 : code));
      return { ...feature, codes };
    });
    const classes = input.classes.map((own, row) => (row % 4 === 3 ? 0 : own));
    expect(fit({ ...input, view: { rowCount: 400, features }, classes })).toEqual(fit(input));
  });

  test.each([
    ["no feature varies", [categoryFeature(Array(40).fill(2), 3)], 2],
    ["there is no feature", [], 3],
    [
      "a feature separates",
      [
        categoryFeature(
          Array.from({ length: 40 }, (_, row) => 2 + (row % 2)),
          2,
        ),
      ],
      2,
    ],
    ["all is missing", [categoryFeature(Array(40).fill(0), 3)], 5],
  ])("stays whole where %s", (_, features, classCount) => {
    const classes = Array.from({ length: 40 }, (_, row) => row % 2);
    const input = inputOf(features, classes, classCount);
    const answers = answersOf(fit(input), input.view);
    for (let at = 0; at < answers.length; at += classCount) {
      const row = answers.subarray(at, at + classCount);
      expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
      expect(row.every((value) => value >= 0)).toBeTrue();
    }
    if (features[0]?.codes[1] === 3) expect(correctCount(answers, input, input.rows)).toBe(40);
  });

  test("stays within its bounds with 100 classes and 1,000 features", () => {
    const bucketCounts = Array(1000).fill(12);
    const input = drawInput({ seed: 74, rowCount: 500, classCount: 100, bucketCounts });
    const model = fit(input);
    expect(model.columns.features.length).toBeLessThanOrEqual(46);
    expect(model.terms.length).toBeLessThan(16_000_000);
    const many = fit({ ...drawInput({ seed: 75, rowCount: 100, classCount: 2, bucketCounts }), classCount: 2 });
    expect(many.columns.features.length).toBe(150);
  });

  test("without time it is still whole, cancelled it throws", () => {
    const input = entangled(76, 600, 3);
    const late = { ...input, stop: { cancelled: () => false, timeIsUp: () => true } };
    expect(correctCount(answersOf(fit(late), input.view), input, input.rows)).toBeGreaterThan(250);
    const gone = { ...input, stop: { cancelled: () => true, timeIsUp: () => false } };
    expect(() => fit(gone)).toThrow(Cancelled);
  });
});
